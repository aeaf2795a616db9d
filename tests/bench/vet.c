/* ns a command of zs_vet() in the verify profile, one vetter reused. */
#include <stdio.h>

#include "corpus.h"
#include "zs_shellpolicy.h"

static void vet(void *context, const char *text, size_t len)
{
	zs_vet(context, text, len, &(struct zs_vet_options){ .profile = ZS_PROFILE_VERIFY });
}

int main(void)
{
	struct corpus corpus = corpus_read();

	printf("%.1f\n", corpus_time(&corpus, 3, vet, zs_vetter_new()));
	return 0;
}

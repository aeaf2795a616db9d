/* The baseline of vet.c: ns a command of tree-sitter parsing the same text and nothing else, one parser reused,
 * with its own allocator. */
#include <stdint.h>
#include <stdio.h>
#include <tree_sitter/api.h>

#include "corpus.h"

const TSLanguage *tree_sitter_bash(void);

static void parse(void *context, const char *text, size_t len)
{
	ts_tree_delete(ts_parser_parse_string(context, NULL, text, (uint32_t)len));
}

int main(void)
{
	struct corpus corpus = corpus_read();
	TSParser *parser = ts_parser_new();

	ts_parser_set_language(parser, tree_sitter_bash());
	printf("%.1f\n", corpus_time(&corpus, 3, parse, parser));
	return 0;
}

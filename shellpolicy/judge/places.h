/* Places: the paths that dynamic words may become. Only the profile guard asks for them (struct zs_word, values). */
#ifndef ZS_PLACES_H
#define ZS_PLACES_H

#include "judge/classify.h"

#define ZS_MAX_PLACE_USES 4000 /* dynamic words that are expanded; the values of further ones are not known */

/* Notes the dynamic words of the command that was added last, and of the write that was added last. */
void zs_places_of_command(struct zs_classify *classify);
void zs_place_of_write(struct zs_classify *classify, const struct zs_raw_word *word);
/* Notes the dynamic targets of the redirections that the text has added from index `from` on. */
void zs_places_of_redirects(struct zs_build *build, const struct zs_pending_text *text, uint32_t from);
/* Fills in all values, after all texts have been read. */
void zs_places_fill(struct zs_build *build);

#endif

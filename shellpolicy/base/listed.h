/* Lists of words in one string, "add append apply*": one blank separates two words, and a word that ends in a star
 * matches each text that begins with the rest of it. One string needs no pointers, which a position-independent program
 * would have to relocate at each start. */
#ifndef ZS_LISTED_H
#define ZS_LISTED_H

#include <stdbool.h>
#include <stddef.h>

/* The word of the list that `len` bytes of a text match; NULL: none, as for an empty text. */
const char *zs_listed_word(const char *text, size_t len, const char *list);
/* Is the text a word of the list? NULL and "" are none. */
bool zs_listed(const char *text, const char *list);
/* Are the `len` bytes of the text a word of the list? */
bool zs_listed_bytes(const char *text, size_t len, const char *list);
/* The same without regard to case. The list is in lower case. */
bool zs_listed_any_case(const char *text, size_t len, const char *list);
/* Does the text end in a word of the list, and is it longer than that word? */
bool zs_listed_ending(const char *text, size_t len, const char *list);

#endif

/* base/text/near_name.h: the name that somebody probably meant by a mistyped one. */
#ifndef KSTAR_BASE_TEXT_NEAR_NAME_H
#define KSTAR_BASE_TEXT_NEAR_NAME_H

#include <stdbool.h>

/* The number of edits (insert, delete, replace) that turn a into b, of which the first 63 bytes
 * count. */
int edit_distance(const char *a, const char *b);

/* Keeps in *best the name nearest to the typed one. Call it once per name, with *best NULL at
 * first. A name with more edits than a third of its letters is not near. An equal name is no
 * correction either. */
void near_name_keep(const char *typed, const char *name, const char **best);

#endif

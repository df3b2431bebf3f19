/* base/text/near_name.h: which name somebody meant who typed another. */
#ifndef KSTAR_BASE_TEXT_NEAR_NAME_H
#define KSTAR_BASE_TEXT_NEAR_NAME_H

#include <stdbool.h>

/* Edits (insert, delete, replace) that turn a into b, which counts with its first 63 bytes. */
int edit_distance(const char *a, const char *b);

/* Keeps in *best the name that is nearest to what was typed: call it once per name, with *best NULL
 * at first. A name further than a third of its letters is not near. Nor is the name itself: there
 * is nothing to correct. */
void near_name_keep(const char *typed, const char *name, const char **best);

#endif

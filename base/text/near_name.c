/* base/text/near_name.c: see near_name.h. */
#include "base/text/near_name.h"

#include <stddef.h>
#include <string.h>

int edit_distance(const char *a, const char *b)
{
    int row[64];
    int columns = (int)strnlen(b, 63);
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[columns];
}

void near_name_keep(const char *typed, const char *name, const char **best)
{
    int distance = edit_distance(typed, name);
    if (distance > 0 && 3 * distance <= (int)strlen(name) &&
        (*best == NULL || distance < edit_distance(typed, *best)))
        *best = name;
}

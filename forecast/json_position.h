/* forecast/json_position.h: where in a JSON text a value stands, for errors: cJSON does not keep
 * it.
 *
 * A value is found by the way to it: the number of its member or element at each level, from 0. The
 * text must be JSON that cJSON has read.
 */
#ifndef KSTAR_FORECAST_JSON_POSITION_H
#define KSTAR_FORECAST_JSON_POSITION_H

#include <stdbool.h>
#include <stddef.h>

/* Offset of the value at way[0] .. way[depth - 1], or of its key. depth 0 is the whole text. */
size_t json_position(const char *text, const size_t *way, size_t depth, bool of_key);

/* Line and column, from 1, of an offset. A column is a character of UTF-8. */
void json_line_and_column(const char *text, size_t offset, size_t *line, size_t *column);

#endif

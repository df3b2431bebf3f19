/* forecast/json_position.h: finds the position of a value in a JSON text, for error messages.
 * cJSON does not record positions.
 *
 * The path to a value is the index of its member or element at each level, from 0. cJSON must have
 * parsed the text without error.
 */
#ifndef KSTAR_FORECAST_JSON_POSITION_H
#define KSTAR_FORECAST_JSON_POSITION_H

#include <stdbool.h>
#include <stddef.h>

/* The offset of the value at way[0] .. way[depth - 1], or of its key. Depth 0 is the whole text. */
size_t json_position(const char *text, const size_t *way, size_t depth, bool of_key);

/* The bytes of the value at an offset. */
size_t json_value_length(const char *text, size_t offset);

/* The line and column of an offset, from 1. A column is a UTF-8 character. */
void json_line_and_column(const char *text, size_t offset, size_t *line, size_t *column);

#endif

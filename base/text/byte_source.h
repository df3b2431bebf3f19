/* base/text/byte_source.h: reads the bytes of a plain or gzip file in order, with limits on the
 * uncompressed size.
 *
 * gzip is recognised by its first bytes, not by the name of the file. A gzip file has one or more
 * members and nothing else: a truncated or damaged file, or one with other bytes at its end, is
 * refused.
 */
#ifndef KSTAR_BASE_TEXT_BYTE_SOURCE_H
#define KSTAR_BASE_TEXT_BYTE_SOURCE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_source;

/* `maximum_bytes`: a larger (uncompressed) file is refused; 0: no limit for a plain file, 1 TiB for
 * gzip. `maximum_ratio`: uncompressed ÷ compressed after 64 MiB; 0: 1,000. NULL on failure:
 * ERROR_INPUT if the file is missing or unreadable (path_is_readable). */
struct byte_source *byte_source_open(const char *path, int64_t maximum_bytes, int64_t maximum_ratio,
                                     struct error *error);
void byte_source_close(struct byte_source *source); /* NULL is allowed */

/* Reads at least one byte and at most `size`; *got 0 is the end. Errors name the path: ERROR_INPUT
 * for bad content, ERROR_FAILED if reading fails. */
bool byte_source_read(struct byte_source *source, char *buffer, size_t size, size_t *got,
                      struct error *error);

/* Bytes of the file on disk read so far. */
int64_t byte_source_position(const struct byte_source *source);

#endif

/* base/text/byte_source.h: the bytes of a plain or gzip file, in order, with bounds on what a gzip
 * file may become.
 *
 * gzip is known by its first bytes, not by the file's name. A gzip file is one member or several
 * and nothing else: a truncated or damaged one, and one with other bytes behind it, is refused.
 */
#ifndef KSTAR_BASE_TEXT_BYTE_SOURCE_H
#define KSTAR_BASE_TEXT_BYTE_SOURCE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_source;

/* `maximum_bytes`: more (uncompressed) refuses the file; 0: no bound for a plain file, 1 TiB for
 * gzip. `maximum_ratio`: uncompressed ÷ compressed past 64 MiB; 0: 1,000. NULL on failure:
 * ERROR_INPUT where the file is not there, or not for us to read (path_is_readable). */
struct byte_source *byte_source_open(const char *path, int64_t maximum_bytes, int64_t maximum_ratio,
                                     struct error *error);
void byte_source_close(struct byte_source *source); /* NULL is allowed */

/* Reads at least one byte and at most `size`; *got 0 is the end. Errors name the path: ERROR_INPUT
 * for what the file holds, ERROR_FAILED where it cannot be read. */
bool byte_source_read(struct byte_source *source, char *buffer, size_t size, size_t *got,
                      struct error *error);

/* Bytes of the file on disk read so far, and its size. */
int64_t byte_source_position(const struct byte_source *source);
int64_t byte_source_size(const struct byte_source *source);

#endif

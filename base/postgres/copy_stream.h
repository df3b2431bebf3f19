/* base/postgres/copy_stream.h: rows in COPY's binary format, buffered, for a connection or a spool
 * file.
 *
 *     copy_stream_to_connection(&rows, connection, "COPY line (…) FROM STDIN …", error);
 *     copy_row(&rows, 3);
 *     copy_int8(&rows, key);
 *     copy_decimal(&rows, &cost);
 *     copy_text(&rows, name, length);
 *     …
 *     copy_stream_end(&rows, &row_count, error);
 *
 * A spool is a temporary file (temporary_file.h) for rows that must wait until the connection is
 * free (new dimension rows, quarantined rows). copy_stream_send_spool sends them then. Another
 * thread can make rows in memory, and copy_stream_forward passes them on. Functions that write
 * fields return no failure: the stream keeps the first one, and copy_stream_end returns it.
 */
#ifndef KSTAR_BASE_POSTGRES_COPY_STREAM_H
#define KSTAR_BASE_POSTGRES_COPY_STREAM_H

#include "base/decimal.h"
#include "base/decimal_sum.h"
#include "base/error.h"
#include "base/time_text.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct copy_stream {
    PGconn *connection;    /* NULL for a spool or memory */
    int spool;             /* descriptor of the temporary file; -1 for a connection or memory */
    unsigned char *buffer; /* in memory, all rows: enlarged as needed */
    size_t used, capacity;
    int64_t rows;
    struct error first_error; /* kind ERROR_NONE while all is well */
};

bool copy_stream_to_connection(struct copy_stream *stream, PGconn *connection, const char *copy_statement,
                               struct error *error);
bool copy_stream_to_spool(struct copy_stream *stream, struct error *error);
void copy_stream_to_memory(struct copy_stream *stream);

void copy_row(struct copy_stream *stream, int16_t field_count); /* begins a row */
void copy_null(struct copy_stream *stream);
void copy_int2(struct copy_stream *stream, int16_t value);
void copy_int4(struct copy_stream *stream, int32_t value);
void copy_int8(struct copy_stream *stream, int64_t value);
void copy_bool(struct copy_stream *stream, bool value);
void copy_float8(struct copy_stream *stream, double value);
void copy_text(struct copy_stream *stream, const char *text, size_t length); /* text, bytea, json */
void copy_jsonb(struct copy_stream *stream, const char *text, size_t length);
void copy_decimal(struct copy_stream *stream, const struct decimal *value);
void copy_decimal_sum(struct copy_stream *stream, const struct decimal_sum *sum);
void copy_timestamptz(struct copy_stream *stream, time_us time);
void copy_date(struct copy_stream *stream, time_us midnight);
/* text[]: `texts[i]` NULL is a NULL element. */
void copy_text_array(struct copy_stream *stream, int count, const char *const *texts, const size_t *lengths);

/* Adds the rows of a stream in memory to `stream`, and empties it. */
bool copy_stream_forward(struct copy_stream *stream, struct copy_stream *memory, struct error *error);

/* Drops the rows of a stream in memory. */
void copy_stream_empty(struct copy_stream *memory);

/* Ends the stream: finishes the COPY of a connection, or completes the file of a spool and keeps
 * it open. Returns the number of rows. After a failure, roll back the transaction of the
 * connection. */
bool copy_stream_end(struct copy_stream *stream, int64_t *rows, struct error *error);

/* Sends an ended spool through `copy_statement` and closes it. Without rows it sends nothing. */
bool copy_stream_send_spool(struct copy_stream *spool, PGconn *connection, const char *copy_statement,
                            struct error *error);

/* Frees the stream after a failure; harmless after end or send. */
void copy_stream_discard(struct copy_stream *stream);

#endif

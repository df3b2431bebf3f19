/* base/postgres/copy_stream.c: see copy_stream.h. One buffer holds bytes in the "Binary Format"
 * that PostgreSQL documents for COPY. When it is full, it goes to libpq or to the spool. */
#include "base/postgres/copy_stream.h"

#include "base/postgres/database.h"
#include "base/system/temporary_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* less than the buffer of a Unix socket: with more, the client waits for the server */
    BUFFER_BYTES = 64 << 10,
    TEXT_OID = 25,
    HEADER_BYTES = 19,
};

#define MICROSECONDS_TO_2000 INT64_C(946684800000000) /* PostgreSQL counts from 2000-01-01 */
#define MICROSECONDS_PER_DAY INT64_C(86400000000)

static bool failed(const struct copy_stream *stream)
{
    return stream->first_error.kind != ERROR_NONE;
}

static bool write_all(int descriptor, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static void send_bytes(struct copy_stream *stream, const unsigned char *bytes, size_t count)
{
    if (count == 0 || failed(stream))
        return;
    if (stream->connection == NULL) {
        if (!write_all(stream->spool, bytes, count))
            temporary_file_failed(&stream->first_error);
    } else if (PQputCopyData(stream->connection, (const char *)bytes, (int)count) != 1) {
        database_error(stream->connection, NULL, "COPY", &stream->first_error);
    }
}

static bool is_memory(const struct copy_stream *stream)
{
    return stream->connection == NULL && stream->spool < 0;
}

/* Sends the contents of the buffer, or enlarges it (memory). */
static void make_room(struct copy_stream *stream)
{
    if (is_memory(stream)) {
        stream->capacity *= 2;
        stream->buffer = realloc(stream->buffer, stream->capacity);
        return;
    }
    send_bytes(stream, stream->buffer, stream->used);
    stream->used = 0;
}

/* Reserves `count` bytes, at most BUFFER_BYTES. */
static unsigned char *reserve(struct copy_stream *stream, size_t count)
{
    if (stream->capacity - stream->used < count)
        make_room(stream);
    unsigned char *place = stream->buffer + stream->used;
    stream->used += count;
    return place;
}

static unsigned char *write_int2(unsigned char *place, int16_t value)
{
    uint16_t bytes = __builtin_bswap16((uint16_t)value);
    memcpy(place, &bytes, sizeof bytes);
    return place + sizeof bytes;
}

static unsigned char *write_int4(unsigned char *place, int32_t value)
{
    uint32_t bytes = __builtin_bswap32((uint32_t)value);
    memcpy(place, &bytes, sizeof bytes);
    return place + sizeof bytes;
}

static unsigned char *write_int8(unsigned char *place, int64_t value)
{
    uint64_t bytes = __builtin_bswap64((uint64_t)value);
    memcpy(place, &bytes, sizeof bytes);
    return place + sizeof bytes;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the byte swaps above assume a little-endian machine");

static void put_bytes(struct copy_stream *stream, const char *bytes, size_t count)
{
    while (count > 0) {
        size_t chunk = count < BUFFER_BYTES ? count : BUFFER_BYTES;
        memcpy(reserve(stream, chunk), bytes, chunk);
        bytes += chunk;
        count -= chunk;
    }
}

void copy_stream_to_memory(struct copy_stream *stream)
{
    *stream = (struct copy_stream){ .spool = -1, .capacity = BUFFER_BYTES };
    stream->buffer = malloc(BUFFER_BYTES);
}

/* Begins a stream of rows with its header. The caller sets its destination. */
static void prepare(struct copy_stream *stream)
{
    static const char header[HEADER_BYTES] =
        "PGCOPY\n\377\r\n"; /* signature with its NUL, flags, extension */
    copy_stream_to_memory(stream);
    put_bytes(stream, header, HEADER_BYTES);
}

static bool start_copy(PGconn *connection, const char *copy_statement, struct error *error)
{
    PGresult *result = PQexec(connection, copy_statement);
    bool ok = PQresultStatus(result) == PGRES_COPY_IN;
    if (!ok)
        database_error(connection, result, "COPY", error);
    PQclear(result);
    return ok;
}

/* Ends the COPY (with a `reason`, abandons it) and reads the answer of the server. */
static bool finish_copy(PGconn *connection, const char *reason, struct error *error)
{
    bool ok = PQputCopyEnd(connection, reason) == 1;
    if (!ok)
        database_error(connection, NULL, "COPY", error);
    PGresult *result;
    while ((result = PQgetResult(connection)) != NULL) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK && ok)
            ok = database_error(connection, result, "COPY", error);
        bool lost = PQresultStatus(result) == PGRES_COPY_IN;
        PQclear(result);
        if (lost)
            break; /* the connection broke before the end could be sent */
    }
    return ok;
}

bool copy_stream_to_connection(struct copy_stream *stream, PGconn *connection, const char *copy_statement,
                               struct error *error)
{
    prepare(stream);
    if (!start_copy(connection, copy_statement, error)) {
        copy_stream_discard(stream);
        return false;
    }
    stream->connection = connection;
    return true;
}

bool copy_stream_to_spool(struct copy_stream *stream, struct error *error)
{
    prepare(stream);
    stream->spool = temporary_file(error);
    if (stream->spool < 0)
        copy_stream_discard(stream);
    return stream->spool >= 0;
}

void copy_row(struct copy_stream *stream, int16_t field_count)
{
    write_int2(reserve(stream, 2), field_count);
    stream->rows++;
}

void copy_null(struct copy_stream *stream)
{
    write_int4(reserve(stream, 4), -1);
}

void copy_int2(struct copy_stream *stream, int16_t value)
{
    write_int2(write_int4(reserve(stream, 6), 2), value);
}

void copy_int4(struct copy_stream *stream, int32_t value)
{
    write_int4(write_int4(reserve(stream, 8), 4), value);
}

void copy_int8(struct copy_stream *stream, int64_t value)
{
    write_int8(write_int4(reserve(stream, 12), 8), value);
}

void copy_bool(struct copy_stream *stream, bool value)
{
    *write_int4(reserve(stream, 5), 1) = value;
}

void copy_float8(struct copy_stream *stream, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    copy_int8(stream, bits);
}

void copy_text(struct copy_stream *stream, const char *text, size_t length)
{
    write_int4(reserve(stream, 4), (int32_t)length);
    put_bytes(stream, text, length);
}

void copy_jsonb(struct copy_stream *stream, const char *text, size_t length)
{
    unsigned char *place = reserve(stream, 5);
    *write_int4(place, (int32_t)length + 1) = 1; /* version of the format */
    put_bytes(stream, text, length);
}

void copy_decimal(struct copy_stream *stream, const struct decimal *value)
{
    unsigned char *place = reserve(stream, 4 + DECIMAL_WIRE_BYTES);
    size_t length = decimal_to_wire(value, place + 4);
    write_int4(place, (int32_t)length);
    stream->used -= DECIMAL_WIRE_BYTES - length;
}

void copy_decimal_sum(struct copy_stream *stream, const struct decimal_sum *sum)
{
    unsigned char *place = reserve(stream, 4 + DECIMAL_SUM_WIRE_BYTES);
    size_t length = decimal_sum_to_wire(sum, place + 4);
    write_int4(place, (int32_t)length);
    stream->used -= DECIMAL_SUM_WIRE_BYTES - length;
}

void copy_timestamptz(struct copy_stream *stream, time_us time)
{
    copy_int8(stream, time - MICROSECONDS_TO_2000);
}

void copy_date(struct copy_stream *stream, time_us midnight)
{
    copy_int4(stream, (int32_t)((midnight - MICROSECONDS_TO_2000) / MICROSECONDS_PER_DAY));
}

void copy_text_array(struct copy_stream *stream, int count, const char *const *texts, const size_t *lengths)
{
    size_t size = 12;
    bool has_null = false;
    for (int i = 0; i < count; i++) {
        size += 4 + (texts[i] != NULL ? lengths[i] : 0);
        has_null |= texts[i] == NULL;
    }
    unsigned char *place = reserve(stream, 16);
    place = write_int4(place, (int32_t)(count > 0 ? size + 8 : 12));
    place = write_int4(place, count > 0); /* dimensions */
    place = write_int4(place, has_null);
    write_int4(place, TEXT_OID);
    if (count == 0)
        return;
    write_int4(write_int4(reserve(stream, 8), count), 1); /* length and lower bound */
    for (int i = 0; i < count; i++) {
        if (texts[i] == NULL)
            copy_null(stream);
        else
            copy_text(stream, texts[i], lengths[i]);
    }
}

bool copy_stream_forward(struct copy_stream *stream, struct copy_stream *memory, struct error *error)
{
    if (failed(memory)) {
        *error = memory->first_error;
        return false;
    }
    send_bytes(stream, stream->buffer, stream->used);
    stream->used = 0;
    for (size_t sent = 0; sent < memory->used; sent += BUFFER_BYTES) {
        size_t left = memory->used - sent;
        send_bytes(stream, memory->buffer + sent, left < BUFFER_BYTES ? left : BUFFER_BYTES);
    }
    stream->rows += memory->rows;
    copy_stream_empty(memory);
    if (failed(stream))
        *error = stream->first_error;
    return !failed(stream);
}

void copy_stream_empty(struct copy_stream *memory)
{
    memory->used = 0;
    memory->rows = 0;
}

bool copy_stream_end(struct copy_stream *stream, int64_t *rows, struct error *error)
{
    if (rows != NULL)
        *rows = stream->rows;
    write_int2(reserve(stream, 2), -1); /* end of the rows in this format */
    send_bytes(stream, stream->buffer, stream->used);
    stream->used = 0;
    if (failed(stream)) {
        *error = stream->first_error;
        copy_stream_discard(stream);
        return false;
    }
    if (stream->connection == NULL)
        return true;
    bool ok = finish_copy(stream->connection, NULL, error);
    stream->connection = NULL;
    copy_stream_discard(stream);
    return ok;
}

bool copy_stream_send_spool(struct copy_stream *spool, PGconn *connection, const char *copy_statement,
                            struct error *error)
{
    bool ok = true;
    ssize_t got = 0;
    if (spool->rows == 0)
        goto done;
    ok = start_copy(connection, copy_statement, error);
    if (!ok)
        goto done;
    off_t place = 0;
    while (ok && (got = pread(spool->spool, spool->buffer, BUFFER_BYTES, place)) > 0) {
        place += got;
        if (PQputCopyData(connection, (const char *)spool->buffer, (int)got) != 1)
            ok = database_error(connection, NULL, "COPY", error);
    }
    if (got < 0)
        ok = temporary_file_failed(error);
    if (ok) {
        ok = finish_copy(connection, NULL, error);
    } else {
        struct error ignored;
        finish_copy(connection, "not all rows could be sent",
                    &ignored); /* otherwise the server would keep the rows sent so far */
    }
done:
    copy_stream_discard(spool);
    return ok;
}

void copy_stream_discard(struct copy_stream *stream)
{
    struct error ignored;
    if (stream->connection != NULL)
        finish_copy(stream->connection, "given up", &ignored);
    if (stream->spool > 0) /* a zeroed struct has none */
        close(stream->spool);
    free(stream->buffer);
    *stream = (struct copy_stream){ .spool = -1 };
}

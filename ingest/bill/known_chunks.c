/* ingest/bill/known_chunks.c: see known_chunks.h. */
#include "ingest/bill/known_chunks.h"

#include "base/postgres/database.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_HEX = 32 };
#define CHUNKS_MAXIMUM "262144" /* held in memory: 14 MiB */

static void read_row(struct known_chunk *chunk, const PGresult *result, int row)
{
    char half[KEY_HEX / 2 + 1] = "";
    const char *key = PQgetvalue(result, row, 0), *period = PQgetvalue(result, row, 2);
    memcpy(half, key, KEY_HEX / 2);
    chunk->key.high64 = strtoull(half, NULL, 16);
    memcpy(half, key + KEY_HEX / 2, KEY_HEX / 2);
    chunk->key.low64 = strtoull(half, NULL, 16);
    chunk->chunk_id = strtoll(PQgetvalue(result, row, 1), NULL, 10);
    time_parse(period, strlen(period), &chunk->period);
    chunk->lines = strtoll(PQgetvalue(result, row, 3), NULL, 10);
    chunk->last_line = strtoll(PQgetvalue(result, row, 4), NULL, 10);
    chunk->rows = strtoll(PQgetvalue(result, row, 5), NULL, 10);
    chunk->records = strtoll(PQgetvalue(result, row, 6), NULL, 10);
}

static int compare_keys(XXH128_hash_t a, XXH128_hash_t b)
{
    if (a.high64 != b.high64)
        return a.high64 < b.high64 ? -1 : 1;
    return a.low64 < b.low64 ? -1 : a.low64 > b.low64;
}

static int by_key(const void *a, const void *b)
{
    const struct known_chunk *left = a, *right = b;
    int order = compare_keys(left->key, right->key);
    if (order == 0 && left->chunk_id != right->chunk_id)
        return left->chunk_id < right->chunk_id ? -1 : 1;
    return order != 0 ? order : left->period < right->period ? -1 : left->period > right->period;
}

/* A file may contain the same chunk twice; the first one serves both places. */
static void drop_repeated(struct known_chunks *known)
{
    size_t kept = 0;
    for (size_t i = 0; i < known->count; i++) {
        const struct known_chunk *chunk = &known->chunks[i];
        const struct known_chunk *before = kept > 0 ? &known->chunks[kept - 1] : NULL;
        if (before == NULL || compare_keys(before->key, chunk->key) != 0 ||
            before->chunk_id == chunk->chunk_id)
            known->chunks[kept++] = *chunk;
    }
    known->count = kept;
}

static bool reserve_numbers(struct known_chunks *known, PGconn *connection, struct error *error)
{
    PGresult *result = database_query(connection, "SELECT nextval('chunk_number')", 0, NULL, error);
    if (result == NULL)
        return false;
    known->first_new = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return true;
}

bool known_chunks_open(struct known_chunks *known, PGconn *connection, const char *source,
                       struct error *error)
{
    *known = (struct known_chunks){ 0 };
    if (!reserve_numbers(known, connection, error))
        return false;
    const char *parameters[] = { source, CHUNKS_MAXIMUM };
    PGresult *result = database_query_file(connection, "ingest/billing_chunks.sql", 2, parameters, error);
    if (result == NULL)
        return false;
    known->count = (size_t)PQntuples(result);
    known->chunks = malloc((known->count + 1) * sizeof *known->chunks);
    for (size_t i = 0; i < known->count; i++)
        read_row(&known->chunks[i], result, (int)i);
    PQclear(result);
    qsort(known->chunks, known->count, sizeof *known->chunks, by_key);
    drop_repeated(known);
    return true;
}

void known_chunks_close(struct known_chunks *known)
{
    free(known->chunks);
    *known = (struct known_chunks){ 0 };
}

XXH128_hash_t known_chunk_key(const struct bill_file *bill, const struct csv_chunk *chunk)
{
    XXH128_hash_t bytes = XXH3_128bits(chunk->bytes, chunk->length);
    struct {
        XXH128_hash_t context, bytes;
        uint64_t length, is_last; /* the last line of a file may lack its end */
    } all = { bill->context, bytes, chunk->length, chunk->is_last };
    return XXH3_128bits(&all, sizeof all);
}

const struct known_chunk *known_chunk_find(const struct known_chunks *known, XXH128_hash_t key, size_t *count)
{
    size_t low = 0, high = known->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_keys(known->chunks[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < known->count && compare_keys(known->chunks[low + *count].key, key) == 0)
        ++*count;
    return *count > 0 ? &known->chunks[low] : NULL;
}

/* ingest/bill/dimension.c: see dimension.h.
 *
 * - hash: XXH3's 128 bits over the fields, each preceded by its length (all ones for null), so that
 *   ("ab", "c") is not ("a", "bc"). The key is the low 64 bits; the cache compares all 128.
 * - cache: 64 Ki hashes per dimension, in sets of four (a cache line); a new hash
 *   replaces the oldest of its set.
 * - rows: go to a spool (dimension, key, text[]), because the COPY of lines uses the connection.
 */
#include "ingest/bill/dimension.h"

#include "base/decimal.h"
#include "base/postgres/copy_stream.h"
#include "base/postgres/database.h"
#include "base/utf8.h"
#include "ingest/key_values.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    CACHE_LINE = 64,         /* bytes */
    CACHE_SETS = 16 << 10,   /* a power of two */
    CACHE_WAYS = 4,          /* as many hashes as a cache line has */
    SKU_LIST_UNIT_PRICE = 9, /* places among the sku's columns */
    SKU_CONTRACTED_UNIT_PRICE = 10,
};

/* Columns of each dimension, without its key. */
static const int text_counts[DIMENSION_COUNT] = {
    [DIMENSION_ACCOUNT] = 8,
    [DIMENSION_INVOICE] = 5,
    [DIMENSION_RESOURCE] = 6,
    [DIMENSION_SKU] = 12,
    [DIMENSION_COMMITMENT] = 6,
    [DIMENSION_CHARGE_KIND] = 6,
    [DIMENSION_CHARGE_DESCRIPTION] = 1,
    [DIMENSION_TAG_SET] = 1,
    [DIMENSION_CUSTOM_COLUMNS] = 1,
};

struct dimension_store {
    void *cache_memory;                             /* cache points into it */
    XXH128_hash_t (*cache)[CACHE_SETS][CACHE_WAYS]; /* per dimension; newest first within a set */
    struct {
        XXH128_hash_t hash;
        bool all_null;
    } prepared[DIMENSION_COUNT];
    struct copy_stream spool;
    char *scratch; /* the bytes to hash */
    size_t used, capacity;
};

struct dimension_store *dimension_store_open(struct error *error)
{
    struct dimension_store *store = calloc(1, sizeof *store);
    /* calloc: a small bill touches only a few pages of the 9 MB */
    store->cache_memory = calloc(1, DIMENSION_COUNT * sizeof *store->cache + CACHE_LINE - 1);
    store->cache = (void *)(((uintptr_t)store->cache_memory + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!copy_stream_to_spool(&store->spool, error)) {
        dimension_store_close(store);
        return NULL;
    }
    return store;
}

void dimension_store_close(struct dimension_store *store)
{
    if (store == NULL)
        return;
    copy_stream_discard(&store->spool);
    free(store->cache_memory);
    free(store->scratch);
    free(store);
}

/* ---- hash ---- */

static void make_room(struct dimension_store *store, size_t more)
{
    if (store->capacity - store->used >= more)
        return;
    store->capacity = 2 * (store->used + more) + 1024;
    store->scratch = realloc(store->scratch, store->capacity);
}

/* Copies up to sixteen bytes faster than memcpy: most of the forty fields of a line are short. */
static void copy_short(char *to, const char *from, size_t length)
{
    if (length >= 8) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + length - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + length - 8, &tail, 8);
    } else if (length >= 4) {
        uint32_t head, tail;
        memcpy(&head, from, 4);
        memcpy(&tail, from + length - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to + length - 4, &tail, 4);
    } else {
        for (size_t i = 0; i < length; i++)
            to[i] = from[i];
    }
}

static void append(struct dimension_store *store, const char *text, size_t length)
{
    uint32_t prefix = text != NULL ? (uint32_t)length : UINT32_MAX;
    make_room(store, sizeof prefix + (text != NULL ? length : 0));
    memcpy(store->scratch + store->used, &prefix, sizeof prefix);
    store->used += sizeof prefix;
    if (text == NULL)
        return;
    if (length <= 16)
        copy_short(store->scratch + store->used, text, length);
    else
        memcpy(store->scratch + store->used, text, length);
    store->used += length;
}

/* Hashes the bytes in `scratch`. */
static void prepare(struct dimension_store *store, enum dimension dimension, bool all_null)
{
    store->prepared[dimension].all_null = all_null;
    if (all_null)
        return;
    XXH128_hash_t hash = XXH3_128bits(store->scratch, store->used);
    store->prepared[dimension].hash = hash;
    __builtin_prefetch(store->cache[dimension][hash.high64 & (CACHE_SETS - 1)]);
}

/* Whether the text was kept already, as far as the cache remembers. */
static bool is_cached(const struct dimension_store *store, enum dimension dimension, XXH128_hash_t hash)
{
    const XXH128_hash_t *set = store->cache[dimension][hash.high64 & (CACHE_SETS - 1)];
    for (int way = 0; way < CACHE_WAYS; way++) {
        if (set[way].low64 == hash.low64 && set[way].high64 == hash.high64)
            return true;
    }
    return false;
}

static void remember(struct dimension_store *store, enum dimension dimension, XXH128_hash_t hash)
{
    XXH128_hash_t *set = store->cache[dimension][hash.high64 & (CACHE_SETS - 1)];
    memmove(set + 1, set, (CACHE_WAYS - 1) * sizeof *set);
    set[0] = hash;
}

/* ---- rows ---- */

static void keep_row(struct dimension_store *store, enum dimension dimension, int64_t key, int count,
                     const struct csv_field *texts)
{
    const char *pointers[DIMENSION_TEXTS_MAXIMUM];
    size_t lengths[DIMENSION_TEXTS_MAXIMUM];
    for (int i = 0; i < count; i++) {
        pointers[i] = texts[i].text;
        lengths[i] = texts[i].length;
    }
    copy_row(&store->spool, 3);
    copy_int2(&store->spool, (int16_t)dimension);
    copy_int8(&store->spool, key);
    copy_text_array(&store->spool, count, pointers, lengths);
}

/* The problem with the texts of a dimension; NULL: none. */
static const char *find_problem(enum dimension dimension, const struct csv_field *texts, int *which)
{
    static const int prices[] = { SKU_LIST_UNIT_PRICE, SKU_CONTRACTED_UNIT_PRICE };
    struct decimal price;
    if (dimension == DIMENSION_TAG_SET) {
        *which = 0;
        return key_values_problem(texts[0].text, texts[0].length);
    }
    for (int i = 0; dimension == DIMENSION_SKU && i < 2; i++) {
        *which = prices[i];
        if (texts[*which].text != NULL && !decimal_parse(texts[*which].text, texts[*which].length, &price))
            return "not a decimal number";
    }
    return NULL;
}

void dimension_prepare(struct dimension_store *store, enum dimension dimension, const struct csv_field *texts)
{
    bool all_null = true;
    store->used = 0;
    for (int i = 0; i < text_counts[dimension]; i++) {
        append(store, texts[i].text, texts[i].length);
        all_null &= texts[i].text == NULL;
    }
    prepare(store, dimension, all_null);
}

enum dimension_outcome dimension_key(struct dimension_store *store, enum dimension dimension,
                                     const struct csv_field *texts, int64_t *key, int *which,
                                     const char **problem)
{
    if (store->prepared[dimension].all_null)
        return DIMENSION_NULL;
    XXH128_hash_t hash = store->prepared[dimension].hash;
    *key = (int64_t)hash.low64;
    if (is_cached(store, dimension, hash))
        return DIMENSION_KEY;
    *problem = find_problem(dimension, texts, which);
    if (*problem != NULL)
        return DIMENSION_INVALID;
    keep_row(store, dimension, *key, text_counts[dimension], texts);
    remember(store, dimension, hash);
    return DIMENSION_KEY;
}

/* Writes the values as a JSON object and keeps the row. */
static void keep_custom_row(struct dimension_store *store, int64_t key, int count, const char *const *names,
                            const struct csv_field *values)
{
    cJSON *object = cJSON_CreateObject();
    for (int i = 0; i < count; i++) {
        if (values[i].text == NULL)
            continue;
        char *text = strndup(values[i].text, values[i].length);
        cJSON_AddStringToObject(object, names[i], text);
        free(text);
    }
    char *json = cJSON_PrintUnformatted(object);
    keep_row(store, DIMENSION_CUSTOM_COLUMNS, key, 1, &(struct csv_field){ json, strlen(json) });
    cJSON_free(json);
    cJSON_Delete(object);
}

void dimension_custom_prepare(struct dimension_store *store, int count, const char *const *names,
                              const struct csv_field *values)
{
    store->used = 0;
    for (int i = 0; i < count; i++) {
        if (values[i].text == NULL)
            continue;
        append(store, names[i], strlen(names[i]));
        append(store, values[i].text, values[i].length);
    }
    prepare(store, DIMENSION_CUSTOM_COLUMNS, store->used == 0);
}

enum dimension_outcome dimension_custom_key(struct dimension_store *store, int count,
                                            const char *const *names, const struct csv_field *values,
                                            int64_t *key)
{
    if (store->prepared[DIMENSION_CUSTOM_COLUMNS].all_null)
        return DIMENSION_NULL;
    XXH128_hash_t hash = store->prepared[DIMENSION_CUSTOM_COLUMNS].hash;
    *key = (int64_t)hash.low64;
    if (!is_cached(store, DIMENSION_CUSTOM_COLUMNS, hash)) {
        keep_custom_row(store, *key, count, names, values);
        remember(store, DIMENSION_CUSTOM_COLUMNS, hash);
    }
    return DIMENSION_KEY;
}

/* ---- into the database ---- */

static bool check_collisions(PGconn *connection, struct error *error)
{
    PGresult *result = database_query_file(connection, "ingest/dimension_collision.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    bool ok = PQntuples(result) == 0;
    if (!ok) {
        char kept[400], other[400];
        const char *stored = PQgetvalue(result, 0, 2);
        const char *staged = PQgetvalue(result, 0, 3);
        error_set(error, ERROR_INPUT,
                  "two texts of dimension %s have the same key %s; the delivery is refused",
                  PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1));
        error_detail(error, "%s and %s", utf8_excerpt(stored, strlen(stored), kept, sizeof kept),
                     utf8_excerpt(staged, strlen(staged), other, sizeof other));
    }
    PQclear(result);
    return ok;
}

/* Ends the spools and counts their rows. */
static bool end_spools(struct dimension_store *const *stores, int count, int64_t *rows, struct error *error)
{
    *rows = 0;
    for (int i = 0; i < count; i++) {
        int64_t of_store;
        if (!copy_stream_end(&stores[i]->spool, &of_store, error))
            return false;
        *rows += of_store;
    }
    return true;
}

static bool send_spools(struct dimension_store *const *stores, int count, PGconn *connection,
                        struct error *error)
{
    for (int i = 0; i < count; i++) {
        if (!copy_stream_send_spool(&stores[i]->spool, connection,
                                    "COPY staged_dimension (dimension, dimension_key, texts) "
                                    "FROM STDIN (FORMAT binary)",
                                    error))
            return false;
    }
    return true;
}

bool dimension_store_commit(struct dimension_store *const *stores, int count, PGconn *connection,
                            struct error *error)
{
    int64_t rows;
    if (!end_spools(stores, count, &rows, error))
        return false;
    if (rows == 0)
        return true;
    bool ok = database_begin(connection, error) &&
              database_run_file(connection, "ingest/dimension_staging.sql", error) &&
              send_spools(stores, count, connection, error) &&
              database_run_file(connection, "ingest/dimension_store.sql", error) &&
              check_collisions(connection, error) && database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    return ok;
}

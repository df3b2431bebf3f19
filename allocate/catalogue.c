/* allocate/catalogue.c: see catalogue.h. */
#include "allocate/catalogue.h"

#include "allocate/wire.h"
#include "base/postgres/cursor.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MICROSECONDS_PER_DAY INT64_C(86400000000)
#define DAYS_TO_2000         10957

/* ---- Helpers of rows ---- */

static uint32_t name_at(struct catalogue *catalogue, const PGresult *rows, int row, int column)
{
    return PQgetisnull(rows, row, column)
               ? 0
               : name_table_number(&catalogue->names, PQgetvalue(rows, row, column));
}

/* Returns room for one more element of `size` bytes. Capacities are powers of two. */
static void *room_for_one(void *things, size_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return things;
    return realloc(things, (count == 0 ? 1 : 2 * count) * size);
}

/* Elements of `size` bytes, sorted by their first field, an int64_t. */
struct sorted_things {
    const void *things;
    size_t count, size;
};

static int64_t key_at(const struct sorted_things *sorted, size_t index)
{
    int64_t key;
    memcpy(&key, (const char *)sorted->things + index * sorted->size, sizeof key);
    return key;
}

/* Index of the first element whose key is at least `key`, or `count`. */
static size_t first_from(const struct sorted_things *sorted, int64_t key)
{
    size_t low = 0, high = sorted->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_at(sorted, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Number of elements with the key. Sets *first to the index of the first one. */
static size_t things_of(const struct sorted_things *sorted, int64_t key, size_t *first)
{
    size_t end = *first = first_from(sorted, key);
    while (end < sorted->count && key_at(sorted, end) == key)
        end++;
    return end - *first;
}

/* ---- Classes ---- */

static uint32_t *class_place(const struct catalogue *catalogue, const struct class_key *key)
{
    uint64_t hash = XXH3_64bits_withSeed(key->keys, sizeof key->keys, (uint64_t)key->epoch);
    uint32_t place = (uint32_t)hash & (catalogue->class_place_count - 1);
    while (catalogue->class_places[place] != UINT32_MAX) {
        const struct class_key *other = &catalogue->classes[catalogue->class_places[place]].key;
        if (other->epoch == key->epoch && memcmp(other->keys, key->keys, sizeof key->keys) == 0)
            break;
        place = (place + 1) & (catalogue->class_place_count - 1);
    }
    return &catalogue->class_places[place];
}

const struct line_class *catalogue_class(const struct catalogue *catalogue, const struct class_key *key)
{
    uint32_t index = catalogue->class_place_count == 0 ? UINT32_MAX : *class_place(catalogue, key);
    return index == UINT32_MAX ? NULL : &catalogue->classes[index];
}

static void index_classes(struct catalogue *catalogue)
{
    catalogue->class_place_count = 16;
    while (catalogue->class_place_count < 2 * catalogue->class_count)
        catalogue->class_place_count *= 2;
    size_t bytes = catalogue->class_place_count * sizeof *catalogue->class_places;
    catalogue->class_places = malloc(bytes);
    memset(catalogue->class_places, 0xff, bytes);
    for (uint32_t i = 0; i < catalogue->class_count; i++)
        *class_place(catalogue, &catalogue->classes[i].key) = i;
}

static bool is_same_charge_group(const struct line_group *one, const struct line_group *other)
{
    return one->invoice == other->invoice && one->charge_part == other->charge_part &&
           one->has_closed_month == other->has_closed_month && one->closed_month == other->closed_month;
}

static bool is_same_group(const struct line_group *one, const struct line_group *other)
{
    return is_same_charge_group(one, other) && one->charge_kind == other->charge_kind &&
           one->commitment == other->commitment && one->provider == other->provider &&
           one->service == other->service && one->service_category == other->service_category &&
           one->sku_id == other->sku_id;
}

/* Sets the groups of a class. Classes are read in the order of their groups. */
static void set_groups(struct catalogue *catalogue, struct line_class *class, const struct line_group *group)
{
    uint32_t count = catalogue->group_count;
    const struct line_class *before = count == 0 ? NULL : &catalogue->classes[catalogue->class_count - 1];
    bool is_new = count == 0 || !is_same_group(&catalogue->groups[count - 1], group);
    bool is_alike = count > 0 && is_same_charge_group(&catalogue->groups[count - 1], group);
    if (is_new) {
        catalogue->groups = room_for_one(catalogue->groups, count, sizeof *catalogue->groups);
        catalogue->groups[catalogue->group_count++] = *group;
    }
    class->group = catalogue->group_count - 1;
    class->charge_group = is_alike ? before->charge_group : class->group;
}

/* Columns of sql/allocate/merge/classes.sql. */
enum {
    CLASS_KEY_FIRST,
    CLASS_EPOCH = CLASS_KEYS,
    CLASS_NODE,
    CLASS_SOURCE,
    CLASS_SKU_ID,
    CLASS_PROVIDER,
    CLASS_SERVICE,
    CLASS_SERVICE_CATEGORY,
    CLASS_CHARGE_PART,
    CLASS_CLOSED_MONTH,
    CLASS_CONSUMED_UNIT,
    CLASS_PRICING_UNIT,
    CLASS_POOL,
    CLASS_COST_CENTRE,
    CLASS_IS_TAX,
    CLASS_IS_PURCHASE,
    CLASS_IS_USAGE,
    CLASS_IS_CORRECTION,
    CLASS_IS_UNUSED,
    CLASS_IS_COVERED,
    CLASS_IS_COMMITTED,
    CLASS_IS_SPOT,
    CLASS_NAMED,
    CLASS_ID
};

enum { KEY_INVOICE = 0, KEY_KIND = 1, KEY_COMMITMENT = 5 };

static bool take_class(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    (void)error;
    struct line_class class = { 0 };
    for (int i = 0; i < CLASS_KEYS; i++)
        class.key.keys[i] = wire_int8(rows, row, CLASS_KEY_FIRST + i);
    class.key.epoch = wire_int4(rows, row, CLASS_EPOCH);
    class.id = wire_int8(rows, row, CLASS_ID);
    class.node = wire_int8(rows, row, CLASS_NODE);
    class.source = name_at(catalogue, rows, row, CLASS_SOURCE);
    class.sku_id = name_at(catalogue, rows, row, CLASS_SKU_ID);
    class.consumed_unit_seconds = wire_int4(rows, row, CLASS_CONSUMED_UNIT);
    class.pricing_unit_seconds = wire_int4(rows, row, CLASS_PRICING_UNIT);
    class.pool = name_at(catalogue, rows, row, CLASS_POOL);
    class.cost_centre = name_at(catalogue, rows, row, CLASS_COST_CENTRE);
    class.is_tax = wire_bool(rows, row, CLASS_IS_TAX);
    class.is_purchase_of_commitment = wire_bool(rows, row, CLASS_IS_PURCHASE);
    class.is_usage = wire_bool(rows, row, CLASS_IS_USAGE);
    class.is_correction = wire_bool(rows, row, CLASS_IS_CORRECTION);
    class.is_unused = wire_bool(rows, row, CLASS_IS_UNUSED);
    class.is_covered = wire_bool(rows, row, CLASS_IS_COVERED);
    class.is_committed = wire_bool(rows, row, CLASS_IS_COMMITTED);
    class.is_spot = wire_bool(rows, row, CLASS_IS_SPOT);
    class.is_hardware = strcmp(PQgetvalue(rows, row, CLASS_CHARGE_PART), "hardware") == 0;
    class.named_count = (uint32_t)wire_int8(rows, row, CLASS_NAMED);
    class.first_named = catalogue->named_count;
    catalogue->named_count += class.named_count;
    set_groups(
        catalogue, &class,
        &(struct line_group){ .invoice = class.key.keys[KEY_INVOICE],
                              .charge_kind = class.key.keys[KEY_KIND],
                              .commitment = class.key.keys[KEY_COMMITMENT],
                              .charge_part = name_at(catalogue, rows, row, CLASS_CHARGE_PART),
                              .provider = name_at(catalogue, rows, row, CLASS_PROVIDER),
                              .service = name_at(catalogue, rows, row, CLASS_SERVICE),
                              .service_category = name_at(catalogue, rows, row, CLASS_SERVICE_CATEGORY),
                              .sku_id = class.sku_id,
                              .has_closed_month = !PQgetisnull(rows, row, CLASS_CLOSED_MONTH),
                              .closed_month = wire_int4(rows, row, CLASS_CLOSED_MONTH) });
    catalogue->classes = room_for_one(catalogue->classes, catalogue->class_count, sizeof class);
    catalogue->classes[catalogue->class_count++] = class;
    return true;
}

/* Jobs that classes name are read in the order of the classes. */
static bool take_named(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    size_t attempt = catalogue_attempt_index(catalogue, wire_int8(rows, row, 0));
    if (attempt == SIZE_MAX)
        return error_set(error, ERROR_CONSERVATION, "a line names attempt %lld, which is not read",
                         (long long)wire_int8(rows, row, 0));
    catalogue->named = room_for_one(catalogue->named, catalogue->named_count, sizeof *catalogue->named);
    catalogue->named[catalogue->named_count++] =
        (struct named_candidate){ .attempt = attempt, .is_own = wire_bool(rows, row, 1) };
    return true;
}

static bool take_change(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    (void)error;
    catalogue->epoch_days =
        room_for_one(catalogue->epoch_days, catalogue->epoch_count, sizeof *catalogue->epoch_days);
    catalogue->epoch_days[catalogue->epoch_count++] = wire_int4(rows, row, 0);
    return true;
}

int32_t catalogue_epoch(const struct catalogue *catalogue, int64_t time)
{
    int64_t day = time / MICROSECONDS_PER_DAY - (time % MICROSECONDS_PER_DAY < 0) - DAYS_TO_2000;
    return (int32_t)first_from(&(struct sorted_things){ catalogue->epoch_days, catalogue->epoch_count,
                                                        sizeof *catalogue->epoch_days },
                               day + 1);
}

/* ---- Attempts ---- */

enum {
    ATTEMPT_ID,
    ATTEMPT_CLUSTER,
    ATTEMPT_START,
    ATTEMPT_END,
    ATTEMPT_GOES_ON,
    ATTEMPT_BARE_CPUS,
    ATTEMPT_KEPT,
    ATTEMPT_REFUNDED,
    ATTEMPT_POOL,
    ATTEMPT_REASON,
    ATTEMPT_INSTANCES,
    ATTEMPT_COST_CENTRE,
    ATTEMPT_FAMILY,
    ATTEMPT_OUTCOME
}; /* sql/allocate/merge/attempts.sql */

static bool take_attempt(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    (void)error;
    size_t place = catalogue->attempt_count;
    catalogue->attempts = room_for_one(catalogue->attempts, place, sizeof *catalogue->attempts);
    catalogue->named_attempts =
        room_for_one(catalogue->named_attempts, place, sizeof *catalogue->named_attempts);
    catalogue->refunds = room_for_one(catalogue->refunds, place, sizeof *catalogue->refunds);
    catalogue->attempts[place] = (struct catalogue_attempt){
        .bare_cpus = PQgetisnull(rows, row, ATTEMPT_BARE_CPUS) ? -1 : wire_int8(rows, row, ATTEMPT_BARE_CPUS),
        .instances = (uint32_t)wire_int8(rows, row, ATTEMPT_INSTANCES),
        .pool = name_at(catalogue, rows, row, ATTEMPT_POOL),
        .reason = name_at(catalogue, rows, row, ATTEMPT_REASON),
        .cost_centre = name_at(catalogue, rows, row, ATTEMPT_COST_CENTRE),
        .family = name_at(catalogue, rows, row, ATTEMPT_FAMILY),
        .outcome = name_at(catalogue, rows, row, ATTEMPT_OUTCOME),
    };
    catalogue->named_attempts[place] =
        (struct named_attempt){ .id = wire_int8(rows, row, ATTEMPT_ID),
                                .start = wire_time(rows, row, ATTEMPT_START),
                                .end = wire_time(rows, row, ATTEMPT_END),
                                .cluster = name_at(catalogue, rows, row, ATTEMPT_CLUSTER),
                                .goes_on = wire_bool(rows, row, ATTEMPT_GOES_ON) };
    catalogue->refunds[place] =
        (struct resource_attempt){ .kept = (uint64_t)wire_int8(rows, row, ATTEMPT_KEPT),
                                   .refunded = (uint64_t)wire_int8(rows, row, ATTEMPT_REFUNDED) };
    catalogue->attempt_count++;
    return true;
}

size_t catalogue_attempt_index(const struct catalogue *catalogue, int64_t attempt_id)
{
    const struct sorted_things attempts = { catalogue->named_attempts, catalogue->attempt_count,
                                            sizeof *catalogue->named_attempts };
    size_t first;
    return things_of(&attempts, attempt_id, &first) > 0 ? first : SIZE_MAX;
}

/* ---- Inventory ---- */

enum {
    PRESENCE_NODE,
    PRESENCE_CLUSTER,
    PRESENCE_NAME,
    PRESENCE_FROM,
    PRESENCE_TO,
    PRESENCE_RECORDED_TO,
    PRESENCE_ACCELERATORS,
    PRESENCE_CPUS,
    PRESENCE_IDLE_POOL,
    PRESENCE_FULL_NAME
}; /* sql/allocate/merge/inventory.sql */

static bool take_presence(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    (void)error;
    size_t place = catalogue->presence_count;
    catalogue->presences = room_for_one(catalogue->presences, place, sizeof *catalogue->presences);
    catalogue->presence_times =
        room_for_one(catalogue->presence_times, place, sizeof *catalogue->presence_times);
    catalogue->presences[place] = (struct catalogue_presence){
        .node = wire_int8(rows, row, PRESENCE_NODE),
        .name = name_at(catalogue, rows, row, PRESENCE_FULL_NAME),
        .cluster = name_at(catalogue, rows, row, PRESENCE_CLUSTER),
        .node_name = name_at(catalogue, rows, row, PRESENCE_NAME),
        .accelerators = wire_int8(rows, row, PRESENCE_ACCELERATORS),
        .cpus = wire_int8(rows, row, PRESENCE_CPUS),
        .idle_pool = name_at(catalogue, rows, row, PRESENCE_IDLE_POOL),
    };
    catalogue->presence_times[place] =
        (struct resource_presence){ .from = wire_time(rows, row, PRESENCE_FROM),
                                    .to = wire_time(rows, row, PRESENCE_TO),
                                    .recorded_to = wire_time(rows, row, PRESENCE_RECORDED_TO) };
    catalogue->presence_count++;
    return true;
}

size_t catalogue_presences(const struct catalogue *catalogue, int64_t node, size_t *first)
{
    const struct sorted_things presences = { catalogue->presences, catalogue->presence_count,
                                             sizeof *catalogue->presences };
    return things_of(&presences, node, first);
}

enum { FROZEN_PRESENCE, FROZEN_FROM, FROZEN_TO, FROZEN_POOL }; /* frozen_pools.sql */

/* The rows are ordered by the row of the inventory. */
static bool take_frozen(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    (void)error;
    struct catalogue_presence *presence = &catalogue->presences[wire_int8(rows, row, FROZEN_PRESENCE)];
    if (presence->frozen_count++ == 0)
        presence->first_frozen = catalogue->frozen_count;
    catalogue->frozen = room_for_one(catalogue->frozen, catalogue->frozen_count, sizeof *catalogue->frozen);
    catalogue->frozen[catalogue->frozen_count++] =
        (struct frozen_pool){ .from = wire_time(rows, row, FROZEN_FROM),
                              .to = wire_time(rows, row, FROZEN_TO),
                              .pool = name_at(catalogue, rows, row, FROZEN_POOL) };
    return true;
}

uint32_t catalogue_idle_pool(const struct catalogue *catalogue, size_t presence, int64_t start)
{
    const struct catalogue_presence *row = &catalogue->presences[presence];
    for (uint32_t i = row->first_frozen; i < row->first_frozen + row->frozen_count; i++) {
        const struct frozen_pool *frozen = &catalogue->frozen[i];
        if (frozen->from <= start && start < frozen->to)
            return frozen->pool;
    }
    return row->idle_pool;
}

/* ---- Lines of earlier statements ---- */

enum {
    EARLIER_NODE,
    EARLIER_SOURCE,
    EARLIER_SKU_ID,
    EARLIER_START,
    EARLIER_END,
    EARLIER_SECONDS
}; /* earlier_lines.sql */

static bool take_earlier(const PGresult *rows, int row, void *context, struct error *error)
{
    struct catalogue *catalogue = context;
    (void)error;
    size_t place = catalogue->earlier_count++;
    catalogue->earlier_lines =
        room_for_one(catalogue->earlier_lines, place, sizeof *catalogue->earlier_lines);
    catalogue->earlier_nodes =
        room_for_one(catalogue->earlier_nodes, place, sizeof *catalogue->earlier_nodes);
    struct resource_line *line = &catalogue->earlier_lines[place];
    *line = (struct resource_line){ .start = wire_time(rows, row, EARLIER_START),
                                    .end = wire_time(rows, row, EARLIER_END),
                                    .source = name_at(catalogue, rows, row, EARLIER_SOURCE),
                                    .sku = name_at(catalogue, rows, row, EARLIER_SKU_ID),
                                    .is_usage = true,
                                    .states_time = true };
    mpz_init(line->seconds.units);
    wire_decimal(rows, row, EARLIER_SECONDS, &line->seconds);
    catalogue->earlier_nodes[place] = wire_int8(rows, row, EARLIER_NODE);
    return true;
}

size_t catalogue_earlier(const struct catalogue *catalogue, int64_t node, size_t *first)
{
    const struct sorted_things nodes = { catalogue->earlier_nodes, catalogue->earlier_count,
                                         sizeof *catalogue->earlier_nodes };
    return things_of(&nodes, node, first);
}

/* ---- The whole catalogue ---- */

static bool read_rows(struct catalogue *catalogue, PGconn *connection, const char *file, cursor_row *take,
                      struct error *error)
{
    return cursor_read(connection, file, "catalogue", CURSOR_BINARY, take, catalogue, error);
}

/* Numbers a source's name. */
static bool take_source(const PGresult *rows, int row, void *context, struct error *error)
{
    (void)error;
    (void)name_at(context, rows, row, 0);
    return true;
}

bool catalogue_load(struct catalogue *catalogue, PGconn *connection, struct error *error)
{
    static const struct {
        const char *file;
        cursor_row *take;
    } parts[] = {
        { "allocate/merge/sources.sql", take_source }, /* first: see there */
        { "allocate/merge/rule_changes.sql", take_change },
        { "allocate/merge/attempts.sql", take_attempt },
        { "allocate/merge/classes.sql", take_class },
        { "allocate/merge/inventory.sql", take_presence },
        { "allocate/merge/frozen_pools.sql", take_frozen },
        { "allocate/merge/earlier_lines.sql", take_earlier },
    };
    *catalogue = (struct catalogue){ 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof parts / sizeof parts[0]; i++)
        ok = read_rows(catalogue, connection, parts[i].file, parts[i].take, error);
    if (!ok)
        return false;
    index_classes(catalogue);
    catalogue->named_count = 0; /* the classes counted them, and take_named counts again */
    return read_rows(catalogue, connection, "allocate/merge/named_jobs.sql", take_named, error);
}

size_t catalogue_bytes(const struct catalogue *catalogue)
{
    return catalogue->attempt_count * (sizeof *catalogue->attempts + sizeof *catalogue->named_attempts +
                                       sizeof *catalogue->refunds) +
           catalogue->class_count * sizeof *catalogue->classes +
           catalogue->class_place_count * sizeof *catalogue->class_places +
           catalogue->named_count * sizeof *catalogue->named;
}

void catalogue_free(struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->earlier_count; i++)
        mpz_clear(catalogue->earlier_lines[i].seconds.units);
    name_table_free(&catalogue->names);
    free(catalogue->epoch_days);
    free(catalogue->classes);
    free(catalogue->class_places);
    free(catalogue->groups);
    free(catalogue->named);
    free(catalogue->attempts);
    free(catalogue->named_attempts);
    free(catalogue->refunds);
    free(catalogue->presences);
    free(catalogue->presence_times);
    free(catalogue->frozen);
    free(catalogue->earlier_lines);
    free(catalogue->earlier_nodes);
    *catalogue = (struct catalogue){ 0 };
}

/* allocate/month_reader.c: see month_reader.h.
 *
 * Two cursors read lines and holds in the same order: by the hash of the resource's name (sql:
 * node_hash), which does not depend on letter case. Different resources with the same hash are
 * separated here. Lines that name no resource are ordered by their tags.
 */
#include "allocate/month_reader.h"

#include "allocate/wire.h"
#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH_ROWS = 2000 };

struct cursor {
    PGconn *connection;
    const char *fetch;
    PGresult *rows;
    int row, count;
    bool is_over;
};

/* Moves to the next row. cursor->is_over is set after the last row. */
static bool next_row(struct cursor *cursor, struct error *error)
{
    if (cursor->is_over || ++cursor->row < cursor->count)
        return true;
    if (cursor->rows != NULL && cursor->count < BATCH_ROWS) {
        cursor->is_over = true;
        return true;
    }
    PQclear(cursor->rows);
    cursor->rows = wire_query(cursor->connection, cursor->fetch, error);
    cursor->row = 0;
    cursor->count = cursor->rows == NULL ? 0 : PQntuples(cursor->rows);
    cursor->is_over = cursor->count == 0;
    return cursor->rows != NULL;
}

struct month_reader {
    const struct month_lines *of_month;
    const struct catalogue *catalogue;
    struct node_charges *charges;
    struct cursor lines, holds;
    /* the lines of one hash; it may hold more allocated lines than are in use */
    struct bill_line **buffer;
    size_t count, capacity;
    struct bill_line single; /* for a line that needs no other line */
    struct exact_decimal consumed, pricing;
    struct node_hold *held;
    size_t held_count, held_capacity;
};

/* Columns of sql/allocate/merge/lines.sql. */
enum {
    LINE_PLACE,
    LINE_KEY_FIRST,
    LINE_START = LINE_KEY_FIRST + CLASS_KEYS,
    LINE_END,
    LINE_BILLED,
    LINE_EFFECTIVE,
    LINE_LIST,
    LINE_CONTRACTED,
    LINE_CONSUMED,
    LINE_PRICING,
    LINE_FILE,
    LINE_NUMBER,
    LINE_IN_RECORD
};

static const struct line_class *class_of_row(const struct month_reader *reader, struct error *error)
{
    const PGresult *rows = reader->lines.rows;
    int row = reader->lines.row;
    struct class_key key;
    for (int i = 0; i < CLASS_KEYS; i++)
        key.keys[i] = wire_int8(rows, row, LINE_KEY_FIRST + i);
    if (!reader->of_month->rules_ask_description)
        key.keys[CLASS_KEYS - 1] = 0;
    key.epoch = catalogue_epoch(reader->catalogue, wire_time(rows, row, LINE_START));
    const struct line_class *class = catalogue_class(reader->catalogue, &key);
    if (class == NULL)
        error_set(
            error, ERROR_CONSERVATION,
            "each line of a load is read once: a line names an invoice or a kind of charge that is not stored");
    return class;
}

static void copy_decimal_value(struct exact_decimal *to, const struct exact_decimal *from)
{
    mpz_set(to->units, from->units);
    to->scale = from->scale;
}

/* A missing contracted cost is what the line would cost without a commitment: the list cost if a
 * commitment covers the line, 0 of an unused commitment, else the effective cost. A missing list
 * cost is taken from the contracted cost. */
static void read_costs(const PGresult *rows, int row, struct bill_line *line)
{
    struct resource_line *of_line = &line->line;
    wire_decimal(rows, row, LINE_BILLED, &of_line->billed_cost);
    wire_decimal(rows, row, LINE_EFFECTIVE, &of_line->effective_cost);
    line->is_unlisted = !wire_decimal(rows, row, LINE_LIST, &of_line->list_cost);
    if (!wire_decimal(rows, row, LINE_CONTRACTED, &of_line->contracted_cost) && !line->class->is_unused)
        copy_decimal_value(&of_line->contracted_cost, line->class->is_covered && !line->is_unlisted
                                                          ? &of_line->list_cost
                                                          : &of_line->effective_cost);
    if (line->is_unlisted)
        copy_decimal_value(&of_line->list_cost, &of_line->contracted_cost);
}

static void read_line(struct month_reader *reader, const struct line_class *class, struct bill_line *line)
{
    const PGresult *rows = reader->lines.rows;
    int row = reader->lines.row;
    struct resource_line *of_line = &line->line;
    line->class = class;
    of_line->start = wire_time(rows, row, LINE_START);
    of_line->end = wire_time(rows, row, LINE_END);
    of_line->source = class->source;
    of_line->sku = class->sku_id;
    of_line->is_usage = class->is_usage;
    of_line->is_correction = class->is_correction;
    of_line->is_hardware = class->is_hardware;
    of_line->has_corrected_seconds = false;
    read_costs(rows, row, line);
    bool has_consumed = wire_decimal(rows, row, LINE_CONSUMED, &reader->consumed);
    bool has_pricing = wire_decimal(rows, row, LINE_PRICING, &reader->pricing);
    line->place = (struct line_place){ .file_id = wire_int4(rows, row, LINE_FILE),
                                       .line_number = wire_int8(rows, row, LINE_NUMBER),
                                       .row_in_record = wire_int4(rows, row, LINE_IN_RECORD) };
    bill_line_set_time(line, has_consumed ? &reader->consumed : NULL, has_pricing ? &reader->pricing : NULL);
}

static struct bill_line *buffered_line(struct month_reader *reader)
{
    if (reader->count == reader->capacity) {
        size_t capacity = reader->capacity == 0 ? 256 : 2 * reader->capacity;
        reader->buffer = realloc(reader->buffer, capacity * sizeof(struct bill_line *));
        for (size_t i = reader->capacity; i < capacity; i++) {
            reader->buffer[i] = malloc(sizeof(struct bill_line));
            bill_line_open(reader->buffer[i]);
        }
        reader->capacity = capacity;
    }
    return reader->buffer[reader->count++];
}

/* ---- Holds ---- */

enum {
    HOLD_PLACE,
    HOLD_CLUSTER,
    HOLD_NODE,
    HOLD_ATTEMPT,
    HOLD_START,
    HOLD_END,
    HOLD_CPUS,
    HOLD_ACCELERATORS
};

static void take_hold(struct month_reader *reader)
{
    const PGresult *rows = reader->holds.rows;
    int row = reader->holds.row;
    size_t attempt = catalogue_attempt_index(reader->catalogue, wire_int8(rows, row, HOLD_ATTEMPT));
    if (attempt == SIZE_MAX)
        return;
    if (reader->held_count == reader->held_capacity) {
        reader->held_capacity = reader->held_capacity == 0 ? 256 : 2 * reader->held_capacity;
        reader->held = realloc(reader->held, reader->held_capacity * sizeof *reader->held);
    }
    const struct name_table *names = &reader->catalogue->names;
    reader->held[reader->held_count++] = (struct node_hold){
        .start = wire_time(rows, row, HOLD_START),
        .end = PQgetisnull(rows, row, HOLD_END) ? reader->catalogue->named_attempts[attempt].end
                                                : wire_time(rows, row, HOLD_END),
        .attempt = attempt,
        .cluster = name_table_find(names, PQgetvalue(rows, row, HOLD_CLUSTER)),
        .node_name = name_table_find(names, PQgetvalue(rows, row, HOLD_NODE)),
        .cpus = wire_int8(rows, row, HOLD_CPUS),
        .accelerators = wire_int8(rows, row, HOLD_ACCELERATORS),
    };
}

/* Reads the holds of one hash. Holds before it belong to nodes without lines and are skipped. */
static bool read_holds(struct month_reader *reader, int64_t place, struct error *error)
{
    reader->held_count = 0;
    while (!reader->holds.is_over) {
        int64_t of_hold = wire_int8(reader->holds.rows, reader->holds.row, HOLD_PLACE);
        if (of_hold > place)
            return true;
        if (of_hold == place)
            take_hold(reader);
        if (!next_row(&reader->holds, error))
            return false;
    }
    return true;
}

/* ---- Resources ---- */

static int by_place(const struct line_place *a, const struct line_place *b)
{
    int difference = (a->file_id > b->file_id) - (a->file_id < b->file_id);
    if (difference == 0)
        difference = (a->line_number > b->line_number) - (a->line_number < b->line_number);
    return difference != 0 ? difference
                           : (a->row_in_record > b->row_in_record) - (a->row_in_record < b->row_in_record);
}

/* The server sends the lines of a hash in any order. The order within a group decides only which
 * line kstar explain shows as the priced one. So places are read only for kstar explain. */
static int by_resource(const void *one, const void *other)
{
    const struct bill_line *a = *(struct bill_line *const *)one;
    const struct bill_line *b = *(struct bill_line *const *)other;
    int difference = (a->class->node > b->class->node) - (a->class->node < b->class->node);
    if (difference == 0)
        difference = (a->class->group > b->class->group) - (a->class->group < b->class->group);
    return difference != 0 ? difference : by_place(&a->place, &b->place);
}

static bool charge_place(struct month_reader *reader, int64_t place, struct error *error)
{
    if (reader->count == 0)
        return true;
    if (!read_holds(reader, place, error))
        return false;
    qsort(reader->buffer, reader->count, sizeof(struct bill_line *), by_resource);
    for (size_t first = 0, end; first < reader->count; first = end) {
        end = first + 1;
        while (end < reader->count && reader->buffer[end]->class->node == reader->buffer[first]->class->node)
            end++;
        node_charges_take(reader->charges, reader->buffer + first, end - first, reader->held,
                          reader->held_count);
    }
    reader->count = 0;
    return true;
}

static bool take_line(struct month_reader *reader, struct error *error)
{
    const struct line_class *class = class_of_row(reader, error);
    if (class == NULL)
        return false;
    if (node_charges_wants(reader->catalogue, class)) {
        read_line(reader, class, buffered_line(reader));
    } else {
        read_line(reader, class, &reader->single);
        node_charges_take_line(reader->charges, &reader->single);
    }
    return true;
}

static bool read_all(struct month_reader *reader, charges_grown *grown, void *context, struct error *error)
{
    int64_t place = INT64_MIN;
    bool ok = true;
    while (ok && !reader->lines.is_over) {
        int64_t of_line = wire_int8(reader->lines.rows, reader->lines.row, LINE_PLACE);
        if (of_line != place)
            ok = charge_place(reader, place, error) && grown(context, error);
        place = of_line;
        ok = ok && take_line(reader, error) && next_row(&reader->lines, error);
    }
    return ok && charge_place(reader, place, error) && grown(context, error);
}

/* Opens both cursors. Both are read to the end, so the planner must plan for all rows. The
 * queries join large tables by hash. Nested loops are off: they are chosen when a month is
 * estimated to have few lines, and then compare every row with every other. */
static bool open_cursors(PGconn *connection, const struct month_lines *lines, struct month_share share,
                         struct error *error)
{
    char number[16], count[16];
    snprintf(number, sizeof number, "%d", share.number);
    snprintf(count, sizeof count, "%d", share.count);
    const char *const of_lines[] = { lines->month, number, count, share.shows_places ? "true" : "false",
                                     share.places };
    const char *const of_holds[] = { number, count, lines->from, lines->to, share.places };
    return database_execute(connection,
                            "SET LOCAL cursor_tuple_fraction = 1; SET LOCAL enable_nestloop = off", error) &&
           database_run_query(connection, "allocate/merge/lines.sql", 5, of_lines, error) &&
           database_run_query(connection, "allocate/merge/holds.sql", 5, of_holds, error) &&
           database_execute(connection, "SET LOCAL enable_nestloop TO DEFAULT", error);
}

struct month_reader *month_reader_open(PGconn *connection, const struct month_lines *lines,
                                       struct month_share share, struct error *error)
{
    struct month_reader *reader = malloc(sizeof *reader);
    *reader = (struct month_reader){
        .of_month = lines,
        .lines = { .connection = connection, .fetch = "FETCH 2000 FROM month_lines", .row = -1 },
        .holds = { .connection = connection, .fetch = "FETCH 2000 FROM month_holds", .row = -1 },
    };
    bill_line_open(&reader->single);
    mpz_inits(reader->consumed.units, reader->pricing.units, NULL);
    if (open_cursors(connection, lines, share, error) && next_row(&reader->lines, error) &&
        next_row(&reader->holds, error))
        return reader;
    month_reader_close(reader);
    return NULL;
}

bool month_reader_charge(struct month_reader *reader, const struct catalogue *catalogue,
                         struct node_charges *charges, charges_grown *grown, void *context,
                         struct error *error)
{
    reader->catalogue = catalogue;
    reader->charges = charges;
    return read_all(reader, grown, context, error) &&
           database_execute(reader->lines.connection, "CLOSE month_lines; CLOSE month_holds", error);
}

void month_reader_close(struct month_reader *reader)
{
    if (reader == NULL)
        return;
    PQclear(reader->lines.rows);
    PQclear(reader->holds.rows);
    for (size_t i = 0; i < reader->capacity; i++) {
        bill_line_close(reader->buffer[i]);
        free(reader->buffer[i]);
    }
    free(reader->buffer);
    free(reader->held);
    bill_line_close(&reader->single);
    mpz_clears(reader->consumed.units, reader->pricing.units, NULL);
    free(reader);
}

bool month_lines_read(struct month_lines *lines, PGconn *connection, struct error *error)
{
    PGresult *result = wire_query_file(connection, "allocate/merge/month.sql", error);
    if (result == NULL)
        return false;
    *lines = (struct month_lines){ .is_replay = !PQgetisnull(result, 0, 0),
                                   .rules_ask_description = wire_bool(result, 0, 1),
                                   .is_distributed = wire_bool(result, 0, 4) };
    snprintf(lines->from, sizeof lines->from, "%s", PQgetvalue(result, 0, 2));
    snprintf(lines->to, sizeof lines->to, "%s", PQgetvalue(result, 0, 3));
    snprintf(lines->month, sizeof lines->month, "%s", PQgetvalue(result, 0, 5));
    PQclear(result);
    return true;
}

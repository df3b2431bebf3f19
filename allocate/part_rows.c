/* allocate/part_rows.c: see part_rows.h. */
#include "allocate/part_rows.h"

#include "allocate/payer.h"
#include "allocate/wire.h"

enum { BYTES_IN_MEMORY = 4 << 20, SECONDS_DIGITS = 6, FIELDS = 26 };

void part_rows_open(struct part_rows *parts, const struct catalogue *catalogue,
                    const struct parts_wanted *wanted)
{
    parts->catalogue = catalogue;
    parts->wanted = wanted;
    copy_stream_to_memory(&parts->rows);
}

void part_rows_close(struct part_rows *parts)
{
    copy_stream_discard(&parts->rows);
}

static void copy_place(struct copy_stream *rows, const struct bill_line *line)
{
    copy_int4(rows, line->place.file_id);
    copy_int8(rows, line->place.line_number);
    copy_int4(rows, line->place.row_in_record);
    copy_int8(rows, line->class->id);
    copy_timestamptz(rows, line->line.start);
    copy_timestamptz(rows, line->line.end);
    copy_exact(rows, line->line.billed_cost.units, line->line.billed_cost.scale);
    copy_exact(rows, line->line.effective_cost.units, line->line.effective_cost.scale);
    copy_exact(rows, line->line.list_cost.units, line->line.list_cost.scale);
    copy_exact(rows, line->line.contracted_cost.units, line->line.contracted_cost.scale);
}

static void copy_whole(struct copy_stream *rows, mpz_srcptr number)
{
    if (number == NULL)
        copy_null(rows);
    else
        copy_exact(rows, number, 0);
}

/* Copies who held the node and when. Idle time has a duration but no holder. */
static void copy_time(struct copy_stream *rows, const struct resource_part *timed)
{
    bool is_held = timed != NULL && timed->held_from < timed->held_to;
    if (is_held) {
        copy_timestamptz(rows, timed->held_from);
        copy_timestamptz(rows, timed->held_to);
    } else {
        copy_null(rows);
        copy_null(rows);
    }
    if (timed == NULL) {
        copy_null(rows);
        copy_null(rows);
        return;
    }
    mpz_t units;
    mpz_init_set_ui(units, timed->microseconds);
    copy_exact(rows, units, SECONDS_DIGITS);
    mpz_clear(units);
    copy_bool(rows, timed->is_priced);
}

static bool is_wanted(const struct part_rows *parts, const struct charge_key *key)
{
    const struct parts_wanted *wanted = parts->wanted;
    return (wanted->cost_centre == NULL || is_paid_by(parts->catalogue, key, wanted->cost_centre)) &&
           (wanted->pool == NULL || is_in_pool(parts->catalogue, key, wanted->pool));
}

void part_rows_take(const struct bill_line *line, const struct charge_key *key, const struct line_part *part,
                    void *context)
{
    struct part_rows *parts = context;
    struct copy_stream *rows = &parts->rows;
    const struct resource_line *of_line = &line->line;
    const struct exact_decimal *costs[COST_COUNT] = { &of_line->billed_cost, &of_line->effective_cost,
                                                      &of_line->list_cost, &of_line->contracted_cost };
    if (!is_wanted(parts, key))
        return;
    copy_row(rows, FIELDS);
    copy_place(rows, line);
    copy_int2(rows, key->rule);
    copy_payer(rows, parts->catalogue, key);
    copy_whole(rows, part->weight);
    copy_whole(rows, part->weights);
    copy_time(rows, part->timed);
    for (int cost = 0; cost < COST_COUNT; cost++)
        copy_exact(rows, part->units[cost], costs[cost]->scale + part->extra_digits);
}

bool part_rows_are_many(const struct part_rows *parts)
{
    return parts->rows.used >= BYTES_IN_MEMORY;
}

bool part_rows_write(struct part_rows *parts, PGconn *connection, struct error *error)
{
    struct copy_stream written;
    int64_t count;
    if (parts->rows.rows == 0)
        return true;
    return copy_stream_to_connection(&written, connection, "COPY line_part FROM STDIN (FORMAT binary)",
                                     error) &&
           copy_stream_forward(&written, &parts->rows, error) && copy_stream_end(&written, &count, error);
}

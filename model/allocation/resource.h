/* model/allocation/resource.h: the data of a bill and of the job records about one resource,
 * usually a node.
 *
 * The terms of resource_slots.h and resource_merge.h as plain structs. Times are microseconds
 * since 1970, UTC; ends are exclusive.
 */
#ifndef KSTAR_MODEL_ALLOCATION_RESOURCE_H
#define KSTAR_MODEL_ALLOCATION_RESOURCE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An exact decimal: units / 10^scale. "1.50" has 150 units at scale 2. */
struct exact_decimal {
    mpz_t units;
    unsigned scale;
};

/* A line of the bill. */
struct resource_line {
    int64_t start, end; /* its charge period; start <= end */
    uint32_t source;    /* who delivered the line, numbered by name; the lines of a slot have one source */
    uint64_t sku;       /* SkuId; 0: none, which counts as a SKU of its own */
    bool is_usage;      /* ChargeCategory Usage */
    bool is_correction; /* ChargeClass Correction */
    bool is_hardware;   /* its charge part is hardware: machine time */
    bool states_time;   /* its quantity is a time, stored in `seconds` */
    struct exact_decimal seconds;
    struct exact_decimal billed_cost, effective_cost, list_cost, contracted_cost;
    /* of a correction: the slot's billed time in the statement of the corrected line */
    bool has_corrected_seconds;
    struct exact_decimal corrected_seconds;
};

/* A row of the node inventory for the resource, in the order valid_from, cluster, node. */
struct resource_presence {
    int64_t from, to;    /* INT64_MIN: no start; INT64_MAX: no end */
    int64_t recorded_to; /* the horizon: the job records of the cluster end here */
};

/* A run of a job that held the resource. Attempts are sorted by id, which decides ties.
 *
 * If the system broke the attempt, refunded : kept are the two parts of its whole run time.
 */
struct resource_attempt {
    uint64_t kept, refunded; /* not both 0; 1 and 0: no refund */
};

/* A share of the resource that an attempt held from start to end, in an inventory row. Sorted by
 * `start`. */
struct resource_hold {
    int64_t start, end;
    size_t attempt;                          /* its index */
    uint64_t share_numerator, share_divisor; /* numerator <= divisor, divisor > 0 */
};

struct resource {
    const struct resource_line *lines;
    size_t line_count;
    const struct resource_presence *presences;
    size_t presence_count;
    const struct resource_hold *holds;
    size_t hold_count;
    const struct resource_attempt *attempts;
    size_t attempt_count;
    /* The resource is a job of a managed service, which may have several instances. Then a
     * charge period has no maximum time, and only its own lines report its time. */
    bool is_job;
};

/* The largest gap between a charge period and an inventory row, as when an instance starts or
 * stops. */
#define RESOURCE_MARGIN INT64_C(3600000000)

/* The inventory's data about a charge period. */
struct resource_present {
    /* a row overlaps the period or lies within an hour of it; else all other fields are 0 */
    bool is_known;
    bool is_named;   /* a row overlaps it: jobs may have held the node */
    size_t presence; /* the first such row, whose pool pays for idle time */
    /* microseconds of the period that rows cover; the times of several rows are added */
    uint64_t present;
    uint64_t unrecorded; /* the part of `present` after the rows' horizons */
};

/* Looks up the rows that overlap [start, end). If there are none, the first row within an hour
 * counts as covering the whole period. */
struct resource_present resource_present(const struct resource *resource, int64_t start, int64_t end);

#endif

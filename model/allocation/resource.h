/* model/allocation/resource.h: what a bill and the job records say of one resource, a node mostly.
 *
 * The words of resource_slots.h and resource_merge.h, as plain structs. Times are microseconds
 * since 1970, UTC, ends exclusive.
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
    uint32_t source;    /* who delivered it: a slot is of one source */
    uint64_t sku;       /* SkuId; 0 where the line has none, which is a SKU, too */
    bool is_usage;      /* ChargeCategory Usage */
    bool is_correction; /* ChargeClass Correction */
    bool is_hardware;   /* its charge part is hardware: a machine by the hour */
    bool tells_time;    /* its quantity is a time: `seconds` */
    struct exact_decimal seconds;
    struct exact_decimal billed_cost, effective_cost, list_cost, contracted_cost;
    /* of a correction: the billed time of the slot in the corrected line's statement */
    bool has_corrected_seconds;
    struct exact_decimal corrected_seconds;
};

/* A row of the node inventory for the resource, in the order valid_from, cluster, node. */
struct resource_presence {
    int64_t from, to;    /* INT64_MIN and INT64_MAX: no beginning, no end */
    int64_t recorded_to; /* the horizon: what the job records of the cluster cover */
};

/* A run of a job that held the resource. Attempts come in the order of their ids, by which ties go.
 *
 * Of an attempt that the system broke, refunded : kept are the two parts of its whole run time. */
struct resource_attempt {
    uint64_t kept, refunded; /* not both 0; 1 and 0: nothing is refunded */
};

/* An attempt held a share of the resource from start to end, in an inventory row. By `start`. */
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
    /* The resource is a job of a managed service, which may have several instances: a charge period
     * has no longest time, and no time but what its own lines report. */
    bool is_job;
};

/* The largest gap between charge period and inventory row where an instance starts or stops. */
#define RESOURCE_MARGIN INT64_C(3600000000)

/* What the inventory says of a charge period. */
struct resource_present {
    bool is_known;       /* a row overlaps the period, or lies within an hour of it; else the rest is 0 */
    bool is_named;       /* a row overlaps it: jobs may have held the node */
    size_t presence;     /* the first such row, whose pool pays for idle time */
    uint64_t present;    /* microseconds of the period that rows cover; several rows are added up */
    uint64_t unrecorded; /* of them those after the rows' horizons */
};

/* Rows that overlap [start, end). Without any, the first row within an hour covers all of it. */
struct resource_present resource_present(const struct resource *resource, int64_t start, int64_t end);

#endif

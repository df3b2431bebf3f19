/* allocate/catalogue.h: rules, attempts and node inventory in memory, read before the lines.
 *
 * The files of sql/allocate up to 11 make this data. Nothing changes it after catalogue_load, so
 * several readers may share one catalogue.
 */
#ifndef KSTAR_ALLOCATE_CATALOGUE_H
#define KSTAR_ALLOCATE_CATALOGUE_H

#include "allocate/name_table.h"
#include "base/error.h"
#include "model/allocation/named_job.h"
#include "model/allocation/resource.h"

#include <libpq-fe.h>

/* The key of a class of lines: keys of dimensions, and the epoch (the days between two changes
 * of a rule). */
enum { CLASS_KEYS = 8 };
struct class_key {
    /* invoice, charge kind, account, resource, SKU, commitment, tags, description */
    int64_t keys[CLASS_KEYS];
    int32_t epoch;
};

/* Lines to which every rule applies in the same way. */
struct line_class {
    struct class_key key;
    int64_t id;   /* class_id */
    int64_t node; /* the resource; ids are compared without regard to letter case; 0: none */
    uint32_t
        /* line group of its charges: the first one of its invoice, charge part and closed month */
        charge_group;
    uint32_t group;                                      /* line group of its class charges */
    uint32_t source, sku_id;                             /* names */
    int32_t consumed_unit_seconds, pricing_unit_seconds; /* 0: no unit of time */
    uint32_t pool, cost_centre;                          /* names; 0: no rule gives one */
    uint32_t first_named, named_count;                   /* jobs that its lines may name */
    bool is_tax, is_purchase_of_commitment, is_usage, is_correction, is_hardware, is_unused,
        is_covered /* by a commitment */, is_committed, is_spot;
};

/* The key of a class charge. Groups of the same invoice, charge part and closed month are
 * consecutive. */
struct line_group {
    int64_t invoice, charge_kind, commitment;
    uint32_t charge_part, provider, service, service_category, sku_id; /* names */
    bool has_closed_month;
    int32_t closed_month; /* days since 2000-01-01 */
};

/* The data of an attempt besides those of model/allocation. There may be millions of attempts. */
struct catalogue_attempt {
    /* millionths of a CPU, of an attempt whose record lists no accelerators; otherwise -1 */
    int64_t bare_cpus;
    uint32_t instances; /* of a managed job; otherwise 0 */
    /* names: the pool that pays the refund, and the reason of the refund */
    uint32_t pool, reason;
    uint32_t cost_centre, family, outcome; /* names */
};

/* A row of the node inventory for a billed resource. Searched by its first field. */
struct catalogue_presence {
    int64_t node;  /* resource */
    uint32_t name; /* "cluster/node" */
    uint32_t cluster, node_name;
    int64_t accelerators, cpus; /* millionths; 0: unknown */
    uint32_t idle_pool;         /* name; 0: none */
    uint32_t first_frozen, frozen_count;
};

/* The idle pool for charge periods that begin within [from, to), as frozen with a closed month. */
struct frozen_pool {
    int64_t from, to;
    uint32_t pool; /* name; 0: none */
};

struct catalogue {
    struct name_table names;
    int64_t *epoch_days; /* days since 2000-01-01 on which a rule changes, ascending */
    uint32_t epoch_count;

    struct line_class *classes;
    uint32_t class_count, *class_places, class_place_count;
    struct line_group *groups;
    uint32_t group_count;
    struct named_candidate *named;
    uint32_t named_count;

    size_t attempt_count;                 /* three parallel arrays */
    struct named_attempt *named_attempts; /* sorted by attempt_id, searched by their first field */
    struct catalogue_attempt *attempts;
    struct resource_attempt *refunds;

    size_t presence_count; /* sorted by node, valid_from, cluster, node name */
    struct catalogue_presence *presences;
    struct resource_presence *presence_times;
    struct frozen_pool *frozen;
    uint32_t frozen_count;

    /* of earlier statements, for nodes with corrections; by node */
    struct resource_line *earlier_lines;
    int64_t *earlier_nodes; /* the node of each earlier line */
    size_t earlier_count;
};

bool catalogue_load(struct catalogue *catalogue, PGconn *connection, struct error *error);
/* Bytes of what grows with the month: attempts and classes. */
size_t catalogue_bytes(const struct catalogue *catalogue);
void catalogue_free(struct catalogue *catalogue);

/* The class of a line. NULL means that the class is missing, which is a defect of kstar. */
const struct line_class *catalogue_class(const struct catalogue *catalogue, const struct class_key *key);
/* The epoch that contains `time`. */
int32_t catalogue_epoch(const struct catalogue *catalogue, int64_t time);
/* Index of an attempt, or SIZE_MAX. */
size_t catalogue_attempt_index(const struct catalogue *catalogue, int64_t attempt_id);
/* Number of inventory rows of a resource. Sets *first to the index of the first one. */
size_t catalogue_presences(const struct catalogue *catalogue, int64_t node, size_t *first);
size_t catalogue_earlier(const struct catalogue *catalogue, int64_t node, size_t *first);
/* The pool (a name) that pays for idle time of a charge period from `start`, for an inventory
 * row. 0: no pool. */
uint32_t catalogue_idle_pool(const struct catalogue *catalogue, size_t presence, int64_t start);

#endif

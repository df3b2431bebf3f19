/* allocate/catalogue.h: rules, attempts and node inventory in memory, before lines are read.
 *
 * SQL has made it by then (sql/allocate up to 05). It is only read, so readers may share it.
 */
#ifndef KSTAR_ALLOCATE_CATALOGUE_H
#define KSTAR_ALLOCATE_CATALOGUE_H

#include "allocate/name_table.h"
#include "base/error.h"
#include "model/allocation/named_job.h"
#include "model/allocation/resource.h"

#include <libpq-fe.h>

/* What makes a class of lines: keys of dimensions, and the days between two changes of a rule. */
enum { CLASS_KEYS = 8 };
struct class_key {
    /* invoice, charge kind, account, resource, SKU, commitment, tags, description */
    int64_t keys[CLASS_KEYS];
    int32_t epoch;
};

/* Lines that no rule tells apart. */
struct line_class {
    struct class_key key;
    int64_t id;   /* class_id */
    int64_t node; /* the resource, whatever the letter case of its id; 0: none */
    uint32_t
        charge_group; /* line group of its charges: the first of its invoice, charge part and closed month */
    uint32_t group;   /* line group of its class charges */
    uint32_t source, sku_id;                             /* names */
    int32_t consumed_unit_seconds, pricing_unit_seconds; /* 0: no unit of time */
    uint32_t pool, cost_centre;                          /* names; 0: no rule names one */
    uint32_t first_named, named_count;                   /* jobs that its lines may name */
    bool is_tax, is_purchase_of_commitment, is_usage, is_correction, is_hardware, is_unused, is_committed,
        is_spot;
};

/* The key of a class charge. Those of one invoice, charge part and closed month come together. */
struct line_group {
    int64_t invoice, charge_kind, commitment;
    uint32_t charge_part, provider, service, service_category, sku_id; /* names */
    bool has_closed_month;
    int32_t closed_month; /* days since 2000-01-01 */
};

/* An attempt, beside what model/allocation knows of it. It is looked up by its first field. */
struct catalogue_attempt {
    int64_t id;
    bool is_bare;                          /* its record lists no accelerators */
    int64_t bare_cpus;                     /* millionths */
    int64_t instances;                     /* of a managed job, else 0 */
    uint32_t pool, reason;                 /* names: who pays what is refunded, and why */
    uint32_t cost_centre, family, outcome; /* names */
};

/* A row of the node inventory for a billed resource. It is looked up by its first field. */
struct catalogue_presence {
    int64_t node;  /* resource */
    uint32_t name; /* "cluster/node" */
    uint32_t cluster, node_name;
    int64_t accelerators, cpus; /* millionths; 0: not said */
    uint32_t idle_pool;         /* name; 0: none */
    uint32_t first_frozen, frozen_count;
};

/* Its idle pool for charge periods that begin within a time, as frozen with a closed month. */
struct frozen_pool {
    int64_t from, to;
    uint32_t pool; /* name; 0: none */
};

struct catalogue {
    struct name_table names;
    int64_t *epoch_days; /* on which a rule changes, days since 2000-01-01, in order */
    uint32_t epoch_count;
    bool rules_ask_description;

    struct line_class *classes;
    uint32_t class_count, *class_places, class_place_count;
    struct line_group *groups;
    uint32_t group_count;
    struct named_candidate *named;
    uint32_t named_count;

    size_t attempt_count; /* by attempt_id; three arrays beside one another */
    struct catalogue_attempt *attempts;
    struct named_attempt *named_attempts;
    struct resource_attempt *refunds;

    size_t presence_count; /* by node, valid_from, cluster, node name */
    struct catalogue_presence *presences;
    struct resource_presence *presence_times;
    struct frozen_pool *frozen;
    uint32_t frozen_count;

    struct resource_line *earlier_lines; /* of earlier statements, of nodes with corrections; by node */
    int64_t *earlier_nodes;              /* of each */
    size_t earlier_count;

    bool is_replay;
    char month[16];                    /* the statement's, YYYY-MM-01 */
    char lines_from[40], lines_to[40]; /* time of the lines, as PostgreSQL writes it */
    bool is_distributed;               /* the lines lie on several servers */
};

bool catalogue_load(struct catalogue *catalogue, PGconn *connection, struct error *error);
void catalogue_free(struct catalogue *catalogue);

/* The class of a line; NULL where there is none, which is a mistake. */
const struct line_class *catalogue_class(const struct catalogue *catalogue, const struct class_key *key);
/* The epoch of a moment. */
int32_t catalogue_epoch(const struct catalogue *catalogue, int64_t time);
/* Index of an attempt, or SIZE_MAX. */
size_t catalogue_attempt_index(const struct catalogue *catalogue, int64_t attempt_id);
/* The first row of the inventory of a resource, and how many there are. */
size_t catalogue_presences(const struct catalogue *catalogue, int64_t node, size_t *first);
size_t catalogue_earlier(const struct catalogue *catalogue, int64_t node, size_t *first);
/* Who pays for idle time of a charge period from `start`, by an inventory row; 0: nobody. */
uint32_t catalogue_idle_pool(const struct catalogue *catalogue, size_t presence, int64_t start);

#endif

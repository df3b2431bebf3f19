/* allocate/payer.c: see payer.h. */
#include "allocate/payer.h"

#include <string.h>

const char *catalogue_name(const struct catalogue *catalogue, uint32_t number)
{
    return number == 0 ? NULL : catalogue->names.names[number];
}

void copy_name(struct copy_stream *rows, const char *name)
{
    if (name == NULL)
        copy_null(rows);
    else
        copy_text(rows, name, strlen(name));
}

/* The payer of a charge, as in the table's columns. */
struct payer {
    const char *target, *pool, *cost_centre, *reason;
    const int64_t *attempt_id;
};

static struct payer payer_of(const struct catalogue *catalogue, const struct charge_key *key)
{
    static const char *const reasons[] = {
        [REASON_NO_RULE] = "no rule matches",
        [REASON_SEVERAL_CLUSTERS] = "job tag of several clusters",
        [REASON_IDLE_WITHOUT_POOL] = "idle node without pool",
        [REASON_WITHOUT_JOB_RECORDS] = "awaiting job records",
    };
    const struct catalogue_attempt *attempt = &catalogue->attempts[key->payer];
    switch ((enum charge_target)key->target) {
    case CHARGE_JOB:
        return (struct payer){ .target = "job", .attempt_id = &catalogue->named_attempts[key->payer].id };
    case CHARGE_REFUND:
        return (struct payer){ .target = "pool",
                               .pool = catalogue_name(catalogue, attempt->pool),
                               .reason = catalogue_name(catalogue, attempt->reason),
                               .attempt_id = &catalogue->named_attempts[key->payer].id };
    case CHARGE_POOL:
        return (struct payer){ .target = "pool", .pool = catalogue_name(catalogue, key->payer) };
    case CHARGE_COST_CENTRE:
        return (struct payer){ .target = "cost centre",
                               .cost_centre = catalogue_name(catalogue, key->payer) };
    case CHARGE_UNALLOCATED:
        return (struct payer){ .target = "unallocated", .reason = reasons[key->payer] };
    case CHARGE_PREPAID:
        return (struct payer){ .target = "prepaid" };
    case CHARGE_TAX:
        return (struct payer){ .target = "tax" };
    }
    return (struct payer){ 0 };
}

static bool is_named(const char *name, const char *wanted)
{
    return name != NULL && strcmp(name, wanted) == 0;
}

bool is_paid_by(const struct catalogue *catalogue, const struct charge_key *key, const char *cost_centre)
{
    uint32_t payer = key->target == CHARGE_JOB           ? catalogue->attempts[key->payer].cost_centre
                     : key->target == CHARGE_COST_CENTRE ? key->payer
                                                         : 0;
    return is_named(catalogue_name(catalogue, payer), cost_centre);
}

bool is_in_pool(const struct catalogue *catalogue, const struct charge_key *key, const char *pool)
{
    return is_named(key->target == CHARGE_TAX ? "tax" : payer_of(catalogue, key).pool, pool);
}

void copy_payer(struct copy_stream *rows, const struct catalogue *catalogue, const struct charge_key *key)
{
    struct payer payer = payer_of(catalogue, key);
    copy_name(rows, payer.target);
    if (payer.attempt_id != NULL)
        copy_int8(rows, *payer.attempt_id);
    else
        copy_null(rows);
    copy_name(rows, payer.pool);
    copy_name(rows, payer.cost_centre);
    copy_name(rows, payer.reason);
}

void copy_class_payer(struct copy_stream *rows, const struct catalogue *catalogue,
                      const struct charge_key *key)
{
    bool is_job = key->target == CHARGE_JOB;
    struct payer payer =
        is_job ? (struct payer){ .target = "job", .cost_centre = catalogue_name(catalogue, key->payer) }
               : payer_of(catalogue, key);
    copy_name(rows, payer.target);
    copy_name(rows, payer.pool);
    copy_name(rows, payer.cost_centre);
    copy_name(rows, catalogue_name(catalogue, key->family));
    copy_name(rows, catalogue_name(catalogue, key->outcome));
    copy_name(rows, payer.reason);
}

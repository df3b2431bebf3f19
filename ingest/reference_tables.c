/* ingest/reference_tables.c: see reference_tables.h. The order of the files is that of docs/reference.md. */
#include "ingest/reference_tables.h"

#include <string.h>

#define KEY (REFERENCE_KEY | REFERENCE_REQUIRED)
#define REQUIRED REFERENCE_REQUIRED
#define OPTIONAL REFERENCE_OPTIONAL
#define VALIDITY                                                                                                   \
    { "valid_from", REFERENCE_DATE, OPTIONAL, "-infinity", NULL },                                                 \
    { "valid_to", REFERENCE_DATE, OPTIONAL, "infinity", NULL },                                                    \
    { 0 }

static const char *const source_kinds[] = { "billing", "jobs", "efficiency", NULL };
static const char *const components[] = { "fixed_overhead", "shared_services", "idle", "unused_commitments", NULL };
static const char *const splits[] = { "keep", "even", "proportional", "fixed", NULL };
static const char *const bases[] = { "node_hours", "wall_hours", "direct_cost", NULL };
static const char *const units[] = { "nodes", "accelerators", NULL };

#define BILL_MATCHES                                                                                               \
    "tag:KEY", "sub_account_id", "billing_account_id", "service_name", "service_category", "resource_id",          \
        "resource_name", "sku_id", "charge_category", "charge_description", "commitment_discount_id",              \
        "commitment_discount_status", "capacity_reservation_status", "invoice_issuer_name", "source"
#define JOB_MATCHES                                                                                                \
    "job_account", "job_user", "job_partition", "job_name", "job_comment", "job_qos", "job_cluster"

static const char *const bill_matches[] = { BILL_MATCHES, NULL };
static const char *const job_matches[] = { JOB_MATCHES, NULL };
static const char *const all_matches[] = { BILL_MATCHES, JOB_MATCHES, NULL };

static const struct reference_column source_columns[] = {
    { "source", REFERENCE_TEXT, KEY, NULL, NULL },
    { "kind", REFERENCE_CHOICE, REQUIRED, NULL, source_kinds },
    { "format", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "time_zone", REFERENCE_TEXT, OPTIONAL, "UTC", NULL },
    { "billing_currency", REFERENCE_CURRENCY, OPTIONAL, NULL, NULL },
    { "delimiter", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    { 0 },
};
static const struct reference_column setting_columns[] = {
    { "parameter", REFERENCE_PARAMETER, KEY, NULL, NULL },
    { "value", REFERENCE_VALUE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct reference_column cost_centre_columns[] = {
    { "cost_centre", REFERENCE_TEXT, KEY, NULL, NULL },
    { "name", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "gl_account", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "owner", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct reference_column mapping_rule_columns[] = {
    { "priority", REFERENCE_INTEGER, KEY, NULL, NULL },
    { "match", REFERENCE_MATCH, REQUIRED, NULL, all_matches },
    { "pattern", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "cost_centre", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct reference_column pool_columns[] = {
    { "pool", REFERENCE_TEXT, KEY, NULL, NULL },
    { "component", REFERENCE_CHOICE, REQUIRED, NULL, components },
    { "owner", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "split", REFERENCE_CHOICE, REQUIRED, NULL, splits },
    { "basis", REFERENCE_CHOICE, OPTIONAL, NULL, bases },
    VALIDITY,
};
static const struct reference_column pool_rule_columns[] = {
    { "priority", REFERENCE_INTEGER, KEY, NULL, NULL },
    { "match", REFERENCE_MATCH, REQUIRED, NULL, bill_matches },
    { "pattern", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "pool", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct reference_column pool_weight_columns[] = {
    { "pool", REFERENCE_TEXT, KEY, NULL, NULL },
    { "cost_centre", REFERENCE_TEXT, KEY, NULL, NULL },
    { "weight", REFERENCE_NOT_NEGATIVE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct reference_column node_columns[] = {
    { "cluster", REFERENCE_TEXT, KEY, NULL, NULL },
    { "node", REFERENCE_TEXT, KEY, NULL, NULL },
    { "resource_id", REFERENCE_TEXT, KEY, NULL, NULL },
    { "node_type", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    { "accelerators", REFERENCE_INTEGER, OPTIONAL, "0", NULL },
    { "cpus", REFERENCE_COUNT, OPTIONAL, NULL, NULL },
    { "idle_pool", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    { "valid_from", REFERENCE_TIME, OPTIONAL, "-infinity", NULL },
    { "valid_to", REFERENCE_TIME, OPTIONAL, "infinity", NULL },
    { 0 },
};
static const struct reference_column overhead_rate_columns[] = {
    { "name", REFERENCE_TEXT, KEY, NULL, NULL },
    { "amount_per_hour", REFERENCE_DECIMAL, REQUIRED, NULL, NULL },
    { "currency", REFERENCE_CURRENCY, REQUIRED, NULL, NULL },
    { "carrier", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "cluster", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct reference_column engineering_columns[] = {
    { "name", REFERENCE_TEXT, KEY, NULL, NULL },
    { "cost_centre", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    { "family", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    { "hours", REFERENCE_NOT_NEGATIVE, OPTIONAL, NULL, NULL },
    { "hourly_rate", REFERENCE_NOT_NEGATIVE, OPTIONAL, NULL, NULL },
    { "annual_cost", REFERENCE_NOT_NEGATIVE, OPTIONAL, NULL, NULL },
    { "time_share", REFERENCE_SHARE, OPTIONAL, NULL, NULL },
    { "currency", REFERENCE_CURRENCY, REQUIRED, NULL, NULL },
    { "carrier", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "valid_from", REFERENCE_DATE, REQUIRED, NULL, NULL },
    { "valid_to", REFERENCE_DATE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct reference_column exchange_rate_columns[] = {
    { "rate_date", REFERENCE_DATE, KEY, NULL, NULL },
    { "currency", REFERENCE_CURRENCY, KEY, NULL, NULL },
    { "statement_currency", REFERENCE_CURRENCY, KEY, NULL, NULL },
    { "rate", REFERENCE_POSITIVE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct reference_column invoice_columns[] = {
    { "invoice_id", REFERENCE_TEXT, KEY, NULL, NULL },
    { "invoice_issuer_name", REFERENCE_TEXT, KEY, NULL, NULL },
    { "currency", REFERENCE_CURRENCY, KEY, NULL, NULL },
    { "net_amount", REFERENCE_DECIMAL, REQUIRED, NULL, NULL },
    { "tax_amount", REFERENCE_DECIMAL, OPTIONAL, "0", NULL },
    { "invoice_date", REFERENCE_DATE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct reference_column tax_rule_columns[] = {
    { "invoice_issuer_name", REFERENCE_TEXT, KEY, NULL, NULL },
    { "recoverable_share", REFERENCE_SHARE, REQUIRED, NULL, NULL },
    { "gl_account", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "prepaid_gl_account", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct reference_column family_columns[] = {
    { "family", REFERENCE_TEXT, KEY, NULL, NULL },
    { "unit", REFERENCE_CHOICE, OPTIONAL, "nodes", units },
    { "accelerators_per_node", REFERENCE_COUNT, OPTIONAL, NULL, NULL },
    { "minimum_k", REFERENCE_COUNT, OPTIONAL, "1", NULL },
    { "maximum_k", REFERENCE_COUNT, OPTIONAL, NULL, NULL },
    { "allowed_k", REFERENCE_TEXT, OPTIONAL, NULL, NULL },
    { "goal_work_constant", REFERENCE_BOOLEAN, OPTIONAL, "false", NULL },
    VALIDITY,
};
static const struct reference_column family_rule_columns[] = {
    { "priority", REFERENCE_INTEGER, KEY, NULL, NULL },
    { "match", REFERENCE_MATCH, REQUIRED, NULL, job_matches },
    { "pattern", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "family", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct reference_column deadline_columns[] = {
    { "match", REFERENCE_MATCH, KEY, NULL, job_matches },
    { "pattern", REFERENCE_TEXT, KEY, NULL, NULL },
    { "deadline_hours", REFERENCE_POSITIVE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct reference_column waiver_columns[] = {
    { "match", REFERENCE_MATCH, KEY, NULL, job_matches },
    { "pattern", REFERENCE_TEXT, KEY, NULL, NULL },
    { "approved_by", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    { "reason", REFERENCE_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};

const struct reference_table reference_tables[] = {
    { "sources.csv", "source_configuration", source_columns },
    { "settings.csv", "setting", setting_columns },
    { "cost_centres.csv", "cost_centre", cost_centre_columns },
    { "mapping_rules.csv", "mapping_rule", mapping_rule_columns },
    { "pools.csv", "pool", pool_columns },
    { "pool_rules.csv", "pool_rule", pool_rule_columns },
    { "pool_weights.csv", "pool_weight", pool_weight_columns },
    { "nodes.csv", "node_inventory", node_columns },
    { "overhead_rates.csv", "overhead_rate", overhead_rate_columns },
    { "engineering.csv", "engineering_time", engineering_columns },
    { "exchange_rates.csv", "exchange_rate", exchange_rate_columns },
    { "invoices.csv", "invoice_amount", invoice_columns },
    { "tax_rules.csv", "tax_rule", tax_rule_columns },
    { "families.csv", "family", family_columns },
    { "family_rules.csv", "family_rule", family_rule_columns },
    { "deadlines.csv", "deadline", deadline_columns },
    { "waivers.csv", "waiver", waiver_columns },
    { 0 },
};

const struct reference_table *reference_table_find(const char *file)
{
    for (const struct reference_table *table = reference_tables; table->file != NULL; table++)
        if (strcmp(table->file, file) == 0)
            return table;
    return NULL;
}

/* ingest/reference/reference_tables.c: see reference_tables.h. Files are in the order of
 * docs/reference.md. */
#include "ingest/reference/reference_tables.h"

#include "ingest/reference/review_decisions.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define KEY      (DECLARED_KEY | DECLARED_REQUIRED)
#define REQUIRED DECLARED_REQUIRED
#define OPTIONAL DECLARED_OPTIONAL
#define VALIDITY                                                                                             \
    { "valid_from", DECLARED_DATE, OPTIONAL, "-infinity", NULL },                                            \
        { "valid_to", DECLARED_DATE, OPTIONAL, "infinity", NULL },                                           \
    {                                                                                                        \
        0                                                                                                    \
    }

static const char *const source_kinds[] = { "billing", "jobs", "nodes", "efficiency", NULL };
static const char *const components[] = { "fixed_overhead", "shared_services", "idle", "unused_commitments",
                                          NULL };
static const char *const splits[] = { "keep", "even", "proportional", "fixed", NULL };
static const char *const bases[] = { "node_hours", "wall_hours", "direct_cost", NULL };
static const char *const units[] = { "nodes", "accelerators", NULL };

#define BILL_MATCHES                                                                                         \
    "tag:KEY", "sub_account_id", "billing_account_id", "service_name", "service_category", "resource_id",    \
        "resource_name", "sku_id", "charge_category", "charge_description", "commitment_discount_id",        \
        "commitment_discount_status", "capacity_reservation_status", "invoice_issuer_name", "source"
#define JOB_MATCHES                                                                                          \
    "job_account", "job_user", "job_partition", "job_name", "job_comment", "job_qos", "job_wckey",           \
        "job_cluster"

static const char *const bill_matches[] = { BILL_MATCHES, NULL };
static const char *const job_matches[] = { JOB_MATCHES, NULL };
static const char *const all_matches[] = { BILL_MATCHES, JOB_MATCHES, NULL };

/* The settings of settings.csv and their types; docs/reference.md explains each. */
#define SETTINGS(SETTING)                                                                                    \
    SETTING("statement_currency", DECLARED_CURRENCY)                                                         \
    SETTING("job_tag_key", DECLARED_TEXT)                                                                    \
    SETTING("waiting_cost_per_hour", DECLARED_COST)                                                          \
    SETTING("near_k_star_share", DECLARED_SHARE)                                                             \
    SETTING("unallocated_gl_account", DECLARED_TEXT)                                                         \
    SETTING("prepaid_gl_account", DECLARED_TEXT)                                                             \
    SETTING("unexplained_gl_account", DECLARED_TEXT)                                                         \
    SETTING("suspense_gl_account", DECLARED_TEXT)                                                            \
    SETTING("held_below_share", DECLARED_SHARE)                                                              \
    SETTING("held_days_fewer", DECLARED_COUNT)                                                               \
    SETTING("later_bill_days", DECLARED_SPAN)                                                                \
    SETTING("horizon_gap_hours", DECLARED_SPAN)                                                              \
    SETTING("limit_field_bytes", DECLARED_COUNT)                                                             \
    SETTING("limit_record_bytes", DECLARED_COUNT)                                                            \
    SETTING("limit_columns", DECLARED_COUNT)                                                                 \
    SETTING("limit_rows", DECLARED_COUNT)                                                                    \
    SETTING("limit_uncompressed_bytes", DECLARED_COUNT)                                                      \
    SETTING("limit_compression_ratio", DECLARED_COUNT)                                                       \
    SETTING("limit_record_nodes", DECLARED_COUNT)                                                            \
    SETTING("limit_file_nodes", DECLARED_COUNT)                                                              \
    SETTING("failed_run_window_months", DECLARED_SPAN)                                                       \
    SETTING("failed_run_minimum_attempts", DECLARED_COUNT)                                                   \
    SETTING("failed_run_prior", DECLARED_NOT_NEGATIVE)                                                       \
    SETTING("node_failure_window_months", DECLARED_SPAN)                                                     \
    SETTING("node_failure_minimum", DECLARED_COUNT)                                                          \
    SETTING("node_failure_prior_per_node_hour", DECLARED_NOT_NEGATIVE)                                       \
    SETTING("experiment_hours", DECLARED_SOME_HOURS)                                                         \
    SETTING("journal_company", DECLARED_TEXT)                                                                \
    SETTING("clearing_gl_account", DECLARED_TEXT)                                                            \
    SETTING("journal_internal", DECLARED_TEXT)                                                               \
    SETTING("journal_delimiter", DECLARED_TEXT)                                                              \
    SETTING("journal_date_form", DECLARED_TEXT)                                                              \
    SETTING("journal_decimal_mark", DECLARED_TEXT)                                                           \
    SETTING("budget_spent_thresholds", DECLARED_TEXT)                                                        \
    SETTING("budget_forecast_thresholds", DECLARED_TEXT)                                                     \
    SETTING("planned_training_limit", DECLARED_COST)                                                         \
    SETTING("review_smallest_flag", DECLARED_COST)                                                           \
    SETTING("forecast_scenario", DECLARED_TEXT)                                                              \
    SETTING("workbook_jobs", DECLARED_COUNT)                                                                 \
    SETTING("tidy_jobs", DECLARED_COUNT)                                                                     \
    SETTING("page_user_names", DECLARED_BOOLEAN)

#define SETTING_NAME(name, type) name,
#define SETTING_TYPE(name, type) type,
static const char *const setting_names[] = { SETTINGS(SETTING_NAME) NULL };
static const enum declared_type setting_types[] = { SETTINGS(SETTING_TYPE) };

static const struct declared_column source_columns[] = {
    { "source", DECLARED_TEXT, KEY, NULL, NULL },
    { "kind", DECLARED_CHOICE, KEY, NULL, source_kinds },
    { "format", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "time_zone", DECLARED_TEXT, OPTIONAL, "UTC", NULL },
    { "billing_currency", DECLARED_CURRENCY, OPTIONAL, NULL, NULL },
    { "delimiter", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { "expected_within_hours", DECLARED_COUNT, OPTIONAL, NULL, NULL },
    { 0 },
};
static const struct declared_column setting_columns[] = {
    { "parameter", DECLARED_CHOICE, KEY, NULL, setting_names },
    { "value", DECLARED_PROSE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column cost_centre_columns[] = {
    { "cost_centre", DECLARED_TEXT, KEY, NULL, NULL },
    { "name", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "gl_account", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "owner", DECLARED_PROSE, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct declared_column mapping_rule_columns[] = {
    { "priority", DECLARED_INTEGER, KEY, NULL, NULL },
    { "match", DECLARED_MATCH, REQUIRED, NULL, all_matches },
    { "pattern", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "cost_centre", DECLARED_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column pool_columns[] = {
    { "pool", DECLARED_TEXT, KEY, NULL, NULL },
    { "component", DECLARED_CHOICE, REQUIRED, NULL, components },
    { "owner", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "split", DECLARED_CHOICE, REQUIRED, NULL, splits },
    { "basis", DECLARED_CHOICE, OPTIONAL, NULL, bases },
    { "ends_with_job", DECLARED_BOOLEAN, OPTIONAL, "false", NULL },
    VALIDITY,
};
static const struct declared_column pool_rule_columns[] = {
    { "priority", DECLARED_INTEGER, KEY, NULL, NULL },
    { "match", DECLARED_MATCH, REQUIRED, NULL, bill_matches },
    { "pattern", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "pool", DECLARED_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column pool_weight_columns[] = {
    { "pool", DECLARED_TEXT, KEY, NULL, NULL },
    { "cost_centre", DECLARED_TEXT, KEY, NULL, NULL },
    { "weight", DECLARED_NOT_NEGATIVE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column node_columns[] = {
    { "cluster", DECLARED_TEXT, KEY, NULL, NULL },
    { "node", DECLARED_TEXT, KEY, NULL, NULL },
    { "resource_id", DECLARED_TEXT, KEY, NULL, NULL },
    { "node_type", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { "accelerators", DECLARED_INTEGER, OPTIONAL, "0", NULL },
    { "cpus", DECLARED_COUNT, OPTIONAL, NULL, NULL },
    { "idle_pool", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { "valid_from", DECLARED_TIME, OPTIONAL, "-infinity", NULL },
    { "valid_to", DECLARED_TIME, OPTIONAL, "infinity", NULL },
    { 0 },
};
static const struct declared_column node_type_columns[] = {
    { "cluster", DECLARED_TEXT, KEY, NULL, NULL },
    { "node_type", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "accelerators", DECLARED_INTEGER, OPTIONAL, NULL, NULL },
    { "cpus", DECLARED_COUNT, OPTIONAL, NULL, NULL },
    { "idle_pool", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { 0 },
};
static const struct declared_column node_rate_columns[] = {
    { "cluster", DECLARED_TEXT, KEY, NULL, NULL },
    { "node_type", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "amount_per_node_hour", DECLARED_COST, REQUIRED, NULL, NULL },
    { "currency", DECLARED_CURRENCY, REQUIRED, NULL, NULL },
    { "owner", DECLARED_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column overhead_rate_columns[] = {
    { "name", DECLARED_TEXT, KEY, NULL, NULL },
    { "amount_per_hour", DECLARED_MONEY, REQUIRED, NULL, NULL },
    { "currency", DECLARED_CURRENCY, REQUIRED, NULL, NULL },
    { "carrier", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "cluster", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct declared_column engineering_columns[] = {
    { "name", DECLARED_TEXT, KEY, NULL, NULL },
    { "cost_centre", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { "family", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { "hours", DECLARED_HOURS, OPTIONAL, NULL, NULL },
    { "hourly_rate", DECLARED_COST, OPTIONAL, NULL, NULL },
    { "annual_cost", DECLARED_COST, OPTIONAL, NULL, NULL },
    { "time_share", DECLARED_SHARE, OPTIONAL, NULL, NULL },
    { "currency", DECLARED_CURRENCY, REQUIRED, NULL, NULL },
    { "carrier", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "valid_from", DECLARED_DATE, REQUIRED, NULL, NULL },
    { "valid_to", DECLARED_DATE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct declared_column exchange_rate_columns[] = {
    { "rate_date", DECLARED_DATE, KEY, NULL, NULL },
    { "currency", DECLARED_CURRENCY, KEY, NULL, NULL },
    { "statement_currency", DECLARED_CURRENCY, KEY, NULL, NULL },
    { "rate", DECLARED_POSITIVE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct declared_column invoice_columns[] = {
    { "invoice_id", DECLARED_TEXT, KEY, NULL, NULL },
    { "invoice_issuer_name", DECLARED_TEXT, KEY, NULL, NULL },
    { "currency", DECLARED_CURRENCY, KEY, NULL, NULL },
    { "net_amount", DECLARED_MONEY, REQUIRED, NULL, NULL },
    { "tax_amount", DECLARED_MONEY, OPTIONAL, "0", NULL },
    { "invoice_date", DECLARED_DATE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct declared_column tax_rule_columns[] = {
    { "invoice_issuer_name", DECLARED_TEXT, KEY, NULL, NULL },
    { "recoverable_share", DECLARED_SHARE, REQUIRED, NULL, NULL },
    { "gl_account", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "prepaid_gl_account", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const char *const same_results[] = { "job_name", "job_name and user", "family", "family and user",
                                            NULL };
static const struct declared_column run_group_columns[] = {
    { "priority", DECLARED_INTEGER, KEY, NULL, NULL },
    { "match", DECLARED_MATCH, REQUIRED, NULL, job_matches },
    { "pattern", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "same", DECLARED_CHOICE, REQUIRED, NULL, same_results },
    { "within_hours", DECLARED_SOME_HOURS, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const char *const refunded_states[] = { "NODE_FAIL", "BOOT_FAIL", "PREEMPTED", NULL };
static const struct declared_column refund_rule_columns[] = {
    { "state", DECLARED_CHOICE, KEY, NULL, refunded_states },
    { "cluster", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "pool", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "maximum_hours", DECLARED_SOME_HOURS, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct declared_column family_columns[] = {
    { "family", DECLARED_TEXT, KEY, NULL, NULL },
    { "unit", DECLARED_CHOICE, OPTIONAL, "nodes", units },
    { "accelerators_per_node", DECLARED_COUNT, OPTIONAL, NULL, NULL },
    { "minimum_k", DECLARED_COUNT, OPTIONAL, "1", NULL },
    { "maximum_k", DECLARED_COUNT, OPTIONAL, NULL, NULL },
    { "allowed_k", DECLARED_PROSE, OPTIONAL, NULL, NULL },
    { "goal_work_constant", DECLARED_BOOLEAN, OPTIONAL, "false", NULL },
    { "waiting_cost_per_hour", DECLARED_NOT_NEGATIVE, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct declared_column family_rule_columns[] = {
    { "priority", DECLARED_INTEGER, KEY, NULL, NULL },
    { "match", DECLARED_MATCH, REQUIRED, NULL, job_matches },
    { "pattern", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "family", DECLARED_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const char *const capacities[] = { "on demand", "spot", NULL };
static const struct declared_column interruption_columns[] = {
    { "family", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "capacity", DECLARED_CHOICE, KEY, NULL, capacities },
    { "rate_per_node_hour", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "checkpoint_hours", DECLARED_HOURS, OPTIONAL, "0", NULL },
    { "restart_hours", DECLARED_HOURS, OPTIONAL, "0", NULL },
    VALIDITY,
};
static const struct declared_column deadline_columns[] = {
    { "match", DECLARED_MATCH, KEY, NULL, job_matches },
    { "pattern", DECLARED_TEXT, KEY, NULL, NULL },
    { "deadline_hours", DECLARED_SOME_HOURS, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column waiver_columns[] = {
    { "match", DECLARED_MATCH, KEY, NULL, job_matches },
    { "pattern", DECLARED_TEXT, KEY, NULL, NULL },
    { "approved_by", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "reason", DECLARED_PROSE, REQUIRED, NULL, NULL },
    VALIDITY,
};

static const struct declared_column budget_columns[] = {
    { "cost_centre", DECLARED_TEXT, KEY, NULL, NULL },
    { "month", DECLARED_MONTH, KEY, NULL, NULL },
    { "amount", DECLARED_COST, REQUIRED, NULL, NULL },
    { "spent_thresholds", DECLARED_PROSE, OPTIONAL, NULL, NULL },
    { "forecast_thresholds", DECLARED_PROSE, OPTIONAL, NULL, NULL },
    { 0 },
};
static const struct declared_column planned_training_columns[] = {
    { "training", DECLARED_TEXT, KEY, NULL, NULL },
    { "family", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "one_node_hours", DECLARED_SOME_HOURS, REQUIRED, NULL, NULL },
    { "k", DECLARED_COUNT, REQUIRED, NULL, NULL },
    { "month", DECLARED_MONTH, REQUIRED, NULL, NULL },
    { "cost_centre", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "requested_by", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "approved_by", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { 0 },
};
static const struct declared_column commitment_end_columns[] = {
    { "commitment", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "provider", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "sku", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "ends_on", DECLARED_DATE, REQUIRED, NULL, NULL },
    { 0 },
};

static const struct declared_column run_group_unit_columns[] = {
    { "run_group", DECLARED_TEXT, KEY, NULL, NULL },
    { "models", DECLARED_INTEGER, OPTIONAL, "1", NULL },
    { "trained_tokens", DECLARED_POSITIVE, OPTIONAL, NULL, NULL },
    { "delivered_on", DECLARED_DATE, REQUIRED, NULL, NULL },
    { 0 },
};
static const struct declared_column serving_fleet_columns[] = {
    { "fleet", DECLARED_TEXT, KEY, NULL, NULL },
    { "cost_centre", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "price_per_replica_hour", DECLARED_COST, OPTIONAL, NULL, NULL },
    { "match", DECLARED_MATCH, OPTIONAL, NULL, bill_matches },
    { "pattern", DECLARED_TEXT, OPTIONAL, NULL, NULL },
    { "nodes_per_replica", DECLARED_POSITIVE, OPTIONAL, "1", NULL },
    { "fixed_per_hour", DECLARED_COST, OPTIONAL, "0", NULL },
    { "latency_percentile", DECLARED_POSITIVE, OPTIONAL, "95", NULL },
    { "latency_limit_ms", DECLARED_POSITIVE, OPTIONAL, NULL, NULL },
    VALIDITY,
};
static const struct declared_column serving_measurement_columns[] = {
    { "fleet", DECLARED_TEXT, KEY, NULL, NULL },
    { "replicas", DECLARED_COUNT, KEY, NULL, NULL },
    { "latency_percentile", DECLARED_POSITIVE, DECLARED_KEY, "95", NULL },
    { "latency_ms", DECLARED_NOT_NEGATIVE, REQUIRED, NULL, NULL },
    { "tokens_per_second", DECLARED_POSITIVE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column node_accelerator_columns[] = {
    { "cluster", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "node_type", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "gres_type", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "accelerator", DECLARED_TEXT, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column node_power_columns[] = {
    { "cluster", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "node_type", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "watts_at_load", DECLARED_NOT_NEGATIVE, REQUIRED, NULL, NULL },
    { "watts_idle", DECLARED_NOT_NEGATIVE, REQUIRED, NULL, NULL },
    VALIDITY,
};
static const struct declared_column grid_intensity_columns[] = {
    { "cluster", DECLARED_TEXT, DECLARED_KEY, "", NULL },
    { "grams_per_kwh", DECLARED_NOT_NEGATIVE, REQUIRED, NULL, NULL },
    { "pue", DECLARED_POSITIVE, OPTIONAL, "1", NULL },
    VALIDITY,
};

static const struct declared_column reader_columns[] = {
    { "database_role", DECLARED_TEXT, KEY, NULL, NULL },
    { "cost_centre", DECLARED_TEXT, KEY, NULL, NULL },
    { 0 },
};
static const char *const journal_fields[] = {
    "record",
    "posting_key",
    "company",
    "period",
    "issue",
    "kind",
    "currency",
    "accounting_date",
    "reversal_date",
    "source",
    "control_total",
    "line",
    "block",
    "line_type",
    "gl_account",
    "cost_centre",
    "debit",
    "credit",
    "amount",
    "value",
    "side",
    "memo",
    "external_reference",
    "reverses",
    NULL,
};
static const struct declared_column journal_columns[] = {
    { "position", DECLARED_COUNT, KEY, NULL, NULL },
    { "heading", DECLARED_TEXT, REQUIRED, NULL, NULL },
    { "field", DECLARED_CHOICE, REQUIRED, NULL, journal_fields },
    VALIDITY,
};

/* Checks a value by the type of its setting. */
static bool check_setting(const char *const *values, int *column, char problem[DECLARED_PROBLEM_BYTES])
{
    *column = 1;
    for (int i = 0; setting_names[i] != NULL; i++)
        if (strcmp(setting_names[i], values[0]) == 0)
            return declared_value_check(setting_types[i], NULL, values[1], problem);
    return true;
}

/* A rate is a number or, for failing nodes, "measured". */
static bool check_interruption(const char *const *values, int *column, char problem[DECLARED_PROBLEM_BYTES])
{
    enum { CAPACITY = 1, RATE };
    *column = RATE;
    if (strcmp(values[RATE], "measured") != 0)
        return declared_value_check(DECLARED_NOT_NEGATIVE, NULL, values[RATE], problem);
    if (strcmp(values[CAPACITY], "spot") != 0)
        return true;
    snprintf(problem, DECLARED_PROBLEM_BYTES,
             "is of failing nodes: say how often spot capacity is taken away");
    return false;
}

const struct reference_table reference_tables[] = {
    { "sources.csv", "source_configuration", source_columns, NULL,
      "How a source is read: format, time zone, currency", "fjord,jobs,sacct,Europe/Oslo,,|#,26" },
    { "settings.csv", "setting", setting_columns, check_setting, "Single values",
      "statement_currency,USD,," },
    { "cost_centres.csv", "cost_centre", cost_centre_columns, NULL, "Who is charged",
      "CC-100,Platform,6100,sofia,," },
    { "mapping_rules.csv", "mapping_rule", mapping_rule_columns, NULL,
      "Which cost centre pays a line of the bill, or a job", "10,job_account,atlas,CC-210,," },
    { "pools.csv", "pool", pool_columns, NULL, "Cost that belongs to no single job",
      "control-plane,fixed_overhead,CC-100,proportional,wall_hours,false,," },
    { "pool_rules.csv", "pool_rule", pool_rule_columns, NULL, "Which lines of the bill belong to a pool",
      "10,service_name,Managed Kubernetes*,control-plane,," },
    { "pool_weights.csv", "pool_weight", pool_weight_columns, NULL, "Weights of a fixed split",
      "support,CC-210,2.5,," },
    { "nodes.csv", "declared_node", node_columns, NULL, "Which resource of the bill a node was, and when",
      "aurora,res01,i-09cf683ea9760,trn.8h,8,192,idle,2026-03-01T00:00:00Z,2026-09-15T10:00:00Z" },
    { "node_types.csv", "node_type", node_type_columns, NULL, "What a type of node has",
      "aurora,p5.48xlarge,8,192," },
    { "node_rates.csv", "node_rate", node_rate_columns, NULL, "Price of a node-hour that is on no bill",
      "attic,old-4xv100,3.10,EUR,CC-220,2026-01-01," },
    { "overhead_rates.csv", "overhead_rate", overhead_rate_columns, NULL, "Overhead that is on no bill",
      "streaming pipeline,6.40,USD,CC-100,aurora,2026-01-01," },
    { "engineering.csv", "engineering_time", engineering_columns, NULL, "Engineering time",
      "llm tuning,CC-210,llm-pretrain,126.5,148.00,,,USD,CC-100,2026-09-01,2026-10-01" },
    { "exchange_rates.csv", "exchange_rate", exchange_rate_columns, NULL, "Exchange rates",
      "2026-09-30,EUR,USD,1.1710" },
    { "invoices.csv", "invoice_amount", invoice_columns, NULL, "Amounts of the invoices themselves",
      "AL-2026-09-0447,Alder Cloud Inc.,USD,332070.48,6204.18,2026-10-02" },
    { "tax_rules.csv", "tax_rule", tax_rule_columns, NULL, "What part of the tax is recoverable",
      "Alder Cloud*,1,1575,1490,," },
    { "refund_rules.csv", "refund_rule", refund_rule_columns, NULL,
      "Attempts that the system broke are charged to a pool", "NODE_FAIL,,control-plane,24,2026-09-01," },
    { "run_groups.csv", "declared_run_group", run_group_columns, NULL,
      "Jobs that were submitted again after they failed",
      "10,job_name,llm-pretrain*,job_name and user,48,," },
    { "families.csv", "family", family_columns, NULL, "Workloads that scale alike and are measured together",
      "llm-pretrain,nodes,,2,128,powers of two,false,250,," },
    { "family_rules.csv", "family_rule", family_rule_columns, NULL, "Which family a job belongs to",
      "10,job_name,llm-pretrain*,llm-pretrain,," },
    { "interruptions.csv", "interruption", interruption_columns, check_interruption,
      "What interrupts the jobs of a family", ",on demand,measured,0.05,0.25,," },
    { "deadlines.csv", "deadline", deadline_columns, NULL, "Deadlines of jobs",
      "job_name,llm-pretrain-rc*,9,2026-09-01," },
    { "waivers.csv", "waiver", waiver_columns, NULL, "Who allowed a job to run above or below K*",
      "job_name,llm-pretrain-demo*,\"Ruth Amsel, head of language models\",board demonstration,2026-09-14,2026-09-22" },
    { "journal_columns.csv", "journal_column", journal_columns, NULL, "Other columns for the journal",
      "1,Posting date,accounting_date,," },
    { "budgets.csv", "budget", budget_columns, NULL, "Monthly budgets",
      "CC-210,2026-09,50000,50 80 100,100 120" },
    { "planned_trainings.csv", "planned_training", planned_training_columns, NULL, "Trainings for approval",
      "release 7 pre-training,llm-pretrain,24000,64,2026-10,CC-210,ada," },
    { "commitments.csv", "commitment_end", commitment_end_columns, NULL,
      "When reservations and savings plans end",
      "arn:aws:savingsplans:111122223333:savingsplan/0a1b,,,2027-04-01" },
    { "run_group_units.csv", "run_group_unit", run_group_unit_columns, NULL, "What a run group delivered",
      "aurora/41001,1,1500000000000,2026-09-20" },
    { "serving_fleets.csv", "serving_fleet", serving_fleet_columns, NULL, "Fleets that serve models",
      "chat,CC-210,2.10,,,,9.00,95,400,," },
    { "serving_measurements.csv", "serving_measurement", serving_measurement_columns, NULL,
      "What a fleet served with a number of replicas", "chat,4,95,380,1500,," },
    { "node_accelerators.csv", "node_accelerator", node_accelerator_columns, NULL,
      "Which accelerator nodes have", ",p5.48xlarge,,H100,," },
    { "node_power.csv", "node_power", node_power_columns, NULL, "Power of a node",
      ",p5.48xlarge,8700,2100,," },
    { "grid_intensity.csv", "grid_intensity", grid_intensity_columns, NULL, "Emissions per kilowatt-hour",
      "aurora,28.5,1.12,2026-09-01,2026-09-02" },
    { "readers.csv", "reader", reader_columns, NULL, "Which cost centres a database role sees",
      "team_pretraining,CC-210" },
    { "review-*.xlsx", "review_decision", review_decision_columns, NULL, NULL, NULL },
    { 0 },
};

const struct reference_table *reference_table_find(const char *file)
{
    for (const struct reference_table *table = reference_tables; table->file != NULL; table++)
        if (fnmatch(table->file, file, 0) == 0)
            return table;
    return NULL;
}

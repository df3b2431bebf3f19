/* report/sheets/jobs.c: the sheet "Jobs": one row for each attempt, with its cost and the verdict
 * on its node count. The chargeback has the columns that a decision needs, the data workbook has
 * all. Workbooks of all cost centres list only the most expensive attempts and add up the others,
 * because a sheet with a hundred thousand attempts takes minutes to open. */
#include "report/sheets.h"

#include "base/postgres/database.h"

/* clang-format off: a row each */
static const struct sheet_column columns_to_decide_by[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 13,
      .meaning = "Who is charged; empty: unallocated, job without cost centre" },
    { "Job", "job_id", CELL_TEXT, .width = 11, .meaning = "As the scheduler shows it" },
    { "Name", "job_name", CELL_TEXT, .width = 22 },
    { "User", "user_name", CELL_TEXT, .width = 10 },
    { "Family", "family", CELL_TEXT, .width = 13,
      .meaning = "Workloads that scale alike and are measured together" },
    { "Outcome", "outcome", CELL_TEXT, .width = 10, .flag = "failed",
      .meaning = "What the state means for its hardware: productive, failed, cancelled, not started" },
    { "Start (UTC)", "start_time", CELL_TIME, .width = 15.5 },
    { "Wall hours", "wall_hours", CELL_HOURS, .width = 9,
      .meaning = "Hours on the clock in the month; a heterogeneous job's are divided among its components" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 11, .total = true,
      .meaning = "Held in the month, weighted by the share of each node" },
    { "True cost", "true_cost_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "The data workbook has its nine parts" },
    { "Coordination waste", "coordination_waste_minor", CELL_MONEY, .width = 12, .total = true,
      .meaning = "Of it: (1 − E(K)) · hardware; negative where E is above 1" },
    { "K", "k", CELL_INTEGER, .width = 5,
      .meaning = "Nodes held (accelerators where the family counts them)" },
    { "K*", "k_star", CELL_INTEGER, .width = 5,
      .meaning = "What it is compared with: the nearer end of the band; inside the band its own K" },
    { "K* interval", "k_star_interval", CELL_TEXT, .width = 9, .meaning = "95 %" },
    { "E(K)", "efficiency", CELL_PERCENT, .width = 8, .meaning = "Speedup ÷ K; empty: not measured" },
    { "Verdict", "verdict", CELL_TEXT, .width = 29, .flag = "above K*",
      .meaning = "Against the band from the K of least money to the cheapest K with waiting counted" },
    { "Excess", "excess_minor", CELL_MONEY, .width = 12, .total = true,
      .meaning = "Cost − cost at K*, of flagged jobs. A memo that overlaps coordination waste: the two are "
                 "never added" },
    { "Attainable cash, sure", "sure_cash_minor", CELL_MONEY, .width = 12, .total = true,
      .meaning =
          "By how much the invoice would shrink; of a job that is not waived and meets its deadline at "
          "K* as well" },
    { "Attainable cash, low confidence", "unsure_cash_minor", CELL_MONEY, .width = 12, .total = true,
      .meaning = "The same, where the verdict is of low confidence" },
    { "Attainable capacity", "attainable_capacity_minor", CELL_MONEY, .width = 12, .total = true,
      .meaning = "Of the same jobs: hardware on committed or owned nodes that others could use" },
    { "Waiver", "waiver", CELL_TEXT, .width = 32, .wraps = true,
      .meaning = "Who accepted it, why, until when" },
    { 0 },
};
static const struct sheet_table jobs = {
    .name = "jobs",
    .query = "report/jobs.sql",
    .rest = "report/jobs_rest.sql",
    .columns = columns_to_decide_by,
    .alone = true,
    .frozen_columns = 3,
};

static const struct sheet_column columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14,
      .meaning = "Who is charged; empty: unallocated, job without cost centre" },
    { "Job", "job_id", CELL_TEXT, .width = 12, .meaning = "As the scheduler shows it" },
    { "Name", "job_name", CELL_TEXT, .width = 22 },
    { "Attempt", "attempt_mark", CELL_TEXT, .width = 18, .meaning = "Distinguishes the attempts of one job" },
    { "Run group", "run_group", CELL_TEXT, .width = 14, .meaning = "Attempts at the same result" },
    { "User", "user_name", CELL_TEXT, .width = 11 },
    { "Account", "account", CELL_TEXT, .width = 12 },
    { "Cluster", "cluster", CELL_TEXT, .width = 11 },
    { "Family", "family", CELL_TEXT, .width = 14,
      .meaning = "Workloads that scale alike and are measured together" },
    { "State", "state_text", CELL_TEXT, .width = 19 },
    { "Outcome", "outcome", CELL_TEXT, .width = 11, .flag = "failed",
      .meaning = "What the state means for its hardware: productive, failed, cancelled, not started" },
    { "Start (UTC)", "start_time", CELL_TIME, .width = 15.5 },
    { "End (UTC)", "end_time", CELL_TIME, .width = 15.5,
      .meaning = "Empty: still running when its records end" },
    { "Provisional", "provisional", CELL_YES_NO, .width = 8, .flag = "Yes",
      .meaning = "Yes: still running, charged up to the horizon of its records" },
    { "K", "k", CELL_INTEGER, .width = 6,
      .meaning = "Nodes held (accelerators where the family counts them)" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 12, .total = true,
      .meaning = "Held in the month, weighted by the share of each node" },
    { "Wall hours", "wall_hours", CELL_HOURS, .width = 11, .total = true,
      .meaning = "Hours on the clock in the month; a heterogeneous job's are divided among its components" },
    { "Unpriced node-hours", "unpriced_node_hours", CELL_HOURS, .width = 10, .total = true,
      .meaning = "Held, but on no bill and without an internal rate" },
    { "Node-hours at internal rates", "internal_node_hours", CELL_HOURS, .width = 10, .total = true,
      .meaning = "Held on nodes without a bill, charged off it" },
    { "Price per node-hour", "price_per_node_hour", CELL_PRICE, .width = 10.5,
      .meaning = "p: its hardware ÷ its priced node-hours, on the bill and off it" },
    { "Overhead per node-hour", "overhead_per_node_hour", CELL_PRICE, .width = 10.5,
      .meaning = "Of pools split by node-hours ÷ its node-hours: beside p what a node-hour costs where K* is "
                 "found" },
    { "Fixed per wall hour", "fixed_per_wall_hour", CELL_PRICE, .width = 10.5,
      .meaning = "f: its other fixed overhead ÷ its wall hours, plus the cost of waiting" },
    { "Efficiency E(K)", "efficiency", CELL_PERCENT, .width = 10,
      .meaning = "Speedup ÷ K; empty: not measured" },
    { "Coordination inefficiency", "coordination_inefficiency", CELL_PERCENT, .width = 12,
      .formula = "=IF([efficiency]=0,0,ROUND(1/[efficiency]-1,9))",
      .meaning = "1/E − 1: what coordination adds to the useful work" },
    { "E from", "efficiency_from", CELL_TEXT, .width = 9,
      .meaning = "The job's own measurement, its family's, or a profile (an estimate)" },
    { "Useful compute", "useful_compute_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "E(K) · hardware of a productive attempt" },
    { "Coordination waste", "coordination_waste_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "(1 − E(K)) · hardware; negative where E is above 1" },
    { "Unmeasured hardware", "unmeasured_hardware_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Hardware of a productive attempt without a measured E" },
    { "Failed runs", "failed_runs_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Hardware and fees of a failed attempt" },
    { "Cancelled", "cancelled_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Hardware and fees of a cancelled attempt" },
    { "Cloud fees", "cloud_fees_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Storage, network, managed services and licences of a productive attempt" },
    { "Fixed overhead, on the bill", "fixed_overhead_minor", CELL_MONEY, .width = 14.5, .total = true,
      .meaning = "Its share of overhead pools" },
    { "Internal overhead", "internal_overhead_minor", CELL_MONEY, .width = 14.5, .total = true,
      .meaning = "Its share of configured hourly rates" },
    { "Engineering overhead", "engineering_overhead_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Its share of recorded engineering time" },
    { "True cost", "true_cost_minor", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(SUM([useful_compute_minor]:[engineering_overhead_minor]),{digits})",
      .meaning = "The sum of the nine columns before it" },
    { "Charged", "charged_minor", CELL_MONEY, .width = 14, .total = true,
      .formula = "=IF([cost_centre]=\"\",0,[true_cost_minor])",
      .meaning = "The part of it that a cost centre pays" },
    { "Verdict", "verdict", CELL_TEXT, .width = 30, .flag = "above K*",
      .meaning = "Against the band from the K of least money to the cheapest K with waiting counted" },
    { "Why", "verdict_reason", CELL_TEXT, .width = 60, .wraps = true },
    { "Low confidence", "low_confidence", CELL_YES_NO, .width = 8, .flag = "Yes",
      .meaning =
          "Yes: the measurements are too few, too noisy, too far from K, or perhaps of other hardware" },
    { "K*", "k_star", CELL_INTEGER, .width = 6,
      .meaning = "What it is compared with: the nearer end of the band; inside the band its own K" },
    { "K of least money", "k_least_money", CELL_INTEGER, .width = 8,
      .meaning = "The band's lower end, at this job's prices" },
    { "K with waiting", "k_with_waiting", CELL_INTEGER, .width = 8,
      .meaning = "The band's upper end: the cheapest K with waiting counted" },
    { "Waiting per hour", "waiting_per_hour", CELL_PRICE, .width = 10,
      .meaning = "What an hour until the result is counted at; part of f, no money of the statement" },
    { "K* interval", "k_star_interval", CELL_TEXT, .width = 11,
      .meaning = "95 %, of the end of the band that K* is; inside the band of its upper end" },
    { "K fastest", "k_fastest", CELL_INTEGER, .width = 8,
      .meaning = "The fastest node count; empty: it lies beyond twice the largest size measured" },
    { "Cost judged", "cost_minor", CELL_MONEY, .width = 13,
      .meaning = "Hardware + f · hours: what the verdict is about" },
    { "Cost at K*", "cost_at_k_star_minor", CELL_MONEY, .width = 13 },
    { "Excess", "excess_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Cost − cost at K*, of flagged jobs. A memo that overlaps coordination waste: the two are "
                 "never added" },
    { "Cash saving", "cash_saving_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning =
          "Less hardware on demand or spot, and overhead that ends with the job: the invoice would shrink" },
    { "Freed capacity", "freed_capacity_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Less hardware on committed or owned nodes: the invoice would not shrink" },
    { "Overhead of others", "others_overhead_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "The rest of the excess: overhead of shared pools that others would bear; below zero: that "
                 "they would be spared" },
    { "Attainable cash, sure", "sure_cash_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Cash saving of a job that is not waived and meets its deadline at K* as well" },
    { "Attainable cash, low confidence", "unsure_cash_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "The same, where the verdict is of low confidence" },
    { "Attainable capacity", "attainable_capacity_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Freed capacity of such jobs" },
    { "Job hours", "job_hours", CELL_HOURS, .width = 10,
      .meaning = "The whole job, with all its components" },
    { "Job hours at K*", "job_hours_at_k_star", CELL_HOURS, .width = 10,
      .meaning = "The whole job; time that it was suspended is the same on any K" },
    { "Deadline (hours)", "deadline_hours", CELL_HOURS, .width = 10 },
    { "K for deadline", "deadline_k", CELL_INTEGER, .width = 9,
      .meaning =
          "The cheapest K that meets the deadline; empty with a deadline: no K up to twice the largest one "
          "measured does, or the job did not do all of its work" },
    { "Waiver", "waiver", CELL_TEXT, .width = 40, .wraps = true,
      .meaning = "Who accepted it, why, until when" },
    { "Measure next", "next_measurement", CELL_TEXT, .width = 40, .wraps = true,
      .meaning = "What would make the verdict surer" },
    /* the columns from here on are shown only if the month has energy data (docs/energy.md) */
    { "Node-hours without power", "unpowered_node_hours", CELL_HOURS, .width = 10, .total = true,
      .meaning = "Of nodes whose power node_power.csv does not say: no energy of them is counted" },
    { "Energy (kWh)", "kwh", CELL_HOURS, .width = 12, .total = true,
      .meaning = "Time on its nodes · share · watts at load · PUE; empty: it held no node" },
    { "Carbon (kg CO₂e)", "kg_co2e", CELL_HOURS, .width = 12, .total = true,
      .meaning = "Each day's energy · the grid's intensity on that day" },
    { 0 },
};
enum { ENERGY_COLUMN_COUNT = 3, COLUMN_COUNT = sizeof columns / sizeof columns[0] - 1 };
static const struct sheet_table all_with_energy = {
    .name = "jobs",
    .query = "report/jobs.sql",
    .rest = "report/jobs_rest.sql",
    .columns = columns,
    .alone = true,
    .frozen_columns = 3,
};
static const struct sheet_table all = {
    .name = "jobs",
    .query = "report/jobs.sql",
    .rest = "report/jobs_rest.sql",
    .columns = columns,
    .column_count = COLUMN_COUNT - ENERGY_COLUMN_COUNT,
    .alone = true,
    .frozen_columns = 3,
};
/* clang-format on */

/* Writes the title, and a note in the empty row below it, so that the table begins in the same row
 * in every workbook. */
static bool begin(struct sheet *sheet, struct error *error)
{
    PGresult *count =
        database_query_file(book_connection(sheet->book), "report/jobs_count.sql", 0, NULL, error);
    sheet_title(sheet, "Jobs");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    if (count != NULL && !PQgetisnull(count, 0, 1)) {
        sheet_skip(sheet, -1);
        sheet_note(sheet, PQgetvalue(count, 0, 1));
    }
    PQclear(count);
    return count != NULL;
}

bool fill_jobs(struct sheet *sheet, struct error *error)
{
    return begin(sheet, error) && table_write(sheet, &jobs, NULL, error);
}

bool fill_all_of_jobs(struct sheet *sheet, struct error *error)
{
    bool energy;
    if (!begin(sheet, error))
        return false;
    worksheet_fit_to_pages(sheet->worksheet, 4, 0); /* the job is repeated on each of the four */
    return energy_is_stated(sheet, &energy, error) &&
           table_write(sheet, energy ? &all_with_energy : &all, NULL, error);
}

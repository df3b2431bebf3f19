/* report/sheet_jobs.c: the sheet "Jobs": one row per attempt, every column of design sections 5 and 7. */
#include "report/sheets.h"

static const struct sheet_column columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14, .meaning = "Who is charged; empty: unallocated, job without cost centre" },
    { "Job", "job_id", CELL_TEXT, .width = 12, .meaning = "As the scheduler shows it" },
    { "Name", "job_name", CELL_TEXT, .width = 22 },
    { "Attempt", "attempt_mark", CELL_TEXT, .width = 18, .meaning = "What tells attempts of one job apart" },
    { "Run group", "run_group", CELL_TEXT, .width = 14, .meaning = "Attempts at the same result" },
    { "User", "user_name", CELL_TEXT, .width = 11 },
    { "Account", "account", CELL_TEXT, .width = 12 },
    { "Cluster", "cluster", CELL_TEXT, .width = 11 },
    { "Family", "family", CELL_TEXT, .width = 14, .meaning = "Workloads that scale alike and are measured together" },
    { "State", "state_text", CELL_TEXT, .width = 19 },
    { "Outcome", "outcome", CELL_TEXT, .width = 11, .meaning = "What the state means for its hardware: productive, failed, cancelled, not started" },
    { "Start (UTC)", "start_time", CELL_TIME, .width = 15.5 },
    { "End (UTC)", "end_time", CELL_TIME, .width = 15.5, .meaning = "Empty: still running when its records end" },
    { "Provisional", "provisional", CELL_YES_NO, .width = 8, .meaning = "Yes: still running, charged up to the horizon of its records" },
    { "K", "k", CELL_INTEGER, .width = 6, .meaning = "Nodes held (accelerators where the family counts them)" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 12, .total = true, .meaning = "Held in the month, weighted by the share of each node" },
    { "Wall hours", "wall_hours", CELL_HOURS, .width = 11, .total = true, .meaning = "Hours on the clock in the month" },
    { "Unpriced node-hours", "unpriced_node_hours", CELL_HOURS, .width = 10, .total = true, .meaning = "Held, but on no bill" },
    { "Price per node-hour", "price_per_node_hour", CELL_PRICE, .width = 10.5, .meaning = "p: its hardware ÷ its priced node-hours" },
    { "Fixed per wall hour", "fixed_per_wall_hour", CELL_PRICE, .width = 10.5, .meaning = "f: its fixed overhead ÷ its wall hours, plus the cost of waiting" },
    { "Efficiency E(K)", "efficiency", CELL_PERCENT, .width = 10, .meaning = "Speedup ÷ K; empty: not measured" },
    { "E from", "efficiency_from", CELL_TEXT, .width = 9, .meaning = "The job's own measurement, its family's, or a profile (an estimate)" },
    { "Useful compute", "useful_compute_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "E(K) · hardware of a productive attempt" },
    { "Coordination waste", "coordination_waste_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "(1 − E(K)) · hardware; negative where E is above 1" },
    { "Unmeasured hardware", "unmeasured_hardware_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "Hardware of a productive attempt without a measured E" },
    { "Failed runs", "failed_runs_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "Hardware and fees of a failed attempt" },
    { "Cancelled", "cancelled_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "Hardware and fees of a cancelled attempt" },
    { "Cloud fees", "cloud_fees_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "Storage, network, managed services and licences of a productive attempt" },
    { "Fixed overhead, on the bill", "fixed_overhead_minor", CELL_MONEY, .width = 14.5, .total = true, .meaning = "Its share of overhead pools" },
    { "Fixed overhead, off the bill", "fixed_overhead_off_bill_minor", CELL_MONEY, .width = 14.5, .total = true, .meaning = "Its share of configured hourly rates" },
    { "Engineering overhead", "engineering_overhead_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "Its share of recorded engineering time" },
    { "True cost", "true_cost_minor", CELL_MONEY, .width = 14, .total = true, .formula = "=ROUND(SUM([useful_compute_minor]:[engineering_overhead_minor]),{digits})", .meaning = "The sum of the nine columns before it" },
    { "Charged", "charged_minor", CELL_MONEY, .width = 14, .total = true, .formula = "=IF([cost_centre]=\"\",0,[true_cost_minor])", .meaning = "The part of it that a cost centre pays" },
    { "Verdict", "verdict", CELL_TEXT, .width = 18 },
    { "Why", "verdict_reason", CELL_TEXT, .width = 44 },
    { "Low confidence", "low_confidence", CELL_YES_NO, .width = 8, .meaning = "Yes: too few measurements for an interval" },
    { "K*", "k_star", CELL_INTEGER, .width = 6, .meaning = "The cheapest node count at this job's prices" },
    { "K* interval", "k_star_interval", CELL_TEXT, .width = 11, .meaning = "95 %" },
    { "K fastest", "k_fastest", CELL_INTEGER, .width = 8, .meaning = "The fastest node count" },
    { "Cost judged", "cost_minor", CELL_MONEY, .width = 13, .meaning = "Hardware + f · hours: what the verdict is about" },
    { "Cost at K*", "cost_at_k_star_minor", CELL_MONEY, .width = 13 },
    { "Excess", "excess_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "Cost − cost at K*, of jobs above K*. A memo that overlaps coordination waste: the two are never added" },
    { "Cash saving", "cash_saving_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "The part of the excess on demand or spot: the invoice would shrink" },
    { "Freed capacity", "freed_capacity_minor", CELL_MONEY, .width = 13, .total = true, .meaning = "The part on committed or owned nodes: the invoice would not shrink" },
    { "Job hours", "job_hours", CELL_HOURS, .width = 10, .meaning = "The whole job" },
    { "Job hours at K*", "job_hours_at_k_star", CELL_HOURS, .width = 10 },
    { "Deadline (hours)", "deadline_hours", CELL_HOURS, .width = 10 },
    { "K for deadline", "deadline_k", CELL_INTEGER, .width = 9, .meaning = "The cheapest K that meets the deadline; empty with a deadline: no K does" },
    { "Waiver", "waiver", CELL_TEXT, .width = 24, .meaning = "Who accepted it, why, until when" },
    { "Measure next", "next_measurement", CELL_TEXT, .width = 34, .meaning = "What would make the verdict surer" },
    { 0 },
};
static const struct sheet_table jobs = {
    .name = "jobs", .query = "report/jobs.sql", .columns = columns, .none = "No jobs",
    .alone = true, .frozen_columns = 3,
};

bool fill_jobs(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Jobs");
    worksheet_fit_to_pages(sheet->worksheet, 4, 0); /* fifty columns on four pages, with the job repeated on each */
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &jobs, NULL, error);
}

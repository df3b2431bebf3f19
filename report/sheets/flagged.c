/* report/sheets/flagged.c: sheets "Flagged jobs", "Verdicts" and "Measure next" of the review. */
#include "report/headline.h"
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column flagged_columns[] = {
    { "Rank", "rank", CELL_INTEGER, .width = 6 },
    { "Job", "job_id", CELL_TEXT, .width = 11 },
    { "Name", "job_name", CELL_TEXT, .width = 26 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 13 },
    { "Excess", "excess_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Cost − cost at K*; overlaps coordination waste, never added to it" },
    { "Excess interval", "excess_interval", CELL_TEXT, .width = 26, .wraps = true,
      .meaning = "95 % of the draws lie in it; empty: too little is measured to tell" },
    { "Verdict", "verdict", CELL_TEXT, .width = 10 },
    { "In words", "verdict_in_words", CELL_TEXT, .width = 82, .wraps = true },
    { "Resize to", "resize_to", CELL_INTEGER, .width = 9, .input = true,
      .meaning = "To fill in: the K to run the next one at" },
    { "Accept until", "accept_until", CELL_DATE, .width = 12, .input = true,
      .meaning =
          "To fill in: the first day on which this job, and those of its name and user, are not accepted as they are" },
    { "Reason", "reason", CELL_TEXT, .width = 36, .input = true,
      .meaning = "To fill in: why; a waiver needs it" },
    { "Decided by", "decided_by", CELL_TEXT, .width = 18, .input = true,
      .meaning = "To fill in; a waiver needs it" },
    { "K", "k", CELL_INTEGER, .width = 6,
      .meaning = "Nodes it ran on (accelerators where the family counts them)" },
    { "K*", "k_star", CELL_INTEGER, .width = 6,
      .meaning = "What it is compared with: the nearer end of the band" },
    { "K of least money", "k_least_money", CELL_INTEGER, .width = 8,
      .meaning = "The band's lower end: the K that costs the least money" },
    { "K with waiting", "k_with_waiting", CELL_INTEGER, .width = 8,
      .meaning = "The band's upper end: the cheapest K with waiting counted" },
    { "Price per node-hour", "price_per_node_hour", CELL_PRICE, .width = 10.5,
      .meaning = "p: its hardware ÷ its priced node-hours, on the bill and off it" },
    { "Overhead per node-hour", "overhead_per_node_hour", CELL_PRICE, .width = 10.5,
      .meaning = "Of pools split by node-hours ÷ its node-hours: beside p what a node-hour costs where K* is "
                 "found" },
    { "Fixed per wall hour", "fixed_per_wall_hour", CELL_PRICE, .width = 10.5,
      .meaning = "f: its other fixed overhead ÷ its wall hours, plus Waiting per hour, which is in no cost" },
    { "Waiting per hour", "waiting_per_hour", CELL_PRICE, .width = 10,
      .meaning = "What an hour until the result is counted at; no money of the statement" },
    { "An hour saved cost", "break_even", CELL_HOURS, .width = 11,
      .meaning = "Excess ÷ hours saved: K is right only if an hour is worth more; empty: it saved none" },
    { "K* interval", "k_star_interval", CELL_TEXT, .width = 10, .meaning = "95 %, of that end" },
    { "Low confidence", "low_confidence", CELL_YES_NO, .width = 8,
      .meaning =
          "Yes: the measurements are too few, too noisy, too far from K, or perhaps of other hardware" },
    { "E(K)", "efficiency", CELL_PERCENT, .width = 8 },
    { "Cost", "cost_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Hardware + fixed overhead while it ran" },
    { "Cost at K*", "cost_at_k_star_minor", CELL_MONEY, .width = 13, .total = true },
    { "Cash saving", "cash_saving_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning =
          "Less hardware on demand or spot, and overhead that ends with the job: only this shrinks an invoice" },
    { "Freed capacity", "freed_capacity_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Less hardware on committed or owned nodes: free for others, and paid for as before" },
    { "Overhead of others", "others_overhead_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Overhead of shared pools that others would bear; below zero: that they would be spared" },
    { "Can be resized", "is_attainable", CELL_YES_NO, .width = 9,
      .meaning = "No: it is waived, or it was within its deadline and would be late on K*" },
    { "Hours", "job_hours", CELL_HOURS, .width = 9 },
    { "Hours at K*", "job_hours_at_k_star", CELL_HOURS, .width = 9 },
    { "Deadline (hours)", "deadline_hours", CELL_HOURS, .width = 10 },
    { "K for deadline", "deadline_k", CELL_INTEGER, .width = 9,
      .meaning =
          "The cheapest K that meets it; empty with a deadline: none up to twice the largest K measured does, "
          "or the job did not do all of its work" },
    { "Waiver", "waiver", CELL_TEXT, .width = 36, .wraps = true },
    { "User", "user_name", CELL_TEXT, .width = 10 },
    { "Family", "family", CELL_TEXT, .width = 14 },
    { "Why", "verdict_reason", CELL_TEXT, .width = 60, .wraps = true },
    { "Measure next", "next_measurement", CELL_TEXT, .width = 40, .wraps = true },
    { "Attempt", "decision_key", CELL_TEXT, .width = 30,
      .meaning = "The job that is decided on, for `kstar ingest reference`: leave it as it is" },
    { 0 },
};
static const struct sheet_table flagged = {
    .name = "flagged",
    .query = "report/flagged.sql",
    .rest = "report/flagged_rest.sql",
    .columns = flagged_columns,
    .none = "No job is flagged",
    .alone = true,
    .frozen_columns = 4, /* as wide as the title, which is printed on each page */
};
/* clang-format on */

bool fill_flagged(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Flagged jobs");
    if (!headline_write(sheet, 0, error))
        return false;
    sheet_note(
        sheet,
        "Jobs above K*, and below it, by what they cost more than at K*. Only the cash saving would shrink an "
        "invoice. A deadline or waiver stands beside the money and does not remove it.");
    sheet_note(
        sheet,
        "Decide in the shaded columns beside the sentence, save, and hand a copy of this file to `kstar ingest "
        "reference`: an acceptance stands as a waiver from then on.");
    sheet_skip(sheet, 1);
    worksheet_fit_to_pages(sheet->worksheet, 2, 0);
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &flagged, NULL, error);
}

/* clang-format off: a row each */
static const struct sheet_column verdict_columns[] = {
    { "Verdict", "verdict", CELL_TEXT, .width = 34 },
    { "Jobs", "jobs", CELL_COUNT, .width = 10, .total = true },
    { "Cost judged", "cost_minor", CELL_MONEY, .width = 16, .total = true },
    { "Excess", "excess_minor", CELL_MONEY, .width = 16, .total = true },
    { "Cash saving", "cash_saving_minor", CELL_MONEY, .width = 16, .total = true },
    { "Freed capacity", "freed_capacity_minor", CELL_MONEY, .width = 16, .total = true },
    { "Overhead of others", "others_overhead_minor", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_table verdicts = {
    .name = "verdicts",
    .query = "report/verdicts.sql",
    .columns = verdict_columns,
    .none = "No jobs",
};
/* clang-format on */

bool fill_verdicts(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Verdicts");
    return headline_write_waiting(sheet, "0", error) && table_write(sheet, &verdicts, NULL, error);
}

/* clang-format off: a row each */
static const struct sheet_column measure_columns[] = {
    { "Family", "family", CELL_TEXT, .width = 22 },
    { "Saves at most", "value_minor", CELL_MONEY, .width = 15, .total = true,
      .meaning =
          "What knowing K* would have saved in three months; empty: only the money at stake is known" },
    { "A week", "weekly_minor", CELL_MONEY, .width = 13, .total = true },
    { "Run on", "next_k", CELL_INTEGER, .width = 8,
      .meaning = "The size to measure: nodes (accelerators where the family counts them)" },
    { "Hours", "hours", CELL_HOURS, .width = 8, .meaning = "The setting experiment_hours" },
    { "Price", "price_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "Size × hours × hardware price of one node for an hour" },
    { "Cash", "cash_minor", CELL_MONEY, .width = 13, .total = true },
    { "Capacity", "capacity_minor", CELL_MONEY, .width = 13, .total = true,
      .meaning = "The part of the price on committed or owned nodes: no cash" },
    { "Pay-back, weeks", "payback_weeks", CELL_HOURS, .width = 11,
      .meaning = "Price ÷ what a week saves at most; the true pay-back is longer" },
    { "At stake", "stake_minor", CELL_MONEY, .width = 15, .total = true,
      .meaning = "True cost of the family's jobs in three months" },
    { "Cost", "cost_minor", CELL_MONEY, .width = 15, .total = true,
      .meaning = "What the family's jobs cost in the month" },
    { "Jobs", "jobs", CELL_COUNT, .width = 8, .total = true },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 12, .total = true },
    { "Not measured", "not_measured", CELL_COUNT, .width = 10, .total = true },
    { "Extrapolated", "extrapolated", CELL_COUNT, .width = 9, .total = true },
    { "Low confidence", "low_confidence", CELL_COUNT, .width = 11, .total = true },
    { "Smallest K", "smallest_k", CELL_INTEGER, .width = 9 },
    { "Largest K", "largest_k", CELL_INTEGER, .width = 9 },
    { "Measure", "next_measurement", CELL_TEXT, .width = 60, .wraps = true },
    { 0 },
};
static const struct sheet_table measure_next = {
    .name = "measure_next",
    .query = "report/measure_next.sql",
    .columns = measure_columns,
    .none = "Every family is measured well enough",
};
/* clang-format on */

bool fill_measure_next(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Families to measure next");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(
        sheet,
        "Families with jobs that have no sure verdict, by what knowing K* can save at most. Three months are the "
        "statement's and the two before it.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &measure_next, NULL, error);
}

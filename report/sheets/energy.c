/* report/sheets/energy.c: the sheet "Energy and carbon": the energy of the nodes by cost centre
 * and family, the energy of idle nodes, and the data behind it (docs/energy.md). The sheet
 * exists only if node_power.csv has data for the month. A cost centre's own workbook lists only
 * its own jobs, because pools and rates name other cost centres. */
#include "report/sheets.h"

#include "base/postgres/database.h"

/* clang-format off: a row each */
#define ENERGY_COLUMNS                                                                                            \
    { "Node-hours",  "node_hours",                                                                                \
      CELL_HOURS,    .width = 14,                                                                                 \
      .total = true, .meaning = "Time on nodes whose power is known, weighted by the share of each" },            \
        { "Without power",                                                                                        \
          "unpowered_node_hours",                                                                                 \
          CELL_HOURS,                                                                                             \
          .width = 14,                                                                                            \
          .total = true,                                                                                          \
          .meaning = "Node-hours whose power node_power.csv does not say: no energy of them is "                  \
                     "counted, and none of managed services, which have no nodes" },                              \
        { "Energy (kWh)", "kwh",         CELL_HOURS,                                                              \
          .width = 16,    .total = true, .meaning = "Time · share · watts · PUE" },                               \
        { "Without intensity (kWh)",                                                                              \
          "kwh_without_intensity",                                                                                \
          CELL_HOURS,                                                                                             \
          .width = 14,                                                                                            \
          .total = true,                                                                                          \
          .meaning = "The part on days for which grid_intensity.csv has no row: PUE 1, no carbon counted" },      \
        { "Carbon (kg CO₂e)", "kg_co2e",     CELL_HOURS,                                                          \
          .width = 16,        .total = true, .meaning = "Each day's energy · the grid's intensity on that day" }, \
    {                                                                                                             \
        "Grams per kWh", "grams_per_kwh", CELL_NUMBER,                                                            \
            .width = 14,                                                                                          \
            .formula = "=IF([kwh]-[kwh_without_intensity]=0,0,"                                                   \
                       "ROUND(1000*[kg_co2e]/([kwh]-[kwh_without_intensity]),9))",                                \
            .meaning = "Carbon ÷ the energy whose intensity is known"                                            \
    }

static const struct sheet_column centre_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 18 },
    { "Name", "name", CELL_TEXT, .width = 28 },
    ENERGY_COLUMNS,
    { 0 },
};
static const struct sheet_column family_columns[] = {
    { "Family", "family", CELL_TEXT, .width = 18 },
    { "Attempts", "jobs", CELL_COUNT, .width = 28, .total = true },
    ENERGY_COLUMNS,
    { 0 },
};
static const struct sheet_column idle_columns[] = {
    { "Pool", "pool", CELL_TEXT, .width = 18 },
    { "Cluster", "cluster", CELL_TEXT, .width = 28 },
    ENERGY_COLUMNS,
    { 0 },
};
static const struct sheet_column power_columns[] = {
    { "Cluster", "cluster", CELL_TEXT, .width = 18 },
    { "Node type", "node_type", CELL_TEXT, .width = 28 },
    { "Watts at load", "watts_at_load", CELL_HOURS, .width = 14 },
    { "Watts idle", "watts_idle", CELL_HOURS, .width = 14 },
    { "From", "valid_from", CELL_DATE, .width = 16 },
    { "Until (exclusive)", "valid_to", CELL_DATE, .width = 14 },
    { 0 },
};
static const struct sheet_column grid_columns[] = {
    { "Grid of cluster", "grid", CELL_TEXT, .width = 18 },
    { "", NULL, CELL_TEXT, .width = 28 },
    { "Grams per kWh", "grams_per_kwh", CELL_HOURS, .width = 14, .meaning = "CO₂e" },
    { "PUE", "pue", CELL_HOURS, .width = 14, .meaning = "What the building draws ÷ what its nodes draw" },
    { "From", "valid_from", CELL_DATE, .width = 16 },
    { "Until (exclusive)", "valid_to", CELL_DATE, .width = 14 },
    { 0 },
};
static const struct sheet_table by_centre = {
    .name = "energy",
    .query = "report/energy_centres.sql",
    .columns = centre_columns,
    .heading = "Jobs, by cost centre",
    .none = "No job held a node",
};
static const struct sheet_table by_family = {
    .name = "energy_families",
    .query = "report/energy_families.sql",
    .columns = family_columns,
    .heading = "Jobs, by family",
    .none = "No job held a node",
};
static const struct sheet_table idle = {
    .name = "energy_idle",
    .query = "report/energy_idle.sql",
    .columns = idle_columns,
    .heading = "Idle: not used by jobs, by pool",
    .note =
        "Nodes that the inventory has and that no job held, at their idle watts, up to the last job record of "
        "their cluster.",
    .none = "No node was idle",
};
static const struct sheet_table power = {
    .name = "node_power",
    .query = "report/energy_power.sql",
    .columns = power_columns,
    .heading = "Power of a node",
};
static const struct sheet_table grid = {
    .name = "grid_intensity",
    .query = "report/energy_grid.sql",
    .columns = grid_columns,
    .heading = "Grid intensity and PUE",
    .none = "None: no carbon is counted",
};
/* clang-format on */

bool energy_is_stated(const struct sheet *sheet, bool *is_stated, struct error *error)
{
    PGresult *result =
        database_query_file(book_connection(sheet->book), "report/energy_stated.sql", 0, NULL, error);
    *is_stated = result != NULL && PQgetvalue(result, 0, 0)[0] == '1';
    PQclear(result);
    return result != NULL;
}

bool fill_energy(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Energy and carbon");
    sheet_note(
        sheet,
        "Worked out from the power of the nodes, not metered; beside the money, which it does not move.");
    sheet_skip(sheet, 1);
    if (!table_write(sheet, &by_centre, NULL, error) || !table_write(sheet, &by_family, NULL, error))
        return false;
    return for_one_centre(sheet) ||
           (table_write(sheet, &idle, NULL, error) && table_write(sheet, &power, NULL, error) &&
            table_write(sheet, &grid, NULL, error));
}

/* cli/command.h: the sub-commands. Each is one file, cli/<name>.c, that defines one `struct
 * command` (base/options.h describes its members). To add one: add its file in cli/CMakeLists.txt,
 * its line here, and its row in the table of main.c. */
#ifndef KSTAR_CLI_COMMAND_H
#define KSTAR_CLI_COMMAND_H

#include "base/options.h"

extern const struct command command_advise;
extern const struct command command_budget;
extern const struct command command_close;
extern const struct command command_db_backup;
extern const struct command command_db_psql;
extern const struct command command_db_restore;
extern const struct command command_db_start;
extern const struct command command_db_status;
extern const struct command command_db_stop;
extern const struct command command_deliver;
extern const struct command command_diff;
extern const struct command command_explain;
extern const struct command command_ingest_billing;
extern const struct command command_ingest_efficiency;
extern const struct command command_ingest_jobs;
extern const struct command command_ingest_nodes;
extern const struct command command_ingest_reference;
extern const struct command command_ingest_quarantine;
extern const struct command command_init;
extern const struct command command_model;
extern const struct command command_nightly;
extern const struct command command_prune;
extern const struct command command_report_chargeback;
extern const struct command command_report_page;
extern const struct command command_report_forecast;
extern const struct command command_report_journal;
extern const struct command command_report_review;
extern const struct command command_report_units;
extern const struct command command_report_variance;
extern const struct command command_status;
extern const struct command command_suggest;
extern const struct command command_verify;

#endif

/* cli/model.c: kstar model: allocates, models and publishes the statements of the open months. */
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/model_evaluate.h"
#include "cli/model_failed_runs.h"
#include "cli/model_fits.h"
#include "cli/model_rate_card.h"
#include "cli/model_trace.h"
#include "cli/month.h"
#include "cli/run_ledger.h"

#include <stdio.h>
#include <unistd.h>

/* Options that are there without the one that they go with. */
static bool go_together(bool lone_json, bool lone_plot, bool lone_family, struct error *error)
{
    if (lone_json)
        return error_set(error, ERROR_USAGE,
                         "model: --json goes with --fits, --rate-card, --failed-runs, --evaluate or --trace");
    if (lone_plot)
        return error_set(error, ERROR_USAGE, "model: --plot goes with --fits");
    return !lone_family || error_set(error, ERROR_USAGE, "model: --family goes with --fits or --rate-card");
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    const char *period = NULL, *as_of = NULL, *evaluate = NULL, *family = NULL;
    bool again = false, failed_runs = false, fits = false, rates = false, plot = false, trace = false,
         last_step = false, json = false;
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "only this month", &period },
        { "as-of", OPTION_TIME, "TIME", "as of this time instead of the data's own", &as_of },
        { "again", OPTION_FLAG, NULL, "also where nothing has changed since", &again },
        { "fits", OPTION_FLAG, NULL, "only print what each family measured, its law and K*", &fits },
        { "rate-card", OPTION_FLAG, NULL,
          "only print what the same work costs on other node counts, by family", &rates },
        { "family", OPTION_TEXT, "NAME", "with --fits, --rate-card: only this family", &family },
        { "plot", OPTION_FLAG, NULL, "with --fits: also a picture (default on a terminal)", &plot },
        { "failed-runs", OPTION_FLAG, NULL, "only print what failing costs, by cost centre, family and state",
          &failed_runs },
        { "evaluate", OPTION_TEXT, "FILE", "only judge the choice of K on measured series; needs no database",
          &evaluate },
        { "trace", OPTION_FLAG, NULL, "only break down profiler traces, a FILE per rank; needs no database",
          &trace },
        { "last-step", OPTION_FLAG, NULL, "with --trace: also the last step, which may be incomplete",
          &last_step },
        { "json", OPTION_FLAG, NULL,
          "with --fits, --rate-card, --failed-runs, --evaluate, --trace: print JSON", &json },
        { 0 },
    };
    struct common_options options;
    struct month_list list;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    if (trace && first_operand == argc)
        return error_set(error, ERROR_USAGE, "model --trace: no file given");
    if (trace)
        return model_trace(argc - first_operand, argv + first_operand, last_step, json, error);
    if (first_operand < argc)
        return error_set(error, ERROR_USAGE, "model: takes no operand, but got %s", argv[first_operand]);

    if (evaluate != NULL)
        return model_evaluate(evaluate, json, error);
    if (!go_together(json && !failed_runs && !fits && !rates, plot && !fits,
                     family != NULL && !fits && !rates, error))
        return false;

    PGconn *connection = connect_database(&options, error);
    if (connection == NULL)
        return false;
    if (failed_runs || fits || rates) {
        bool printed =
            rates  ? model_rate_card(connection, period, family, json, error)
            : fits ? model_fits(connection, family, plot || (!json && isatty(STDOUT_FILENO)), json, error)
                   : model_failed_runs(connection, period, json, error);
        connect_close(connection);
        return printed;
    }
    run_begin(connection, &(struct run_start){ .command = command->name });
    bool ok = month_replay_changed(connection, error) && month_list(connection, period, as_of, &list, error);
    if (ok && list.count == 0 && period != NULL)
        ok = error_set(error, ERROR_INPUT, "no bill for the open month %s", period);
    for (int i = 0; ok && i < list.count; i++) {
        if (list.months[i].is_current && !again) {
            printf("%.7s is up to date\n", list.months[i].month);
            continue;
        }
        ok = month_publish(connection, list.months[i].month, as_of, error);
        if (ok)
            printf("%.7s published\n", list.months[i].month);
    }
    connect_close(connection);
    return ok;
}

const struct command command_model = {
    .name = "model",
    .summary = "allocate the bills, fit the laws and publish the statements",
    .usage = "kstar model [options] [FILE…]",
    .description = "For each open month with a bill: splits every line by the rules of docs/allocation.md, "
                   "fits each family's\n"
                   "scaling law, works out K* and true cost per job, and publishes the statement if it "
                   "conserves the bill to\n"
                   "the last digit; if not, the one before stays and the exit code is 5.\n"
                   "--evaluate leaves sizes out of measured series (CSV: series, k, throughput), lets each "
                   "rule choose the\n"
                   "cheapest K without having seen them, and prints what that costs (docs/mathematics.md).",
    .examples = "kstar model\n"
                "kstar model --period 2026-09 --again\n"
                "kstar model --fits --family llm-pretrain --plot\n"
                "kstar model --rate-card --period 2026-09\n"
                "kstar model --evaluate series.csv\n"
                "kstar model --trace rank-*.json.gz",
    .run = run,
};

/* cli/model.c: kstar model: allocates, models and publishes the statements of the open months. */
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/model_evaluate.h"
#include "cli/model_failed_runs.h"
#include "cli/model_fits.h"
#include "cli/model_rate_card.h"
#include "cli/model_trace.h"
#include "night/ledger/run_ledger.h"
#include "night/month/month.h"

#include <stdio.h>
#include <unistd.h>

/* The mode of a call: publish, unless an option asks for output. */
enum mode { PUBLISH = 1, FITS = 2, RATE_CARD = 4, FAILED_RUNS = 8, EVALUATE = 16, TRACE = 32 };

struct request {
    const char *period, *as_of, *evaluate, *family;
    int jobs; /* connections that read the bill; 0: one per processor */
    bool again, fits, rate_card, failed_runs, trace, plot, last_step, json;
    struct common_options common;
    int operands;
    char **operand;
};

static unsigned modes_asked(const struct request *request)
{
    unsigned modes = (request->fits ? FITS : 0u) | (request->rate_card ? RATE_CARD : 0u) |
                     (request->failed_runs ? FAILED_RUNS : 0u) | (request->evaluate != NULL ? EVALUATE : 0u) |
                     (request->trace ? TRACE : 0u);
    return modes != 0 ? modes : PUBLISH;
}

/* Refuses an option that has no meaning in this mode, because the user expects an effect. */
static bool check(const struct request *request, unsigned mode, struct error *error)
{
    const struct {
        bool given;
        unsigned with; /* modes */
        const char *message;
    } options[] = {
        { request->operands > 0, TRACE, "only --trace takes a FILE" },
        { request->period != NULL, PUBLISH | RATE_CARD | FAILED_RUNS,
          "--period does not go with --fits, --evaluate or --trace" },
        { request->as_of != NULL, PUBLISH, "--as-of goes with publishing alone" },
        { request->jobs != 0, PUBLISH, "--jobs goes with publishing alone" },
        { request->again, PUBLISH, "--again goes with publishing alone" },
        { request->family != NULL, FITS | RATE_CARD, "--family goes with --fits or --rate-card" },
        { request->plot, FITS, "--plot goes with --fits" },
        { request->last_step, TRACE, "--last-step goes with --trace" },
        { request->json, FITS | RATE_CARD | FAILED_RUNS | EVALUATE | TRACE,
          "--json goes with --fits, --rate-card, --failed-runs, --evaluate or --trace" },
    };
    if ((mode & (mode - 1)) != 0)
        return error_set(
            error, ERROR_USAGE,
            "model: --fits, --rate-card, --failed-runs, --evaluate and --trace go one at a time");
    if (request->trace && request->operands == 0)
        return error_set(error, ERROR_USAGE, "model --trace: no file given");
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && (options[i].with & mode) == 0)
            return error_set(error, ERROR_USAGE, "model: %s", options[i].message);
    return true;
}

static bool read_request(const struct command *command, int argc, char **argv, struct request *request,
                         struct error *error)
{
    int first_operand;
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "only this month", &request->period },
        { "as-of", OPTION_TIME, "TIME",
          "stamp statements with this time; must not be earlier than the data's own (the default); excludes no data",
          &request->as_of },
        { "jobs", OPTION_PLACE, "N",
          "read the bill over at most so many connections; default: as many as processors, up to 16",
          &request->jobs },
        { "again", OPTION_FLAG, NULL, "also where nothing has changed since", &request->again },
        { "fits", OPTION_FLAG, NULL, "only print what each family measured, its law and K*", &request->fits },
        { "rate-card", OPTION_FLAG, NULL,
          "only print what the same work costs on other node counts, by family", &request->rate_card },
        { "family", OPTION_TEXT, "NAME", "with --fits, --rate-card: only this family", &request->family },
        { "plot", OPTION_FLAG, NULL, "with --fits: also a picture (default on a terminal)", &request->plot },
        { "failed-runs", OPTION_FLAG, NULL, "only print what failing costs, by cost centre, family and state",
          &request->failed_runs },
        { "evaluate", OPTION_TEXT, "FILE", "only judge the choice of K on measured series; needs no database",
          &request->evaluate },
        { "trace", OPTION_FLAG, NULL, "only break down profiler traces, a FILE per rank; needs no database",
          &request->trace },
        { "last-step", OPTION_FLAG, NULL, "with --trace: also the last step, which may be incomplete",
          &request->last_step },
        { "json", OPTION_FLAG, NULL,
          "with --fits, --rate-card, --failed-runs, --evaluate, --trace: print JSON", &request->json },
        { 0 },
    };
    if (!options_read(command, entries, argc, argv, &request->common, &first_operand, error))
        return false;
    request->operands = argc - first_operand;
    request->operand = argv + first_operand;
    return true;
}

static bool print_asked(PGconn *connection, const struct request *request, struct error *error)
{
    bool plot = request->plot || (!request->json && isatty(STDOUT_FILENO));
    if (request->rate_card)
        return model_rate_card(connection, request->period, request->family, request->json, error);
    if (request->fits)
        return model_fits(connection, request->family, plot, request->json, error);
    return model_failed_runs(connection, request->period, request->json, error);
}

static bool publish(PGconn *connection, const struct request *request, struct error *error)
{
    struct month_list list;
    month_set_readers(request->jobs);
    bool ok = month_replay_changed(connection, error) &&
              month_list(connection, request->period, request->as_of, &list, error);
    if (ok && list.count == 0 && request->period != NULL) {
        ok = error_set(error, ERROR_INPUT, "%s is not an open month with a bill", request->period);
        error_hint(error, "kstar status lists the months, and says which are closed");
    } else if (ok && list.count == 0) {
        puts("no open month has a bill");
    }
    for (int i = 0; ok && i < list.count; i++) {
        if (list.months[i].is_current && !request->again) {
            printf("%.7s is up to date\n", list.months[i].month);
            continue;
        }
        ok = month_publish(connection, list.months[i].month, request->as_of, error);
        if (ok)
            printf("%.7s published\n", list.months[i].month);
    }
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct request request = { 0 };
    if (!read_request(command, argc, argv, &request, error))
        return false;
    const unsigned mode = modes_asked(&request);
    if (!check(&request, mode, error))
        return false;
    if (mode == TRACE)
        return model_trace(request.operands, request.operand, request.last_step, request.json, error);
    if (mode == EVALUATE)
        return model_evaluate(request.evaluate, request.json, error);
    PGconn *connection = connect_existing(&request.common, error);
    if (connection == NULL)
        return false;
    if (mode == PUBLISH)
        run_begin(connection, &(struct run_start){ .command = command->name });
    bool ok =
        mode == PUBLISH ? publish(connection, &request, error) : print_asked(connection, &request, error);
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

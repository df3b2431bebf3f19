/* cli/advise.c: kstar advise: the node count, from a scaling law and two prices without a database,
 * or from a family's measurements.
 *
 * advise/request.h reads options, model/cost/advise.h answers, advise/print.h prints.
 */
#include "advise/family.h"
#include "advise/next.h"
#include "advise/print.h"
#include "advise/request.h"
#include "advise/sentence.h"
#include "cli/command.h"
#include "cli/connect.h"

#include <stdlib.h>

static bool advise_by_law(struct advise_request *request, struct error *error)
{
    struct advise_answer answer;
    request->question.price.per_node_hour *= request->price_factor;
    request->question.law.t1_hours *= request->longer;
    struct advise_row *rows = advise_request_answer(request, &answer);
    bool ok = rows != NULL ? advise_print(request, &answer, rows, NULL, error)
                           : error_set(error, ERROR_USAGE, "advise: a number is out of range");
    if (ok)
        advise_fail_above(request, &answer, rows, NULL, error);
    free(rows);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct advise_request request = { 0 };
    if (!advise_request_read(command, argc, argv, &request, error))
        return false;
    if (request.curve_file != NULL)
        return advise_by_curve(&request, error);
    if (request.family == NULL && !advise_request_is_list(&request))
        return advise_by_law(&request, error);
    bool is_reader;
    PGconn *connection = connect_existing_or_reader(&request.common, &is_reader, error);
    bool ok = connection != NULL;
    if (ok)
        ok = request.next ? advise_next(connection, is_reader, request.json, error)
                          : advise_family(&request, connection, is_reader, error);
    connect_close(connection);
    return ok;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "the cheapest and the fastest node count of a job, from a scaling law and prices",
    .usage = "kstar advise [options] [FAMILY]\n"
             "       kstar advise --next [--json]\n"
             "       kstar advise --curve FILE --price P [options]\n"
             "       kstar advise --serial S --comm C --price P [options]",
    .description =
        "The first line is the verdict. FAMILY: its measurements, up to twice the largest K measured; without a "
        "name\nthe families are listed. --curve needs no database, nor does a law given by hand: 1/E(K) = 1 + d (K > 1) + (K-1) s + c K (K-1); C(K) "
        "= (p K + f) T(K).\n"
        "The curve of a law ends at --max-k, else at twice the fastest K or at 256.",
    .examples = "kstar advise --serial 0.03 --comm 0.0015 --price 2.10 --fixed 9 --t1 1\n"
                "kstar advise --serial 0.03 --comm 0.0015 --price 2.10 --fixed 9 --deadline 0.15 --allowed "
                "1,2,4,8,16 --json\n"
                "kstar advise llm-pretrain --k 64 --hours 30 --budget 50000\n"
                "kstar advise llm-pretrain --k 64 --fail-above 0.1\n"
                "kstar advise --next",
    .run = run,
};

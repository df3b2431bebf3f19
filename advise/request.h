/* advise/request.h: the question of `kstar advise`, from its options, and the answer to it with the
 * whole curve.
 *
 *     struct advise_request request = { 0 };
 *     if (advise_request_read(command, argc, argv, &request, error)) {
 *         struct advise_row *rows = advise_request_answer(&request, &answer);
 *         ...
 *         free(rows);
 *     }
 */
#ifndef KSTAR_ADVISE_REQUEST_H
#define KSTAR_ADVISE_REQUEST_H

#include "base/error.h"
#include "base/options.h"
#include "model/cost/advise.h"

#include <stdbool.h>

enum { ADVISE_ALLOWED_SIZES = 256 };

/* Texts are the command line's. A number that is not given, but that a family may give, is NaN. Do
 * not copy the struct: the question's limits point into `allowed`. */
struct advise_request {
    struct common_options common;
    const char *family;     /* use its measurements, not a law given by hand; NULL: none */
    const char *curve_file; /* or use the measured sizes of a file; NULL: none */
    bool has_law;           /* an option gives a part of a law */
    int k;                  /* the judged size, to which `hours` refer; 0: none */
    double fail_above;      /* share of the cost at k; NaN: none */
    const char *currency;   /* of the prices given; NULL: not given */
    bool plot;
    bool next;               /* --next: which measurements pay, for all families */
    double hours;            /* NAN: of the measured piece of work */
    bool interruption_given; /* by options; else --family takes its own */
    bool rate_is_of_a_node;  /* interruption.rate is a scenario's: per node, not per K */
    const char *allowed_list, *scenario;
    int smallest, largest; /* of K */
    bool spot_given;       /* by --spot; a price paid for spot overrides a scenario's share */
    struct advise_question question;
    unsigned allowed[ADVISE_ALLOWED_SIZES];
    double price_factor, longer; /* from --scenario; 1 without one */
    /* of the scenario, levers that do not apply to one job (advise_scenario_omitted); "": none */
    char omitted[256];
    bool json;
};

/* Whether the request names neither family, sizes, law nor price: then families are listed. */
bool advise_request_is_list(const struct advise_request *request);

/* Reads the options and the scenario that they name. `request` is empty before. False with
 * ERROR_USAGE if an option is wrong or options do not go together, or with the error of reading the
 * scenario. */
bool advise_request_read(const struct command *command, int argc, char **argv, struct advise_request *request,
                         struct error *error);

/* Answers the request. Returns the curve, answer->row_count rows, which the caller frees; NULL if a
 * number is out of range. */
struct advise_row *advise_request_answer(const struct advise_request *request, struct advise_answer *answer);

#endif

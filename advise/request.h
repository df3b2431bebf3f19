/* advise/request.h: what `kstar advise` was asked, from its options, and the answer to it with
 * the whole curve.
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

/* Texts are the command line's. A number that is not given, and that a family may say, is NaN. Not
 * to be copied: the question's limits point into `allowed`. */
struct advise_request {
    struct common_options common;
    const char *family;     /* its measurements instead of a law given by hand; NULL: none */
    const char *curve_file; /* likewise measured sizes of a file; NULL: none */
    bool has_law;           /* an option gives a part of a law */
    int k;                  /* the size that is judged, and that `hours` are of; 0: none */
    double fail_above;      /* share of the cost at k; NaN: none */
    const char *currency;   /* of the prices given; NULL: not given */
    bool plot;
    bool next;               /* which measurements pay, of all families */
    double hours;            /* NAN: of the measured piece of work */
    bool interruption_given; /* by options; else --family takes its own */
    bool rate_is_of_a_node;  /* interruption.rate is a scenario's: of a node, not of one K */
    const char *allowed_list, *scenario;
    int smallest, largest; /* of K */
    bool spot_given;       /* by --spot; a scenario's share gives way to a price of spot */
    struct advise_question question;
    unsigned allowed[ADVISE_ALLOWED_SIZES];
    double price_factor, longer; /* of --scenario; 1 without one */
    /* of it: what is not for all hardware or all cost centres; "": nothing */
    char omitted[256];
    bool json;
};

/* Whether nothing is asked of any one: which families are there? */
bool advise_request_is_list(const struct advise_request *request);

/* Reads the options and the scenario they name. `request` is empty before. False, with ERROR_USAGE:
 * an option is wrong, or they do not go together; or with what reading the scenario says. */
bool advise_request_read(const struct command *command, int argc, char **argv, struct advise_request *request,
                         struct error *error);

/* Answers its question. Returns the curve, answer->row_count rows, which the caller frees; NULL
 * where a number is out of range. */
struct advise_row *advise_request_answer(const struct advise_request *request, struct advise_answer *answer);

#endif

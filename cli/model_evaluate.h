/* cli/model_evaluate.h: kstar model --evaluate FILE: the cost of following each rule of choice, on
 * measured series. */
#ifndef KSTAR_CLI_MODEL_EVALUATE_H
#define KSTAR_CLI_MODEL_EVALUATE_H

#include "base/error.h"

#include <stdbool.h>

/* Reads a CSV with the columns series, k and throughput, and prints the table, or JSON. Rows of a
 * series may be in any order; repeats are averaged. Needs no database. */
bool model_evaluate(const char *path, bool json, struct error *error);

#endif

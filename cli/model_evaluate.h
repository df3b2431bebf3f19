/* cli/model_evaluate.h: kstar model --evaluate FILE: what following each rule of choice costs on
 * measured series. */
#ifndef KSTAR_CLI_MODEL_EVALUATE_H
#define KSTAR_CLI_MODEL_EVALUATE_H

#include "base/error.h"

#include <stdbool.h>

/* Reads a CSV with the columns series, k and throughput (rows of a series need not stand together;
 * repeats are averaged) and prints the table, or JSON. Needs no database. */
bool model_evaluate(const char *path, bool json, struct error *error);

#endif

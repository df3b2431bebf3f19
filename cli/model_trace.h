/* cli/model_trace.h: kstar model --trace FILE…: how the time of a profiled step is divided. */
#ifndef KSTAR_CLI_MODEL_TRACE_H
#define KSTAR_CLI_MODEL_TRACE_H

#include "base/error.h"

#include <stdbool.h>

/* Reads the traces of one step, a file per rank. Prints the breakdown of each and their common
 * compute share, as a table or as JSON. Needs no database. Two files of one rank are refused;
 * missing ranks are named. */
bool model_trace(int path_count, char **paths, bool include_last_step, bool json, struct error *error);

#endif

/* cli/verify_files.h: compares the files in OUT with what the nights wrote there. */
#ifndef KSTAR_CLI_VERIFY_FILES_H
#define KSTAR_CLI_VERIFY_FILES_H

#include "cli/verify_answer.h"
#include "report/written.h"

/* The statement that the files are of. */
struct verify_statement {
    const char *period, *status, *run_id;
};

/* Compares each file that the record of the folder has of the month: its bytes, and of a workbook
 * the statement that it says it is of. A month without a record is not proven. */
bool verify_files(const struct written *written, const struct verify_statement *statement,
                  struct verify_answer *answer, struct error *error);

#endif

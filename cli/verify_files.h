/* cli/verify_files.h: compares the files in OUT with the record of what the nights wrote. */
#ifndef KSTAR_CLI_VERIFY_FILES_H
#define KSTAR_CLI_VERIFY_FILES_H

#include "cli/verify_answer.h"

/* The statement of the files. */
struct verify_statement {
    const char *period, *status, *run_id;
};

/* Compares each recorded file of the month in the folder: its bytes, and for a workbook the
 * statement that it names. A month without a record is not proven. */
bool verify_files(const char *folder, const struct verify_statement *statement, struct verify_answer *answer,
                  struct error *error);

#endif

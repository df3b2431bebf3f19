/* cli/verify_files.c: see verify_files.h. */
#include "cli/verify_files.h"

#include "base/system/file.h"
#include "report/workbook_identity.h"
#include "report/written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_workbook(const char *name)
{
    const char *ending = strrchr(name, '.');
    return ending != NULL && strcmp(ending, ".xlsx") == 0;
}

/* Whether a workbook says that it is of another statement than the published one. */
static bool is_of_another(const struct written *written, const char *name,
                          const struct verify_statement *statement, struct verify_answer *answer)
{
    char expected[128];
    const char *why;
    struct workbook_identity identity;
    char *path = path_join(written->folder, name);
    snprintf(expected, sizeof expected, "%s; run %s; ", statement->status, statement->run_id);
    bool is_read = workbook_identity_read(path, &identity, &why);
    bool is_other = !is_read || strncmp(identity.comments, expected, strlen(expected)) != 0;
    if (is_other)
        snprintf(answer->why, sizeof answer->why,
                 "%s is not of the statement that is published: run the night", name);
    if (is_read)
        workbook_identity_free(&identity);
    free(path);
    return is_other;
}

static void say_unfinished(const char *folder, struct verify_answer *answer)
{
    snprintf(
        answer->why, sizeof answer->why,
        "%s has no record of all files of the month, or a night is writing them: run the night or kstar report",
        folder);
}

static bool compare(const struct written *written, const struct written_file *file,
                    const struct verify_statement *statement, struct verify_answer *answer,
                    struct error *error)
{
    enum written_state state;
    if (!written_compare(written, file, &state, error))
        return false;
    answer->compared += state != WRITTEN_UNFINISHED;
    if (state == WRITTEN_CHANGED && answer->differing++ == 0)
        snprintf(answer->first, sizeof answer->first, "%s/%s is not as kstar wrote it (SHA-256 %s)",
                 written->folder, file->name, file->sha256);
    if (state == WRITTEN_MISSING && answer->why[0] == '\0')
        snprintf(answer->why, sizeof answer->why, "%s/%s is not there: kstar report writes it again",
                 written->folder, file->name);
    if (state == WRITTEN_UNFINISHED && answer->why[0] == '\0')
        say_unfinished(written->folder, answer);
    if (state == WRITTEN_AS_IT_WAS && answer->why[0] == '\0' && is_workbook(file->name))
        is_of_another(written, file->name, statement, answer);
    return true;
}

static bool compare_all(const struct written *written, const struct verify_statement *statement,
                        struct verify_answer *answer, struct error *error)
{
    bool ok = true;
    *answer = (struct verify_answer){ 0 };
    for (int i = 0; ok && i < written->count; i++)
        if (strcmp(written->files[i].period, statement->period) == 0)
            ok = compare(written, &written->files[i], statement, answer, error);
    return ok;
}

/* A night can replace files during the comparison. It changes the record before, so a difference
 * counts only if the record is still the same. */
bool verify_files(const char *folder, const struct verify_statement *statement, struct verify_answer *answer,
                  struct error *error)
{
    bool ok, is_final = false;
    do {
        struct written written;
        written_read(folder, &written);
        ok = compare_all(&written, statement, answer, error);
        is_final = !ok || answer->differing == 0 || written_is_as_read(&written);
        written_free(&written);
    } while (!is_final);
    if (answer->compared == 0)
        say_unfinished(folder, answer);
    answer->waits = answer->why[0] != '\0';
    return ok;
}

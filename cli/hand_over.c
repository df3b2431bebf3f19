/* cli/hand_over.c: see hand_over.h. */
#include "cli/hand_over.h"

#include "base/child_process.h"
#include "base/temporary_file.h"
#include "report/mail_message.h"
#include "report/workbook_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAILER_SECONDS = 300 };

/* A night that replaces the workbook while it is read leaves a mixture of two, or another version. */
static bool is_the_same(const struct workbook_copy *copy, const char *path, struct error *error)
{
    char now[SHA256_HEX_BYTES];
    if (!file_sha256(path, now, error))
        return false;
    return strcmp(now, copy->sha256) == 0 ||
           error_set(error, ERROR_ATTENTION, "%s: was replaced while it was read", copy->path);
}

/* ---- by mail ---- */

static const struct report_centre *centre_of(const struct workbook_copy *copy)
{
    return &copy->centres->centres[copy->i];
}

static char *subject_of(const struct workbook_copy *copy)
{
    const struct report_centre *centre = centre_of(copy);
    return text_of("Chargeback %s: %s%s%s (%s)", copy->centres->period, centre->cost_centre,
                   centre->name != NULL ? " " : "", centre->name != NULL ? centre->name : "",
                   copy->centres->status);
}

static char *text_for(const struct workbook_copy *copy)
{
    const struct report_centre *centre = centre_of(copy);
    bool is_final = strcmp(copy->centres->status, "Final") == 0;
    return text_of("What %s is charged with cost centre %s%s%s: the attached workbook.\n\n"
                   "Status:  %s%s\n"
                   "File:    %s\n"
                   "SHA-256: %s\n"
                   "Run:     %s, kstar %s\n",
                   copy->centres->month_name, centre->cost_centre, centre->name != NULL ? " " : "",
                   centre->name != NULL ? centre->name : "", copy->centres->status,
                   is_final ? "; it does not change any more" : "; it may change until the month is closed",
                   centre->file_name, copy->sha256, copy->centres->run_id, copy->centres->kstar_version);
}

/* The same for the same handing over to the same address: a mail that is sent twice can be told from a
 * version that came back. */
static void id_of(const struct workbook_copy *copy, const char *address, char id[33])
{
    char hex[SHA256_HEX_BYTES];
    char *key = text_of("%s\n%s\n%s\n%s\n%s", copy->centres->period, centre_of(copy)->cost_centre, address,
                        copy->sha256, copy->handing);
    text_sha256(key, strlen(key), hex);
    snprintf(id, 33, "%.32s", hex);
    free(key);
}

bool hand_over_by_mail(const struct workbook_copy *copy, const char *mailer, const char *from,
                       const char *address, bool *late, struct error *error)
{
    const char *const arguments[] = { mailer, "-t", "-oi", NULL };
    char id[33];
    char *subject = subject_of(copy), *text = text_for(copy);
    id_of(copy, address, id);
    const struct mail_message message = {
        .from = from,
        .to = address,
        .subject = subject,
        .text = text,
        .path = copy->path,
        .file_name = centre_of(copy)->file_name,
        .file_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        .id = id,
        .date = time(NULL),
    };
    FILE *out = temporary_stream(error);
    bool ok = out != NULL && mail_message_write(&message, out, error) && is_the_same(copy, copy->path, error);
    if (ok && lseek(fileno(out), 0, SEEK_SET) != 0)
        ok = error_set_errno(error, "mail: temporary file");
    ok = ok && child_process_feed(arguments, fileno(out), MAILER_SECONDS, late, error);
    if (out != NULL)
        fclose(out);
    free(text);
    free(subject);
    return ok;
}

/* ---- into a folder ---- */

static bool copy_bytes(const char *from, const char *to, struct error *error)
{
    char buffer[1 << 16];
    ssize_t length = 0;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return error_set_errno(error, "%s", from);
    unlink(to);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    bool ok = out >= 0 || error_set_errno(error, "%s", to);
    while (ok && (length = read(in, buffer, sizeof buffer)) != 0) {
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            ok = error_set_errno(error, "%s: read", from);
        for (ssize_t done = 0, written; ok && done < length; done += written)
            if ((written = write(out, buffer + done, (size_t)(length - done))) <= 0)
                ok = error_set_errno(error, "%s: write", to);
    }
    close(in);
    if (out >= 0)
        close(out);
    return ok;
}

bool hand_over_into(const struct workbook_copy *copy, const char *directory, struct error *error)
{
    bool ignored;
    char *folder = path_join(directory, centre_of(copy)->folder_name);
    char *path = path_join(folder, centre_of(copy)->file_name);
    char *pending = file_pending_path(path);
    bool ok = directory_make(folder, error) && copy_bytes(copy->path, pending, error) &&
              is_the_same(copy, pending, error) && file_publish_if_changed(pending, path, &ignored, error);
    if (!ok)
        file_discard(pending);
    free(pending);
    free(path);
    free(folder);
    return ok;
}

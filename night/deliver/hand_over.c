/* night/deliver/hand_over.c: see hand_over.h. */
#include "night/deliver/hand_over.h"

#include "base/system/child_process.h"
#include "base/system/temporary_file.h"
#include "report/mail_message.h"
#include "report/workbook_name.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAILER_SECONDS = 300 };

/* If a night replaced the workbook meanwhile, the copy is a mixture of two, or another version. */
static bool is_the_same(const struct workbook_copy *copy, const char *now, struct error *error)
{
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

/* The Message-ID follows from the handing over and the address. A mail that is sent twice keeps its
 * Message-ID, so it can be distinguished from a version that came back. */
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
    char id[33], now[SHA256_HEX_BYTES];
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
    bool ok = out != NULL && mail_message_write(&message, out, error) &&
              file_sha256(copy->path, now, error) && is_the_same(copy, now, error);
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

/* The hash is computed from the open file, not from its name: everybody who may write in the folder
 * can put another file under that name. */
static bool copy_bytes(const char *from, const char *to, char sha256[SHA256_HEX_BYTES], struct error *error)
{
    char buffer[1 << 16];
    size_t length;
    FILE *in = fopen(from, "rbe");
    if (in == NULL)
        return error_set_errno(error, "%s", from);
    unlink(to);
    int descriptor = open(to, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    FILE *out = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    bool ok = out != NULL || error_set_errno(error, "%s", to);
    while (ok && (length = fread(buffer, 1, sizeof buffer, in)) > 0)
        ok = fwrite(buffer, 1, length, out) == length || error_set_errno(error, "%s: write", to);
    if (ok && ferror(in))
        ok = error_set_errno(error, "%s: read", from);
    if (ok && fseek(out, 0, SEEK_SET) != 0)
        ok = error_set_errno(error, "%s: write", to);
    ok = ok && stream_sha256(out, to, sha256, error);
    fclose(in);
    if (out != NULL)
        fclose(out);
    else if (descriptor >= 0)
        close(descriptor);
    return ok;
}

bool hand_over_into(const struct workbook_copy *copy, const char *directory, struct error *error)
{
    bool ignored;
    char now[SHA256_HEX_BYTES];
    char *folder = path_join(directory, centre_of(copy)->folder_name);
    char *path = path_join(folder, centre_of(copy)->file_name);
    char *pending = file_pending_path(path);
    bool ok = directory_make(folder, error) && copy_bytes(copy->path, pending, now, error) &&
              is_the_same(copy, now, error) && file_publish_if_changed(pending, path, &ignored, error);
    if (!ok)
        file_discard(pending);
    free(pending);
    free(path);
    free(folder);
    return ok;
}

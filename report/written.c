/* report/written.c: see written.h. */
#include "report/written.h"

#include "base/postgres/database.h"
#include "base/postgres/identity.h"
#include "base/system/file.h"
#include "report/workbook_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xlsxwriter/utility.h>

#define FIRST_LINE "kstar 2 %d\n" /* of the record: its format, and the number of files */

bool written_facts(PGconn *connection, char facts[FACTS_BYTES], struct error *error)
{
    char program[SHA256_HEX_BYTES];
    const char *const parameters[] = { rules_identity };
    if (!file_sha256("/proc/self/exe", program, error))
        return false;
    PGresult *stated = database_query_file(connection, "report/facts.sql", 1, parameters, error);
    if (stated == NULL)
        return false;
    /* a limit set by a test changes the files, too */
    const char *rows = getenv("KSTAR_TEST_ROWS_PER_SHEET");
    char *all =
        text_of("%s\n%s\n%s\n%s", program, lxw_version(), rows != NULL ? rows : "", PQgetvalue(stated, 0, 0));
    text_sha256(all, strlen(all), facts);
    free(all);
    PQclear(stated);
    return true;
}

/* ---- the record ---- */

/* Stands for the name, the facts and the hash of a group that is being written. */
#define UNFINISHED "-"

static bool is_unfinished(const struct written_file *file)
{
    return strcmp(file->name, UNFINISHED) == 0;
}

static char *notes_path(const struct written *written)
{
    return path_join(written->folder, ".kstar.written");
}

static struct written_file *append(struct written *written)
{
    size_t bytes = (size_t)(written->count + 1) * sizeof *written->files;
    written->files = realloc(written->files, bytes);
    return &written->files[written->count++];
}

static void forget_all(struct written *written)
{
    for (int i = 0; i < written->count; i++)
        free(written->files[i].name);
    free(written->files);
    written->files = NULL;
    written->count = 0;
}

static void write_file(FILE *out, const struct written_file *file)
{
    fprintf(out, "%s %u %s %s %" PRId64 " %" PRId64 " %s\n", file->period, file->kind, file->facts,
            file->sha256, file->bytes, file->modified_ns, file->name);
}

/* Reads a line. False if it differs from what write_file() writes. */
static bool read_file(char *line, struct written_file *file)
{
    int name = 0;
    *file = (struct written_file){ 0 };
    if (sscanf(line, "%7s %u %64s %64s %" SCNd64 " %" SCNd64 " %n", file->period, &file->kind, file->facts,
               file->sha256, &file->bytes, &file->modified_ns, &name) != 6 ||
        name == 0)
        return false;
    file->name = text_of("%.*s", (int)strcspn(line + name, "\n"), line + name);
    char *again = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&again, &length);
    write_file(out, file);
    fclose(out);
    bool is_same = strcmp(again, line) == 0;
    free(again);
    if (!is_same)
        free(file->name);
    return is_same;
}

void written_read(const char *folder, struct written *written)
{
    *written = (struct written){ .folder = folder };
    char *path = notes_path(written), *line = NULL;
    size_t room = 0;
    FILE *notes = path_is_file(path) ? fopen(path, "re") : NULL;
    free(path);
    if (notes == NULL)
        return;
    int announced = -1;
    bool ok = getline(&line, &room, notes) > 0 && sscanf(line, FIRST_LINE, &announced) == 1;
    while (ok && getline(&line, &room, notes) > 0) {
        struct written_file file;
        ok = read_file(line, &file);
        if (ok)
            *append(written) = file;
    }
    if (!ok || written->count != announced)
        forget_all(written);
    free(line);
    fclose(notes);
}

void written_free(struct written *written)
{
    forget_all(written);
}

static bool is_same(const struct written_file *a, const struct written_file *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->sha256, b->sha256) == 0 &&
           a->modified_ns == b->modified_ns;
}

bool written_is_as_read(const struct written *written)
{
    struct written now;
    written_read(written->folder, &now);
    bool is_as_read = now.count == written->count;
    for (int i = 0; is_as_read && i < now.count; i++)
        is_as_read = is_same(&now.files[i], &written->files[i]);
    written_free(&now);
    return is_as_read;
}

static bool save(const struct written *written, struct error *error)
{
    char *text = NULL, *path = notes_path(written);
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    int count = 0;
    for (int i = 0; i < written->count; i++)
        count += written->files[i].name != NULL;
    fprintf(out, FIRST_LINE, count);
    for (int i = 0; i < written->count; i++)
        if (written->files[i].name != NULL)
            write_file(out, &written->files[i]);
    fclose(out);
    bool ok = file_write(path, text, length, 0640, error);
    free(text);
    free(path);
    return ok;
}

/* ---- files ---- */

/* Reads the current size and time of a file in the folder. False if there is no such file. */
static bool look_at(const struct written *written, struct written_file *file)
{
    struct stat status;
    char *path = path_join(written->folder, file->name);
    bool ok = lstat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (ok) {
        file->bytes = status.st_size;
        file->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    }
    free(path);
    return ok;
}

static bool hash(const struct written *written, const struct written_file *file, char sha256[FACTS_BYTES],
                 struct error *error)
{
    char *path = path_join(written->folder, file->name);
    bool ok = file_sha256(path, sha256, error);
    free(path);
    return ok;
}

bool written_compare(const struct written *written, const struct written_file *file,
                     enum written_state *state, struct error *error)
{
    char sha256[FACTS_BYTES];
    struct written_file now = *file;
    *state = is_unfinished(file) ? WRITTEN_UNFINISHED : WRITTEN_MISSING;
    if (*state == WRITTEN_UNFINISHED || !look_at(written, &now))
        return true;
    *state = WRITTEN_CHANGED;
    if (now.bytes != file->bytes)
        return true;
    if (!hash(written, file, sha256, error))
        return false;
    if (strcmp(sha256, file->sha256) == 0)
        *state = WRITTEN_AS_IT_WAS;
    return true;
}

static bool is_of_group(const struct written_file *file, const char *period, unsigned kind)
{
    return file->name != NULL && file->kind == kind && strcmp(file->period, period) == 0;
}

static bool is_as_written(const struct written *written, const struct written_file *file, const char *facts)
{
    struct written_file now = *file;
    return strcmp(file->facts, facts) == 0 && look_at(written, &now) && now.bytes == file->bytes &&
           now.modified_ns == file->modified_ns;
}

bool written_has(const struct written *written, const char *period, unsigned kind, const char *facts,
                 const char *name)
{
    for (int i = 0; i < written->count; i++)
        if (is_of_group(&written->files[i], period, kind) && strcmp(written->files[i].name, name) == 0)
            return is_as_written(written, &written->files[i], facts);
    return false;
}

char **written_group(const struct written *written, const char *period, unsigned kind, const char *facts)
{
    char **names = calloc((size_t)written->count + 1, sizeof *names);
    int count = 0;
    bool ok = true;
    for (int i = 0; ok && i < written->count; i++) {
        if (!is_of_group(&written->files[i], period, kind))
            continue;
        names[count++] = written->files[i].name;
        ok = is_as_written(written, &written->files[i], facts);
    }
    if (ok && count > 0)
        return names;
    free(names);
    return NULL;
}

/* Removes a group. Its entries stay without a name. */
static void forget(struct written *written, const char *period, unsigned kind)
{
    for (int i = 0; i < written->count; i++) {
        if (!is_of_group(&written->files[i], period, kind))
            continue;
        free(written->files[i].name);
        written->files[i].name = NULL;
    }
}

/* Whether the group has files, all written from these facts. */
static bool is_of_facts(const struct written *written, const char *period, unsigned kind, const char *facts)
{
    bool has_file = false;
    for (int i = 0; i < written->count; i++) {
        if (!is_of_group(&written->files[i], period, kind))
            continue;
        if (strcmp(written->files[i].facts, facts) != 0)
            return false;
        has_file = true;
    }
    return has_file;
}

bool written_begin(struct written *written, const char *period, unsigned kinds, const char *facts,
                   struct error *error)
{
    bool is_changed = false;
    for (unsigned kind = 1; kind <= kinds; kind <<= 1) {
        if ((kinds & kind) == 0 || is_of_facts(written, period, kind, facts))
            continue;
        forget(written, period, kind);
        struct written_file *line = append(written);
        *line = (struct written_file){
            .kind = kind, .facts = UNFINISHED, .sha256 = UNFINISHED, .name = text_of(UNFINISHED)
        };
        snprintf(line->period, sizeof line->period, "%s", period);
        is_changed = true;
    }
    return !is_changed || save(written, error);
}

/* Appends a file that was just written. *there is false if it has disappeared. */
static bool append_file(struct written *written, const char *period, unsigned kind, const char *facts,
                        const char *name, bool *there, struct error *error)
{
    struct written_file *file = append(written);
    *file = (struct written_file){ .kind = kind, .name = text_of("%s", name) };
    snprintf(file->period, sizeof file->period, "%s", period);
    snprintf(file->facts, sizeof file->facts, "%s", facts);
    *there = look_at(written, file);
    return !*there || hash(written, file, file->sha256, error);
}

bool written_note(struct written *written, const char *period, unsigned kind, const char *facts,
                  char *const *names, struct error *error)
{
    bool ok = true, there = true;
    forget(written, period, kind);
    for (; ok && there && *names != NULL; names++)
        ok = append_file(written, period, kind, facts, *names, &there, error);
    if (!there) /* the group is incomplete */
        forget(written, period, kind);
    return ok && save(written, error);
}

bool written_note_single(struct written *written, const char *period, unsigned kind, const char *name,
                         struct error *error)
{
    bool there;
    for (int i = 0; i < written->count; i++) {
        struct written_file *file = &written->files[i];
        if (!is_of_group(file, period, kind) || strcmp(file->name, name) != 0)
            continue;
        free(file->name);
        file->name = NULL;
    }
    return append_file(written, period, kind, "-", name, &there, error) && there && save(written, error);
}

/* ingest/delivery.c: see delivery.h. */
#include "ingest/delivery.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/postgres/identity.h"
#include "base/system/thread.h"
#include "ingest/delivery_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_suffix(const char *name, const char *const *suffixes)
{
    size_t length = strlen(name);
    for (; *suffixes != NULL; suffixes++) {
        size_t suffix = strlen(*suffixes);
        if (length > suffix && strcasecmp(name + length - suffix, *suffixes) == 0)
            return true;
    }
    return false;
}

static bool add_file(struct delivery *delivery, const char *path, const char *name, struct error *error)
{
    if (!path_is_text(name, error))
        return false;
    delivery->files = realloc(delivery->files, (size_t)(delivery->file_count + 1) * sizeof *delivery->files);
    struct delivery_file *file = &delivery->files[delivery->file_count++];
    *file = (struct delivery_file){ .path = strdup(path), .name = strdup(name), .expected_records = -1 };
    if (!file_stamp(path, &file->stamp, error))
        return false;
    file->bytes = file->stamp.bytes;
    delivery->bytes += file->bytes;
    return true;
}

/* Logs an ignored file or folder. The first such name explains why a folder delivers nothing. */
static void pass_over(struct delivery *delivery, const char *path, const char *name, bool is_folder,
                      const char *suffix)
{
    if (is_folder)
        log_event(LOG_WARNING, "skipped", "file=\"%s\" reason=\"a folder within a delivery\"", path);
    else
        log_event(LOG_WARNING, "skipped", "file=\"%s\" reason=\"its name does not end in %s\"", path, suffix);
    if (delivery->passed_over[0] == '\0')
        snprintf(delivery->passed_over, sizeof delivery->passed_over, "%.200s is %s", name,
                 is_folder ? "a folder, and folders are read only with a manifest" : "passed over");
}

static bool add_folder(struct delivery *delivery, const char *folder, const char *const *suffixes,
                       struct error *error)
{
    struct directory_listing listing = { 0 };
    bool ok = directory_list(folder, &listing, error);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(folder, listing.names[i]);
        bool is_folder = path_is_directory(path);
        if (!is_folder && has_suffix(listing.names[i], suffixes))
            ok = add_file(delivery, path, listing.names[i], error);
        else
            pass_over(delivery, path, listing.names[i], is_folder, *suffixes);
        free(path);
    }
    directory_listing_free(&listing);
    return ok;
}

/* The name of a part below the folder, otherwise its whole path. */
static const char *name_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static bool add_part(struct delivery *delivery, const char *folder, const struct manifest_part *part,
                     const char *const *suffixes, int *missing, struct error *error)
{
    if (!has_suffix(part->key, suffixes))
        return error_set(error, ERROR_INPUT, "%s names %s, which does not end in %s", part->origin, part->key,
                         *suffixes);
    if (part->path == NULL) {
        if ((*missing)++ == 0)
            snprintf(delivery->waiting, sizeof delivery->waiting, "%.400s is not there", part->key);
        return true;
    }
    if (!add_file(delivery, part->path, name_below(folder, part->path), error))
        return false;
    struct delivery_file *file = &delivery->files[delivery->file_count - 1];
    file->expected_records = part->rows;
    if (part->bytes >= 0 && file->bytes != part->bytes && (*missing)++ == 0)
        snprintf(delivery->waiting, sizeof delivery->waiting, "%.300s has %lld bytes of %lld", part->key,
                 (long long)file->bytes, (long long)part->bytes);
    return true;
}

/* Adds the parts that the manifests of a folder name or, without a manifest, the files of the
 * folder. */
static bool add_manifest_or_folder(struct delivery *delivery, const char *folder, const char *const *suffixes,
                                   struct error *error)
{
    struct manifest_parts parts;
    int missing = 0;
    bool ok = manifest_parts_find(folder, &parts, error);
    for (int i = 0; ok && i < parts.count; i++)
        ok = add_part(delivery, folder, &parts.parts[i], suffixes, &missing, error);
    if (ok && missing > 1) {
        size_t used = strlen(delivery->waiting);
        snprintf(delivery->waiting + used, sizeof delivery->waiting - used,
                 ", nor are %d others of %d complete", missing - 1, parts.count);
    }
    delivery->has_manifest = delivery->has_manifest || parts.manifest_count > 0;
    if (ok && parts.manifest_count == 0)
        ok = add_folder(delivery, folder, suffixes, error);
    manifest_parts_free(&parts);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const struct delivery_file *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->path, right->path);
}

/* ---- hashes ---- */

static bool hash_all(struct delivery *delivery, struct error *error)
{
    enum { HEX = SHA256_HEX_BYTES - 1 };
    size_t extra = delivery->configuration != NULL ? strlen(delivery->configuration) : 0;
    size_t length = (size_t)delivery->file_count * HEX;
    char *text = malloc(length + extra + 1);
    bool ok = true;
    for (int i = 0; ok && i < delivery->file_count; i++) {
        struct delivery_file *file = &delivery->files[i];
        ok = file_sha256_while(file->path, &delivery->hash_is_wanted, file->sha256, error);
        if (ok)
            memcpy(text + (size_t)i * HEX, file->sha256, HEX);
    }
    if (ok && extra > 0)
        memcpy(text + length, delivery->configuration, extra);
    if (ok)
        text_sha256(text, length + extra, delivery->sha256);
    free(text);
    return ok;
}

static void *run_hasher(void *argument)
{
    struct delivery *delivery = argument;
    delivery->hash_failed = !hash_all(delivery, &delivery->hash_error);
    return NULL;
}

bool delivery_hash(struct delivery *delivery, struct error *error)
{
    return delivery->sha256[0] != '\0' || hash_all(delivery, error);
}

/* Starts the thread that hashes. If there is none, hashes at once. */
static bool start_hasher(struct delivery *delivery, struct error *error)
{
    delivery->hasher_runs = thread_start(&delivery->hasher, run_hasher, delivery);
    return delivery->hasher_runs || hash_all(delivery, error);
}

static bool await_hasher(struct delivery *delivery, struct error *error)
{
    if (!delivery->hasher_runs)
        return true;
    pthread_join(delivery->hasher, NULL);
    delivery->hasher_runs = false;
    if (delivery->hash_failed)
        *error = delivery->hash_error;
    return !delivery->hash_failed;
}

/* ---- files ---- */

bool delivery_gather(struct delivery *delivery, int path_count, const char *const *paths,
                     const char *const *suffixes, const char *configuration, struct error *error)
{
    *delivery = (struct delivery){ .configuration = configuration, .hash_is_wanted = true };
    for (int i = 0; i < path_count; i++) {
        const char *slash = strrchr(paths[i], '/');
        if (path_is_directory(paths[i]) ? !add_manifest_or_folder(delivery, paths[i], suffixes, error)
                                        : !add_file(delivery, paths[i], slash ? slash + 1 : paths[i], error))
            return false;
    }
    if (delivery->file_count == 0 && delivery->waiting[0] == '\0' && !delivery->has_manifest) {
        error_set(error, ERROR_INPUT, "%s: no file that ends in %s",
                  path_count > 0 ? paths[0] : "nothing given", *suffixes);
        if (delivery->passed_over[0] != '\0')
            error_detail(error, "%s", delivery->passed_over);
        error_hint(error, "put the files of one delivery into it, or give them by name");
        return false;
    }
    if (delivery->file_count > 0)
        qsort(delivery->files, (size_t)delivery->file_count, sizeof *delivery->files, by_name);
    return true;
}

void delivery_free(struct delivery *delivery)
{
    struct error ignored;
    delivery->hash_is_wanted = false;
    await_hasher(delivery, &ignored);
    for (int i = 0; i < delivery->file_count; i++) {
        free(delivery->files[i].path);
        free(delivery->files[i].name);
    }
    free(delivery->files);
    *delivery = (struct delivery){ 0 };
}

/* Runs a statement that returns one integer. */
static bool query_integer(PGconn *connection, const char *file, int count, const char *const *parameters,
                          int *value, struct error *error)
{
    PGresult *result = database_query_file(connection, file, count, parameters, error);
    if (result == NULL)
        return false;
    *value = (int)strtol(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return true;
}

bool deliveries_read_again(PGconn *connection, struct error *error)
{
    const char *const parameters[] = { loader_identity };
    return database_run_query(connection, "ingest/read_again.sql", 1, parameters, error);
}

/* Whether the latest delivery of this source and label is this one. Hashes the files only if that
 * is possible. */
static bool is_latest(struct delivery *delivery, PGconn *connection, const char *const *parameters,
                      bool *latest, struct error *error)
{
    PGresult *result = database_query_file(connection, "ingest/delivery_latest.sql", 3, parameters, error);
    if (result == NULL)
        return false;
    bool ok = true;
    *latest = false;
    for (int i = 0; ok && !*latest && i < PQntuples(result); i++) {
        if (strtoll(PQgetvalue(result, i, 1), NULL, 10) != delivery->bytes)
            continue;
        ok = delivery_hash(delivery, error);
        *latest = ok && strcmp(PQgetvalue(result, i, 0), delivery->sha256) == 0;
        delivery->former = *latest ? (int)strtol(PQgetvalue(result, i, 2), NULL, 10) : 0;
    }
    PQclear(result);
    return ok;
}

bool delivery_open(struct delivery *delivery, PGconn *connection, const char *kind, const char *source,
                   const char *label, bool *unchanged, struct error *error)
{
    const char *parameters[] = { kind, source, label, loader_identity };
    if (!database_run_query(connection, "ingest/delivery_lock.sql", 2, parameters, error) ||
        !is_latest(delivery, connection, parameters, unchanged, error))
        return false;
    if (delivery->former != 0) {
        log_event(LOG_INFO, "read_again",
                  "kind=%s source=\"%s\" label=\"%s\" note=\"another build of kstar has read it\"", kind,
                  source, label);
        *unchanged = false;
    }
    if (*unchanged)
        return true;
    if (!query_integer(connection, "ingest/delivery_open.sql", 4, parameters, &delivery->id, error))
        return false;
    for (int i = 0; i < delivery->file_count; i++) {
        struct delivery_file *file = &delivery->files[i];
        char id[16], bytes[24];
        snprintf(id, sizeof id, "%d", delivery->id);
        snprintf(bytes, sizeof bytes, "%lld", (long long)file->bytes);
        const char *values[] = { id, file->name, bytes };
        if (!query_integer(connection, "ingest/delivery_file.sql", 3, values, &file->file_id, error))
            return false;
    }
    return delivery->sha256[0] != '\0' || start_hasher(delivery, error);
}

static bool check_stamps(const struct delivery *delivery, struct error *error)
{
    for (int i = 0; i < delivery->file_count; i++)
        if (!file_is_as_stamped(delivery->files[i].path, &delivery->files[i].stamp, error))
            return false;
    return true;
}

bool delivery_settle(struct delivery *delivery, PGconn *connection, struct error *error)
{
    char id[16];
    bool is_hashed = await_hasher(delivery, error);
    if (!check_stamps(delivery, error) || !is_hashed)
        return false;
    for (int i = 0; i < delivery->file_count; i++) {
        snprintf(id, sizeof id, "%d", delivery->files[i].file_id);
        const char *values[] = { id, delivery->files[i].sha256 };
        if (!database_run_query(connection, "ingest/delivery_file_hash.sql", 2, values, error))
            return false;
    }
    delivery->is_settled = true;
    return true;
}

bool delivery_close(struct delivery *delivery, PGconn *connection, int64_t rows, int64_t quarantined,
                    struct error *error)
{
    char id[16], row_count[24], quarantined_rows[24];
    if (!delivery->is_settled && !delivery_settle(delivery, connection, error))
        return false;
    snprintf(id, sizeof id, "%d", delivery->id);
    snprintf(row_count, sizeof row_count, "%lld", (long long)rows);
    snprintf(quarantined_rows, sizeof quarantined_rows, "%lld", (long long)quarantined);
    const char *parameters[] = { id, delivery->sha256, row_count, quarantined_rows };
    return database_run_query(connection, "ingest/delivery_close.sql", 4, parameters, error);
}

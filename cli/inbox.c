/* cli/inbox.c: see inbox.h. */
#include "cli/inbox.h"

#include "base/file.h"
#include "base/utf8.h"
#include "cli/run_ledger.h"
#include "ingest/billing.h"
#include "ingest/efficiency.h"
#include "ingest/jobs.h"
#include "ingest/nodes.h"
#include "ingest/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGE_REFERENCE, STAGE_BILLING, STAGE_JOBS, STAGE_NODES, STAGE_EFFICIENCY };

static const char *const stage_names[NIGHT_STAGES] = { "reference", "billing", "jobs", "nodes",
                                                       "efficiency" };

/* One inbox being read. */
struct inbox {
    PGconn *connection;
    struct night *night;
    struct error *error;
};

/* A delivery: `label` is its place below the inbox, `paths` its files or folder. */
struct inbox_delivery {
    const char *source, *label;
    int path_count;
    const char *const *paths;
};

/* Adds what an ingest said to the night. A refused or waiting delivery ends here; any other failure ends the
 * night. */
static bool settle(struct inbox *inbox, int stage, const struct inbox_delivery *delivery, bool ok,
                   const struct ingest_summary *summary, const struct error *said)
{
    run_delivery(stage_names[stage], delivery->source, delivery->label, summary, ok ? NULL : said);
    if (ok)
        night_add(inbox->night, stage, summary);
    else if (said->kind == ERROR_INPUT || said->kind == ERROR_ATTENTION)
        night_trouble(inbox->night, said);
    else
        *inbox->error = *said;
    return ok || said->kind == ERROR_INPUT || said->kind == ERROR_ATTENTION;
}

/* Labels are stored, and the database holds text. */
static bool label_is_text(const struct inbox_delivery *delivery, struct error *said)
{
    char shown[300];
    size_t length = strlen(delivery->label);
    if (utf8_valid_prefix(delivery->label, length) == length)
        return true;
    error_set(said, ERROR_INPUT, "%s: the name is not UTF-8",
              utf8_excerpt(delivery->label, length, shown, sizeof shown));
    error_hint(said, "rename it");
    return false;
}

static bool take_billing(struct inbox *inbox, const struct inbox_delivery *delivery)
{
    struct ingest_summary summary = { 0 };
    struct error said = { 0 };
    struct billing_request request = { .source = delivery->source,
                                       .label = delivery->label,
                                       .path_count = delivery->path_count,
                                       .paths = delivery->paths };
    bool ok = label_is_text(delivery, &said) && ingest_billing(inbox->connection, &request, &summary, &said);
    return settle(inbox, STAGE_BILLING, delivery, ok, &summary, &said);
}

static bool take_jobs(struct inbox *inbox, const struct inbox_delivery *delivery)
{
    struct ingest_summary summary = { 0 };
    struct error said = { 0 };
    struct jobs_request request = { .source = delivery->source,
                                    .label = delivery->label,
                                    .path = delivery->paths[0] };
    bool ok = label_is_text(delivery, &said) && ingest_jobs(inbox->connection, &request, &summary, &said);
    return settle(inbox, STAGE_JOBS, delivery, ok, &summary, &said);
}

static bool take_nodes(struct inbox *inbox, const struct inbox_delivery *delivery)
{
    struct ingest_summary summary = { 0 };
    struct error said = { 0 };
    struct nodes_request request = { .source = delivery->source,
                                     .label = delivery->label,
                                     .path = delivery->paths[0] };
    bool ok = label_is_text(delivery, &said) && ingest_nodes(inbox->connection, &request, &summary, &said);
    return settle(inbox, STAGE_NODES, delivery, ok, &summary, &said);
}

static bool take_efficiency(struct inbox *inbox, const struct inbox_delivery *delivery)
{
    struct ingest_summary summary = { 0 };
    struct error said = { 0 };
    struct efficiency_request request = { .source = delivery->source,
                                          .label = delivery->label,
                                          .path = delivery->paths[0] };
    bool ok =
        label_is_text(delivery, &said) && ingest_efficiency(inbox->connection, &request, &summary, &said);
    return settle(inbox, STAGE_EFFICIENCY, delivery, ok, &summary, &said);
}

typedef bool take_delivery(struct inbox *inbox, const struct inbox_delivery *delivery);

/* Each file of a folder by itself. */
static bool take_files(struct inbox *inbox, take_delivery *take, const char *source, const char *folder,
                       const char *label)
{
    struct directory_listing listing;
    if (!directory_list(folder, &listing, inbox->error))
        return false;
    bool ok = true;
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(folder, listing.names[i]);
        char *name = path_join(label, listing.names[i]);
        const char *paths[] = { path };
        if (path_is_file(path))
            ok = take(inbox, &(struct inbox_delivery){ source, name, 1, paths });
        free(path);
        free(name);
    }
    directory_listing_free(&listing);
    return ok;
}

/* The files that lie beside the delivery folders of a source, together. */
static bool take_loose_files(struct inbox *inbox, const char *source, const char *folder, const char *label,
                             const struct directory_listing *listing)
{
    int count = 0;
    bool ok = true;
    const char **paths = calloc((size_t)listing->count + 1, sizeof *paths);
    if (paths == NULL)
        return error_set(inbox->error, ERROR_FAILED, "out of memory");
    for (int i = 0; i < listing->count; i++) {
        char *path = path_join(folder, listing->names[i]);
        if (path_is_file(path))
            paths[count++] = path;
        else
            free(path);
    }
    if (count > 0)
        ok = take_billing(inbox, &(struct inbox_delivery){ source, label, count, paths });
    for (int i = 0; i < count; i++)
        free((char *)paths[i]);
    free(paths);
    return ok;
}

/* Each folder of a source of bills, then its loose files. */
static bool take_bills(struct inbox *inbox, const char *source, const char *folder, const char *label)
{
    struct directory_listing listing;
    if (!directory_list(folder, &listing, inbox->error))
        return false;
    bool ok = true;
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(folder, listing.names[i]);
        char *name = path_join(label, listing.names[i]);
        const char *paths[] = { path };
        if (path_is_directory(path))
            ok = take_billing(inbox, &(struct inbox_delivery){ source, name, 1, paths });
        free(path);
        free(name);
    }
    ok = ok && take_loose_files(inbox, source, folder, label, &listing);
    directory_listing_free(&listing);
    return ok;
}

static bool take_job_files(struct inbox *inbox, const char *source, const char *folder, const char *label)
{
    return take_files(inbox, take_jobs, source, folder, label);
}

static bool take_node_files(struct inbox *inbox, const char *source, const char *folder, const char *label)
{
    return take_files(inbox, take_nodes, source, folder, label);
}

/* INBOX/STAGE/SOURCE for each source. A stage that is not there has nothing. */
static bool each_source(struct inbox *inbox, const char *root, const char *stage,
                        bool (*take)(struct inbox *, const char *source, const char *folder,
                                     const char *label))
{
    char *stage_folder = path_join(root, stage);
    struct directory_listing listing = { 0 };
    bool ok = true;
    if (!path_is_directory(stage_folder))
        goto done;
    ok = directory_list(stage_folder, &listing, inbox->error);
    for (int i = 0; ok && i < listing.count; i++) {
        char *folder = path_join(stage_folder, listing.names[i]);
        char *label = path_join(stage, listing.names[i]);
        if (path_is_directory(folder))
            ok = take(inbox, listing.names[i], folder, label);
        free(folder);
        free(label);
    }
    directory_listing_free(&listing);
done:
    free(stage_folder);
    return ok;
}

static bool take_reference(struct inbox *inbox, const char *root)
{
    char *folder = path_join(root, "reference");
    bool ok = true;
    if (path_is_directory(folder)) {
        struct ingest_summary summary = { 0 };
        struct error said = { 0 };
        struct reference_request request = { .path_count = 1, .paths = (const char *const *)&folder };
        bool read = ingest_reference(inbox->connection, &request, &summary, &said);
        const struct inbox_delivery delivery = { NULL, "reference", 1, request.paths };
        ok = settle(inbox, STAGE_REFERENCE, &delivery, read, &summary, &said);
    }
    free(folder);
    return ok;
}

/* INBOX/efficiency: measurements have no source. */
static bool take_measurements(struct inbox *inbox, const char *root)
{
    char *folder = path_join(root, "efficiency");
    bool ok =
        !path_is_directory(folder) || take_files(inbox, take_efficiency, "efficiency", folder, "efficiency");
    free(folder);
    return ok;
}

static bool take_stage(struct inbox *inbox, int stage, const char *root)
{
    switch (stage) {
    case STAGE_REFERENCE:
        return take_reference(inbox, root);
    case STAGE_BILLING:
        return each_source(inbox, root, "billing", take_bills);
    case STAGE_JOBS:
        return each_source(inbox, root, "jobs", take_job_files);
    case STAGE_NODES:
        return each_source(inbox, root, "nodes", take_node_files);
    default:
        return take_measurements(inbox, root);
    }
}

bool inbox_ingest(PGconn *connection, const char *root, struct night *night, struct error *error)
{
    struct inbox inbox = { connection, night, error };
    bool ok = true;
    for (int i = 0; ok && i < NIGHT_STAGES; i++) {
        night->stages[i].name = stage_names[i];
        run_stage_begin(stage_names[i], NULL);
        ok = take_stage(&inbox, i, root);
        run_stage_end(ok ? NULL : error, NULL);
    }
    return ok;
}

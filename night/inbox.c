/* night/inbox.c: see inbox.h. */
#include "night/inbox.h"

#include "base/log.h"
#include "base/system/file.h"
#include "base/text/near_name.h"
#include "ingest/bill/billing.h"
#include "ingest/delivery.h"
#include "ingest/delivery_guard.h"
#include "ingest/jobs/jobs.h"
#include "ingest/known_deliveries.h"
#include "ingest/measure/efficiency.h"
#include "ingest/nodes/nodes.h"
#include "ingest/reference/reference.h"
#include "night/inbox_stages.h"
#include "night/ledger/run_ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char its_places[] =
    "docs/operations.md, The inbox, says what goes where; a name that begins with a dot is left alone";

/* One inbox being read. */
struct inbox {
    PGconn *connection;
    const char *root;  /* as given */
    const char *place; /* absolute */
    struct night *night;
    struct error *error;
    /* of the source whose files are being read */
    struct known_deliveries known;
    int64_t unchanged; /* deliveries */
};

/* A delivery: `label` is its place below the inbox, `paths` its files or folder. */
struct inbox_delivery {
    const char *source, *label;
    int path_count;
    const char *const *paths;
};

/* Adds the outcome of an ingest to the night. A refused or waiting delivery ends here; any other
 * failure ends the night. */
static bool settle(struct inbox *inbox, int stage, const struct inbox_delivery *delivery, bool ok,
                   const struct ingest_summary *summary, const struct error *said)
{
    run_delivery(inbox_stage_names[stage], delivery->source, delivery->label, summary, ok ? NULL : said);
    if (ok)
        night_add(inbox->night, stage, summary);
    else if (said->kind == ERROR_INPUT || said->kind == ERROR_ATTENTION)
        night_trouble(inbox->night, said);
    else
        *inbox->error = *said;
    return ok || said->kind == ERROR_INPUT || said->kind == ERROR_ATTENTION;
}

static bool ingest(struct inbox *inbox, int stage, const struct inbox_delivery *delivery,
                   struct ingest_summary *summary, struct error *said)
{
    PGconn *connection = inbox->connection;
    const struct billing_request bills = { .source = delivery->source,
                                           .label = delivery->label,
                                           .inbox = inbox->place,
                                           .path_count = delivery->path_count,
                                           .paths = delivery->paths };
    const struct jobs_request jobs = { .source = bills.source,
                                       .label = bills.label,
                                       .inbox = bills.inbox,
                                       .path = *bills.paths,
                                       .known = &inbox->known };
    const struct nodes_request nodes = { .source = bills.source, .label = bills.label, .path = *bills.paths };
    const struct efficiency_request efficiency = { .source = bills.source,
                                                   .label = bills.label,
                                                   .path = *bills.paths };
    switch (stage) {
    case STAGE_BILLING:
        return ingest_billing(connection, &bills, summary, said);
    case STAGE_JOBS:
        return ingest_jobs(connection, &jobs, summary, said);
    case STAGE_NODES:
        return ingest_nodes(connection, &nodes, summary, said);
    default:
        return ingest_efficiency(connection, &efficiency, summary, said);
    }
}

static bool take_delivery(struct inbox *inbox, int stage, const struct inbox_delivery *delivery)
{
    struct ingest_summary summary = { 0 };
    struct error said = { 0 };
    bool ok = path_is_text(delivery->label, &said) && ingest(inbox, stage, delivery, &summary, &said);
    inbox->unchanged += ok && summary.unchanged;
    return settle(inbox, stage, delivery, ok, &summary, &said);
}

/* A place of the inbox: a stage's folder, a source's, or something in one of them. */
struct place {
    int stage;
    const char *source, *label, *path;
};

/* Notes a file where no delivery is looked for: somebody has to move it to its place. If it were
 * skipped in silence, nobody would miss its money. */
static bool say_misplaced(struct inbox *inbox, const struct place *place, const char *what)
{
    const struct inbox_delivery delivery = { .source = place->source, .label = place->label };
    struct ingest_summary nothing = { 0 };
    struct error said = { 0 };
    if (path_is_text(delivery.label, &said)) {
        error_set(&said, ERROR_ATTENTION, "%s: %s; it is not read", place->path, what);
        error_hint(&said, "%s", its_places);
    }
    return settle(inbox, place->stage, &delivery, false, &nothing, &said);
}

/* The entries of a folder; none, and a refusal, where it is not ours to read. */
static bool list_place(struct inbox *inbox, const struct place *place, struct directory_listing *listing)
{
    const struct inbox_delivery delivery = { .source = place->source, .label = place->label };
    struct ingest_summary nothing = { 0 };
    struct error said = { 0 };
    *listing = (struct directory_listing){ 0 };
    if (path_is_readable(place->path, &said))
        return directory_list(place->path, listing, inbox->error);
    return settle(inbox, place->stage, &delivery, false, &nothing, &said);
}

/* Each file of a folder by itself. */
static bool take_files(struct inbox *inbox, const struct place *place)
{
    struct directory_listing listing;
    bool ok = list_place(inbox, place, &listing);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(place->path, listing.names[i]);
        char *name = path_join(place->label, listing.names[i]);
        const char *paths[] = { path };
        if (path_is_directory(path))
            ok = say_misplaced(inbox, &(struct place){ place->stage, place->source, name, path },
                               "is a folder, where each file is a delivery");
        else
            ok =
                take_delivery(inbox, place->stage, &(struct inbox_delivery){ place->source, name, 1, paths });
        free(path);
        free(name);
    }
    directory_listing_free(&listing);
    return ok;
}

/* The files that lie beside the delivery folders of a source, together. */
static bool take_loose_files(struct inbox *inbox, const struct place *place,
                             const struct directory_listing *listing)
{
    int count = 0;
    bool ok = true;
    const char **paths = calloc((size_t)listing->count + 1, sizeof *paths);
    for (int i = 0; i < listing->count; i++) {
        char *path = path_join(place->path, listing->names[i]);
        if (!path_is_directory(path))
            paths[count++] = path;
        else
            free(path);
    }
    if (count > 0)
        ok = take_delivery(inbox, place->stage,
                           &(struct inbox_delivery){ place->source, place->label, count, paths });
    for (int i = 0; i < count; i++)
        free((char *)paths[i]);
    free(paths);
    return ok;
}

/* Each folder of a source of bills, then its loose files. */
static bool take_bills(struct inbox *inbox, const struct place *place)
{
    struct directory_listing listing;
    bool ok = list_place(inbox, place, &listing);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(place->path, listing.names[i]);
        char *name = path_join(place->label, listing.names[i]);
        const char *paths[] = { path };
        if (path_is_directory(path))
            ok =
                take_delivery(inbox, place->stage, &(struct inbox_delivery){ place->source, name, 1, paths });
        free(path);
        free(name);
    }
    ok = ok && take_loose_files(inbox, place, &listing);
    directory_listing_free(&listing);
    return ok;
}

typedef bool take_place(struct inbox *inbox, const struct place *place);

/* All deliveries of a source. Those that are known are logged together: they are nearly all. */
static bool take_source(struct inbox *inbox, const struct place *place, take_place *take)
{
    bool ok = (place->stage != STAGE_JOBS || /* the others' files are few, or each is read in its own way */
               known_deliveries_open(&inbox->known, inbox->connection, inbox_stage_names[place->stage],
                                     place->source, inbox->error)) &&
              take(inbox, place);
    known_deliveries_close(&inbox->known);
    if (inbox->unchanged > 0)
        log_event(LOG_INFO, "unchanged", "kind=%s source=\"%s\" deliveries=%" PRId64,
                  inbox_stage_names[place->stage], place->source, inbox->unchanged);
    inbox->unchanged = 0;
    return ok;
}

static bool take_measurement_files(struct inbox *inbox, const struct place *place)
{
    const struct place files = { place->stage, "efficiency", place->label, place->path };
    return take_source(inbox, &files, take_files);
}

/* INBOX/STAGE, where it is there: a link that leads nowhere is, and is refused. */
static bool stage_folder(struct inbox *inbox, const char *root, int stage, take_place *take)
{
    struct stat status;
    char *path = path_join(root, inbox_stage_names[stage]);
    const struct place place = { stage, NULL, inbox_stage_names[stage], path };
    bool ok = true;
    if (lstat(path, &status) != 0)
        ;
    else if (path_is_file(path))
        ok = say_misplaced(inbox, &place, "is a file, where there is a folder");
    else
        ok = take(inbox, &place);
    free(path);
    return ok;
}

/* INBOX/STAGE/SOURCE for each source. */
static bool each_source(struct inbox *inbox, const struct place *stage, take_place *take)
{
    struct directory_listing listing;
    bool ok = list_place(inbox, stage, &listing);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(stage->path, listing.names[i]);
        char *label = path_join(stage->label, listing.names[i]);
        if (path_is_directory(path))
            ok = take_source(inbox, &(struct place){ stage->stage, listing.names[i], label, path }, take);
        else
            ok = say_misplaced(inbox, &(struct place){ stage->stage, NULL, label, path },
                               "is no folder of a source");
        free(path);
        free(label);
    }
    directory_listing_free(&listing);
    return ok;
}

static bool take_billing_sources(struct inbox *inbox, const struct place *stage)
{
    return each_source(inbox, stage, take_bills);
}

static bool take_sources_of_files(struct inbox *inbox, const struct place *stage)
{
    return each_source(inbox, stage, take_files);
}

static bool take_reference(struct inbox *inbox, const struct place *place)
{
    struct ingest_summary summary = { 0 };
    struct error said = { 0 };
    struct reference_request request = { .path_count = 1, .paths = &place->path };
    const struct inbox_delivery delivery = { NULL, place->label, 1, request.paths };
    struct directory_listing listing;
    bool ok = list_place(inbox, place, &listing);
    if (ok && listing.count > 0) {
        bool read = ingest_reference(inbox->connection, &request, &summary, &said);
        ok = settle(inbox, STAGE_REFERENCE, &delivery, read, &summary, &said);
    }
    directory_listing_free(&listing);
    return ok;
}

static void skip_unknown(const char *root, const char *name)
{
    const char *meant = NULL;
    for (int i = 0; i < INBOX_STAGES; i++)
        near_name_keep(name, inbox_stage_names[i], &meant);
    log_event(LOG_WARNING, "skipped", "file=\"%s/%s\" reason=\"no such name is looked for%s%s%s\"", root,
              name, meant != NULL ? ": did you mean " : "", meant != NULL ? meant : "",
              meant != NULL ? "?" : "");
}

/* An inbox in which nothing is looked for is a wrong setting, or a disk that is not mounted, and no
 * good night. */
static bool look_around(struct inbox *inbox, const char *root)
{
    struct directory_listing listing;
    struct error said = { 0 };
    int stages = 0;
    if (!path_is_readable(root, inbox->error) || !directory_list(root, &listing, inbox->error))
        return false;
    for (int i = 0; i < listing.count; i++) {
        if (inbox_stage_is(listing.names[i]))
            stages++;
        else
            skip_unknown(root, listing.names[i]);
    }
    directory_listing_free(&listing);
    if (stages == 0) {
        error_set(&said, ERROR_ATTENTION,
                  "%s: holds none of the folders reference, billing, jobs, nodes and efficiency", root);
        error_hint(&said, "%s", its_places);
        night_trouble(inbox->night, &said);
    }
    return true;
}

bool inbox_ingest(PGconn *connection, const char *root, struct night *night, struct error *error)
{
    static take_place *const takes[INBOX_STAGES] = {
        [STAGE_REFERENCE] = take_reference,          [STAGE_BILLING] = take_billing_sources,
        [STAGE_JOBS] = take_sources_of_files,        [STAGE_NODES] = take_sources_of_files,
        [STAGE_EFFICIENCY] = take_measurement_files,
    };
    char *place = realpath(root, NULL);
    struct inbox inbox = {
        .connection = connection, .root = root, .place = place, .night = night, .error = error
    };
    bool ok = look_around(&inbox, root) && deliveries_read_again(connection, error);
    for (int i = 0; ok && i < INBOX_STAGES; i++) {
        night->stages[i].name = inbox_stage_names[i];
        run_stage_begin(inbox_stage_names[i], NULL);
        ok = stage_folder(&inbox, root, i, takes[i]);
        run_stage_end(ok ? NULL : error, NULL);
    }
    ok = ok && delivery_guard_sweep(connection, place, error);
    free(place);
    return ok;
}

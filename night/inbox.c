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
#include <stdlib.h>
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

/* The layout of a stage's folder (inbox.h), and the function that loads a delivery. */
static const struct stage_layout {
    ingest_delivery *load;
    bool is_one; /* the whole folder is one delivery */
    /* each folder is a delivery, and so are all loose files together; else each file is one */
    bool of_folders;
    /* its files are many, so one query per source asks which of them are known */
    bool asks_once;
    const char *source; /* of all its files; NULL: each folder in it is a source */
} layouts[INBOX_STAGES] = {
    [STAGE_REFERENCE] = { ingest_reference, .is_one = true },
    [STAGE_BILLING] = { ingest_billing, .of_folders = true },
    [STAGE_JOBS] = { ingest_jobs, .asks_once = true },
    [STAGE_NODES] = { ingest_nodes },
    [STAGE_EFFICIENCY] = { ingest_efficiency, .source = "efficiency" },
};

/* A place of the inbox: a stage's folder, a source's, or something in one of them. */
struct place {
    int stage;
    const char *source, *label, *path; /* `label`: below the inbox */
};

/* Adds the outcome of an ingest to the night. After a refused or waiting delivery the night goes
 * on. Any other failure ends it. */
static bool settle(struct inbox *inbox, const struct place *place, bool ok,
                   const struct ingest_summary *summary, const struct error *refusal)
{
    run_delivery(inbox_stage_names[place->stage], place->source, place->label, summary, ok ? NULL : refusal);
    if (ok)
        night_add(inbox->night, place->stage, summary);
    else if (refusal->kind == ERROR_INPUT || refusal->kind == ERROR_ATTENTION)
        night_trouble(inbox->night, refusal);
    else
        *inbox->error = *refusal;
    return ok || refusal->kind == ERROR_INPUT || refusal->kind == ERROR_ATTENTION;
}

/* Loads the files or the folder of a place as one delivery. */
static bool take_delivery(struct inbox *inbox, const struct place *place, int path_count,
                          const char *const *paths)
{
    const struct delivery_request request = { .source = place->source,
                                              .label = place->label,
                                              .inbox = inbox->place,
                                              .path_count = path_count,
                                              .paths = paths,
                                              .known = &inbox->known };
    struct ingest_summary summary = { 0 };
    struct error refusal = { 0 };
    bool ok = path_is_text(place->label, &refusal) &&
              layouts[place->stage].load(inbox->connection, &request, &summary, &refusal);
    inbox->unchanged += ok && summary.unchanged;
    return settle(inbox, place, ok, &summary, &refusal);
}

/* Notes a file in a place where no delivery is expected: a person has to move it. If the night
 * skipped it silently, nobody would notice that its money is missing. */
static bool say_misplaced(struct inbox *inbox, const struct place *place, const char *what)
{
    struct ingest_summary nothing = { 0 };
    struct error refusal = { 0 };
    if (path_is_text(place->label, &refusal)) {
        error_set(&refusal, ERROR_ATTENTION, "%s: %s; it is not read", place->path, what);
        error_hint(&refusal, "%s", its_places);
    }
    return settle(inbox, place, false, &nothing, &refusal);
}

/* The entries of a folder. If kstar may not read the folder, the list is empty and the folder is
 * noted as refused. */
static bool list_place(struct inbox *inbox, const struct place *place, struct directory_listing *listing)
{
    struct ingest_summary nothing = { 0 };
    struct error refusal = { 0 };
    *listing = (struct directory_listing){ 0 };
    if (path_is_readable(place->path, &refusal))
        return directory_list(place->path, listing, inbox->error);
    return settle(inbox, place, false, &nothing, &refusal);
}

/* Loads the files beside the delivery folders of a source as one delivery. */
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
        ok = take_delivery(inbox, place, count, paths);
    for (int i = 0; i < count; i++)
        free((char *)paths[i]);
    free(paths);
    return ok;
}

/* Loads the deliveries in the folder of a source. */
static bool take_deliveries(struct inbox *inbox, const struct place *place)
{
    const bool of_folders = layouts[place->stage].of_folders;
    struct directory_listing listing;
    bool ok = list_place(inbox, place, &listing);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(place->path, listing.names[i]);
        char *label = path_join(place->label, listing.names[i]);
        const struct place found = { place->stage, place->source, label, path };
        if (path_is_directory(path) == of_folders)
            ok = take_delivery(inbox, &found, 1, &found.path);
        else if (!of_folders)
            ok = say_misplaced(inbox, &found, "is a folder, where each file is a delivery");
        free(path);
        free(label);
    }
    if (ok && of_folders)
        ok = take_loose_files(inbox, place, &listing);
    directory_listing_free(&listing);
    return ok;
}

/* Loads all deliveries of a source. The known ones get one log line together: most are known. */
static bool take_source(struct inbox *inbox, const struct place *place)
{
    const char *stage = inbox_stage_names[place->stage];
    inbox->unchanged = 0;
    bool ok = (!layouts[place->stage].asks_once ||
               known_deliveries_open(&inbox->known, inbox->connection, stage, place->source, inbox->error)) &&
              take_deliveries(inbox, place);
    known_deliveries_close(&inbox->known);
    if (inbox->unchanged > 0)
        log_event(LOG_INFO, "unchanged", "kind=%s source=\"%s\" deliveries=%" PRId64, stage, place->source,
                  inbox->unchanged);
    return ok;
}

/* INBOX/STAGE/SOURCE for each source. */
static bool take_sources(struct inbox *inbox, const struct place *stage)
{
    struct directory_listing listing;
    bool ok = list_place(inbox, stage, &listing);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(stage->path, listing.names[i]);
        char *label = path_join(stage->label, listing.names[i]);
        if (path_is_directory(path))
            ok = take_source(inbox, &(struct place){ stage->stage, listing.names[i], label, path });
        else
            ok = say_misplaced(inbox, &(struct place){ stage->stage, NULL, label, path },
                               "is not a folder of a source");
        free(path);
        free(label);
    }
    directory_listing_free(&listing);
    return ok;
}

/* Loads the whole folder as one delivery, unless it is empty. */
static bool take_folder(struct inbox *inbox, const struct place *place)
{
    struct directory_listing listing;
    bool ok = list_place(inbox, place, &listing);
    if (ok && listing.count > 0)
        ok = take_delivery(inbox, place, 1, &place->path);
    directory_listing_free(&listing);
    return ok;
}

/* Reads INBOX/STAGE if it exists. A link that leads nowhere exists, and is refused. */
static bool take_stage(struct inbox *inbox, const char *root, int stage)
{
    struct stat status;
    const struct stage_layout *layout = &layouts[stage];
    char *path = path_join(root, inbox_stage_names[stage]);
    struct place place = { stage, NULL, inbox_stage_names[stage], path };
    bool ok = true;
    if (lstat(path, &status) != 0)
        ;
    else if (path_is_file(path))
        ok = say_misplaced(inbox, &place, "is a file, where there is a folder");
    else if (layout->is_one)
        ok = take_folder(inbox, &place);
    else if (layout->source == NULL)
        ok = take_sources(inbox, &place);
    else {
        place.source = layout->source;
        ok = take_source(inbox, &place);
    }
    free(path);
    return ok;
}

/* A name that is nearly a stage's is probably misspelt. If the night skipped the folder silently,
 * nobody would notice that its content is missing. */
static void skip_unknown(const struct inbox *inbox, const char *name)
{
    struct error mistaken = { 0 };
    const char *meant = NULL;
    for (int i = 0; i < INBOX_STAGES; i++)
        near_name_keep(name, inbox_stage_names[i], &meant);
    if (meant == NULL) {
        log_event(LOG_WARNING, "skipped", "file=\"%s/%s\" reason=\"no such name is looked for\"", inbox->root,
                  name);
        return;
    }
    error_set(&mistaken, ERROR_ATTENTION, "%s/%s: no such name is looked for; it is not read", inbox->root,
              name);
    error_hint(&mistaken, "did you mean %s?", meant);
    night_trouble(inbox->night, &mistaken);
}

/* An inbox without any folder of a stage is a wrong setting or a disk that is not mounted. Such a
 * night must not end as a success. */
static bool look_around(struct inbox *inbox)
{
    struct directory_listing listing;
    struct error problem = { 0 };
    const char *root = inbox->root;
    int stages = 0;
    if (!path_is_readable(root, inbox->error) || !directory_list(root, &listing, inbox->error))
        return false;
    for (int i = 0; i < listing.count; i++) {
        if (inbox_stage_is(listing.names[i]))
            stages++;
        else
            skip_unknown(inbox, listing.names[i]);
    }
    directory_listing_free(&listing);
    if (stages == 0) {
        error_set(&problem, ERROR_ATTENTION,
                  "%s: holds none of the folders reference, billing, jobs, nodes and efficiency", root);
        error_hint(&problem, "%s", its_places);
        night_trouble(inbox->night, &problem);
    }
    return true;
}

bool inbox_ingest(PGconn *connection, const char *root, struct night *night, struct error *error)
{
    char *place = realpath(root, NULL);
    struct inbox inbox = {
        .connection = connection, .root = root, .place = place, .night = night, .error = error
    };
    bool ok = look_around(&inbox) && deliveries_read_again(connection, error);
    for (int i = 0; ok && i < INBOX_STAGES; i++) {
        night->stages[i].name = inbox_stage_names[i];
        run_stage_begin(inbox_stage_names[i], NULL);
        ok = take_stage(&inbox, root, i);
        run_stage_end(ok ? NULL : error, NULL);
    }
    ok = ok && delivery_guard_sweep(connection, place, error);
    free(place);
    return ok;
}

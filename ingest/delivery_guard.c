/* ingest/delivery_guard.c: see delivery_guard.h. */
#include "ingest/delivery_guard.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/system/file.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REASON, BILLING_PERIODS, ANSWERS, ASKS_IF_MOVED, SHA256 };

static void copy_hold(struct delivery_hold *hold, const PGresult *result)
{
    const char *reason = PQgetvalue(result, 0, REASON);
    utf8_excerpt(reason, strlen(reason), hold->reason, sizeof hold->reason);
    snprintf(hold->billing_periods, sizeof hold->billing_periods, "%s",
             PQgetvalue(result, 0, BILLING_PERIODS));
}

bool delivery_guard_known(struct delivery *delivery, PGconn *connection, const char *source,
                          const char *label, struct delivery_hold *hold, struct error *error)
{
    const char *const parameters[] = { source, label };
    PGresult *result = database_query_file(connection, "ingest/held_find.sql", 2, parameters, error);
    bool ok = result != NULL;
    if (ok && PQntuples(result) == 1) {
        ok = delivery_hash(delivery, error);
        if (ok && strcmp(PQgetvalue(result, 0, SHA256), delivery->sha256) == 0) {
            copy_hold(hold, result);
            snprintf(hold->answers, sizeof hold->answers, "%s", PQgetvalue(result, 0, ANSWERS));
            hold->asks_if_moved = result_flag(result, 0, ASKS_IF_MOVED);
        }
    }
    PQclear(result);
    return ok;
}

/* Runs a query for the reason why this load or delivery must wait. `period` is its second
 * parameter; NULL: it has none. */
static bool ask(PGconn *connection, const char *query, int number, const char *period,
                struct delivery_hold *hold, struct error *error)
{
    char id[16];
    const char *const parameters[] = { id, period };
    snprintf(id, sizeof id, "%d", number);
    PGresult *result = database_query_file(connection, query, period != NULL ? 2 : 1, parameters, error);
    if (result != NULL && PQntuples(result) > 0)
        copy_hold(hold, result);
    PQclear(result);
    return result != NULL;
}

bool delivery_guard_compare(PGconn *connection, int load_id, struct delivery_hold *hold, struct error *error)
{
    return ask(connection, "ingest/held_compare.sql", load_id, NULL, hold, error);
}

bool delivery_guard_compare_accounts(PGconn *connection, int load_id, const char *billing_period,
                                     struct delivery_hold *hold, struct error *error)
{
    return ask(connection, "ingest/held_compare_accounts.sql", load_id, billing_period, hold, error);
}

bool delivery_guard_repeated(const struct delivery *delivery, PGconn *connection, struct delivery_hold *hold,
                             struct error *error)
{
    return ask(connection, "ingest/held_repeated.sql", delivery->id, NULL, hold, error);
}

bool delivery_guard_moved(PGconn *connection, struct delivery_hold *hold, struct error *error)
{
    PGresult *result = database_query_file(connection, "ingest/held_moved.sql", 0, NULL, error);
    if (result != NULL && PQntuples(result) > 0)
        copy_hold(hold, result);
    PQclear(result);
    return result != NULL;
}

void delivery_guard_unreadable(const char *file, int64_t quarantined, int64_t records, const char *first,
                               char *reason, size_t size)
{
    char file_shown[256], first_shown[304];
    if (2 * quarantined > records)
        snprintf(reason, size, "%" PRId64 " of the %" PRId64 " rows of %s cannot be read; the first: %s",
                 quarantined, records, utf8_excerpt(file, strlen(file), file_shown, sizeof file_shown),
                 utf8_excerpt(first, strlen(first), first_shown, sizeof first_shown));
}

bool delivery_guard_remember(struct delivery *delivery, PGconn *connection, const char *source,
                             const char *label, const char *inbox, const struct delivery_hold *hold,
                             struct error *error)
{
    if (!delivery_hash(delivery, error))
        return false;
    const char *const parameters[] = {
        source,       label, delivery->sha256, hold->billing_periods,
        hold->reason, inbox, hold->answers,    hold->asks_if_moved ? "true" : "false",
    };
    return database_run_query(connection, "ingest/held_remember.sql", 8, parameters, error);
}

bool delivery_guard_forget(PGconn *connection, const char *source, const char *label, struct error *error)
{
    const char *const parameters[] = { source, label };
    return database_run_query(connection, "ingest/held_forget.sql", 2, parameters, error);
}

static bool has_files(const char *folder)
{
    struct directory_listing listing;
    struct error unread;
    bool found = false;
    if (!directory_list(folder, &listing, &unread))
        return true; /* not known */
    for (int i = 0; i < listing.count && !found; i++) {
        char *path = path_join(folder, listing.names[i]);
        found = !path_is_directory(path);
        free(path);
    }
    directory_listing_free(&listing);
    return found;
}

/* Whether a delivery is no longer in the inbox. If its label is the folder of a source, the
 * delivery is the files in that folder, beside the folders of other deliveries. */
static bool is_gone(const char *inbox, const char *label)
{
    char *path = path_join(inbox, label);
    bool is_loose = strchr(label, '/') == strrchr(label, '/');
    bool gone = access(path, F_OK) != 0 ? errno == ENOENT : is_loose && !has_files(path);
    free(path);
    return gone;
}

bool delivery_guard_sweep(PGconn *connection, const char *inbox, struct error *error)
{
    PGresult *held = database_query_file(connection, "ingest/held_all.sql", 1, &inbox, error);
    bool ok = held != NULL;
    for (int i = 0; ok && i < PQntuples(held); i++) {
        const char *source = PQgetvalue(held, i, 0), *label = PQgetvalue(held, i, 1);
        if (!is_gone(inbox, label))
            continue;
        ok = delivery_guard_forget(connection, source, label, error);
        log_event(LOG_INFO, "hold_ended",
                  "source=\"%s\" label=\"%s\" note=\"it is not in the inbox any more\"", source, label);
    }
    PQclear(held);
    return ok;
}

bool delivery_guard_refuse(const char *label, const struct delivery_hold *hold, struct error *error)
{
    error_set(error, ERROR_ATTENTION, "%s is held: %s", label, hold->reason);
    error_hint(error, "%s; else have it delivered again, or take it out of the inbox", hold->answers);
    return false;
}

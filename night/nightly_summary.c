/* night/nightly_summary.c: see nightly_summary.h. */
#include "night/nightly_summary.h"

#include "base/exit_codes.h"
#include "base/log.h"
#include "base/postgres/database.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>

void night_raise(struct night *night, enum error_kind kind)
{
    night->worst = (enum error_kind)exit_code_graver(night->worst, kind);
}

void night_trouble(struct night *night, const struct error *refused)
{
    bool waits = refused->kind == ERROR_ATTENTION;
    log_event(waits ? LOG_WARNING : LOG_ERROR, waits ? "waits" : "refused",
              "message=\"%s\" detail=\"%s\" hint=\"%s\"", refused->message, refused->detail, refused->hint);
    if (night->trouble_count < NIGHT_TROUBLES_MAXIMUM) {
        const char *more = refused->detail[0] != '\0' ? refused->detail : refused->hint;
        snprintf(night->troubles[night->trouble_count], sizeof night->troubles[0], "%-11s %.690s%s%.300s%s",
                 waits ? "waits" : "refused", refused->message, more[0] != '\0' ? " (" : "", more,
                 more[0] != '\0' ? ")" : "");
    }
    night->trouble_count++;
    night_raise(night, refused->kind);
}

void night_add(struct night *night, int stage, const struct ingest_summary *summary)
{
    struct night_stage *sum = &night->stages[stage];
    if (summary->unchanged)
        sum->known_deliveries++;
    else
        sum->new_deliveries++;
    sum->rows += summary->rows;
    sum->quarantined += summary->quarantined;
    sum->ignored += summary->ignored;
    sum->late += summary->late;
    sum->pruned += summary->pruned;
    if (summary->quarantined > 0 || summary->pruned > 0)
        night_raise(night, ERROR_ATTENTION);
    if (summary->pruned_differs[0] != '\0' && night->trouble_count++ < NIGHT_TROUBLES_MAXIMUM)
        snprintf(night->troubles[night->trouble_count - 1], sizeof night->troubles[0], "%-11s %.400s: %.500s",
                 "differs", summary->label, summary->pruned_differs);
    if (summary->fewer_files[0] != '\0' && night->trouble_count++ < NIGHT_TROUBLES_MAXIMUM)
        snprintf(night->troubles[night->trouble_count - 1], sizeof night->troubles[0], "%-11s %.400s: %.500s",
                 "fewer files", summary->label, summary->fewer_files);
    if (summary->decided[0] != '\0' && night->trouble_count++ < NIGHT_TROUBLES_MAXIMUM)
        snprintf(night->troubles[night->trouble_count - 1], sizeof night->troubles[0], "%-11s %s", "reviews",
                 summary->decided);
    if (summary->time_beyond[0] != '\0' && night->trouble_count++ < NIGHT_TROUBLES_MAXIMUM)
        snprintf(night->troubles[night->trouble_count - 1], sizeof night->troubles[0], "%-11s %.1000s",
                 "time beyond", summary->time_beyond);
}

static void print_stages(const struct night *night)
{
    for (int i = 0; i < INBOX_STAGES; i++) {
        const struct night_stage *stage = &night->stages[i];
        printf("  %-11s %d new, %d known", stage->name, stage->new_deliveries, stage->known_deliveries);
        if (stage->rows > 0)
            printf("; %" PRId64 " row%s", stage->rows, stage->rows == 1 ? "" : "s");
        if (stage->ignored > 0)
            printf(", %" PRId64 " ignored by design", stage->ignored);
        if (stage->quarantined > 0)
            printf(", %" PRId64 " quarantined", stage->quarantined);
        if (stage->late > 0)
            printf(", %" PRId64 " of closed months (the log says which): they count from the first open one",
                   stage->late);
        if (stage->pruned > 0)
            printf(", %" PRId64
                   " of pruned months that differ (the log says which): nothing of them was taken",
                   stage->pruned);
        putchar('\n');
    }
}

static void print_reports(const struct night *night)
{
    const struct report_summary *reports = &night->reports;
    printf("  %-11s %d written, %d unchanged in %s\n", "workbooks", reports->changed_count,
           reports->file_count - reports->changed_count, night->out);
    for (int i = 0; i < reports->file_count; i++) {
        if (reports->files[i].changed)
            print_line(stdout, "              %s", reports->files[i].path);
    }
    for (int i = 0; i < reports->stale_count; i++)
        print_line(stdout, "              %s %s", reports->stale[i].path, reports->stale[i].what);
}

/* Prints the lines that a query returns. */
static bool print_words(PGconn *connection, const char *query, int count, const char *const *parameters,
                        struct error *error)
{
    PGresult *result = database_query_file(connection, query, count, parameters, error);
    if (result == NULL)
        return false;
    for (int row = 0; row < PQntuples(result); row++)
        print_line(stdout, "%s", PQgetvalue(result, row, 0));
    PQclear(result);
    return true;
}

bool night_print(PGconn *connection, const struct month_list *list, const struct night *night,
                 struct error *error)
{
    bool quiet_night =
        night->months_published == 0 && night->reports.changed_count == 0 && night->trouble_count == 0;
    for (int i = 0; i < INBOX_STAGES; i++)
        quiet_night = quiet_night && night->stages[i].new_deliveries == 0;
    printf("kstar nightly: %s\n", quiet_night ? "nothing new; nothing was changed" : night->inbox);
    print_stages(night);
    printf("  %-11s %d published, %d up to date", "statements", night->months_published,
           list->count - night->months_published - night->months_refused);
    if (night->months_refused > 0)
        printf(", %d refused: what was published before stays", night->months_refused);
    puts(list->count == 0 ? "; no open month has a bill" : "");
    print_reports(night);
    for (int i = 0; i < night->trouble_count && i < NIGHT_TROUBLES_MAXIMUM; i++)
        print_line(stdout, "  %s", night->troubles[i]);
    if (night->trouble_count > NIGHT_TROUBLES_MAXIMUM)
        printf("  refused     and %d more, see the log\n", night->trouble_count - NIGHT_TROUBLES_MAXIMUM);
    for (int i = 0; i < list->count; i++) {
        const char *const month[] = { list->months[i].month };
        if (!print_words(connection, "model/statement_words.sql", 1, month, error))
            return false;
    }
    return print_words(connection, "budget/closed_alerts.sql", 0, NULL, error);
}

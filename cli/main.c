/* cli/main.c: finds the sub-command, runs it, prints its error and returns its exit code.
 *
 * The list of commands is the table below, in the order in which `kstar help` shows it. A command
 * of two words ("report chargeback") is one row; the longest row that matches the command line
 * wins. Nothing else in kstar prints an error or calls exit(), except --help.
 */
#include "base/exit_codes.h"
#include "base/log.h"
#include "base/status_line.h"
#include "base/text/near_name.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/ledger/interrupt.h"
#include "night/ledger/run_ledger.h"
#include "print/print_line.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the order of `kstar help`, a row each. */
/* clang-format off */
static const struct command *const commands[] = {
    &command_nightly,
    &command_status,
    &command_budget,
    &command_init,
    &command_suggest,
    &command_ingest_reference,
    &command_ingest_billing,
    &command_ingest_jobs,
    &command_ingest_nodes,
    &command_ingest_efficiency,
    &command_ingest_quarantine,
    &command_model,
    &command_diff,
    &command_explain,
    &command_close,
    &command_report_chargeback,
    &command_report_page,
    &command_report_forecast,
    &command_report_journal,
    &command_report_review,
    &command_report_units,
    &command_report_variance,
    &command_verify,
    &command_deliver,
    &command_prune,
    &command_advise,
    &command_db_start,
    &command_db_stop,
    &command_db_status,
    &command_db_psql,
    &command_db_backup,
    &command_db_restore,
};
/* clang-format on */
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* For people and the mail of cron: three lines. In a JSON log: one line like the others. */
static void print_error(const struct error *error)
{
    status_line_hide();
    if (log_format() == LOG_JSON) {
        log_event(LOG_ERROR, "error", "message=\"%s\" detail=\"%s\" hint=\"%s\" exit_code=%d", error->message,
                  error->detail, error->hint, (int)error->kind);
        return;
    }
    print_line(stderr, "error: %s", error->message);
    if (error->detail[0] != '\0')
        print_line(stderr, "  detail: %s", error->detail);
    if (error->hint[0] != '\0')
        print_line(stderr, "  hint:   %s", error->hint);
}

/* How many words of argv name `command`: 0 when they name another. */
static int words_matched(const struct command *command, int argc, char **argv)
{
    int words = 0;
    for (const char *rest = command->name; *rest != '\0';) {
        size_t length = strcspn(rest, " ");
        if (words == argc || strlen(argv[words]) != length || strncmp(argv[words], rest, length) != 0)
            return 0;
        words++;
        rest += length + (rest[length] == ' ');
    }
    return words;
}

static const struct command *find_command(int argc, char **argv, int *words)
{
    const struct command *best = NULL;
    *words = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        int matched = words_matched(commands[i], argc, argv);
        if (matched > *words) {
            *words = matched;
            best = commands[i];
        }
    }
    return best;
}

/* The command that was probably meant: one that begins with the typed word ("report"), or else the
 * closest one within half of its letters; NULL if none is close. */
static const char *suggest(const char *typed)
{
    const char *best = NULL;
    int best_distance = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const char *name = commands[i]->name;
        if (strncmp(name, typed, strlen(typed)) == 0)
            return name;
        int distance = edit_distance(typed, name);
        if (2 * distance <= (int)strlen(name) && (best == NULL || distance < best_distance)) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

/* Whether `group` ("report") is the first word of `command`; "" is the group of all commands. */
static bool is_of_group(const struct command *command, const char *group)
{
    size_t length = strlen(group);
    return length == 0 || (strncmp(command->name, group, length) == 0 && command->name[length] == ' ');
}

static bool is_group(const char *word)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (*word != '\0' && is_of_group(commands[i], word))
            return true;
    }
    return false;
}

static void print_commands(const char *group)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (is_of_group(commands[i], group))
            printf("  %-22s %s\n", commands[i]->name, commands[i]->summary);
    }
}

static void print_group(const char *group)
{
    printf("kstar %s is the first word of these commands:\n\n", group);
    print_commands(group);
    printf("\nkstar %s COMMAND --help shows the options of one, and an example.\n", group);
}

static bool unknown_command(int argc, char **argv, struct error *error)
{
    char typed[64];
    if (argv[0][0] == '-') {
        error_set(error, ERROR_USAGE, "option %s stands before the command", argv[0]);
        error_hint(error, "options follow the command: kstar COMMAND %s", argv[0]);
        return false;
    }
    bool two = argc > 1 && argv[1][0] != '-';
    if (!two && is_group(argv[0])) {
        error_set(error, ERROR_USAGE, "kstar %s needs a command", argv[0]);
        error_hint(error, "kstar %s --help lists them", argv[0]);
        return false;
    }
    snprintf(typed, sizeof typed, "%s%s%s", argv[0], two ? " " : "", two ? argv[1] : "");
    const char *meant = suggest(typed);
    if (meant == NULL)
        meant = suggest(argv[0]);
    error_set(error, ERROR_USAGE, "unknown command: %s", typed);
    if (meant != NULL)
        error_hint(error, "did you mean: kstar %s", meant);
    else
        error_hint(error, "kstar help lists the commands");
    return false;
}

static void print_help(void)
{
    printf("kstar %s: what every training job truly cost, and who pays\n\nusage: kstar COMMAND [options]\n\n"
           "commands:\n",
           KSTAR_VERSION);
    print_commands("");
    printf("\nexit codes (docs/operations.md says what to do):\n");
    for (const struct exit_code *entry = exit_codes; entry->outcome != NULL; entry++)
        printf("  %3d  %s\n", entry->code, entry->meaning);
    printf(
        "\nkstar COMMAND --help shows its options and an example. The database is --dsn, else libpq's PG*\n"
        "variables, else a PostgreSQL that kstar keeps for itself.\n");
}

/* kstar, kstar help, kstar help CMD, kstar --version. True when argv was one of them. */
static bool answered_here(int argc, char **argv, bool *show_help_of_command)
{
    *show_help_of_command = false;
    const char *first = argc > 0 ? argv[0] : "help";
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        printf("kstar %s\n", KSTAR_VERSION);
        return true;
    }
    if (strcmp(first, "help") != 0 && strcmp(first, "--help") != 0 && strcmp(first, "-h") != 0)
        return false;
    *show_help_of_command = argc > 1;
    if (argc <= 1)
        print_help();
    return argc <= 1;
}

static bool asks_for_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

/* Finds the command and runs it. */
static bool run(int argc, char **argv, bool show_help, struct error *error)
{
    int words;
    const struct command *command = find_command(argc, argv, &words);
    if (command == NULL && is_group(argv[0]) && (show_help ? argc == 1 : asks_for_help(argc, argv))) {
        print_group(argv[0]);
        return true;
    }
    if (command == NULL)
        return unknown_command(argc, argv, error);
    if (show_help) {
        char *ask[] = { argv[words - 1], "--help", NULL };
        return command->run(command, 2, ask, error);
    }
    bool ok = command->run(command, argc - words + 1, argv + words - 1, error);
    if (!ok && error->kind == ERROR_NONE)
        error_set(error, ERROR_FAILED, "BUG: %s failed without saying why", command->name);
    return ok;
}

/* Files of kstar are for its owner and group only, whatever the umask; a stricter umask stays. The
 * memory holds bills and perhaps a password, so kstar makes no core dump, and no other process of
 * the same user can read its memory. The programs that it starts are dumpable again. */
static void keep_to_ourselves(void)
{
    umask(umask(S_IRWXO | S_IWGRP) | S_IRWXO | S_IWGRP);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* If one of the three standard files is closed at the start, the next file or connection would get
 * its number, and output would go there, perhaps to the server. So closed ones are opened, but for
 * reading: writing to them is still an error. */
static void keep_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

int main(int argc, char **argv)
{
    struct error error = { 0 };
    bool show_help = false;
    keep_standard_streams();
    keep_to_ourselves();
    (void)setvbuf(stderr, NULL, _IOLBF, 0);
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* a large array that grows leaves no hole in the heap */
    signal(SIGXFSZ, SIG_IGN);           /* then a write beyond the size limit fails with an error */
    interrupt_prepare();
    argc--, argv++;
    bool ok =
        answered_here(argc, argv, &show_help) || run(argc - show_help, argv + show_help, show_help, &error);
    if (ok && (fflush(stdout) != 0 || ferror(stdout)))
        ok = error_set_errno(&error, "standard output");
    interrupt_wait();
    if (!ok)
        connect_explain(&error);
    run_end(&error);
    if (!ok)
        print_error(&error);
    return (int)error.kind;
}

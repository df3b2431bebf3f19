/* base/options.c: see options.h.
 *
 * The table of common options follows that of the command. getopt_long gets both as one list, in
 * which `val` is the place of the entry. Complaints are collected into one error at the end.
 */
#include "base/options.h"

#include "base/log.h"
#include "base/progress.h"
#include "base/time_text.h"
#include "base/utf8.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `val` of entry i is FIRST_VALUE + i, which is no character */
enum { MAXIMUM_OPTIONS = 64, FIRST_VALUE = 1000 };

struct complaints {
    char text[900];
    size_t used;
};

static void complain(struct complaints *complaints, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct complaints *complaints, const char *format, ...)
{
    char *end = complaints->text + complaints->used;
    size_t room = sizeof complaints->text - complaints->used;
    int separator = snprintf(end, room, "%s", complaints->used > 0 ? "; " : "");
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(end + separator, room - (size_t)separator, format, arguments);
    va_end(arguments);
    complaints->used += (size_t)(separator + written);
    if (complaints->used > sizeof complaints->text - 4) /* full: further ones would be similar */
        complaints->used = sizeof complaints->text - 4;
}

static void set_number(const struct option_entry *entry, const char *text, struct complaints *complaints)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number))
        complain(complaints, "--%s \"%s\" is not a number", entry->name, text);
    else
        *(double *)entry->value = number;
}

static void set_count(const struct option_entry *entry, const char *text, struct complaints *complaints)
{
    char *end;
    const int least = entry->type == OPTION_PLACE ? 1 : 0;
    errno = 0;
    long count = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || count < least || count > INT_MAX)
        complain(complaints, "--%s \"%s\" is not a whole number from %d", entry->name, text, least);
    else
        *(int *)entry->value = (int)count;
}

static void set_text(const struct option_entry *entry, const char *text, struct complaints *complaints)
{
    time_us ignored;
    if (entry->type == OPTION_PERIOD && !period_parse(text, &ignored))
        complain(complaints, "--%s \"%s\" is not a month (YYYY-MM)", entry->name, text);
    else if (entry->type == OPTION_TIME && !time_parse(text, strlen(text), &ignored))
        complain(complaints, "--%s \"%s\" is not a time (YYYY-MM-DD[THH:MM[:SS]Z])", entry->name, text);
    else
        *(const char **)entry->value = text;
}

static void add_text(const struct option_entry *entry, const char *text, struct complaints *complaints)
{
    struct option_list *list = entry->value;
    if (list->count == OPTION_LIST_LONGEST)
        complain(complaints, "--%s is given more than %d times", entry->name, OPTION_LIST_LONGEST);
    else
        list->values[list->count++] = text;
}

/* Whether a value is blank, as an unset variable of a script is. A blank folder would be the
 * current one, and a blank command would do nothing. */
static bool says_nothing(enum option_type type, const char *text)
{
    bool is_text = type == OPTION_TEXT || type == OPTION_LIST;
    return is_text ? text[strspn(text, " \t\n")] == '\0' : type == OPTION_DELIMITER && text[0] == '\0';
}

/* The database takes UTF-8 alone. The value itself is shown as '?' on a terminal. */
static bool is_text(const char *text)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    return utf8_valid_prefix(text, length) == length;
}

static void set_value(const struct option_entry *entry, const char *text, struct complaints *complaints)
{
    if (!is_text(text)) {
        complain(complaints, "--%s \"%s\" is not UTF-8", entry->name, text);
        return;
    }
    if (says_nothing(entry->type, text)) {
        complain(complaints, "--%s is empty", entry->name);
        return;
    }
    switch (entry->type) {
    case OPTION_FLAG:
        *(bool *)entry->value = true;
        break;
    case OPTION_NUMBER:
        set_number(entry, text, complaints);
        break;
    case OPTION_COUNT:
    case OPTION_PLACE:
        set_count(entry, text, complaints);
        break;
    case OPTION_LIST:
        add_text(entry, text, complaints);
        break;
    case OPTION_TEXT:
    case OPTION_DELIMITER:
    case OPTION_PERIOD:
    case OPTION_TIME:
        set_text(entry, text, complaints);
        break;
    }
}

static void print_entries(const char *title, const struct option_entry *entries)
{
    if (entries == NULL || entries->name == NULL)
        return;
    printf("\n%s:\n", title);
    for (const struct option_entry *entry = entries; entry->name != NULL; entry++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", entry->name, entry->argument ? " " : "",
                 entry->argument ? entry->argument : "");
        printf("  %-26s %s\n", left, entry->help);
    }
}

static void print_help(const struct command *command, const struct option_entry *own,
                       const struct option_entry *common)
{
    printf("%s: %s\n\nusage: %s\n", command->name, command->summary, command->usage);
    if (command->description != NULL)
        printf("\n%s\n", command->description);
    print_entries("options", own);
    print_entries("common options", common);
    printf("\nexamples:\n");
    for (const char *line = command->examples; *line != '\0'; line += *line == '\n') {
        int length = (int)strcspn(line, "\n");
        printf("  %.*s\n", length, line);
        line += length;
    }
}

/* Copies the entries of `table` behind the first `count`; returns the new count. */
static int add_entries(const struct option_entry *table, const struct option_entry **all,
                       struct option *known, int count)
{
    for (const struct option_entry *entry = table; entry != NULL && entry->name != NULL; entry++, count++) {
        if (count == MAXIMUM_OPTIONS) {
            fprintf(stderr, "BUG: more than %d options\n", MAXIMUM_OPTIONS);
            abort();
        }
        all[count] = entry;
        known[count] =
            (struct option){ entry->name, entry->type == OPTION_FLAG ? no_argument : required_argument, NULL,
                             FIRST_VALUE + count };
    }
    return count;
}

bool options_read(const struct command *command, const struct option_entry *entries, int argc, char **argv,
                  struct common_options *common, int *first_operand, struct error *error)
{
    bool help = false;
    *common = (struct common_options){ 0 };
    const struct option_entry shared[] = {
        { "dsn", OPTION_TEXT, "DSN", "the database; else PG* variables, else kstar's own PostgreSQL",
          &common->dsn },
        { "data-dir", OPTION_TEXT, "DIR", "where kstar's own PostgreSQL lives", &common->data_dir },
        { "verbose", OPTION_FLAG, NULL, "more in the log (-v)", &common->verbose },
        { "log-format", OPTION_TEXT, "FORMAT",
          "of the log: logfmt or json (default: $KSTAR_LOG_FORMAT, else logfmt)", &common->log_format },
        { "quiet", OPTION_FLAG, NULL, "warnings and errors only (-q)", &common->quiet },
        { "help", OPTION_FLAG, NULL, "this text (-h)", &help },
        { 0 },
    };
    const struct option_entry *all[MAXIMUM_OPTIONS];
    struct option known[MAXIMUM_OPTIONS + 1];
    int count = add_entries(entries, all, known, 0);
    count = add_entries(shared, all, known, count);
    known[count] = (struct option){ 0 };

    struct complaints complaints = { 0 };
    optind = 0; /* GNU: start anew */
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, ":hvq", known, NULL)) != -1;) {
        if (found >= FIRST_VALUE)
            set_value(all[found - FIRST_VALUE], optarg, &complaints);
        else if (found == 'h')
            help = true;
        else if (found == 'v')
            common->verbose = true;
        else if (found == 'q')
            common->quiet = true;
        else if (found == ':')
            complain(&complaints, "--%s needs a value", all[optopt - FIRST_VALUE]->name);
        else if (optopt >= FIRST_VALUE)
            complain(&complaints, "--%s takes no value", all[optopt - FIRST_VALUE]->name);
        else if (optopt != 0)
            complain(&complaints, "unknown option -%c", optopt);
        else
            complain(&complaints, "unknown option %s", argv[optind - 1]);
    }
    *first_operand = optind;
    if (help) {
        print_help(command, entries, shared);
        exit(fflush(stdout) == 0 ? ERROR_NONE : ERROR_FAILED);
    }
    if (common->dsn != NULL && common->data_dir != NULL)
        complain(&complaints, "--dsn and --data-dir name two databases: give one");
    const char *format = common->log_format != NULL ? common->log_format : getenv("KSTAR_LOG_FORMAT");
    if (format != NULL && format[0] != '\0' && !log_set_format(format))
        complain(&complaints, "%s \"%s\" is neither logfmt nor json",
                 common->log_format != NULL ? "--log-format" : "KSTAR_LOG_FORMAT", format);
    if (complaints.used > 0) {
        error_set(error, ERROR_USAGE, "%s: %s", command->name, complaints.text);
        error_hint(error, "kstar %s --help", command->name);
        return false;
    }
    if (common->verbose || common->quiet)
        log_set_level(common->verbose ? LOG_DEBUG : LOG_WARNING);
    if (common->quiet)
        progress_forbid();
    return true;
}

bool period_operand(const struct command *command, const char *text, struct error *error)
{
    time_us ignored;
    if (period_parse(text, &ignored))
        return true;
    error_set(error, ERROR_USAGE, "%s: \"%s\" is not a month (YYYY-MM)", command->name, text);
    error_hint(error, "kstar %s --help", command->name);
    return false;
}

bool options_read_alone(const struct command *command, const struct option_entry *entries, int argc,
                        char **argv, struct common_options *common, struct error *error)
{
    int first_operand;
    if (!options_read(command, entries, argc, argv, common, &first_operand, error))
        return false;
    if (first_operand == argc)
        return true;
    error_set(error, ERROR_USAGE, "%s: takes no operand, but got %s", command->name, argv[first_operand]);
    error_hint(error, "kstar %s --help", command->name);
    return false;
}

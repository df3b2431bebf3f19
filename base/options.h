/* base/options.h: the options of a sub-command as a table, over getopt_long.
 *
 * Every sub-command takes the common options (--help, --dsn, --data-dir, --log-format, --verbose,
 * --quiet) and its own. One loop reads all options and reports all errors together. --help
 * is made from the same table.
 *
 *     static const char *period;
 *     const struct option_entry entries[] = {
 *         { "period", OPTION_PERIOD, "YYYY-MM", "only this month", &period },
 *         { 0 },
 *     };
 *     if (!options_read(command, entries, argc, argv, &common, &first_operand, error))
 *         return false;
 *     for (int i = first_operand; i < argc; i++) … argv[i] …
 */
#ifndef KSTAR_BASE_OPTIONS_H
#define KSTAR_BASE_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum option_type {
    OPTION_FLAG,      /* bool */
    OPTION_TEXT,      /* const char *, pointing into argv, never blank */
    OPTION_DELIMITER, /* the same, but white space is allowed */
    OPTION_LIST,      /* struct option_list: may be given several times, never blank */
    OPTION_NUMBER,    /* double, finite */
    OPTION_COUNT,     /* int, at least 0 */
    /* int, at least 1: a size or number of something; 0 if not given */
    OPTION_PLACE,
    OPTION_PERIOD, /* const char *, checked to be YYYY-MM */
    OPTION_TIME,   /* const char *, checked to be a time */
};

enum { OPTION_LIST_LONGEST = 32 };

struct option_list {
    const char *values[OPTION_LIST_LONGEST]; /* pointing into argv */
    int count;
};

struct option_entry {
    const char *name; /* without dashes: "out"; NULL ends the table */
    enum option_type type;
    const char *argument; /* shown in --help: "DIR"; NULL for a flag */
    const char *help;     /* one line */
    void *value;          /* place of the value; keeps its default if the option is not given */
};

struct command {
    const char *name;        /* "ingest billing" */
    const char *summary;     /* one line for the list of commands */
    const char *usage;       /* "kstar ingest billing [options] FILE…" */
    const char *description; /* a few lines; NULL for none */
    const char *examples;    /* at least one, for --help; each line as it would be typed */
    /* Runs the command. argv[0] is its last word. On failure returns false with a filled error,
     * which main prints. To end silently with another code, returns true with that code in
     * error->kind (ERROR_ATTENTION). */
    bool (*run)(const struct command *command, int argc, char **argv, struct error *error);
};

/* The values of the common options. */
struct common_options {
    const char *dsn;      /* NULL: PG* variables, else the private cluster */
    const char *data_dir; /* NULL: the default place of the private cluster */
    /* NULL: KSTAR_LOG_FORMAT; already applied to the log, like the next two */
    const char *log_format;
    bool verbose, quiet;
};

/* Reads argv into the tables; entries may be NULL. Operands may precede options: on return,
 * argv[*first_operand] is the first operand. Everything after "--" is an operand. `--help` prints
 * and exits 0. False (ERROR_USAGE) names every wrong option, not only the first. */
bool options_read(const struct command *command, const struct option_entry *entries, int argc, char **argv,
                  struct common_options *common, int *first_operand, struct error *error);

/* The same for a command without operands: an operand is an error that names it. */
bool options_read_alone(const struct command *command, const struct option_entry *entries, int argc,
                        char **argv, struct common_options *common, struct error *error);

/* Whether an operand is a month, in the form of --period. False with ERROR_USAGE. */
bool period_operand(const struct command *command, const char *text, struct error *error);

#endif

/* options.h - the options of a command, declared once.
 *
 * A command declares a table of options and a settings struct; parsing, defaults, --help and
 * whatever else needs to know the options (completion, man pages, recorded settings) walk that
 * table. Shared groups are spliced in by an entry that points to another table:
 *
 *     struct hc_ls_settings {
 *         struct hc_common_options common; // first in every settings struct
 *         struct hc_archive_options archive;
 *     };
 *     static const struct hc_option options[] = {
 *         HC_OPTION_GROUP(struct hc_ls_settings, archive, hc_archive_options),
 *         HC_OPTION_GROUP(struct hc_ls_settings, common, hc_common_options),
 *         HC_OPTION_END,
 *     };
 */
#ifndef HC_CLI_FRAME_OPTIONS_H
#define HC_CLI_FRAME_OPTIONS_H

#include "core/base/status.h"
#include "core/base/step_ranges.h"
#include "pipeline/fleet/shard.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_MAX_OPTIONS 96 /* of a command, with those of its groups */

/* Words of a command line, which own nothing but the array. */
struct hc_words {
    size_t n, capacity;
    const char **word;
};

/* Options as they were given, in the order of the table: what a command hands on to another run. */
struct hc_given_option {
    const struct hc_option *option;
    const char *text; /* its value, in argv; NULL of a flag */
};
struct hc_given_options {
    size_t n, capacity;
    struct hc_given_option *list;
};

enum hc_option_kind {
    HC_OPTION_FLAG,    /* bool: true when given */
    HC_OPTION_TEXT,    /* const char *, into argv */
    HC_OPTION_INT,     /* int64_t within [low, high] */
    HC_OPTION_DOUBLE,  /* double within [low, high] */
    HC_OPTION_SHARE,   /* double within [0, 1], as 0.01 or 1% */
    HC_OPTION_CHOICE,  /* int: place of the word in choices */
    HC_OPTION_LIST,    /* struct hc_words: one word each time the option is given */
    HC_OPTION_RANGES,  /* struct hc_step_ranges */
    HC_OPTION_FILE,    /* const char *, into argv: a file to write; "-" is standard output */
    HC_OPTION_DIR,     /* const char *: a directory to write to, with or without a last '/' */
    HC_OPTION_PATH,    /* const char *: a file to write, or a directory; see help */
    HC_OPTION_CALLBACK /* whatever parse does with it */
};

struct hc_option {
    const char *name; /* long name without dashes; NULL for a group and for the end */
    char letter;      /* short name, or 0 */
    enum hc_option_kind kind : 8;
    uint32_t target;      /* offset into the settings (of a group: of its struct) */
    const char *argument; /* "FILE": what the help calls the value; NULL for flags */
    const char *value;    /* default, parsed like a given one and shown by the help; or NULL */
    const char *unset; /* what applies without it, for the help, when there is no value; or NULL */
    const char *help;  /* one sentence without a full stop */
    const char *hint;  /* "give '-' to ...": ends the message on a value that is missing or is not a
                          directory; or NULL */
    union {            /* by kind */
        struct {
            double low, high; /* HC_OPTION_INT, HC_OPTION_DOUBLE */
        };
        const char *const *choices; /* HC_OPTION_CHOICE: ends in NULL */
        /* HC_OPTION_CALLBACK: put text into target. The message of a failure is about the value
         * alone; the name of the option is put in front of it. */
        enum hc_status (*parse)(const char *text, void *target, struct hc_error *err);
        const struct hc_option *group; /* without a name: options spliced in here; NULL: the end */
    };
};

#define HC_OPTION_END                                                                              \
    {                                                                                              \
        .name = NULL, .group = NULL                                                                \
    }
/* Splice in the options of table, whose targets are within the struct that member is. */
#define HC_OPTION_GROUP(settings, member, table)                                                   \
    {                                                                                              \
        .group = (table), .target = offsetof(settings, member)                                     \
    }

/* A positional argument. */
struct hc_positional {
    const char *name; /* "FILE"; NULL ends the list */
    const char *help;
    size_t least, most; /* how many; most 0: any number */
};

/* ---- the shared groups ---- */

/* What every command takes; first member of every settings struct. */
struct hc_common_options {
    bool help, quiet, json;
    int64_t threads;                      /* 0: as OpenMP decides */
    const char *output;                   /* "-" is standard output */
    const struct hc_given_options *given; /* what the command line says, while the command runs */
};
extern const struct hc_option hc_common_options[];
/* The common options without --json, which is the first of them: for commands that write no JSON.
 */
#define hc_plain_options (hc_common_options + 1)
/* Without --json and --output, the first two: for commands that write to a directory. */
#define hc_silent_options (hc_common_options + 2)

struct hc_archive_options {
    const char *path; /* NULL: see hc_archive_path */
    /* Of the reports of records, whose options are hc_record_archive_options. */
    bool no_cache;
    struct hc_shard shard;
    /* Of the commands that write an archive, whose options are hc_written_archive_options. */
    struct hc_lock_timeout {
        bool is_given;
        double s;
    } lock_timeout;
};
extern const struct hc_option hc_archive_options[];
/* The same with --lock-timeout, which hc_command_run applies. */
extern const struct hc_option hc_written_archive_options[];
/* The same with --shard and --no-cache, which a command need not look at: whoever runs it does, as
 * cli/frame/command_run.h says. For the reports that scan records. */
extern const struct hc_option hc_record_archive_options[];
/* Whether an option is one of those that it has besides. */
bool hc_is_record_option(const struct hc_option *option);

/* The option of the lock among hc_written_archive_options. */
bool hc_is_lock_option(const struct hc_option *option);

/* The archive that was named: -a, else HINDCAST_ARCHIVE, else ./hindcast-archive. */
const char *hc_archive_path(const struct hc_archive_options *options);

/* ---- walking and parsing ---- */

/* An option of a command, groups resolved: its target is at settings + offset. */
struct hc_option_place {
    const struct hc_option *option;
    size_t offset;
};

/* The options of a table with those of its groups, in order; returns their number. */
size_t hc_options_flatten(const struct hc_option *options,
                          struct hc_option_place places[HC_MAX_OPTIONS]);

/* Parse argv[1..] (argv[0] is passed over) into settings, which is zeroed memory, after putting the
 * defaults there. What is no option ends in words. argv is reordered. HC_USAGE names the option and
 * value. Release with hc_options_release whatever the result. */
enum hc_status hc_options_parse(const struct hc_option *options, int argc, char **argv,
                                void *settings, struct hc_words *words, struct hc_error *err);

/* The options that argv gives, once or more often each, of which hc_options_parse said that they
 * are right. To be freed: list->list. */
enum hc_status hc_options_given(const struct hc_option *options, int argc, char **argv,
                                struct hc_given_options *list, struct hc_error *err);

/* HC_USAGE unless the number of words fits the positional arguments. */
enum hc_status hc_positionals_check(const struct hc_positional *positionals,
                                    const struct hc_words *words, struct hc_error *err);

/* Free what parsing put into settings and words. */
void hc_options_release(const struct hc_option *options, void *settings, struct hc_words *words);

enum hc_status hc_words_add(struct hc_words *words, const char *word, struct hc_error *err);

#endif

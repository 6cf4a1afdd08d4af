#include "cli/frame/options.h"

#include "core/base/memory.h"
#include "core/base/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_THREADS    4096
#define MOST_TIMEOUT_S 100000000

const struct hc_option hc_common_options[] = {
    {.name = "json",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_common_options, json),
     .help = "write the result as JSON"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_FILE,
     .argument = "FILE",
     .target = offsetof(struct hc_common_options, output),
     .value = "-",
     .help = "write the result to FILE, whole or not at all; '-' is standard output"},
    {.name = "threads",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_common_options, threads),
     .unset = "one per core where there is work for them",
     .low = 1,
     .high = MAX_THREADS,
     .help = "use N threads; results do not depend on it"},
    {.name = "quiet",
     .letter = 'q',
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_common_options, quiet),
     .help = "no progress and no notes on standard error; errors are still printed"},
    {.name = "help",
     .letter = 'h',
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_common_options, help),
     .help = "print this help"},
    HC_OPTION_END,
};

const struct hc_option hc_archive_options[] = {
    {.name = "archive",
     .letter = 'a',
     .kind = HC_OPTION_TEXT,
     .argument = "DIR",
     .target = offsetof(struct hc_archive_options, path),
     .unset = "$HINDCAST_ARCHIVE, else ./hindcast-archive",
     .help = "the archive"},
    HC_OPTION_END,
};

const struct hc_option hc_record_archive_options[] = {
    {.group = hc_archive_options},
    {.name = "shard",
     .kind = HC_OPTION_CALLBACK,
     .argument = "I/N",
     .target = offsetof(struct hc_archive_options, shard),
     .parse = hc_shard_parse,
     .unset = "the whole report",
     .help = "read the I-th of N parts of the records, and write what 'hindcast merge' makes the "
             "report of to -o FILE"},
    {.name = "no-cache",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_archive_options, no_cache),
     .help = "neither use nor keep in the archive what was read of its records"},
    HC_OPTION_END,
};

static enum hc_status parse_lock_timeout(const char *text, void *target, struct hc_error *err)
{
    struct hc_lock_timeout *timeout = target;
    char *end = NULL;
    timeout->is_given = true;
    timeout->s = strtod(text, &end);
    return *text && *end == '\0' && timeout->s >= 0 && timeout->s <= MOST_TIMEOUT_S
               ? HC_OK
               : hc_fail(err, HC_USAGE, "'%s' is no number of seconds from 0 to %d", text,
                         MOST_TIMEOUT_S);
}

const struct hc_option hc_written_archive_options[] = {
    {.group = hc_archive_options},
    {.name = "lock-timeout",
     .kind = HC_OPTION_CALLBACK,
     .argument = "SECONDS",
     .target = offsetof(struct hc_archive_options, lock_timeout),
     .parse = parse_lock_timeout,
     .unset = "as long as it takes",
     .help = "wait so long for another command that writes the archive, then end with exit status "
             "4"},
    HC_OPTION_END,
};

bool hc_is_lock_option(const struct hc_option *option)
{
    return option == &hc_written_archive_options[1];
}

bool hc_is_record_option(const struct hc_option *option)
{
    return option == &hc_record_archive_options[1] || option == &hc_record_archive_options[2];
}

const char *hc_archive_path(const struct hc_archive_options *options)
{
    if (options->path)
        return options->path;
    const char *path = getenv("HINDCAST_ARCHIVE");
    return path && *path ? path : "./hindcast-archive";
}

/* ---- walking ---- */

static size_t flatten(const struct hc_option *options, size_t base, size_t n,
                      struct hc_option_place places[HC_MAX_OPTIONS])
{
    for (; (options->name || options->group) && n < HC_MAX_OPTIONS; options++) {
        if (!options->name)
            n = flatten(options->group, base + options->target, n, places);
        else
            places[n++] =
                (struct hc_option_place){.option = options, .offset = base + options->target};
    }
    return n;
}

size_t hc_options_flatten(const struct hc_option *options,
                          struct hc_option_place places[HC_MAX_OPTIONS])
{
    return flatten(options, 0, 0, places);
}

/* ---- values ---- */

enum hc_status hc_words_add(struct hc_words *words, const char *word, struct hc_error *err)
{
    if (hc_reserve(&words->word, &words->capacity, words->n + 1, sizeof *words->word, err))
        return err->status;
    words->word[words->n++] = word;
    return HC_OK;
}

static enum hc_status bad_value(const struct hc_option *option, const char *text,
                                struct hc_error *err)
{
    if (option->kind == HC_OPTION_INT)
        return hc_fail(err, HC_USAGE, "'%s' is not a whole number from %.0f to %.0f", text,
                       option->low, option->high);
    return hc_fail(err, HC_USAGE, "'%s' is not a number from %g to %g", text, option->low,
                   option->high);
}

static enum hc_status set_int(const struct hc_option *option, const char *text, int64_t *target,
                              struct hc_error *err)
{
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || isspace((unsigned char)*text) ||
        (double)value < option->low || (double)value > option->high)
        return bad_value(option, text, err);
    *target = value;
    return HC_OK;
}

/* A finite decimal number that ends at *end; strtod alone would take " 1", "0x1p3" and "nan". */
static bool read_double(const char *text, double *value, char **end)
{
    if (!strchr("0123456789.+-", *text) || !*text || text[strspn(text, "+-0")] == 'x')
        return false;
    errno = 0;
    *value = strtod(text, end);
    return *end != text && isfinite(*value) && (errno == 0 || fabs(*value) < 1);
}

static enum hc_status set_double(const struct hc_option *option, const char *text, double *target,
                                 struct hc_error *err)
{
    char *end = NULL;
    double value = 0;
    if (!read_double(text, &value, &end) || *end || value < option->low || value > option->high)
        return bad_value(option, text, err);
    *target = value;
    return HC_OK;
}

static enum hc_status set_share(const char *text, double *target, struct hc_error *err)
{
    char *end = NULL;
    double value = 0;
    bool is_number = read_double(text, &value, &end);
    if (is_number && strcmp(end, "%") == 0) {
        value /= 100;
        end++;
    }
    if (!is_number || *end || value < 0 || value > 1)
        return hc_fail(err, HC_USAGE, "'%s' is not a share: give 0 to 1, or 0%% to 100%%", text);
    *target = value;
    return HC_OK;
}

static enum hc_status set_choice(const struct hc_option *option, const char *text, int *target,
                                 struct hc_error *err)
{
    char list[512] = "";
    size_t length = 0;
    for (int i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *target = i;
            return HC_OK;
        }
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "",
                                       option->choices[i]);
    }
    return hc_fail(err, HC_USAGE, "'%s' is none of: %s", text, list);
}

/* Where the value was forgotten, the next option is taken for it. */
static enum hc_status set_text(const char *text, const char **target, struct hc_error *err)
{
    if (strncmp(text, "--", 2) == 0 && text[2])
        return hc_fail(err, HC_USAGE, "'%s' looks like an option: the value is missing before it",
                       text);
    *target = text;
    return HC_OK;
}

/* Something to write to. What a forgotten value leaves in its place (the next option, or the input)
 * is refused here, before any work. */
static enum hc_status set_output(const struct hc_option *option, const char *text,
                                 const char **target, struct hc_error *err)
{
    struct stat info;
    size_t length = strlen(text);
    const char *semicolon = option->hint ? "; " : "", *hint = option->hint ? option->hint : "";
    if (length == 0)
        return hc_fail(err, HC_USAGE, "'' is no name%s%s", semicolon, hint);
    if (text[0] == '-' && length > 1)
        return hc_fail(err, HC_USAGE, "'%s' looks like an option: give './%s' if it is a name%s%s",
                       text, text, semicolon, hint);
    if (option->kind == HC_OPTION_FILE && text[length - 1] == '/')
        return hc_fail(err, HC_USAGE, "'%s' names a directory, and a file is needed%s%s", text,
                       semicolon, hint);
    if (option->kind == HC_OPTION_DIR && strcmp(text, "-") != 0 && stat(text, &info) == 0 &&
        !S_ISDIR(info.st_mode))
        return hc_fail(err, HC_USAGE, "'%s' is a file, and a directory is needed%s%s", text,
                       semicolon, hint);
    *target = text;
    return HC_OK;
}

static enum hc_status set_value(const struct hc_option *option, const char *text, void *target,
                                struct hc_error *err)
{
    switch (option->kind) {
    case HC_OPTION_FLAG:
        *(bool *)target = true;
        return HC_OK;
    case HC_OPTION_TEXT:
        return set_text(text, target, err);
    case HC_OPTION_INT:
        return set_int(option, text, target, err);
    case HC_OPTION_DOUBLE:
        return set_double(option, text, target, err);
    case HC_OPTION_SHARE:
        return set_share(text, target, err);
    case HC_OPTION_CHOICE:
        return set_choice(option, text, target, err);
    case HC_OPTION_LIST:
        return hc_words_add(target, text, err);
    case HC_OPTION_FILE:
    case HC_OPTION_DIR:
    case HC_OPTION_PATH:
        return set_output(option, text, target, err);
    case HC_OPTION_RANGES:
        return hc_step_ranges_parse(target, text, err);
    case HC_OPTION_CALLBACK:
        return option->parse(text, target, err);
    }
    return hc_fail(err, HC_INTERNAL, "option of unknown kind %d", (int)option->kind);
}

/* Put text into the target of one option, as if given on the command line. */
static enum hc_status set_option(const struct hc_option_place *place, const char *text,
                                 void *settings, struct hc_error *err)
{
    if (set_value(place->option, text, (char *)settings + place->offset, err))
        return hc_context(err, "option '--%s'", place->option->name);
    return HC_OK;
}

/* ---- the command line ---- */

#define FIRST_LONG 256 /* getopt's value of the long option of place 0: beyond any letter */

/* The tables that getopt_long wants. */
struct getopt_tables {
    struct option longs[HC_MAX_OPTIONS + 1];
    char letters[2 * HC_MAX_OPTIONS + 2];
};

static void make_tables(struct getopt_tables *tables, const struct hc_option_place *places,
                        size_t n)
{
    memset(tables, 0, sizeof *tables);
    char *letter = tables->letters;
    *letter++ = ':'; /* tells a missing value from an unknown option */
    for (size_t i = 0; i < n; i++) {
        const struct hc_option *option = places[i].option;
        bool takes_value = option->kind != HC_OPTION_FLAG;
        tables->longs[i] = (struct option){
            option->name, takes_value ? required_argument : no_argument, NULL, FIRST_LONG + (int)i};
        if (!option->letter)
            continue;
        *letter++ = option->letter;
        if (takes_value)
            *letter++ = ':';
    }
}

/* Words that other tools have for options of ours. */
static const struct {
    const char *word, *option;
} other_words[] = {
    {"out", "output"},       {"outfile", "output"}, {"output-file", "output"},
    {"format", "as"},        {"format", "json"},    {"archive-dir", "archive"},
    {"db", "archive"},       {"dir", "archive"},    {"silent", "quiet"},
    {"jobs", "threads"},     {"cores", "threads"},  {"parallel", "threads"},
    {"since", "from"},       {"start", "from"},     {"until", "to"},
    {"end", "to"},           {"filter", "where"},   {"group", "group-by"},
    {"sort", "order"},       {"order-by", "order"}, {"sort", "by"},
    {"older-than", "older"}, {"n", "limit"},        {"head", "limit"},
    {"top", "limit"},        {"override", "set"},   {"param", "set"},
    {"runs", "replicas"},    {"page", "html"},      {"report", "html"},
    {"plots", "figures"},    {"plot", "figures"},   {"charts", "figures"},
    {"warn", "fail-on"},     {"assert", "fail-on"}, {"metadata", "meta"},
    {"timezone", "zone"},    {"tz", "zone"},        {"name", "cluster"},
};

static bool has_option(const struct hc_option_place *places, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(places[i].option->name, name) == 0)
            return true;
    return false;
}

/* The option that an unknown one (length letters) may have meant, or NULL. */
static const char *guess_option(const char *word, size_t length,
                                const struct hc_option_place *places, size_t n)
{
    const char *names[HC_MAX_OPTIONS];
    for (size_t i = 0; i < n; i++)
        names[i] = places[i].option->name;
    const char *nearest = hc_nearest(word, length, names, n);
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words && !nearest; i++)
        if (strncmp(other_words[i].word, word, length) == 0 && !other_words[i].word[length] &&
            has_option(places, n, other_words[i].option))
            nearest = other_words[i].option;
    return nearest;
}

static enum hc_status unknown_letter(char letter, const struct hc_option_place *places, size_t n,
                                     struct hc_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (places[i].option->name[0] == letter)
            return hc_fail(err, HC_USAGE, "unknown option '-%c' (did you mean '--%s'?)", letter,
                           places[i].option->name);
    return hc_fail(err, HC_USAGE, "unknown option '-%c'", letter);
}

static enum hc_status unknown_option(const char *word, const struct hc_option_place *places,
                                     size_t n, struct hc_error *err)
{
    if (strncmp(word, "--", 2) != 0)
        return unknown_letter((char)optopt, places, n, err);
    size_t length = strcspn(word + 2, "=");
    const char *guess = guess_option(word + 2, length, places, n);
    if (guess)
        return hc_fail(err, HC_USAGE, "unknown option '%.*s' (did you mean '--%s'?)",
                       (int)(length + 2), word, guess);
    return hc_fail(err, HC_USAGE, "unknown option '%.*s'", (int)(length + 2), word);
}

static const struct hc_option_place *find_place(int code, const struct hc_option_place *places,
                                                size_t n)
{
    if (code >= FIRST_LONG)
        return &places[code - FIRST_LONG];
    for (size_t i = 0; i < n; i++)
        if (places[i].option->letter == code)
            return &places[i];
    return NULL;
}

/* What getopt_long did not take: word is the argument it stands in. */
static enum hc_status refused(int code, const char *word, const struct hc_option_place *places,
                              size_t n, struct hc_error *err)
{
    if (code == ':') {
        const struct hc_option_place *place = find_place(optopt, places, n);
        const char *hint = place ? place->option->hint : NULL;
        return hc_fail(err, HC_USAGE, "option '%s' needs a value, %s%s%s", word,
                       place ? place->option->argument : "VALUE", hint ? "; " : "",
                       hint ? hint : "");
    }
    if (optopt >= FIRST_LONG)
        return hc_fail(err, HC_USAGE, "option '--%s' takes no value",
                       places[optopt - FIRST_LONG].option->name);
    return unknown_option(word, places, n, err);
}

static enum hc_status set_defaults(const struct hc_option_place *places, size_t n, void *settings,
                                   struct hc_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (places[i].option->value &&
            set_option(&places[i], places[i].option->value, settings, err))
            return err->status;
    return HC_OK;
}

/* Take one option of a command line after the other; optind is then the first word behind them. */
typedef enum hc_status take_option(const struct hc_option_place *place, const char *text,
                                   void *context, struct hc_error *err);

static enum hc_status walk_line(const struct hc_option *options, int argc, char **argv,
                                take_option *take, void *context, struct hc_error *err)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(options, places);
    struct getopt_tables tables;
    make_tables(&tables, places, n);
    optind = 0; /* glibc: start anew */
    opterr = 0;
    for (;;) {
        int before = optind ? optind : 1;
        optopt = 0;
        int code = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
        if (code == -1)
            return HC_OK;
        if (code == '?' || code == ':')
            return refused(code, argv[optind > before ? optind - 1 : before], places, n, err);
        if (take(find_place(code, places, n), optarg, context, err))
            return err->status;
    }
}

enum hc_status hc_options_parse(const struct hc_option *options, int argc, char **argv,
                                void *settings, struct hc_words *words, struct hc_error *err)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(options, places);
    if (set_defaults(places, n, settings, err) ||
        walk_line(options, argc, argv, set_option, settings, err))
        return err->status;
    for (int i = optind; i < argc; i++)
        if (hc_words_add(words, argv[i], err))
            return err->status;
    return HC_OK;
}

struct listing {
    struct hc_given_options *list;
    const struct hc_option *wanted;
};

static enum hc_status list_option(const struct hc_option_place *place, const char *text,
                                  void *context, struct hc_error *err)
{
    struct listing *listing = context;
    struct hc_given_options *list = listing->list;
    if (place->option != listing->wanted)
        return HC_OK;
    if (hc_reserve(&list->list, &list->capacity, list->n + 1, sizeof *list->list, err))
        return err->status;
    list->list[list->n++] = (struct hc_given_option){
        place->option, place->option->kind == HC_OPTION_FLAG ? NULL : text};
    return HC_OK;
}

enum hc_status hc_options_given(const struct hc_option *options, int argc, char **argv,
                                struct hc_given_options *list, struct hc_error *err)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(options, places);
    for (size_t i = 0; i < n; i++)
        if (walk_line(options, argc, argv, list_option, &(struct listing){list, places[i].option},
                      err))
            return err->status;
    return HC_OK;
}

enum hc_status hc_positionals_check(const struct hc_positional *positionals,
                                    const struct hc_words *words, struct hc_error *err)
{
    size_t most = 0, least = 0;
    for (; positionals && positionals->name; positionals++) {
        least += positionals->least;
        if (words->n < least)
            return hc_fail(err, HC_USAGE, "%s is missing", positionals->name);
        most = positionals->most && most != SIZE_MAX ? most + positionals->most : SIZE_MAX;
    }
    if (words->n > most && most == 0)
        return hc_fail(err, HC_USAGE, "unexpected argument '%s': the command takes none",
                       words->word[most]);
    if (words->n > most)
        return hc_fail(err, HC_USAGE, "unexpected argument '%s': the command takes %s%zu",
                       words->word[most], most == least ? "" : "at most ", most);
    return HC_OK;
}

void hc_options_release(const struct hc_option *options, void *settings, struct hc_words *words)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(options, places);
    for (size_t i = 0; i < n; i++) {
        void *target = (char *)settings + places[i].offset;
        if (places[i].option->kind == HC_OPTION_LIST)
            free(((struct hc_words *)target)->word);
        if (places[i].option->kind == HC_OPTION_RANGES)
            hc_step_ranges_fini(target);
    }
    free(words->word);
}

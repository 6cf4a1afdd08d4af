/* The option tables: parsing of every kind of value, and what every command must declare. */
#include "cli/command_table.h"
#include "cli/frame/command_guess.h"
#include "cli/frame/options.h"
#include "cli/manual/help.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *const fruits[] = {"apple", "pear", NULL};

static enum hc_status parse_length(const char *text, void *target, struct hc_error *err)
{
    if (!*text)
        return hc_fail(err, HC_USAGE, "'' is empty");
    *(size_t *)target = strlen(text);
    return HC_OK;
}

struct inner {
    const char *text;
    struct hc_words list;
};

struct settings {
    struct hc_common_options common;
    bool flag;
    int64_t number;
    double real, share;
    int fruit;
    struct inner inner;
    struct hc_step_ranges ranges;
    size_t length;
};

static const struct hc_option inner_options[] = {
    {.name = "text",
     .letter = 't',
     .kind = HC_OPTION_TEXT,
     .argument = "TEXT",
     .target = offsetof(struct inner, text)},
    {.name = "list",
     .kind = HC_OPTION_LIST,
     .argument = "WORD",
     .target = offsetof(struct inner, list)},
    HC_OPTION_END,
};

#define AT(member) .target = offsetof(struct settings, member)
static const struct hc_option options[] = {
    {.name = "flag", .letter = 'f', .kind = HC_OPTION_FLAG, AT(flag)},
    {.name = "number",
     .letter = 'n',
     .kind = HC_OPTION_INT,
     .argument = "N",
     AT(number),
     .low = -5,
     .high = 5,
     .value = "3"},
    {.name = "real", .kind = HC_OPTION_DOUBLE, .argument = "X", AT(real), .low = -1, .high = 2.5},
    {.name = "share", .kind = HC_OPTION_SHARE, .argument = "SHARE", AT(share), .value = "1%"},
    {.name = "fruit",
     .kind = HC_OPTION_CHOICE,
     .argument = "FRUIT",
     AT(fruit),
     .choices = fruits,
     .value = "pear"},
    HC_OPTION_GROUP(struct settings, inner, inner_options),
    {.name = "ranges", .kind = HC_OPTION_RANGES, .argument = "LIST", AT(ranges)},
    {.name = "length",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TEXT",
     AT(length),
     .parse = parse_length},
    HC_OPTION_GROUP(struct settings, common, hc_common_options),
    HC_OPTION_END,
};

#define MAX_WORDS 32

/* A command line being parsed: "cmd", then the words of line, split at single spaces; '_' stands
 * for an empty word. */
struct parsed {
    char line[256];
    char *argv[MAX_WORDS];
    struct settings settings;
    struct hc_words words;
    struct hc_error err;
    enum hc_status status;
};

static void parse(struct parsed *parsed, const char *line)
{
    memset(parsed, 0, sizeof *parsed);
    int argc = 0;
    snprintf(parsed->line, sizeof parsed->line, "%s", line);
    static char command[] = "cmd";
    parsed->argv[argc++] = command;
    for (char *word = strtok(parsed->line, " "); word; word = strtok(NULL, " ")) {
        ck_assert_int_lt(argc, MAX_WORDS - 1);
        parsed->argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
    }
    parsed->status = hc_options_parse(options, argc, parsed->argv, &parsed->settings,
                                      &parsed->words, &parsed->err);
}

static void release(struct parsed *parsed)
{
    hc_options_release(options, &parsed->settings, &parsed->words);
}

START_TEST(defaults_are_parsed_like_values)
{
    struct parsed p;
    parse(&p, "");
    ck_assert_int_eq(p.status, HC_OK);
    ck_assert_int_eq(p.settings.number, 3);
    ck_assert_double_eq(p.settings.share, 0.01);
    ck_assert_int_eq(p.settings.fruit, 1);
    ck_assert_str_eq(p.settings.common.output, "-");
    ck_assert_ptr_null(p.settings.inner.text);
    ck_assert(!p.settings.flag);
    release(&p);
}
END_TEST

START_TEST(every_kind_takes_its_value)
{
    struct parsed p;
    parse(&p, "-f -n -5 --real=2.5 --share 12.5% --fruit apple -tx --list a --list=b,c "
              "--ranges 12,20-23,0 --length four file --threads 2 - -- --flag");
    ck_assert_msg(p.status == HC_OK, "%s", p.err.message);
    ck_assert(p.settings.flag);
    ck_assert_int_eq(p.settings.number, -5);
    ck_assert_double_eq(p.settings.real, 2.5);
    ck_assert_double_eq(p.settings.share, 0.125);
    ck_assert_int_eq(p.settings.fruit, 0);
    ck_assert_str_eq(p.settings.inner.text, "x");
    ck_assert_uint_eq(p.settings.inner.list.n, 2);
    ck_assert_str_eq(p.settings.inner.list.word[1], "b,c");
    ck_assert_uint_eq(p.settings.ranges.n, 3);
    ck_assert_int_eq(p.settings.ranges.range[0][1], 12);
    ck_assert_int_eq(p.settings.ranges.range[1][0], 20);
    ck_assert_int_eq(p.settings.ranges.range[1][1], 23);
    ck_assert_int_eq(p.settings.ranges.range[2][0], 0);
    ck_assert_str_eq(p.settings.ranges.text, "12,20-23,0");
    ck_assert_uint_eq(p.settings.length, 4);
    ck_assert_int_eq(p.settings.common.threads, 2);
    ck_assert_uint_eq(p.words.n, 3);
    ck_assert_str_eq(p.words.word[0], "file");
    ck_assert_str_eq(p.words.word[1], "-");
    ck_assert_str_eq(p.words.word[2], "--flag");
    release(&p);
}
END_TEST

START_TEST(the_last_value_counts)
{
    struct parsed p;
    parse(&p, "-n 1 --number=2 --ranges 1,2,3 --ranges 7");
    ck_assert_int_eq(p.settings.number, 2);
    ck_assert_uint_eq(p.settings.ranges.n, 1);
    ck_assert_int_eq(p.settings.ranges.range[0][0], 7);
    release(&p);
}
END_TEST

static const struct {
    const char *line, *message; /* message: a part of it */
} wrong[] = {
    {"-n 6", "option '--number': '6' is not a whole number from -5 to 5"},
    {"-n 1.0", "'1.0' is not a whole number"},
    {"-n _", "'' is not a whole number"},
    {"-n 99999999999999999999", "is not a whole number"},
    {"--real nan", "'nan' is not a number from -1 to 2.5"},
    {"--real inf", "'inf' is not a number"},
    {"--real 1e999", "'1e999' is not a number"},
    {"--real 0x1", "'0x1' is not a number"},
    {"--real 2.6", "'2.6' is not a number"},
    {"--real 1x", "'1x' is not a number"},
    {"--real _", "'' is not a number"},
    {"--share 1.01", "'1.01' is not a share"},
    {"--share 1%%", "'1%%' is not a share"},
    {"--share -0.1", "'-0.1' is not a share"},
    {"--fruit plum", "'plum' is none of: apple, pear"},
    {"--ranges _", "'' is not a list like 12,20-23"},
    {"--ranges 1,", "'1,' is not a list"},
    {"--ranges 5-4", "'5-4' is not a list"},
    {"--ranges 1-2-3", "'1-2-3' is not a list"},
    {"--ranges +1", "'+1' is not a list"},
    {"--ranges 2147483648", "is not a list"},
    {"--length _", "option '--length': '' is empty"},
    {"--numbr 3", "unknown option '--numbr' (did you mean '--number'?)"},
    {"--numbr=3", "unknown option '--numbr' (did you mean '--number'?)"},
    {"-fz", "unknown option '-z'"},
    {"-j", "unknown option '-j' (did you mean '--json'?)"},
    {"--out-file x", "unknown option '--out-file'"},
    {"--outfile x", "unknown option '--outfile' (did you mean '--output'?)"},
    {"--cores 2", "unknown option '--cores' (did you mean '--threads'?)"},
    {"--text --json", "'--json' looks like an option: the value is missing before it"},
    {"-z", "unknown option '-z'"},
    {"--flag=1", "option '--flag' takes no value"},
    {"--number", "option '--number' needs a value, N"},
    {"-fn", "needs a value"},
};

START_TEST(wrong_values_are_named)
{
    struct parsed p;
    parse(&p, wrong[_i].line);
    ck_assert_int_eq(p.status, HC_USAGE);
    ck_assert_msg(strstr(p.err.message, wrong[_i].message) != NULL, "'%s' lacks '%s'",
                  p.err.message, wrong[_i].message);
    release(&p);
}
END_TEST

START_TEST(positionals_are_counted)
{
    static const struct hc_positional two[] = {
        {"FROM", "", 1, 1}, {"TO", "", 0, 1}, {NULL, NULL, 0, 0}};
    static const struct hc_positional many[] = {{"FILE", "", 1, 0}, {NULL, NULL, 0, 0}};
    const char *text[] = {"a", "b", "c"};
    struct hc_words words = {.n = 3, .word = text};
    struct hc_error err;
    ck_assert_int_eq(hc_positionals_check(many, &words, &err), HC_OK);
    ck_assert_int_eq(hc_positionals_check(two, &words, &err), HC_USAGE);
    ck_assert_str_eq(err.message, "unexpected argument 'c': the command takes at most 2");
    ck_assert_int_eq(hc_positionals_check(NULL, &words, &err), HC_USAGE);
    words.n = 0;
    ck_assert_int_eq(hc_positionals_check(NULL, &words, &err), HC_OK);
    ck_assert_int_eq(hc_positionals_check(two, &words, &err), HC_USAGE);
    ck_assert_str_eq(err.message, "FROM is missing");
}
END_TEST

/* ---- what every command declares ---- */

START_TEST(options_are_declared_well)
{
    for (size_t c = 0; hc_commands[c]; c++) {
        struct hc_option_place places[HC_MAX_OPTIONS];
        size_t n = hc_options_flatten(hc_commands[c]->options, places);
        ck_assert_uint_lt(n, HC_MAX_OPTIONS); /* else some may have been cut off */
        size_t n_common = 0;
        for (size_t i = 0; i < n; i++) {
            const struct hc_option *option = places[i].option;
            n_common += strcmp(option->name, "help") == 0 && places[i].offset == 0;
            size_t length = option->help ? strlen(option->help) : 0;
            ck_assert_msg(length > 0 && option->help[length - 1] != '.',
                          "the help of --%s of %s must be a sentence without full stop",
                          option->name, hc_commands[c]->name);
            ck_assert_uint_lt(places[i].offset, hc_commands[c]->settings_size);
            ck_assert((option->kind == HC_OPTION_FLAG) == (option->argument == NULL));
            bool has_limits = option->kind == HC_OPTION_INT || option->kind == HC_OPTION_DOUBLE;
            bool has_more = option->kind == HC_OPTION_CHOICE || option->kind == HC_OPTION_CALLBACK;
            ck_assert(has_limits ? option->low < option->high
                                 : has_more == (option->choices != NULL));
            for (size_t j = 0; j < i; j++) {
                ck_assert_str_ne(option->name, places[j].option->name);
                ck_assert(!option->letter || option->letter != places[j].option->letter);
                ck_assert_uint_ne(places[i].offset, places[j].offset);
            }
        }
        ck_assert_msg(n_common == 1, "%s lacks the common options", hc_commands[c]->name);
    }
}
END_TEST

START_TEST(help_fits_a_terminal)
{
    for (size_t c = 0; hc_commands[c]; c++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        hc_help_command(stream, hc_commands[c]);
        fclose(stream);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            ck_assert_msg(strlen(line) <= 80, "%s: '%s'", hc_commands[c]->name, line);
            ck_assert_msg(line[strlen(line) - 1] != ' ', "%s: '%s'", hc_commands[c]->name, line);
        }
        free(text);
    }
}
END_TEST

/* The words of an example after its last pipe. */
static int split_example(char *example, char *argv[MAX_WORDS])
{
    char *pipe = strrchr(example, '|');
    int argc = 0;
    for (char *word = strtok(pipe ? pipe + 1 : example, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

/* ---- conventions of every command (docs/command-line.md) ---- */

/* What an option of this name is, in whichever command it is. */
static const struct convention {
    const char *name;
    char letter;
    enum hc_option_kind kind;
    const char *argument; /* or, ending in '*', how it begins */
} conventions[] = {
    {"json", 0, HC_OPTION_FLAG, NULL},
    {"output", 'o', HC_OPTION_FILE, "FILE"},
    {"output", 'o', HC_OPTION_PATH, "FILE|DIR*"}, /* where a directory is possible */
    {"output", 'o', HC_OPTION_DIR, "DIR"},        /* where nothing else is: synth kineto */
    {"csv", 0, HC_OPTION_DIR, "DIR"},
    {"html", 0, HC_OPTION_PATH, "FILE|DIR"},
    {"figures", 0, HC_OPTION_DIR, "DIR"},
    {"fail-on", 0, HC_OPTION_LIST, "CONDITION"},
    {"archive", 'a', HC_OPTION_TEXT, "DIR"},
    {"since", 0, HC_OPTION_CALLBACK, "DATE"},
    {"until", 0, HC_OPTION_CALLBACK, "DATE"},
    {"threads", 0, HC_OPTION_INT, "N"},
    {"quiet", 'q', HC_OPTION_FLAG, NULL},
    {"help", 'h', HC_OPTION_FLAG, NULL},
};

static bool fits(const struct hc_option *option, const struct convention *c)
{
    if (option->letter != c->letter || option->kind != c->kind ||
        (option->argument != NULL) != (c->argument != NULL))
        return false;
    size_t length = c->argument ? strcspn(c->argument, "*") : 0;
    return !c->argument || (c->argument[length] ? strncmp(option->argument, c->argument, length)
                                                : strcmp(option->argument, c->argument)) == 0;
}

static void check_convention(const struct hc_command *command, const struct hc_option *option)
{
    bool is_known = false, is_kept = false, has_letter = false;
    for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++) {
        bool is_named = strcmp(conventions[i].name, option->name) == 0;
        is_known |= is_named;
        is_kept |= is_named && fits(option, &conventions[i]);
        has_letter |= !is_named && option->letter && option->letter == conventions[i].letter;
    }
    ck_assert_msg(is_known == is_kept, "--%s of %s is not what it is elsewhere", option->name,
                  command->name);
    ck_assert_msg(!has_letter || is_known, "-%c of %s is another option elsewhere", option->letter,
                  command->name);
    /* What is written says so by its kind; and only it. */
    bool writes = option->kind == HC_OPTION_FILE || option->kind == HC_OPTION_DIR ||
                  option->kind == HC_OPTION_PATH;
    if (writes && option->kind != HC_OPTION_PATH)
        ck_assert_str_eq(option->argument, option->kind == HC_OPTION_DIR ? "DIR" : "FILE");
    if (!writes && option->argument && strcmp(option->name, "archive") != 0)
        ck_assert_msg(!strstr(option->argument, "DIR"), "--%s of %s writes, but is of no such kind",
                      option->name, command->name);
}

static bool has_option(const struct hc_command *command, const char *name)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    for (size_t i = 0; i < n; i++)
        if (strcmp(places[i].option->name, name) == 0)
            return true;
    return false;
}

START_TEST(options_keep_the_conventions)
{
    static const char *const reports[] = {"whatif",
                                          "compare",
                                          "merge",
                                          "report reliability",
                                          "report account",
                                          "report failures",
                                          "report capacity",
                                          "report nightly",
                                          "report findings",
                                          "report ettr",
                                          "report startup",
                                          "report run",
                                          "report job",
                                          "report node",
                                          "top lost",
                                          "simulate",
                                          "report breakdown",
                                          "report collectives",
                                          "report stragglers",
                                          "report clocks",
                                          "report path"};
    size_t n_reports = 0;
    for (size_t c = 0; hc_commands[c]; c++) {
        struct hc_option_place places[HC_MAX_OPTIONS];
        size_t n = hc_options_flatten(hc_commands[c]->options, places);
        for (size_t i = 0; i < n; i++)
            check_convention(hc_commands[c], places[i].option);
        /* A command that writes tables is a report, and has all that reports have. */
        bool is_report = false;
        for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
            is_report |= strcmp(hc_commands[c]->name, reports[i]) == 0;
        n_reports += is_report;
        /* A diagnosis writes tables too, but it says itself what is a finding. */
        bool is_diagnosis = strncmp(hc_commands[c]->name, "diagnose ", 9) == 0;
        ck_assert(!is_diagnosis ||
                  (has_option(hc_commands[c], "html") && has_option(hc_commands[c], "json") &&
                   hc_commands[c]->finding != NULL));
        ck_assert_msg(has_option(hc_commands[c], "csv") == (is_report || is_diagnosis) &&
                          has_option(hc_commands[c], "fail-on") == is_report,
                      "%s has not all options of a report", hc_commands[c]->name);
        ck_assert(!is_report ||
                  (has_option(hc_commands[c], "json") && has_option(hc_commands[c], "output") &&
                   hc_commands[c]->finding != NULL));
        ck_assert(!has_option(hc_commands[c], "figures") || is_report);
    }
    ck_assert_uint_eq(n_reports, sizeof reports / sizeof *reports);
}
END_TEST

/* Options that have the name of another one, because what they say is called so: of what synth
 * makes they are sizes ("--steps 10"), of what is read they choose ("--steps 12,20-23"); reports of
 * nights go by whole days ("--from DATE"), others by instants. No more. */
static const char *const homonyms[] = {"backtest", "by",        "from",      "nodes", "repair",
                                       "runs",     "slow-link", "slow-rank", "steps", "to"};

static bool is_homonym(const char *name)
{
    for (size_t i = 0; i < sizeof homonyms / sizeof *homonyms; i++)
        if (strcmp(homonyms[i], name) == 0)
            return true;
    return strcmp(name, "output") == 0; /* a file or a directory: conventions[] */
}

/* Such a value may be a number or a text: its argument says which. */
static bool has_parser(const struct hc_option *option)
{
    return option->kind == HC_OPTION_CALLBACK;
}

/* What an option of a name is in the first command that has it. */
struct first {
    const struct hc_option *option;
    const char *command;
};

static void compare_first(struct first *firsts, size_t *n_firsts, const struct hc_option *option,
                          const char *command)
{
    size_t i = 0;
    while (i < *n_firsts && strcmp(firsts[i].option->name, option->name) != 0)
        i++;
    if (i == *n_firsts)
        firsts[(*n_firsts)++] = (struct first){option, command};
    const struct hc_option *first = firsts[i].option;
    const char *a = first->argument ? first->argument : "";
    const char *b = option->argument ? option->argument : "";
    ck_assert_msg(is_homonym(option->name) ||
                      (first->letter == option->letter && strcmp(a, b) == 0 &&
                       (first->kind == option->kind || has_parser(first) || has_parser(option))),
                  "--%s is '%s' of %s and '%s' of %s", option->name, a, firsts[i].command, b,
                  command);
}

START_TEST(an_option_is_one_thing_in_all_commands)
{
    static struct first firsts[1024];
    size_t n_firsts = 0;
    for (size_t c = 0; hc_commands[c]; c++) {
        struct hc_option_place places[HC_MAX_OPTIONS];
        size_t n = hc_options_flatten(hc_commands[c]->options, places);
        ck_assert_uint_lt(n_firsts + n, sizeof firsts / sizeof *firsts);
        for (size_t i = 0; i < n; i++)
            compare_first(firsts, &n_firsts, places[i].option, hc_commands[c]->name);
    }
    ck_assert_uint_gt(n_firsts, 100);
}
END_TEST

/* Everybody who names a command of another tool is led to one of ours. */
static const struct {
    const char *group, *word, *guess; /* guess NULL: nobody knows */
} guesses[] = {
    {NULL, "ingset", "ingest"},
    {NULL, "list", "ls"},
    {NULL, "version", "--version"},
    {NULL, "reliability", "report reliability"},
    {NULL, "diff", "compare"},
    {NULL, "validate", "scenario check"},
    {"site", "validate", "site check"},
    {"report", "whatif", "whatif"},
    {"report", "relability", "report reliability"},
    {"archive", "remove", "archive rm"},
    {"archive", "list", "ls"},
    {NULL, "frobnicate", NULL},
    {"archive", "frobnicate", NULL},
};

START_TEST(commands_are_guessed)
{
    char guess[HC_GUESS_SIZE];
    bool is_known = hc_command_guess(guesses[_i].group, guesses[_i].word, guess);
    ck_assert_msg(is_known == (guesses[_i].guess != NULL), "%s: '%s'", guesses[_i].word, guess);
    if (is_known)
        ck_assert_str_eq(guess, guesses[_i].guess);
}
END_TEST

START_TEST(examples_parse)
{
    for (size_t c = 0; hc_commands[c]; c++) {
        const struct hc_command *command = hc_commands[c];
        ck_assert_msg(command->examples && command->examples[0], "%s has no example",
                      command->name);
        for (size_t e = 0; command->examples[e]; e++) {
            char example[256];
            char *argv[MAX_WORDS];
            int n_words = 0;
            struct hc_error err;
            struct hc_words words = {0};
            ck_assert_uint_lt(strlen(command->examples[e]), 79);
            snprintf(example, sizeof example, "%s", command->examples[e]);
            int argc = split_example(example, argv);
            ck_assert_str_eq(argv[0], "hindcast");
            ck_assert_ptr_eq(hc_command_find(argc, argv, &n_words), command);
            void *settings = calloc(1, command->settings_size);
            ck_assert_msg(hc_options_parse(command->options, argc - n_words, argv + n_words,
                                           settings, &words, &err) == HC_OK &&
                              hc_positionals_check(command->positionals, &words, &err) == HC_OK,
                          "'%s': %s", command->examples[e], err.message);
            hc_options_release(command->options, settings, &words);
            free(settings);
        }
    }
}
END_TEST

int main(void)
{
    hc_command_table_use(hc_commands);
    Suite *suite = suite_create("options");
    TCase *values = tcase_create("values");
    tcase_add_test(values, defaults_are_parsed_like_values);
    tcase_add_test(values, every_kind_takes_its_value);
    tcase_add_test(values, the_last_value_counts);
    tcase_add_loop_test(values, wrong_values_are_named, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(values, positionals_are_counted);
    suite_add_tcase(suite, values);
    TCase *commands = tcase_create("commands");
    tcase_add_test(commands, options_are_declared_well);
    tcase_add_test(commands, help_fits_a_terminal);
    tcase_add_test(commands, options_keep_the_conventions);
    tcase_add_test(commands, an_option_is_one_thing_in_all_commands);
    tcase_add_loop_test(commands, commands_are_guessed, 0, sizeof guesses / sizeof *guesses);
    tcase_add_test(commands, examples_parse);
    suite_add_tcase(suite, commands);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}

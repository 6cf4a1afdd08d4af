/* Any bytes as the command line of each command: what is accepted is within the limits that the
 * options declare, and the same when it is parsed again; what is not is a usage error with a
 * message. The options of `synth steps` are carried on to the generator; words are looked up as
 * jobs. */
#include "cli/command_table.h"
#include "cli/options/synth_options.h"
#include "pipeline/fleet/fleet_jobs.h"
#include "store/archive/archive.h"
#include "tests/fuzz/target.h"

#include <stdio.h>

#define MAX_ARGUMENTS 24

struct line {
    const struct hc_command *command;
    int argc;
    char *argv[MAX_ARGUMENTS + 1]; /* as given; parsing moves its own copy about */
};

/* A command line being parsed. */
struct parsed {
    char *argv[MAX_ARGUMENTS + 1];
    union {
        void *bytes;
        struct hc_synth_settings *synth;
    } settings;
    struct hc_words words;
    struct hc_error err;
    enum hc_status status;
};

/* ---- values ---- */

static void check_ranges(const struct hc_step_ranges *ranges)
{
    for (size_t i = 0; i < ranges->n; i++)
        require(ranges->range[i][0] >= 0 && ranges->range[i][0] <= ranges->range[i][1]);
    require(!ranges->n == !ranges->text);
}

/* Whether the value of an option is one that it may have; what is not given and has no default is
 * zero. */
static void check_value(const struct hc_option *option, const void *target)
{
    bool is_unset = !option->value;
    switch (option->kind) {
    case HC_OPTION_INT: {
        int64_t value = *(const int64_t *)target;
        require((is_unset && value == 0) ||
                ((double)value >= option->low && (double)value <= option->high));
        break;
    }
    case HC_OPTION_DOUBLE: {
        double value = *(const double *)target;
        require((is_unset && value == 0) || (value >= option->low && value <= option->high));
        break;
    }
    case HC_OPTION_SHARE:
        require(*(const double *)target >= 0 && *(const double *)target <= 1);
        break;
    case HC_OPTION_CHOICE:
        for (int i = 0; i <= *(const int *)target; i++)
            require(option->choices[i]);
        break;
    case HC_OPTION_RANGES:
        check_ranges(target);
        break;
    case HC_OPTION_FILE:
    case HC_OPTION_DIR:
    case HC_OPTION_PATH: {
        const char *path = *(const char *const *)target;
        require(!path || strcmp(path, "-") == 0 || (*path && *path != '-'));
        require(!path || option->kind != HC_OPTION_FILE || path[strlen(path) - 1] != '/');
        break;
    }
    case HC_OPTION_LIST:
        for (size_t i = 0; i < ((const struct hc_words *)target)->n; i++)
            require(((const struct hc_words *)target)->word[i]);
        break;
    case HC_OPTION_CALLBACK:
        if (option->parse == hc_shard_parse) {
            const struct hc_shard *shard = target;
            require(shard->n == 0 || (shard->index >= 1 && shard->index <= shard->n));
        }
        break;
    default:
        break;
    }
}

static bool same_words(const struct hc_words *a, const struct hc_words *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = strcmp(a->word[i], b->word[i]) == 0;
    return same;
}

/* Values without pointers are compared byte by byte. */
static bool same_value(const struct hc_option *option, const void *a, const void *b)
{
    const struct hc_step_ranges *left = a, *right = b;
    switch (option->kind) {
    case HC_OPTION_LIST:
        return same_words(a, b);
    case HC_OPTION_RANGES:
        return left->n == right->n &&
               (!left->n || memcmp(left->range, right->range, left->n * sizeof *left->range) == 0);
    case HC_OPTION_INT:
        return memcmp(a, b, sizeof(int64_t)) == 0;
    case HC_OPTION_DOUBLE:
    case HC_OPTION_SHARE:
        return memcmp(a, b, sizeof(double)) == 0;
    case HC_OPTION_CHOICE:
        return *(const int *)a == *(const int *)b;
    case HC_OPTION_FLAG:
        return *(const bool *)a == *(const bool *)b;
    default:
        return true;
    }
}

/* ---- command lines ---- */

static void parse(struct parsed *p, const struct line *line)
{
    memset(p, 0, sizeof *p);
    memcpy(p->argv, line->argv, sizeof line->argv);
    p->settings.bytes = calloc(1, line->command->settings_size);
    require(p->settings.bytes);
    p->status = hc_options_parse(line->command->options, line->argc, p->argv, p->settings.bytes,
                                 &p->words, &p->err);
    require(p->status == HC_OK || (p->status == HC_USAGE && p->err.message[0]));
    if (p->status == HC_OK)
        p->status = hc_positionals_check(line->command->positionals, &p->words, &p->err);
    require(p->status == HC_OK || (p->status == HC_USAGE && p->err.message[0]));
}

static void release(struct parsed *p, const struct line *line)
{
    hc_options_release(line->command->options, p->settings.bytes, &p->words);
    free(p->settings.bytes);
}

static void check_same(const struct parsed *p, const struct line *line)
{
    struct parsed again;
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(line->command->options, places);
    parse(&again, line);
    require(again.status == p->status);
    for (size_t i = 0; i < n && p->status == HC_OK; i++) {
        const void *value = (const char *)p->settings.bytes + places[i].offset;
        check_value(places[i].option, value);
        require(same_value(places[i].option, value,
                           (const char *)again.settings.bytes + places[i].offset));
    }
    require(p->status || same_words(&p->words, &again.words));
    release(&again, line);
}

/* What the generator makes of the options, where it is small. */
static void check_synth(const struct hc_synth_settings *settings)
{
    struct hc_error err = {0};
    struct hc_synth_steps_options options;
    struct hc_synth_slow *slow = NULL;
    enum hc_status status = hc_synth_options_fill(&options, &slow, settings, &err);
    require(status == HC_OK || (status == HC_USAGE && err.message[0]));
    bool is_small = status == HC_OK && (int64_t)options.dp * options.pp < 100 && options.vpp < 10 &&
                    options.microbatches < 100;
    struct hc_synth_steps *generator = NULL;
    options.job_id = "x";
    if (is_small && hc_synth_steps_open(&generator, &options, &err))
        require(err.status == HC_USAGE && err.message[0]);
    require(!generator || hc_synth_steps_rows(generator) > 0);
    hc_synth_steps_close(generator);
    free(slow);
}

/* A few jobs whose names begin alike, hold what separates names, or are empty but for it. */
static void check_job(const char *name)
{
    static struct hc_manifest_entry entries[] = {
        {.cluster = "a", .job_id = "b", .table = (char *)"ops", .attempt = 0},
        {.cluster = "a", .job_id = "b", .table = (char *)"ops", .attempt = 2},
        {.cluster = "a", .job_id = "b#2", .table = (char *)"ops", .attempt = 1},
        {.cluster = "a", .job_id = "bc", .table = (char *)"ops", .attempt = INT32_MAX},
        {.cluster = "a/b", .job_id = "c", .table = (char *)"ops", .attempt = 0},
        {.cluster = "default", .job_id = "/", .table = (char *)"ops", .attempt = 0}};
    const struct hc_archive archive = {
        .path = "archive", .n_entries = sizeof entries / sizeof *entries, .entries = entries};
    const struct hc_manifest_entry *found = NULL;
    struct hc_error err = {0};
    if (hc_archive_find(&archive, name, "ops", &found, &err))
        require(err.status == HC_USAGE && err.message[0]);
    else
        require(found >= entries && found < entries + archive.n_entries);
}

static void check_line(const struct line *line)
{
    struct parsed p;
    parse(&p, line);
    check_same(&p, line);
    if (p.status == HC_OK && line->command == &hc_command_synth_steps)
        check_synth(p.settings.synth);
    for (size_t i = 0; i < p.words.n; i++)
        check_job(p.words.word[i]);
    release(&p, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    struct line line = {.argc = 1};
    size_t n_commands = 0;
    while (hc_commands[n_commands])
        n_commands++;
    line.command = hc_commands[fuzz_byte(&input) % n_commands];
    line.argv[0] = strdup("hindcast");
    while (line.argc < MAX_ARGUMENTS && input.at < input.end)
        line.argv[line.argc++] = fuzz_text(&input, 300);
    check_line(&line);
    for (int i = 0; i < line.argc; i++)
        free(line.argv[i]);
    return 0;
}

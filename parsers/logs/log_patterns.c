#include "parsers/logs/log_patterns.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/needle_set.h"
#include "core/text/number_text.h"
#include "parsers/failures/pattern_file.h"
#include "parsers/patterns/pattern_report.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S ((int64_t)1000000000)

typedef struct hc_event_text text;

enum tells {
    TELLS_STEP,
    TELLS_CYCLE,
    TELLS_DONE,
    TELLS_SAVED,
    TELLS_LOADED,
    TELLS_PHASE,
    TELLS_MEASURE,
    TELLS_STAMP,
    N_TELLS
};
static const char *const tells_words[N_TELLS] = {
    "step", "cycle", "done", "checkpoint_saved", "checkpoint_loaded", "phase", "measure", "stamp",
};

enum group {
    GROUP_TIME,
    GROUP_ITERATION,
    GROUP_ELAPSED_MS,
    GROUP_ELAPSED_S,
    GROUP_LOSS,
    GROUP_TOKENS,
    GROUP_SAMPLES,
    GROUP_TFLOPS,
    GROUP_SKIPPED,
    GROUP_NAN,
    GROUP_WORLD_SIZE,
    GROUP_PATH,
    GROUP_NAME,
    GROUP_VALUE,
    GROUP_MIN,
    GROUP_MAX,
    GROUP_RANK,
    N_GROUPS
};
static const char *const group_names[N_GROUPS] = {
    "time",    "iteration", "elapsed_ms", "elapsed_s", "loss",       "tokens",
    "samples", "tflops",    "skipped",    "nan",       "world_size", "path",
    "name",    "value",     "min",        "max",       "rank",
};

#define BIT(group) (1u << (group))
#define ELAPSED    (BIT(GROUP_ELAPSED_MS) | BIT(GROUP_ELAPSED_S))
/* What each sort of line may say, and what it must. */
static const struct {
    uint32_t may, must;
} groups_of[N_TELLS] = {
    [TELLS_STEP] = {BIT(GROUP_TIME) | BIT(GROUP_ITERATION) | ELAPSED | BIT(GROUP_LOSS) |
                        BIT(GROUP_TOKENS) | BIT(GROUP_SAMPLES) | BIT(GROUP_TFLOPS) |
                        BIT(GROUP_SKIPPED) | BIT(GROUP_NAN),
                    BIT(GROUP_ITERATION)},
    [TELLS_CYCLE] = {BIT(GROUP_TIME) | BIT(GROUP_WORLD_SIZE), 0},
    [TELLS_DONE] = {BIT(GROUP_TIME), 0},
    [TELLS_SAVED] = {BIT(GROUP_TIME) | BIT(GROUP_ITERATION) | BIT(GROUP_PATH), 0},
    [TELLS_LOADED] = {BIT(GROUP_TIME) | BIT(GROUP_ITERATION) | BIT(GROUP_PATH), 0},
    [TELLS_PHASE] = {BIT(GROUP_TIME) | ELAPSED, 0},
    [TELLS_MEASURE] = {BIT(GROUP_TIME) | BIT(GROUP_NAME) | BIT(GROUP_VALUE) | BIT(GROUP_MIN) |
                           BIT(GROUP_MAX) | BIT(GROUP_RANK),
                       0},
    [TELLS_STAMP] = {BIT(GROUP_TIME), 0},
};

/* A group of a step that is no column of one. */
struct own_group {
    const char *name;
    size_t number;
};

struct pattern {
    enum tells tells;
    char *name, *unit, *literal;
    enum hc_phase phase;
    char *section; /* for people: "pattern [step] of FILE" */
    struct hc_text_pattern *regex;
    size_t group[N_GROUPS];
    struct own_group *own;
    size_t n_own, own_capacity;
    int32_t next; /* the next pattern of the same literal, or -1 */
};

struct hc_log_patterns {
    struct pattern *pattern;
    size_t n, capacity;
    struct hc_needle_set *needles;
};

/* ---- reading ---- */

static int find_word(const char *const *words, int n, text word)
{
    for (int i = 0; i < n; i++)
        if (strlen(words[i]) == word.length && memcmp(words[i], word.text, word.length) == 0)
            return i;
    return -1;
}

static enum hc_status find_groups(const struct hc_pattern_section *section, struct pattern *p,
                                  struct hc_error *err)
{
    uint32_t has = 0;
    for (size_t i = 0; i < hc_text_pattern_names(p->regex); i++) {
        size_t number;
        const char *name = hc_text_pattern_name(p->regex, i, &number);
        int g = find_word(group_names, N_GROUPS, (text){name, strlen(name)});
        if (g >= 0 && (groups_of[p->tells].may & BIT(g))) {
            p->group[g] = number;
            has |= BIT(g);
            continue;
        }
        if (p->tells != TELLS_STEP)
            return hc_pattern_wrong_group(section, name, err);
        if (hc_reserve(&p->own, &p->own_capacity, p->n_own + 1, sizeof *p->own, err))
            return err->status;
        p->own[p->n_own++] = (struct own_group){name, number};
    }
    if ((has & groups_of[p->tells].must) != groups_of[p->tells].must)
        return hc_pattern_wrong(section, HC_PATTERN_REGEX, "no group 'iteration' in", err);
    return HC_OK;
}

static enum hc_status put_text(char **to, const struct hc_pattern_section *section,
                               enum hc_pattern_key key, struct hc_error *err)
{
    text value = section->value[key].text;
    if (!hc_pattern_has(section, key))
        return HC_OK;
    *to = hc_new_text(err, "%.*s", (int)value.length, value.text);
    return *to ? HC_OK : err->status;
}

static enum hc_status put_section(const struct hc_pattern_section *section, struct pattern *p,
                                  struct hc_error *err)
{
    int tells = find_word(tells_words, N_TELLS, section->value[HC_PATTERN_TELLS].text);
    if (tells < 0)
        return hc_pattern_wrong(section, HC_PATTERN_TELLS, "unknown sort of line", err);
    for (int key = HC_PATTERN_CLASS; key <= HC_PATTERN_EFFECT; key++)
        if (hc_pattern_has(section, (enum hc_pattern_key)key))
            return hc_pattern_wrong(section, (enum hc_pattern_key)key,
                                    "a pattern with 'tells' is of no failure:", err);
    p->tells = (enum tells)tells;
    if (p->tells == TELLS_PHASE && !hc_pattern_has(section, HC_PATTERN_PHASE))
        return hc_pattern_lacks(section, HC_PATTERN_PHASE, err);
    text phase = section->value[HC_PATTERN_PHASE].text;
    p->phase = hc_phase_find(phase.text, phase.length);
    if (phase.length && p->phase == HC_PHASE_OTHER)
        return hc_pattern_wrong(section, HC_PATTERN_PHASE, "unknown phase", err);
    if (!(p->section = hc_pattern_title(section, err)) ||
        put_text(&p->name, section, HC_PATTERN_NAME, err) ||
        put_text(&p->unit, section, HC_PATTERN_UNIT, err) ||
        put_text(&p->literal, section, HC_PATTERN_LITERAL, err) ||
        hc_pattern_compile(section, &p->regex, err) || find_groups(section, p, err))
        return err->status;
    if (p->tells == TELLS_MEASURE && !p->name && !p->group[GROUP_NAME])
        return hc_pattern_lacks(section, HC_PATTERN_NAME, err);
    return HC_OK;
}

static enum hc_status take_section(const struct hc_pattern_section *section, void *context,
                                   struct hc_error *err)
{
    struct hc_log_patterns *patterns = context;
    if (!hc_pattern_has(section, HC_PATTERN_TELLS))
        return HC_OK;
    if (hc_reserve(&patterns->pattern, &patterns->capacity, patterns->n + 1,
                   sizeof *patterns->pattern, err))
        return err->status;
    struct pattern *p = &patterns->pattern[patterns->n++];
    *p = (struct pattern){0};
    return put_section(section, p, err);
}

static enum hc_status make_needles(struct hc_log_patterns *patterns, struct hc_error *err)
{
    struct hc_needle *needles = hc_new_array(patterns->n, sizeof *needles, err);
    for (size_t i = 0; needles && i < patterns->n; i++) {
        struct pattern *p = &patterns->pattern[i];
        needles[i] = (struct hc_needle){p->literal, strlen(p->literal)};
        p->next = -1;
        for (size_t k = i + 1; k < patterns->n && p->next < 0; k++)
            if (strcmp(patterns->pattern[k].literal, p->literal) == 0)
                p->next = (int32_t)k;
    }
    if (needles)
        hc_needle_set_make(&patterns->needles, needles, patterns->n, err);
    free(needles);
    return err->status;
}

enum hc_status hc_log_patterns_make(struct hc_log_patterns **patterns, struct hc_pattern_text from,
                                    struct hc_error *err)
{
    *patterns = NULL;
    struct hc_log_patterns *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    enum hc_status status = hc_pattern_text_read(from, take_section, made, err);
    if (!status && made->n)
        status = make_needles(made, err);
    if (status || !made->n) {
        hc_log_patterns_free(made);
        return status;
    }
    *patterns = made;
    return HC_OK;
}

void hc_log_patterns_free(struct hc_log_patterns *patterns)
{
    if (!patterns)
        return;
    for (size_t i = 0; i < patterns->n; i++) {
        free(patterns->pattern[i].section);
        free(patterns->pattern[i].name);
        free(patterns->pattern[i].unit);
        free(patterns->pattern[i].literal);
        free(patterns->pattern[i].own);
        hc_text_pattern_free(patterns->pattern[i].regex);
    }
    free(patterns->pattern);
    hc_needle_set_free(patterns->needles);
    free(patterns);
}

void hc_log_patterns_report(const struct hc_log_patterns *patterns, const char *file)
{
    for (size_t i = 0; patterns && i < patterns->n; i++)
        hc_text_pattern_report(patterns->pattern[i].regex, patterns->pattern[i].section, file);
}

size_t hc_log_patterns_count(const struct hc_log_patterns *patterns)
{
    return patterns->n;
}

const char *hc_log_patterns_literal(const struct hc_log_patterns *patterns, size_t i)
{
    return patterns->pattern[i].literal;
}

/* ---- values ---- */

/* A line that a pattern knows. */
struct match {
    const struct pattern *pattern;
    text line;
};

static text text_of(const struct match *m, size_t number)
{
    if (!number)
        return (text){m->line.text, 0};
    struct hc_matched found = hc_text_pattern_text(m->pattern->regex, number, m->line.text);
    return (text){found.text, found.length};
}

static text group_of(const struct match *m, enum group g)
{
    return text_of(m, m->pattern->group[g]);
}

/* What a letter behind a number stands for: "262K", "1.2G", "3.5B"; 0: it is another. */
static double unit_of(char letter)
{
    switch (letter) {
    case 'K':
        return 1e3;
    case 'M':
        return 1e6;
    case 'G':
    case 'B':
        return 1e9;
    case 'T':
        return 1e12;
    default:
        return 0;
    }
}

/* "12.5", "1,234", "1e-3", "26.6K"; NaN: it is none. */
static double real_of(text value)
{
    char copy[40], *end;
    size_t n = 0;
    for (size_t i = 0; i < value.length; i++) {
        if (value.text[i] == ',' && i)
            continue;
        if (n == sizeof copy - 1)
            return NAN;
        copy[n++] = value.text[i];
    }
    copy[n] = '\0';
    if (n == 0 || !strchr("+-.0123456789", *copy))
        return NAN;
    double number = strtod(copy, &end), unit = *end && !end[1] ? unit_of(*end) : 0;
    if (unit > 0)
        return isfinite(number) ? number * unit : NAN;
    return *end || !isfinite(number) ? NAN : number;
}

static double real(const struct match *m, enum group g)
{
    return real_of(group_of(m, g));
}

static int64_t whole(const struct match *m, enum group g)
{
    double value = real(m, g);
    return value >= 0 && value < 9e15 ? (int64_t)value : HC_MISSING_I64;
}

static int64_t elapsed(const struct match *m)
{
    double ms = real(m, GROUP_ELAPSED_MS);
    return hc_log_ns_of_ms(isnan(ms) ? real(m, GROUP_ELAPSED_S) * 1e3 : ms);
}

/* Unix seconds, with a fraction perhaps. */
static bool unix_time(text value, int64_t *ns)
{
    return value.length >= 9 && isdigit((unsigned char)*value.text) &&
           hc_text_to_ns(value.text, value.length, ns) == HC_TEXT_OK && *ns > 0;
}

/* The time that the line has: its group `time`, else the first one in its first bytes. */
static void take_time(struct hc_run_log *log, const struct match *m)
{
    const size_t most = 100;
    if (log->rows.is_stamped)
        return; /* by what wrote the log */
    struct hc_log_times *times = &log->rows.times;
    text value = group_of(m, GROUP_TIME);
    const char *end = m->line.text + m->line.length;
    int64_t ns;
    if (value.length) {
        if (hc_log_time(times, value.text, value.text + value.length, &ns) || unix_time(value, &ns))
            hc_log_stamp(&log->rows, ns);
        return;
    }
    for (const char *at = m->line.text; at < end && at < m->line.text + most; at++)
        if (isdigit((unsigned char)*at) && hc_log_time(times, at, end, &ns)) {
            hc_log_stamp(&log->rows, ns);
            return;
        }
}

/* ---- lines ---- */

static enum hc_status bad_row(const struct hc_run_log *log, const struct hc_line *line,
                              const char *what, struct hc_row_report *report, struct hc_error *err)
{
    return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err, "'%s': line %lld: %s",
                             log->rows.source, (long long)line->number, what);
}

static enum hc_status keep_own(struct hc_run_log *log, const struct match *m, struct hc_error *err)
{
    for (size_t i = 0; i < m->pattern->n_own; i++) {
        struct hc_log_measure measure = hc_log_measure_here(&log->rows);
        snprintf(measure.name, sizeof measure.name, "%s", m->pattern->own[i].name);
        measure.value = real_of(text_of(m, m->pattern->own[i].number));
        if (!isnan(measure.value) && hc_log_keep_measure(log, &measure, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_step(struct hc_run_log *log, const struct match *m,
                                const struct hc_line *line, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    report->rows_read++;
    step.iteration = whole(m, GROUP_ITERATION);
    if (step.iteration == HC_MISSING_I64)
        return bad_row(log, line, "'iteration' is no number", report, err);
    step.duration_ns = elapsed(m);
    step.loss = real(m, GROUP_LOSS);
    step.tokens = whole(m, GROUP_TOKENS);
    step.samples = whole(m, GROUP_SAMPLES);
    step.tflops = real(m, GROUP_TFLOPS);
    step.skipped = hc_log_small(real(m, GROUP_SKIPPED));
    step.nan = hc_log_small(real(m, GROUP_NAN));
    step.iterations = hc_log_iterations_since(&log->rows, step.iteration);
    const char *framework = m->pattern->name ? m->pattern->name : "patterns";
    if (hc_log_add_step(&log->rows, framework, &step, err))
        return err->status;
    return keep_own(log, m, err);
}

static enum hc_status take_phase(struct hc_run_log *log, const struct match *m,
                                 struct hc_error *err)
{
    int64_t took_ns = elapsed(m), end_ns = log->rows.last_ns;
    if (!log->rows.is_stamped || took_ns == HC_MISSING_I64 || end_ns < INT64_MIN / 2)
        return HC_OK; /* nothing says when it was */
    return hc_log_add_phase(&log->rows, m->pattern->phase, m->pattern->name ? m->pattern->name : "",
                            (struct hc_log_span){end_ns - took_ns, end_ns, log->rows.line}, err);
}

static enum hc_status take_measure(struct hc_run_log *log, const struct match *m,
                                   struct hc_error *err)
{
    const struct pattern *p = m->pattern;
    struct hc_log_measure measure = hc_log_measure_here(&log->rows);
    text name = group_of(m, GROUP_NAME);
    if (!name.length && p->name)
        name = (text){p->name, strlen(p->name)};
    snprintf(measure.name, sizeof measure.name, "%.*s", (int)name.length, name.text);
    snprintf(measure.unit, sizeof measure.unit, "%s", p->unit ? p->unit : "");
    measure.value = real(m, GROUP_VALUE);
    measure.min = real(m, GROUP_MIN);
    measure.max = real(m, GROUP_MAX);
    measure.rank = hc_log_small(real(m, GROUP_RANK));
    if (!name.length || (isnan(measure.value) && isnan(measure.min) && isnan(measure.max)))
        return HC_OK;
    return hc_log_keep_measure(log, &measure, err);
}

static enum hc_status take_checkpoint(struct hc_run_log *log, const struct match *m,
                                      struct hc_error *err)
{
    text path = group_of(m, GROUP_PATH);
    return hc_log_add_checkpoint(
        &log->rows, m->pattern->tells == TELLS_SAVED ? HC_CHECKPOINT_SAVE : HC_CHECKPOINT_LOAD,
        whole(m, GROUP_ITERATION), path.text, path.length, err);
}

static enum hc_status take_matched(struct hc_run_log *log, const struct match *m,
                                   const struct hc_line *line, struct hc_row_report *report,
                                   struct hc_error *err)
{
    take_time(log, m);
    switch (m->pattern->tells) {
    case TELLS_STEP:
        return take_step(log, m, line, report, err);
    case TELLS_CYCLE:
        if (hc_log_begin_cycle(&log->rows, "patterns", err))
            return err->status;
        log->rows.world_size = hc_log_small(real(m, GROUP_WORLD_SIZE));
        return HC_OK;
    case TELLS_DONE:
        if (log->rows.has_cycle)
            log->rows.is_done = 1;
        return HC_OK;
    case TELLS_SAVED:
    case TELLS_LOADED:
        return take_checkpoint(log, m, err);
    case TELLS_PHASE:
        return take_phase(log, m, err);
    case TELLS_MEASURE:
        return take_measure(log, m, err);
    case TELLS_STAMP:
    case N_TELLS:
        break;
    }
    return HC_OK;
}

enum hc_status hc_log_patterns_take(const struct hc_log_patterns *patterns, struct hc_run_log *log,
                                    const struct hc_line *line, struct hc_row_report *report,
                                    bool *is_taken, struct hc_error *err)
{
    struct match m = {.line = {line->text, line->length}};
    int32_t best = -1;
    hc_pattern_set tried = {0};
    for (size_t at = 0; at < line->length;) {
        int32_t i = hc_needle_set_find(patterns->needles, line->text, line->length, &at);
        if (i < 0)
            break;
        for (; i >= 0 && (best < 0 || i < best); i = patterns->pattern[i].next)
            if (hc_pattern_set_add(tried, i) &&
                hc_text_pattern_match(patterns->pattern[i].regex, line->text, line->length))
                best = i;
    }
    *is_taken = best >= 0;
    if (best < 0)
        return HC_OK;
    m.pattern = &patterns->pattern[best];
    return take_matched(log, &m, line, report, err);
}

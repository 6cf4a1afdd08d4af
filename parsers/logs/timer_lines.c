#include "parsers/logs/timer_lines.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OTHERS 64 /* lines of other ranks between those of a block */

/* A text that is not terminated. */
struct piece {
    const char *text;
    size_t length;
};

static struct piece trim(struct piece p)
{
    while (p.length && isspace((unsigned char)*p.text))
        p = (struct piece){p.text + 1, p.length - 1};
    while (p.length && isspace((unsigned char)p.text[p.length - 1]))
        p.length--;
    return p;
}

/* The number that the piece begins with; *behind, if asked for, is what follows it. */
static double number_of(struct piece p, struct piece *behind)
{
    char copy[40], *end;
    p = trim(p);
    size_t n = p.length < sizeof copy - 1 ? p.length : sizeof copy - 1;
    memcpy(copy, p.text, n);
    copy[n] = '\0';
    double value = isdigit((unsigned char)*copy) || *copy == '-' ? strtod(copy, &end) : NAN;
    if (isnan(value) || isinf(value))
        return NAN;
    if (behind)
        *behind = (struct piece){p.text + (end - copy), p.length - (size_t)(end - copy)};
    return value;
}

/* Milliseconds to seconds: the double that is nearest to the decimal. */
static double seconds(double ms)
{
    return fabs(ms) < 9e12 ? rint(ms * 1e6) / 1e9 : NAN;
}

static bool put_name(char name[64], struct piece p)
{
    p = trim(p);
    if (p.length == 0 || p.length > 63)
        return false;
    memcpy(name, p.text, p.length);
    name[p.length] = '\0';
    for (char *c = name; *c; c++)
        if (!isprint((unsigned char)*c))
            return false;
    return true;
}

/* What the start-up needs of the timers. */
static void note_load(struct hc_run_log *log, const struct hc_log_measure *measure)
{
    double load_s = isnan(measure->max) ? measure->value : measure->max;
    if (strcmp(measure->name, "load-checkpoint") != 0 || isnan(load_s))
        return;
    if (isnan(log->startup.load_s) || load_s > log->startup.load_s)
        log->startup.load_s = load_s;
    log->startup.load_line = measure->line;
}

static enum hc_status keep_timer(struct hc_run_log *log, struct hc_log_measure *measure,
                                 struct hc_error *err)
{
    strcpy(measure->unit, "s");
    note_load(log, measure);
    return hc_log_keep_measure(log, measure, err);
}

/* ---- "time (ms) | forward-compute: 35346.30 | backward-compute: 12.0" ---- */

enum hc_status hc_take_timers_row(struct hc_run_log *log, const struct hc_line *line,
                                  struct hc_row_report *report, struct hc_error *err)
{
    const char *at = hc_log_find(line, "time (ms) |"), *end = line->text + line->length;
    (void)report;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        struct piece field = {at, (size_t)((bar ? bar : end) - at)};
        const char *colon = memrchr(field.text, ':', field.length);
        struct hc_log_measure measure = hc_log_measure_here(&log->rows);
        if (colon && put_name(measure.name, (struct piece){at, (size_t)(colon - at)})) {
            struct piece number = {colon + 1, (size_t)(at + field.length - colon - 1)};
            measure.value = seconds(number_of(number, NULL));
            if (measure.value >= 0 && keep_timer(log, &measure, err))
                return err->status;
        }
        at = bar ? bar + 1 : end;
    }
    return HC_OK;
}

/* ---- blocks ---- */

static enum hc_status begin_block(struct hc_run_log *log, enum hc_timer_form form)
{
    log->timers = (struct hc_timer_block){.form = form};
    return HC_OK;
}

enum hc_status hc_take_timers_min_max(struct hc_run_log *log, const struct hc_line *line,
                                      struct hc_row_report *report, struct hc_error *err)
{
    (void)line, (void)report, (void)err;
    return begin_block(log, HC_TIMERS_MIN_MAX);
}

enum hc_status hc_take_timers_max(struct hc_run_log *log, const struct hc_line *line,
                                  struct hc_row_report *report, struct hc_error *err)
{
    (void)line, (void)report, (void)err;
    return begin_block(log, HC_TIMERS_MAX);
}

enum hc_status hc_take_timers_each(struct hc_run_log *log, const struct hc_line *line,
                                   struct hc_row_report *report, struct hc_error *err)
{
    (void)line, (void)report, (void)err;
    return begin_block(log, HC_TIMERS_EACH);
}

/* "12:     forward-backward ....": the name before the dots */
static bool dotted_name(struct piece before, char name[64])
{
    struct piece p = trim(before);
    size_t with_dots = p.length;
    while (p.length && p.text[p.length - 1] == '.')
        p.length--;
    if (p.length == with_dots)
        return false;
    p = trim(p);
    size_t n = p.length;
    while (n && p.text[n - 1] != ' ')
        n--;
    return put_name(name, (struct piece){p.text + n, p.length - n});
}

/* "    forward-backward ....: (900.12, 950.34)", "    forward-backward ....: 950.34" */
static bool take_dotted(enum hc_timer_form form, struct piece text, struct hc_log_measure *measure)
{
    const char *colon = memrchr(text.text, ':', text.length);
    if (!colon ||
        !dotted_name((struct piece){text.text, (size_t)(colon - text.text)}, measure->name))
        return false;
    struct piece value =
        trim((struct piece){colon + 1, (size_t)(text.text + text.length - colon - 1)});
    struct piece rest = {"", 0};
    bool is_pair = form == HC_TIMERS_MIN_MAX;
    if (is_pair && (!value.length || *value.text != '('))
        return false;
    double first = number_of((struct piece){value.text + is_pair, value.length - is_pair}, &rest);
    measure->max = seconds(first);
    if (is_pair && rest.length > 1 && *rest.text == ',') {
        measure->min = seconds(first);
        measure->max = seconds(number_of((struct piece){rest.text + 1, rest.length - 1}, NULL));
    }
    return measure->max >= 0;
}

/* "  forward-backward:" and "     rank  0: 900.12"; *is_name: it is the first of these */
static bool take_of_rank(struct hc_timer_block *block, struct piece text,
                         struct hc_log_measure *measure, bool *is_name)
{
    struct piece bare = trim(text), rest = {"", 0};
    const char *rank = memmem(bare.text, bare.length, "rank ", 5);
    *is_name = false;
    if (rank && *block->name) {
        size_t n = (size_t)(rank - bare.text) + 5;
        double number = number_of((struct piece){bare.text + n, bare.length - n}, &rest);
        measure->rank = hc_log_small(number);
        if (rest.length < 2 || *rest.text != ':')
            return false;
        measure->value = seconds(number_of((struct piece){rest.text + 1, rest.length - 1}, NULL));
        strcpy(measure->name, block->name);
        return measure->rank != HC_MISSING_I32 && measure->value >= 0;
    }
    if (bare.length < 3 || bare.text[bare.length - 1] != ':' || bare.text[bare.length - 2] == ')')
        return false; /* no name, or a heading */
    size_t n = bare.length - 1;
    while (n && bare.text[n - 1] != ' ')
        n--;
    *is_name = put_name(block->name, (struct piece){bare.text + n, bare.length - 1 - n});
    return *is_name;
}

enum hc_status hc_take_timer_line(struct hc_run_log *log, const struct hc_line *line,
                                  bool *is_taken, struct hc_error *err)
{
    struct hc_timer_block *block = &log->timers;
    struct hc_log_measure measure = hc_log_measure_here(&log->rows);
    struct piece text = {line->text, line->length};
    bool is_name = false;
    *is_taken = block->form == HC_TIMERS_EACH ? take_of_rank(block, text, &measure, &is_name)
                                              : take_dotted(block->form, text, &measure);
    block->n_others = *is_taken ? 0 : block->n_others + 1;
    if (block->n_others > MOST_OTHERS)
        block->form = HC_TIMERS_NONE;
    return !*is_taken || is_name ? HC_OK : keep_timer(log, &measure, err);
}

/* ---- the straggler detector ---- */

/* "123.45ms" in seconds, "412.00W", "99.00%" */
static double quantity(struct piece text, char unit[16], struct piece *behind)
{
    static const struct {
        const char *written, *unit;
        double factor; /* 0: milliseconds */
    } units[] = {{"ms", "s", 0}, {"us", "s", 1e-6}, {"MHz", "MHz", 1}, {"TF", "TFLOP/s", 1},
                 {"W", "W", 1},  {"C", "C", 1},     {"%", "%", 1},     {"s", "s", 1}};
    struct piece rest = {"", 0};
    double value = number_of(text, &rest);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].written);
        if (rest.length < n || memcmp(rest.text, units[i].written, n) != 0)
            continue;
        strcpy(unit, units[i].unit);
        *behind = (struct piece){rest.text + n, rest.length - n};
        return units[i].factor > 0 ? value * units[i].factor : seconds(value);
    }
    *behind = rest;
    return value;
}

/* "/7" */
static int32_t rank_behind(struct piece text)
{
    if (text.length < 2 || *text.text != '/')
        return HC_MISSING_I32;
    return hc_log_small(number_of((struct piece){text.text + 1, text.length - 1}, NULL));
}

/* "MnRtt/Rnk: 123.45ms/7": label, and what is behind the sign */
static bool extreme_of(const struct hc_line *line, const char *label, const char *least_or_most,
                       struct piece *value)
{
    char words[24];
    snprintf(words, sizeof words, "%s%s/Rnk:", least_or_most, label);
    const char *at = hc_log_find(line, words);
    if (at)
        *value = (struct piece){at, (size_t)(line->text + line->length - at)};
    return at;
}

static const struct {
    const char *label, *name;
} straggler_measures[] = {{"Rtt", "straggler-rtt"},         {"Pwr", "straggler-power"},
                          {"Tmp", "straggler-temperature"}, {"Utl", "straggler-utilization"},
                          {"Clk", "straggler-clock"},       {"DRtt", "straggler-data-rtt"},
                          {"Etpt", "straggler-throughput"}};

enum hc_status hc_take_straggler_extremes(struct hc_run_log *log, const struct hc_line *line,
                                          struct hc_row_report *report, struct hc_error *err)
{
    (void)report;
    hc_log_take_stamp(&log->rows, line, line->length);
    for (size_t i = 0; i < sizeof straggler_measures / sizeof *straggler_measures; i++) {
        struct hc_log_measure measure = hc_log_measure_here(&log->rows);
        struct piece value, behind;
        const char *label = straggler_measures[i].label;
        strcpy(measure.name, straggler_measures[i].name);
        if (extreme_of(line, label, "Mn", &value)) {
            measure.min = quantity(value, measure.unit, &behind);
            measure.min_rank = rank_behind(behind);
        }
        if (extreme_of(line, label, "Mx", &value)) {
            measure.max = quantity(value, measure.unit, &behind);
            measure.max_rank = rank_behind(behind);
        }
        if ((!isnan(measure.min) || !isnan(measure.max)) && hc_log_keep_measure(log, &measure, err))
            return err->status;
    }
    return HC_OK;
}

/* "^^^^ Bottom 4 Ranks with lowest  Etpt(TF): 129.44/0, 129.46/5, ..." */
enum hc_status hc_take_straggler_ranks(struct hc_run_log *log, const struct hc_line *line,
                                       struct hc_row_report *report, struct hc_error *err)
{
    const char *at = hc_log_find(line, "Etpt(TF):"), *end = line->text + line->length;
    (void)report;
    while (at && at < end) {
        struct hc_log_measure measure = hc_log_measure_here(&log->rows);
        struct piece behind = {"", 0};
        const char *comma = memchr(at, ',', (size_t)(end - at));
        struct piece entry = {at, (size_t)((comma ? comma : end) - at)};
        strcpy(measure.name, "straggler-throughput");
        strcpy(measure.unit, "TFLOP/s");
        measure.value = number_of(entry, &behind);
        measure.rank = rank_behind(behind);
        if (!isnan(measure.value) && measure.rank != HC_MISSING_I32 &&
            hc_log_keep_measure(log, &measure, err))
            return err->status;
        at = comma ? comma + 1 : end;
    }
    return HC_OK;
}

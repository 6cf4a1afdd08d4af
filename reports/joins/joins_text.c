#include "reports/joins/joins_report.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/sort_keys.h"
#include "core/text/number_format.h"
#include "reports/evidence/recorded_report.h"
#include "reports/write/section.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NS_PER_S    1e9
#define NS_PER_HOUR 3600e9

#define SECONDS_PER_HOUR 3600

static const char *hours(hc_gpu_ns ns, char text[HC_NUMBER_TEXT])
{
    double value = (double)ns / NS_PER_HOUR;
    return hc_format_fixed(value, value < 100 ? 1 : 0, text);
}

static const char *time_text(int64_t ns, char text[32])
{
    char whole[48];
    if (ns == HC_MISSING_I64)
        return "-";
    hc_format_iso8601(ns, whole);
    snprintf(text, 32, "%.16s", whole);
    return text;
}

/* The last two components of a path: what tells logs apart. */
static const char *short_path(const char *path)
{
    const char *start = path, *before = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' && c[1]) {
            start = before;
            before = c + 1;
        }
    return start;
}

/* ---- joins ---- */

/* GPU-hours of cycles that no attempt is known of, as far as their logs say. */
static void put_unjoined(FILE *stream, const struct hc_joins *joins)
{
    struct hc_text_line line = {.used = 0};
    char text[HC_NUMBER_TEXT], count[HC_NUMBER_TEXT];
    double gpu_hours = 0;
    int64_t n_unknown = 0, n = 0;
    for (size_t i = 0; i < joins->n_cycles; i++) {
        double of_cycle = hc_join_cycle_gpu_hours(&joins->cycles[i]);
        if (joins->cycles[i].attempt >= 0)
            continue;
        n++;
        n_unknown += isnan(of_cycle);
        gpu_hours += isnan(of_cycle) ? 0 : of_cycle;
    }
    if (n == 0)
        return;
    hc_line_add(&line, "%s GPU-hours by their logs",
                hc_format_fixed(gpu_hours, gpu_hours < 100 ? 1 : 0, text));
    if (n_unknown)
        hc_line_add(&line, "; %s of them do not say it", hc_format_count(n_unknown, count));
    hc_line_put(stream, "not joined", &line);
}

/* Those of launches: timelines count as logs too. */
static size_t count_logs(const struct hc_joins *joins)
{
    size_t n = 0;
    for (size_t i = 0; i < joins->n_logs; i++)
        n += joins->logs[i].n_cycles > 0;
    return n;
}

/* How many joined by each method, and why the others did not. */
struct outcomes {
    size_t by_method[HC_N_JOIN_METHODS], by_failure[HC_N_JOIN_FAILURES];
};

static void count_outcome(struct outcomes *outcomes, int32_t attempt, enum hc_join_method method,
                          enum hc_join_failure failure)
{
    outcomes->by_failure[failure]++;
    if (attempt >= 0)
        outcomes->by_method[method]++;
}

static void add_outcomes(struct hc_text_line *line, const struct outcomes *outcomes)
{
    char count[HC_NUMBER_TEXT];
    static const char *const failures[HC_N_JOIN_FAILURES] = {
        [HC_JOIN_NO_ATTEMPT] = "match no attempt",
        [HC_JOIN_SEVERAL] = "match several equally well",
        [HC_JOIN_NOT_THEN] = "match several, of which none ran then",
        [HC_JOIN_RELATIVE] = "have relative times, which are of no day"};
    static const char *const methods[HC_N_JOIN_METHODS] = {
        [HC_JOIN_PATH] = "by the path that the scheduler's record gives",
        [HC_JOIN_WORK_DIR] = "by the work directory",
        [HC_JOIN_NUMBER] = "by the number in the name"};
    for (int k = 0; k < HC_N_JOIN_METHODS; k++)
        if (outcomes->by_method[k])
            hc_line_add(line, ", %s joined %s",
                        hc_format_count((int64_t)outcomes->by_method[k], count), methods[k]);
    for (int k = HC_JOIN_NO_ATTEMPT; k < HC_N_JOIN_FAILURES; k++)
        if (outcomes->by_failure[k])
            hc_line_add(line, ", %s %s", hc_format_count((int64_t)outcomes->by_failure[k], count),
                        failures[k]);
}

static void put_cycles(FILE *stream, const struct hc_joins *joins)
{
    struct outcomes outcomes = {0};
    struct hc_text_line line = {.used = 0};
    char count[HC_NUMBER_TEXT];
    for (size_t i = 0; i < joins->n_cycles; i++)
        count_outcome(&outcomes, joins->cycles[i].attempt, joins->cycles[i].method,
                      joins->cycles[i].failure);
    hc_line_add(&line, "%s in %zu logs", hc_format_count((int64_t)joins->n_cycles, count),
                count_logs(joins));
    add_outcomes(&line, &outcomes);
    hc_line_put(stream, "cycles", &line);
    put_unjoined(stream, joins);
}

static void put_timelines(FILE *stream, const struct hc_joins *joins)
{
    struct outcomes outcomes = {0};
    struct hc_text_line line = {.used = 0};
    char count[HC_NUMBER_TEXT];
    if (joins->n_timelines == 0)
        return;
    for (size_t i = 0; i < joins->n_timelines; i++)
        count_outcome(&outcomes, joins->timelines[i].attempt, joins->timelines[i].method,
                      joins->timelines[i].failure);
    hc_line_add(&line, "%s", hc_format_count((int64_t)joins->n_timelines, count));
    add_outcomes(&line, &outcomes);
    hc_line_put(stream, "timelines", &line);
}

static void put_attempts(FILE *stream, const struct hc_joins *joins)
{
    struct hc_text_line line = {.used = 0};
    char count[2][HC_NUMBER_TEXT], text[2][HC_NUMBER_TEXT];
    int64_t n_with = 0;
    for (size_t i = 0; i < joins->n_attempts; i++)
        n_with += joins->attempts[i].n_cycles > 0;
    hc_line_add(&line, "%s ran and held %s GPU-hours; %s have a log",
                hc_format_count(joins->n_offered, count[0]), hours(joins->offered_gpu_ns, text[0]),
                hc_format_count(n_with, count[1]));
    if (joins->n_without_log)
        hc_line_add(&line, "; %s of 8 GPUs or more, with %s GPU-hours, have none",
                    hc_format_count(joins->n_without_log, count[0]),
                    hours(joins->without_log_gpu_ns, text[1]));
    hc_line_put(stream, "attempts", &line);
}

static void put_offset(FILE *stream, const struct hc_join_offset *offset)
{
    struct hc_text_line line = {.used = 0};
    char text[2][HC_NUMBER_TEXT];
    if (offset->n == 0 || (offset->least_ns <= 0 && offset->most_ns >= 0))
        return;
    if (offset->least_ns > offset->most_ns)
        hc_line_add(&line,
                    "no one offset puts the times of logs within their attempts: if logs are in "
                    "local time, ingest them with --zone; else clocks drift");
    else
        hc_line_add(&line,
                    "times of logs fit their attempts with %s to %s s added: if the logs are in "
                    "another zone, ingest them with --zone",
                    hc_format_fixed((double)offset->least_ns / NS_PER_S, 0, text[0]),
                    hc_format_fixed((double)offset->most_ns / NS_PER_S, 0, text[1]));
    hc_line_put(stream, "clocks", &line);
}

static bool is_finding(const struct hc_join_cycle *cycle)
{
    return cycle->attempt < 0 || cycle->is_off;
}

/* The cycles to look at, those of the most GPU-hours first; those whose GPU-hours nobody knows are
 * last. NULL: no memory. */
static struct hc_sort_key *rank_findings(const struct hc_joins *joins, size_t *n,
                                         struct hc_error *err)
{
    struct hc_sort_key *keys = hc_new_array(joins->n_cycles + 1, sizeof *keys, err);
    *n = 0;
    for (size_t i = 0; keys && i < joins->n_cycles; i++) {
        double gpu_hours = hc_join_cycle_gpu_hours(&joins->cycles[i]);
        int64_t key = isnan(gpu_hours) ? 1 : (int64_t)(-gpu_hours * SECONDS_PER_HOUR);
        if (is_finding(&joins->cycles[i]))
            keys[(*n)++] = (struct hc_sort_key){key, (uint32_t)i};
    }
    if (keys && hc_sort_keys(keys, *n, err)) {
        free(keys);
        keys = NULL;
    }
    return keys;
}

static void put_finding(struct hc_section *section, const struct hc_joins *joins, size_t at)
{
    static const char *const why[HC_N_JOIN_FAILURES] = {[HC_JOINED] =
                                                            "began when its job did not run",
                                                        [HC_JOIN_NO_ATTEMPT] = "no job matches",
                                                        [HC_JOIN_SEVERAL] = "several jobs match",
                                                        [HC_JOIN_NOT_THEN] = "no matching job ran"};
    const struct hc_join_cycle *cycle = &joins->cycles[at];
    char time[32], text[HC_NUMBER_TEXT];
    double gpu_hours = hc_join_cycle_gpu_hours(cycle);
    hc_section_text(section, short_path(joins->texts.text[joins->logs[cycle->log].path]));
    hc_section_count(section, cycle->number);
    hc_section_text(section, cycle->has_clock ? time_text(cycle->start_ns, time) : "-");
    hc_section_text(section, isnan(gpu_hours) ? "-" : hc_format_fixed(gpu_hours, 1, text));
    hc_section_text(section, why[cycle->failure]);
}

static enum hc_status put_findings(FILE *stream, const struct hc_joins_report *report,
                                   struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "log", .width = 34}, {.title = "cycle", .gap = 2, .is_right = true},
        {.title = "from", .gap = 2},   {.title = "GPU-hours", .gap = 1, .is_right = true},
        {.title = "why", .gap = 2},
    };
    struct hc_section section = {
        .title = "WHAT DID NOT JOIN, OR IN DOUBT", .columns = columns, .n_columns = 5};
    size_t n = 0;
    struct hc_sort_key *ranked = rank_findings(report->joins, &n, err);
    if (!ranked)
        return err->status;
    for (size_t i = 0; i < n && i < report->top; i++)
        put_finding(&section, report->joins, ranked[i].row);
    free(ranked);
    if (n > report->top)
        hc_section_note(&section, "and %zu more, which --as csv and --json list", n - report->top);
    if (n > 0)
        return hc_section_print(stream, section, err);
    hc_section_fini(&section);
    return HC_OK;
}

static enum hc_status put_lone_timelines(FILE *stream, const struct hc_joins_report *report,
                                         struct hc_error *err)
{
    static const char *const why[HC_N_JOIN_FAILURES] = {[HC_JOIN_NO_ATTEMPT] = "no job matches",
                                                        [HC_JOIN_SEVERAL] = "several jobs match",
                                                        [HC_JOIN_NOT_THEN] = "no matching job ran",
                                                        [HC_JOIN_RELATIVE] =
                                                            "its times are relative"};
    static const struct hc_section_column columns[] = {
        {.title = "timeline", .width = 34},
        {.title = "from", .gap = 2},
        {.title = "steps", .gap = 2, .is_right = true},
        {.title = "why", .gap = 2},
    };
    const struct hc_joins *joins = report->joins;
    struct hc_section section = {
        .title = "TIMELINES THAT DID NOT JOIN", .columns = columns, .n_columns = 4};
    size_t n = 0;
    for (size_t i = 0; i < joins->n_timelines; i++) {
        const struct hc_join_timeline *timeline = &joins->timelines[i];
        char time[32];
        if (timeline->attempt >= 0 || n++ >= report->top)
            continue;
        hc_section_text(&section, joins->texts.text[timeline->name]);
        hc_section_text(&section, time_text(timeline->from_ns, time));
        hc_section_count(&section, timeline->n_steps);
        hc_section_text(&section, why[timeline->failure]);
    }
    if (n > report->top)
        hc_section_note(&section, "and %zu more, which --json lists", n - report->top);
    if (n > 0)
        return hc_section_print(stream, section, err);
    hc_section_fini(&section);
    return HC_OK;
}

enum hc_status hc_joins_write_text(const struct hc_joins_report *report, FILE *stream,
                                   struct hc_error *err)
{
    put_cycles(stream, report->joins);
    put_timelines(stream, report->joins);
    put_attempts(stream, report->joins);
    put_offset(stream, &report->joins->offset);
    hc_recorded_put_head(stream, report->recorded);
    if (put_findings(stream, report, err) || put_lone_timelines(stream, report, err))
        return err->status;
    return hc_recorded_put(stream, report->recorded, report->top, err);
}

/* ---- runs ---- */

static void put_run(struct hc_section *section, const struct hc_joins *joins,
                    const struct hc_run *run)
{
    char text[HC_NUMBER_TEXT], time[32];
    const char *parent =
        run->forked_from < 0 ? NULL : hc_joins_find_text(joins, joins->runs[run->forked_from].name);
    hc_section_text(section, hc_joins_find_text(joins, run->name));
    hc_section_count(section, run->n_attempts);
    hc_section_count(section, run->n_cycles);
    hc_section_text(section, hours(run->gpu_ns, text));
    hc_section_count(section, run->first_iteration);
    hc_section_count(section, run->last_iteration);
    hc_section_text(section, time_text(run->first_ns, time));
    hc_section_text(section, hc_run_rule_name(run->rule));
    struct hc_text_line line = {.used = 0};
    if (parent)
        hc_line_add(&line, "forked from %s at iteration %" PRId64, parent, run->fork_iteration);
    if (run->n_gaps)
        hc_line_add(&line,
                    "%s%" PRId32 " of its cycles began from checkpoints that no log tells of",
                    line.used ? "; " : "", run->n_gaps);
    hc_section_text(section, line.used ? line.text : "");
}

enum hc_status hc_runs_write_text(const struct hc_joins_report *report, FILE *stream,
                                  struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "run", .width = 22},
        {.title = "attempts", .gap = 1, .is_right = true},
        {.title = "cycles", .gap = 1, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .is_right = true},
        {.title = "first it.", .gap = 1, .is_right = true},
        {.title = "last it.", .gap = 1, .is_right = true},
        {.title = "from", .gap = 1},
        {.title = "by", .gap = 1},
        {.title = "", .gap = 2, .is_below = true},
    };
    const struct hc_joins *joins = report->joins;
    struct hc_section section = {.columns = columns, .n_columns = 9};
    for (size_t i = 0; i < joins->n_runs && i < report->top; i++)
        put_run(&section, joins, &joins->runs[i]);
    if (joins->n_runs > report->top)
        hc_section_note(&section, "and %zu more, which --as csv and --json list",
                        joins->n_runs - report->top);
    return hc_section_print(stream, section, err);
}

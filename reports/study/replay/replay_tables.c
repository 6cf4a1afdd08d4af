#include "reports/study/replay/replay_tables.h"

#include "core/base/missing.h"
#include "study/run/study_numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_WORKERS 8 /* rows of a table */
/* Of tables whose runs stand beside each other. */
#define LABEL_WIDTH  40 /* the first column, and that of the untouched job */
#define NUMBER_WIDTH 8

static const struct hc_replay_findings *findings_of(const struct hc_study_result *result,
                                                    size_t run)
{
    return hc_replay_run_findings(&result->run[run]);
}

bool hc_replay_is_untouched(const struct hc_study_run *run)
{
    return hc_replay_run_findings(run)->n_effects == 0;
}

bool hc_replay_has_slack(const struct hc_study_result *result)
{
    return !findings_of(result, 0)->is_profile;
}

const char *hc_replay_run_title(const struct hc_study_result *result, size_t run)
{
    return result->n_runs == 1 && !hc_replay_is_untouched(&result->run[0]) ? "edited"
                                                                           : result->run[run].name;
}

static const struct hc_study_value *value_of(const struct hc_study_result *result, size_t run,
                                             const char *name)
{
    size_t column = hc_study_column_find(result, name);
    return column == HC_STUDY_NONE ? NULL : &result->run[run].value[column];
}

/* ---- the answer ---- */

static void put_value(struct hc_section *section, const struct hc_study_value *value,
                      const char *unit)
{
    char text[HC_STUDY_NUMBER], html[HC_STUDY_TEXT];
    hc_section_forms(section, value ? hc_study_value_text(value, text) : "-",
                     value ? hc_study_html_value(value, unit, html) : "-");
}

/* A share in per cent, with its sign. */
static void put_change(struct hc_section *section, const struct hc_study_value *change)
{
    char text[HC_STUDY_NUMBER], html[HC_STUDY_TEXT];
    const struct hc_study_value percent = {1e2 * change->mean, 1e2 * change->low,
                                           1e2 * change->high, 1e2 * change->sd};
    hc_section_forms(section, hc_study_change_text(&percent, text),
                     hc_study_html_value(change, "share", html));
}

static void put_untouched(struct hc_section *section, const struct hc_replay_findings *found)
{
    const struct hc_study_value time = {found->untouched_s, NAN, NAN, NAN},
                                slowdown = {found->untouched_slowdown, NAN, NAN, NAN};
    hc_section_text(section, "untouched");
    put_value(section, &time, "s");
    hc_section_text(section, "");
    put_value(section, &slowdown, "");
    put_value(section, &slowdown, "");
}

void hc_replay_answer_table(struct hc_study_listing *table, const struct hc_study_result *result,
                            size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "variant"},
        {.title = "step time (s)", .html_title = "step time", .gap = 3, .is_number = true},
        {.title = "change (%)", .html_title = "change", .gap = 3, .is_number = true},
        {.title = "S", .gap = 3, .is_number = true},
        {.title = "S, own ideal", .gap = 3, .is_number = true},
    };
    struct hc_section *section = &table->section;
    *section = (struct hc_section){.caption = "Steps of the untouched job and with the edits",
                                   .columns = columns,
                                   .n_columns = 5,
                                   .indent = 2};
    if (!hc_replay_is_untouched(&result->run[0]))
        put_untouched(section, findings_of(result, 0));
    for (size_t r = 0; r < result->n_runs && r < most; r++) {
        const struct hc_study_value *change = value_of(result, r, "change");
        hc_section_text(section, hc_replay_run_title(result, r));
        put_value(section, value_of(result, r, "step_s"), "s");
        if (hc_replay_is_untouched(&result->run[r]) || !change)
            hc_section_text(section, "");
        else
            put_change(section, change);
        put_value(section, value_of(result, r, "slowdown"), "");
        put_value(section, value_of(result, r, "own_slowdown"), "");
    }
}

/* ---- edits ---- */

static const char *seconds(double value, char text[HC_NUMBER_TEXT])
{
    return value == 0 ? "-" : hc_study_number_text(value, text);
}

static void put_effect(struct hc_section *section, const char *run,
                       const struct hc_replay_effect *effect)
{
    char number[HC_NUMBER_TEXT];
    double change = effect->after_s / effect->before_s - 1;
    hc_section_text(section, run);
    hc_section_text(section, effect->name);
    hc_section_count(section, effect->n_selected);
    hc_section_count(section, effect->n_changed);
    hc_section_text(section, seconds(effect->before_s, number));
    hc_section_text(section,
                    effect->n_changed ? hc_study_number_text(effect->after_s, number) : "-");
    if (isfinite(change))
        snprintf(number, sizeof number, "%+.1f", 1e2 * change);
    hc_section_text(section, isfinite(change) ? number : "-");
    hc_section_text(section, seconds(effect->delay_s, number));
    hc_section_text(section, seconds(effect->extra_s, number));
    hc_section_text(section, effect->ideal ? effect->ideal : "");
}

/* Which of the columns have anything in them. */
struct used {
    bool delay, extra, ideal;
};

static struct used find_used(const struct hc_study_result *result)
{
    struct used used = {false, false, false};
    for (size_t r = 0; r < result->n_runs; r++)
        for (size_t i = 0; i < findings_of(result, r)->n_effects; i++) {
            const struct hc_replay_effect *effect = &findings_of(result, r)->effect[i];
            used.delay |= effect->delay_s != 0;
            used.extra |= effect->extra_s != 0;
            used.ideal |= effect->ideal != NULL;
        }
    return used;
}

bool hc_replay_effects_table(struct hc_study_listing *table, const struct hc_study_result *result,
                             size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "variant"},
        {.title = "edit", .gap = 2},
        {.title = "ops", .html_title = "ops selected", .gap = 2, .is_right = true},
        {.title = "changed", .html_title = "of all, changed", .gap = 2, .is_right = true},
        {.title = "before", .html_title = "time before (s a step)", .gap = 2, .is_right = true},
        {.title = "after", .html_title = "after (s a step)", .gap = 2, .is_right = true},
        {.title = "%", .html_title = "change (%)", .gap = 2, .is_right = true},
        {.title = "later", .html_title = "launches later (s a step)", .gap = 2, .is_right = true},
        {.title = "cost", .html_title = "steps longer (s a step)", .gap = 2, .is_right = true},
        {.title = "ideal", .html_title = "a pause: the ideal", .gap = 2},
    };
    enum { N_COLUMNS = sizeof columns / sizeof *columns };
    size_t n = 0;
    const struct used used = find_used(result);
    struct hc_section *section = &table->section;
    *section = (struct hc_section){.caption = "What each edit did",
                                   .columns = table->column,
                                   .n_columns = N_COLUMNS,
                                   .indent = 2};
    memcpy(table->column, columns, sizeof columns);
    table->column[N_COLUMNS - 3].only = used.delay ? HC_BOTH_VIEWS : HC_NO_VIEW;
    table->column[N_COLUMNS - 2].only = used.extra ? HC_BOTH_VIEWS : HC_NO_VIEW;
    table->column[N_COLUMNS - 1].only = used.ideal ? HC_BOTH_VIEWS : HC_NO_VIEW;
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_replay_findings *found = findings_of(result, r);
        for (size_t i = 0; i < found->n_effects; i++)
            if (n++ < most)
                put_effect(section, hc_replay_run_title(result, r), &found->effect[i]);
    }
    if (n > most)
        hc_section_note(section, "and %zu more, which --json lists", n - most);
    return n > 0;
}

/* ---- beside each other ---- */

/* The runs that have columns; the untouched job has the first. */
struct shown {
    const struct hc_study_result *result;
    size_t run[HC_STUDY_TABLE_COLUMNS];
    size_t n;
};

/* As many runs as `most` and the width have room for, at least one. */
static size_t choose(struct shown *shown, const struct hc_study_result *result, size_t most,
                     size_t width)
{
    size_t n_left_out = 0, used = LABEL_WIDTH;
    *shown = (struct shown){.result = result};
    for (size_t r = 0; r < result->n_runs; r++) {
        if (hc_replay_is_untouched(&result->run[r]))
            continue;
        size_t name = strlen(hc_replay_run_title(result, r));
        used += 3 + (name < NUMBER_WIDTH ? NUMBER_WIDTH : name);
        bool fits = shown->n == 0 || width == 0 || used <= width;
        if (!n_left_out && fits && shown->n < most && shown->n + 2 < HC_STUDY_TABLE_COLUMNS)
            shown->run[shown->n++] = r;
        else
            n_left_out++;
    }
    return n_left_out;
}

/* A number of a run, or of the untouched job beside it. */
typedef double number_of(const struct hc_replay_findings *found, size_t row, bool is_untouched);

static double rank_of(const struct hc_replay_findings *found, size_t row, bool is_untouched)
{
    return is_untouched ? found->steps.untouched_rank_s[row] : found->steps.run_rank_s[row];
}

static double part_of(const struct hc_replay_findings *found, size_t row, bool is_untouched)
{
    return is_untouched ? found->untouched_part_s[row] : found->part_s[row];
}

/* Rows of workers: dp rank and stage, as plans with other workers number them otherwise. */
#define STAGE_BITS 32
static const struct hc_replay_worker *find_worker(const struct hc_replay_findings *found,
                                                  size_t row)
{
    size_t dp_rank = row >> STAGE_BITS, stage = row & (((size_t)1 << STAGE_BITS) - 1);
    size_t at = dp_rank * found->n_stages + stage;
    return stage < found->n_stages && at < found->n_workers ? &found->worker[at] : NULL;
}

static double worker_of(const struct hc_replay_findings *found, size_t row, bool is_untouched)
{
    const struct hc_replay_worker *worker = find_worker(found, row);
    return !worker ? NAN : is_untouched ? worker->untouched_s : worker->run_s;
}

static double slack_of(const struct hc_replay_findings *found, size_t row, bool is_untouched)
{
    const struct hc_replay_worker *worker = find_worker(found, row);
    return !worker ? NAN : is_untouched ? worker->untouched_slack_s : worker->slack_s;
}

static double gain_of(const struct hc_replay_findings *found, size_t row, bool is_untouched)
{
    return is_untouched ? NAN : row ? found->gain.period_gpu_h : found->gain.replayed_gpu_h;
}

static double all_of(const struct hc_replay_findings *found, size_t row, bool is_untouched)
{
    (void)row;
    return is_untouched ? found->untouched_s : found->run_s;
}

/* All numbers of a table have the same decimals: five digits of a step, of slack two more. */
static int decimals_of(const struct shown *shown, number_of *of)
{
    double size = findings_of(shown->result, 0)->untouched_s;
    int decimals = (of == slack_of ? 6 : 4) - (int)floor(log10(size));
    return decimals < 1 ? 1 : decimals > 9 ? 9 : decimals;
}

static void put_row(struct hc_section *section, const struct shown *shown, const char *name,
                    number_of *of, size_t row)
{
    char text[HC_NUMBER_TEXT];
    hc_section_text(section, name);
    for (size_t i = 0; i <= shown->n; i++) {
        double number = of(findings_of(shown->result, i ? shown->run[i - 1] : 0), row, i == 0);
        if (isnan(number) || (number == 0 && of != slack_of))
            hc_section_text(section, "-");
        else if (of == gain_of)
            hc_section_text(section, hc_study_number_text(number, text));
        else
            hc_section_text(section, hc_format_fixed(number, decimals_of(shown, of), text));
    }
}

/* The largest of a row over the columns; with is_least the smallest. */
static double extreme_of(const struct shown *shown, number_of *of, size_t row, bool is_least)
{
    double best = of(findings_of(shown->result, 0), row, true);
    for (size_t i = 0; i < shown->n; i++) {
        double number = of(findings_of(shown->result, shown->run[i]), row, false);
        best = is_least ? fmin(best, number) : fmax(best, number);
    }
    return best;
}

static void put_ranks(struct hc_section *section, const struct shown *shown)
{
    for (int r = 0; r < HC_N_STEP_RANKS; r++)
        put_row(section, shown, hc_replay_rank_name(r), rank_of, (size_t)r);
}

static void put_parts(struct hc_section *section, const struct shown *shown)
{
    for (size_t part = 0; part < HC_REPLAY_N_PARTS; part++)
        if (extreme_of(shown, part_of, part, false) > 0 ||
            extreme_of(shown, part_of, part, true) < 0)
            put_row(section, shown, hc_replay_part_name(findings_of(shown->result, 0), (int)part),
                    part_of, part);
    put_row(section, shown, "all", all_of, 0);
}

/* Whether a worker comes before another: more of the path, or less slack; then by its number. */
static bool comes_before(const struct shown *shown, number_of *of, size_t a, size_t b)
{
    bool is_least = of == slack_of;
    double x = extreme_of(shown, of, a, is_least), y = extreme_of(shown, of, b, is_least);
    if (x != y)
        return is_least ? x < y : x > y;
    return a < b;
}

/* The workers that come first, of all plans. */
struct first_workers {
    size_t row[MOST_WORKERS], n;
};

static void take_worker(struct first_workers *first, const struct shown *shown, number_of *of,
                        size_t row)
{
    size_t at = first->n;
    double least = extreme_of(shown, of, row, true), most = extreme_of(shown, of, row, false);
    if (isnan(least) || (of == worker_of && !(most > 0)))
        return;
    while (at > 0 && comes_before(shown, of, row, first->row[at - 1]))
        at--;
    if (at == MOST_WORKERS)
        return;
    first->n += first->n < MOST_WORKERS;
    for (size_t i = first->n - 1; i > at; i--)
        first->row[i] = first->row[i - 1];
    first->row[at] = row;
}

/* How many dp ranks and stages the plans have at most, and whether all have the same workers. */
struct extent {
    size_t n_ranks, n_stages;
    bool is_same;
};

static struct extent find_extent(const struct shown *shown)
{
    const struct hc_replay_findings *first = findings_of(shown->result, 0);
    struct extent extent = {first->n_workers / first->n_stages, first->n_stages, true};
    for (size_t i = 0; i < shown->n; i++) {
        const struct hc_replay_findings *found = findings_of(shown->result, shown->run[i]);
        size_t n_ranks = found->n_workers / found->n_stages;
        extent.is_same &= n_ranks == extent.n_ranks && found->n_stages == extent.n_stages;
        extent.n_ranks = n_ranks > extent.n_ranks ? n_ranks : extent.n_ranks;
        extent.n_stages = found->n_stages > extent.n_stages ? found->n_stages : extent.n_stages;
    }
    return extent;
}

static void put_workers(struct hc_section *section, const struct shown *shown, number_of *of)
{
    const struct extent extent = find_extent(shown);
    struct first_workers first = {.n = 0};
    for (size_t d = 0; d < extent.n_ranks; d++)
        for (size_t s = 0; s < extent.n_stages; s++)
            take_worker(&first, shown, of, d << STAGE_BITS | s);
    for (size_t i = 0; i < first.n; i++) {
        size_t row = first.row[i];
        const struct hc_replay_worker *worker = find_worker(findings_of(shown->result, 0), row);
        char name[64], rank[32] = "";
        if (findings_of(shown->result, 0)->is_profile) {
            snprintf(name, sizeof name, "rank %d", (int)worker->rank);
            put_row(section, shown, name, of, row);
            continue;
        }
        if (extent.is_same && worker && worker->rank != HC_MISSING_I32)
            snprintf(rank, sizeof rank, " (rank %d)", (int)worker->rank);
        snprintf(name, sizeof name, "%zu/%zu%s", row >> STAGE_BITS,
                 row & (((size_t)1 << STAGE_BITS) - 1), rank);
        put_row(section, shown, name, of, row);
    }
}

static void put_gain(struct hc_section *section, const struct shown *shown)
{
    const struct hc_replay_findings *found = findings_of(shown->result, 0);
    char name[96], number[HC_NUMBER_TEXT];
    snprintf(name, sizeof name, "%s steps replayed",
             hc_format_count((int64_t)found->steps.n, number));
    put_row(section, shown, name, gain_of, 0);
    snprintf(name, sizeof name, "%s steps of the traced period, extrapolated",
             hc_format_count(found->gain.n_period_steps, number));
    put_row(section, shown, name, gain_of, 1);
}

static const char *title_of(enum hc_replay_beside what, bool is_profile)
{
    static const char *const titles[HC_N_BESIDES] = {
        [HC_BESIDE_RANKS] = "steps (s)",
        [HC_BESIDE_PARTS] = "critical path (s a step)",
        [HC_BESIDE_WORKERS] = "critical path by worker",
        [HC_BESIDE_SLACK] = "slack by worker (s)",
        [HC_BESIDE_GAIN] = "GPU-hours gained",
    };
    return what == HC_BESIDE_WORKERS && is_profile ? "critical path by rank" : titles[what];
}

size_t hc_replay_beside_table(struct hc_study_listing *table, const struct hc_study_result *result,
                              enum hc_replay_beside what, size_t most, size_t width)
{
    struct shown shown;
    struct hc_section *section = &table->section;
    size_t n_left_out = choose(&shown, result, most, width);
    *section = (struct hc_section){.columns = table->column, .n_columns = 2 + shown.n, .indent = 2};
    table->column[0] =
        (struct hc_section_column){.title = title_of(what, findings_of(result, 0)->is_profile)};
    table->column[1] =
        (struct hc_section_column){.title = "untouched",
                                   .gap = 3,
                                   .is_right = true,
                                   .only = what == HC_BESIDE_GAIN ? HC_NO_VIEW : HC_BOTH_VIEWS};
    for (size_t i = 0; i < shown.n; i++)
        table->column[2 + i] = (struct hc_section_column){
            .title = hc_replay_run_title(result, shown.run[i]), .gap = 3, .is_right = true};
    if (what == HC_BESIDE_RANKS)
        put_ranks(section, &shown);
    else if (what == HC_BESIDE_PARTS)
        put_parts(section, &shown);
    else if (what == HC_BESIDE_GAIN)
        put_gain(section, &shown);
    else
        put_workers(section, &shown, what == HC_BESIDE_SLACK ? slack_of : worker_of);
    return n_left_out;
}

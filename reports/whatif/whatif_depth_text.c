#include "reports/whatif/whatif_depth_text.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"
#include "reports/whatif/whatif_views.h"
#include "reports/write/text_line.h"
#include "sim/whatif/worker_wander.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_POINTS  6 /* of a fix curve, without its knee and its end */
#define MAX_MEMBERS 3 /* named at a knee */
#define MAX_WORST   3 /* workers, and steps */

/* ---- verdict ---- */

void hc_whatif_write_verdict(FILE *stream, const struct hc_whatif_result *result)
{
    const struct hc_verdict *verdict = &result->depth.verdict;
    struct hc_text_line line = {.used = 0};
    if (!verdict->done)
        return;
    hc_line_add(&line, "%s", verdict->text);
    hc_line_put(stream, "verdict", &line);
}

/* "m_w 1.002 >= 0.500, worker_share 1.025 >= 0.200": the tests of a cause. */
static size_t add_tests(struct hc_text_line *line, const struct hc_verdict *verdict,
                        const struct hc_section *tests, enum hc_straggler_cause cause)
{
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        if (verdict->evidence[i].cause != cause)
            continue;
        hc_line_add(line, "%s", n++ ? ", " : "");
        hc_section_add_row(line, tests, i);
    }
    return n;
}

/* What the verdict does not say of a further cause: the words of the tests that it passes. */
static void write_words(FILE *stream, const struct hc_verdict *verdict,
                        enum hc_straggler_cause cause)
{
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct hc_evidence *test = &verdict->evidence[i];
        if (test->cause != cause || !test->passed || !test->text[0])
            continue;
        fputs("      ", stream);
        hc_text_wrap(stream, test->text, 6, 6, HC_TEXT_WIDTH);
    }
}

static void write_tests(FILE *stream, const struct hc_verdict *verdict,
                        const struct hc_section *tests)
{
    fputs("\nTests for causes, with their limits; * what the verdict names\n", stream);
    for (int cause = 0; cause < HC_N_STRAGGLER_CAUSES; cause++) {
        struct hc_text_line line = {.used = 0};
        if (add_tests(&line, verdict, tests, cause) == 0)
            continue;
        fprintf(stream, "  %c %-26s", hc_verdict_names(verdict, cause) ? '*' : ' ',
                hc_straggler_cause_text(cause));
        hc_text_wrap(stream, line.text, 30, 30, HC_TEXT_WIDTH);
        if (hc_verdict_names(verdict, cause) && cause != (int)verdict->cause)
            write_words(stream, verdict, cause);
    }
}

enum hc_status hc_whatif_write_evidence(FILE *stream, const struct hc_whatif_result *result,
                                        struct hc_error *err)
{
    const struct hc_verdict *verdict = &result->depth.verdict;
    if (!verdict->done || verdict->n_evidence == 0)
        return HC_OK;
    struct hc_section tests = hc_whatif_evidence_table(verdict);
    enum hc_status status = hc_section_check(&tests, err);
    if (status == HC_OK)
        write_tests(stream, verdict, &tests);
    hc_section_fini(&tests);
    return status;
}

const char *hc_whatif_interval_text(const struct hc_intervals *intervals,
                                    const struct hc_interval *interval, char text[HC_INTERVAL_TEXT])
{
    char level[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    text[0] = '\0';
    if (intervals->done && isfinite(interval->low) && isfinite(interval->high))
        snprintf(text, HC_INTERVAL_TEXT, " (%s %%: %s to %s)",
                 hc_format_fixed(100 * intervals->level, 0, level),
                 hc_format_fixed(interval->low, 3, low), hc_format_fixed(interval->high, 3, high));
    return text;
}

/* "; none of M_W, M_S: REASON", for the figures whose reason is that of figure number first. */
static void add_lack(char text[HC_INTERVALS_TEXT], const struct hc_interval_reason *const *reasons,
                     size_t first)
{
    static const char *const names[] = {"S", "M_W", "M_S"};
    size_t used = strlen(text);
    for (size_t i = first; i < 3; i++)
        if (strcmp(reasons[i]->text, reasons[first]->text) == 0)
            used += (size_t)snprintf(text + used, HC_INTERVALS_TEXT - used, "%s%s",
                                     i == first ? "; none of " : ", ", names[i]);
    snprintf(text + used, HC_INTERVALS_TEXT - used, ": %s", reasons[first]->text);
}

const char *hc_whatif_intervals_text(const struct hc_intervals *intervals,
                                     char text[HC_INTERVALS_TEXT])
{
    char level[HC_NUMBER_TEXT], unseen[HC_NUMBER_TEXT];
    const struct hc_interval_reason *reasons[] = {&intervals->slowdown_reason,
                                                  &intervals->m_w_reason, &intervals->m_s_reason};
    snprintf(text, HC_INTERVALS_TEXT,
             "%s %%, by how the %zu steps differ; what comes in fewer than %s of the steps may not "
             "have been seen",
             hc_format_fixed(100 * intervals->level, 0, level), intervals->n_steps,
             hc_format_percent(intervals->unseen_share, unseen));
    for (size_t i = 0; i < 3; i++) {
        bool is_new = reasons[i]->text[0] != '\0';
        for (size_t j = 0; j < i; j++)
            is_new &= strcmp(reasons[i]->text, reasons[j]->text) != 0;
        if (is_new)
            add_lack(text, reasons, i);
    }
    return text;
}

/* ---- fix curves ---- */

/* Whether a point of a curve is named in the text: the first few, the knee and the end. */
static bool is_shown(const struct hc_fix_curve *curve, size_t point)
{
    return point > 0 &&
           (point <= MAX_POINTS || point == curve->knee || point + 1 == curve->n_points);
}

static void add_knee(struct hc_text_line *line, const struct hc_whatif_result *result,
                     enum hc_fix_kind kind)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    size_t n_fixed = curve->points[curve->knee].n_fixed;
    char name[HC_MEMBER_TEXT];
    hc_line_add(line, " (knee: ");
    for (size_t i = 0; i < n_fixed && i < MAX_MEMBERS; i++)
        hc_line_add(line, "%s%s", i ? ", " : "",
                    hc_fix_member_name(result, kind, curve->order[i], name));
    hc_line_add(line, "%s)", n_fixed > MAX_MEMBERS ? ", ..." : "");
}

static void write_curve(FILE *stream, const struct hc_whatif_result *result, enum hc_fix_kind kind)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT], label[HC_LABEL_WIDTH + 1];
    bool is_first = true;
    for (size_t p = 0; p < curve->n_points; p++) {
        if (!is_shown(curve, p))
            continue;
        hc_line_add(&line, "%s%zu: %s", is_first ? "" : ", ", curve->points[p].n_fixed,
                    hc_format_percent(curve->points[p].recovered, number));
        if (p == curve->knee)
            add_knee(&line, result, kind);
        is_first = false;
    }
    snprintf(label, sizeof label, "  %s", hc_fix_kind_text(kind));
    hc_line_put(stream, label, &line);
}

void hc_whatif_write_fixes(FILE *stream, const struct hc_whatif_result *result)
{
    bool has_title = false;
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++) {
        const struct hc_fix_curve *curve = &result->depth.fixes[kind];
        if (curve->n_groups == 0 || curve->n_points < 2 || isnan(curve->points[1].recovered))
            continue;
        if (!has_title)
            fputs("\nShare of the excess that goes when the worst n are fixed together\n", stream);
        has_title = true;
        write_curve(stream, result, kind);
    }
}

/* ---- Shapley values ---- */

static void write_share(FILE *stream, const struct hc_whatif_result *result,
                        const struct hc_shapley_share *share)
{
    char name[HC_MEMBER_TEXT], a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    double slowdown = hc_split_group_slowdown(&result->blocking[HC_BY_OP_TYPE], share->name);
    fprintf(stream, "  %-26s %7s %13s %8s\n", hc_shapley_name(share, name),
            hc_format_fixed(slowdown, 3, a), hc_format_fixed(share->seconds, 4, b),
            hc_format_percent(share->share, c));
}

void hc_whatif_write_shapley(FILE *stream, const struct hc_whatif_result *result)
{
    const struct hc_shapley *shapley = &result->depth.shapley;
    char total[HC_NUMBER_TEXT], sweeps[HC_NUMBER_TEXT];
    if (!shapley->done || shapley->n_groups == 0)
        return;
    fprintf(stream,
            "\nShapley values by op type: shares of the excess (%s a step). These do\n"
            "add up; from all %s coalitions of types.\n"
            "  op type                          S  seconds/step    share\n",
            hc_format_seconds(result->findings.shapley_s, total),
            hc_format_count(shapley->n_sweeps + 2, sweeps));
    for (size_t g = 0; g < shapley->n_groups; g++)
        write_share(stream, result, &shapley->groups[g]);
}

/* ---- workers ---- */

static enum hc_status write_worst(FILE *stream, const struct hc_whatif_result *result,
                                  struct hc_error *err)
{
    struct hc_section workers = hc_whatif_worst_workers_table(result, MAX_WORST);
    struct hc_text_line line = {.used = 0};
    enum hc_status status = hc_section_check(&workers, err);
    if (status == HC_OK) {
        for (size_t i = 0; i < hc_section_n_rows(&workers); i++) {
            hc_line_add(&line, "%s", i ? ", " : "");
            hc_section_add_row(&line, &workers, i);
        }
        hc_line_put(stream, "worst workers", &line);
    }
    for (size_t i = 0; i < workers.n_notes && status == HC_OK; i++) {
        hc_line_add(&line, "%s", workers.notes[i]);
        hc_line_put(stream, "", &line);
    }
    hc_section_fini(&workers);
    return status;
}

/* Where the worst steps have their worst worker. */
static void add_worst_steps(struct hc_text_line *line, const struct hc_whatif_result *result)
{
    char number[HC_NUMBER_TEXT];
    hc_line_add(line, "; worst steps:");
    for (size_t i = 0; i < result->n_steps && i < MAX_WORST; i++) {
        size_t step = result->findings.steps[i], worker = hc_step_worst_worker(result, step);
        hc_line_add(line, "%s %" PRId32 " rank %" PRId32 " %s", i ? "," : "", result->steps[step],
                    result->workers[worker].rank,
                    hc_format_fixed(hc_worker_step_slowdown(result, worker, step), 2, number));
    }
}

static void write_wander(FILE *stream, const struct hc_whatif_result *result)
{
    const struct hc_wander *wander = &result->findings.wander;
    struct hc_text_line line = {.used = 0};
    char name[HC_MEMBER_TEXT], number[HC_NUMBER_TEXT], next[HC_NUMBER_TEXT];
    if (wander->n_workers == 0)
        return;
    hc_fix_member_name(result, HC_FIX_WORKERS, (int32_t)wander->most, name);
    /* With a slow worker in the verdict, that others are the worst of many steps is noise beside
     * it. */
    if (!result->findings.wanders || hc_verdict_names(&result->depth.verdict, HC_STRAGGLER_WORKER))
        hc_line_add(&line, "the worst worker is %s in %zu of %zu steps", name, wander->n_steps,
                    result->n_steps);
    else
        hc_line_add(&line,
                    "the worst worker wanders over %zu workers in %zu steps; most often, in %zu, "
                    "it is %s",
                    wander->n_workers, result->n_steps, wander->n_steps, name);
    if (isfinite(wander->share))
        hc_line_add(&line, "; alone, the worst of each step brings %s of the excess, the next %s",
                    hc_format_percent(wander->share, number),
                    hc_format_percent(wander->next_share, next));
    add_worst_steps(&line, result);
    hc_line_put(stream, "step by step", &line);
}

enum hc_status hc_whatif_write_worst_workers(FILE *stream, const struct hc_whatif_result *result,
                                             struct hc_error *err)
{
    if (!result->findings.has_exact)
        return HC_OK;
    enum hc_status status = write_worst(stream, result, err);
    if (status == HC_OK)
        write_wander(stream, result);
    return status;
}

#include "pipeline/night/attempt_timelines.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/op_table.h"
#include "pipeline/choice/timeline_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The analyses are those of `whatif --all` without options, so that either has what the other kept.
 */
#define THRESHOLD 1.03

static const struct hc_step_ranges all_steps = {.n = 0};

/* ---- which timelines ---- */

static int compare_timelines(const void *a, const void *b)
{
    const struct hc_timeline_of *x = a, *y = b;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* The timeline of the joins that a segment of ops is, or NULL. */
static const struct hc_join_timeline *find(const struct hc_joins *joins, const int32_t *of_text,
                                           const struct hc_manifest_entry *entry)
{
    char name[HC_TIMELINE_NAME];
    hc_timeline_name(entry, name);
    int32_t code = hc_text_set_find(&joins->texts, name, strlen(name));
    return code < 0 || of_text[code] < 0 ? NULL : &joins->timelines[of_text[code]];
}

static enum hc_status list_timelines(struct hc_attempt_timelines *t, int64_t as_of_ns,
                                     struct hc_error *err)
{
    const struct hc_joins *joins = t->joins;
    size_t room = 0;
    int32_t *of_text = hc_new_array(joins->texts.n, sizeof *of_text, err);
    if (!of_text)
        return err->status;
    enum hc_status status = HC_OK;
    memset(of_text, -1, joins->texts.n * sizeof *of_text);
    for (size_t i = 0; i < joins->n_timelines; i++)
        of_text[joins->timelines[i].name] = (int32_t)i;
    for (size_t i = 0; i < t->archive->n_entries && !status; i++) {
        const struct hc_manifest_entry *entry = &t->archive->entries[i];
        const struct hc_join_timeline *timeline =
            hc_manifest_entry_is(entry, &hc_ops_def) ? find(joins, of_text, entry) : NULL;
        if (!timeline || timeline->attempt < 0 || timeline->to_ns > as_of_ns)
            continue;
        status = hc_reserve(&t->list, &room, t->n + 1, sizeof *t->list, err);
        if (!status)
            t->list[t->n++] =
                (struct hc_timeline_of){timeline->attempt, i, joins->logs[timeline->log].path};
    }
    free(of_text);
    if (t->n)
        qsort(t->list, t->n, sizeof *t->list, compare_timelines);
    return status;
}

enum hc_status hc_attempt_timelines_open(struct hc_attempt_timelines *timelines,
                                         const struct hc_joins *joins, const struct hc_site *site,
                                         int64_t as_of_ns, struct hc_error *err)
{
    timelines->joins = joins;
    timelines->is_sample = site && site->tracing && strcmp(site->tracing, "chosen") != 0;
    timelines->inputs = hc_fleet_inputs(&all_steps, false, THRESHOLD, HC_FLEET_DEPTH, err);
    if (!timelines->inputs)
        return err->status;
    return joins->n_timelines ? list_timelines(timelines, as_of_ns, err) : HC_OK;
}

void hc_attempt_timelines_close(struct hc_attempt_timelines *timelines)
{
    free(timelines->inputs);
    free(timelines->list);
    free(timelines->stretches);
    *timelines = (struct hc_attempt_timelines){.n = 0};
}

/* ---- one timeline ---- */

/* S of a timeline; NaN: nothing is divided by it, which is counted. */
static enum hc_status find_slowdown(struct hc_attempt_timelines *t,
                                    const struct hc_manifest_entry *entry, double *slowdown,
                                    struct hc_error *err)
{
    const struct hc_fleet_analysis analysis = {
        .archive = t->archive,
        .steps = &all_steps,
        .threshold = THRESHOLD,
        .limits = {.max_attempts = INT32_MAX, .max_discrepancy = INFINITY},
        .use_cache = true,
        .inputs = t->inputs,
        .depth = HC_FLEET_DEPTH};
    const struct hc_fleet_job job = {entry, 1};
    struct hc_fleet_job_outcome outcome;
    struct hc_fleet_row row;
    *slowdown = NAN;
    if (hc_fleet_row_init(&row, entry->cluster, entry->job_id, entry->attempt, err))
        return err->status;
    enum hc_status status = hc_fleet_job_row(&row, &analysis, &job, 0, &outcome, err);
    bool is_analysed = row.fate == HC_FLEET_ANALYSED && isfinite(row.slowdown) && row.slowdown > 0;
    bool is_close = fabs(row.discrepancy) <= HC_SPLIT_DISCREPANCY; /* not where it is NaN */
    if (!status && is_analysed && is_close)
        *slowdown = row.slowdown;
    t->use->n_discrepant += is_analysed && !is_close;
    t->use->n_unusable += !is_analysed;
    if (!is_analysed)
        hc_warn("timeline '%s/%s' tells nothing of stragglers: %s", row.cluster, row.job_id,
                row.detail[0] ? row.detail : "it has no slowdown");
    hc_fleet_row_fini(&row);
    return status;
}

/* Steps whose numbers follow each other are one stretch, unless a pause longer than the longer of
 * both lies between them. */
static bool go_on(const struct hc_traced_stretch *stretch, const struct hc_step_span *last,
                  const struct hc_step_span *next)
{
    int64_t a_ns = last->to_ns - last->from_ns, b_ns = next->to_ns - next->from_ns;
    return next->step == last->step + 1 &&
           next->from_ns - stretch->to_ns <= (a_ns > b_ns ? a_ns : b_ns);
}

static enum hc_status add_steps(struct hc_attempt_timelines *t, const struct hc_timeline_of *of,
                                const struct hc_timeline_steps *steps, double slowdown, size_t *n,
                                struct hc_error *err)
{
    const struct hc_step_span *last = NULL;
    if (hc_reserve(&t->stretches, &t->stretches_room, *n + steps->n, sizeof *t->stretches, err))
        return err->status;
    for (size_t i = 0; i < steps->n; i++) {
        const struct hc_step_span *step = &steps->spans[i];
        if (step->from_ns == HC_MISSING_I64 || step->to_ns <= step->from_ns)
            continue;
        if (last && go_on(&t->stretches[*n - 1], last, step))
            t->stretches[*n - 1].to_ns = step->to_ns;
        else
            t->stretches[(*n)++] = (struct hc_traced_stretch){.from_ns = step->from_ns,
                                                              .to_ns = step->to_ns,
                                                              .slowdown = slowdown,
                                                              .is_estimated = steps->is_estimated,
                                                              .source = of->path};
        last = step;
    }
    return HC_OK;
}

static enum hc_status add_timeline(struct hc_attempt_timelines *t, const struct hc_timeline_of *of,
                                   size_t *n, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = &t->archive->entries[of->entry];
    struct hc_timeline_steps steps = {.n = 0};
    double slowdown;
    t->use->n_joined++;
    if (find_slowdown(t, entry, &slowdown, err))
        return err->status;
    if (isnan(slowdown))
        return HC_OK;
    enum hc_status status = hc_timeline_steps_load(&steps, t->archive, entry, err);
    if (!status)
        status = add_steps(t, of, &steps, slowdown, n, err);
    hc_timeline_steps_fini(&steps);
    t->use->n_split += !status;
    return status;
}

enum hc_status hc_attempt_timelines_of(struct hc_attempt_timelines *timelines, int32_t attempt,
                                       struct hc_traced *traced, struct hc_error *err)
{
    size_t low = 0, high = attempt < 0 ? 0 : timelines->n, n = 0;
    *traced = (struct hc_traced){.slowdown = NAN};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (timelines->list[middle].attempt < attempt)
            low = middle + 1;
        else
            high = middle;
    }
    for (; attempt >= 0 && low < timelines->n && timelines->list[low].attempt == attempt; low++)
        if (add_timeline(timelines, &timelines->list[low], &n, err))
            return err->status;
    if (n == 0)
        return HC_OK;
    hc_traced_order(timelines->stretches, &n);
    *traced = (struct hc_traced){.n = n,
                                 .stretches = timelines->stretches,
                                 .slowdown = hc_traced_slowdown(timelines->stretches, n),
                                 .is_sample = timelines->is_sample};
    return HC_OK;
}

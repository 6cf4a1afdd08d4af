#include "reports/whatif/culprits/culprit_figure.h"

#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRIP 20   /* height of a strip, with room for its name, in units of the page */
#define FILL  0.85 /* of that is filled */

#define MOST_COLUMNS 14 /* of a name that is cut */
#define SHORT_NAME   64

static const enum hc_color colors[HC_MOST_CULPRIT_BANDS] = {HC_VERMILLION, HC_GREEN, HC_PURPLE,
                                                            HC_ORANGE};

/* Of one that is always slow, a strip would say nothing. */
static bool has_strip(const struct hc_culprit *culprit)
{
    return culprit->n_stretches > 0 && culprit->pattern != HC_SLOW_ALWAYS &&
           culprit->pattern != HC_SLOW_SOME_PASSES;
}

/* Half way to the step before, and to the one after: a step fills the place around it. */
static double edge_before(const struct hc_whatif_result *result, size_t step)
{
    double here = result->steps[step];
    return step > 0 ? (result->steps[step - 1] + here) / 2 : here;
}

static double edge_after(const struct hc_whatif_result *result, size_t step)
{
    double here = result->steps[step];
    return step + 1 < result->n_steps ? (here + result->steps[step + 1]) / 2 : here;
}

/* Four points a stretch: the band is of no height outside of them. */
static void fill_band(const struct hc_whatif_result *result, const struct hc_culprit *culprit,
                      double *to, const double strip[2])
{
    size_t n = 4 * culprit->n_stretches;
    double *x = to, *low = to + n, *high = to + 2 * n;
    for (size_t i = 0; i < culprit->n_stretches; i++) {
        const struct hc_slow_stretch *stretch = &culprit->stretches[i];
        double first = edge_before(result, stretch->first),
               last = edge_after(result, stretch->last);
        for (size_t k = 0; k < 4; k++) {
            x[4 * i + k] = k < 2 ? first : last;
            low[4 * i + k] = strip[0];
            high[4 * i + k] = k == 1 || k == 2 ? strip[1] : strip[0];
        }
    }
}

/* Each level up to where the next begins, and the last to the end. */
static void fill_levels(const struct hc_whatif_result *result, double *to)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    size_t n = culprits->n_levels;
    for (size_t i = 0; i <= n; i++) {
        const struct hc_job_level *level = &culprits->levels[i < n ? i : n - 1];
        to[i] = i < n ? edge_before(result, level->first) : edge_after(result, level->last);
        to[n + 1 + i] = level->slowdown.value;
    }
}

static size_t count_values(const struct hc_culprits *culprits)
{
    size_t n = culprits->n_levels > 1 ? 2 * (culprits->n_levels + 1) : 0;
    for (size_t c = 0; c < culprits->n; c++)
        n += has_strip(&culprits->culprits[c]) ? 12 * culprits->culprits[c].n_stretches : 0;
    return n;
}

/* Few words, since they stand in the chart, to the left or right of any step: the table has all of
 * them. */
static void short_name(const struct hc_culprit *culprit, char text[SHORT_NAME])
{
    char head[SHORT_NAME];
    const char *name = culprit->kind == HC_CULPRIT_HOST && culprit->host ? culprit->host
                       : culprit->kind == HC_CULPRIT_SWITCH && culprit->switch_name
                           ? culprit->switch_name
                           : culprit->name;
    if (culprit->kind == HC_CULPRIT_WORKER)
        snprintf(text, SHORT_NAME, "rank %" PRId32, culprit->rank);
    else if (culprit->kind == HC_CULPRIT_DP_RANK)
        snprintf(text, SHORT_NAME, "dp rank %" PRId32, culprit->dp_rank);
    else if (culprit->kind == HC_CULPRIT_STAGE)
        snprintf(text, SHORT_NAME, "stage %" PRId32, culprit->stage);
    else if (culprit->kind == HC_CULPRIT_LINK && culprit->dp_rank >= 0)
        snprintf(text, SHORT_NAME, "link of dp %" PRId32, culprit->dp_rank);
    else
        snprintf(text, SHORT_NAME, "%s", hc_text_head(head, sizeof head, name, MOST_COLUMNS));
}

static void name_strip(struct hc_culprit_bands *bands, const struct hc_culprit *culprit, size_t i)
{
    char factor[HC_NUMBER_TEXT], name[SHORT_NAME];
    short_name(culprit, name);
    if (isfinite(culprit->factor.value))
        snprintf(bands->names[i], sizeof bands->names[i], "%s: %s times", name,
                 hc_format_fixed(culprit->factor.value, 2, factor));
    else
        snprintf(bands->names[i], sizeof bands->names[i], "%s", name);
}

static void add_strip(struct hc_culprit_bands *bands, const struct hc_whatif_result *result,
                      const struct hc_culprit *culprit, double *values)
{
    size_t i = bands->n_marks++, n = 4 * culprit->n_stretches;
    name_strip(bands, culprit, i);
    bands->series[bands->n_series++] = (struct hc_figure_series){.kind = HC_SERIES_BAND,
                                                                 .color = colors[i],
                                                                 .strength = HC_DEEP,
                                                                 .column = bands->names[i],
                                                                 .n = n,
                                                                 .x = values,
                                                                 .y = values + n,
                                                                 .high = values + 2 * n};
    bands->marks[i] = (struct hc_figure_mark){.x = result->steps[culprit->stretches[0].first],
                                              .y = values[2 * n + 1],
                                              .color = colors[i],
                                              .text = bands->names[i],
                                              .is_below = true};
}

static void add_levels(struct hc_culprit_bands *bands, const struct hc_whatif_result *result,
                       double *values)
{
    size_t n = result->depth.culprits.n_levels + 1;
    fill_levels(result, values);
    bands->has_levels = true;
    bands->series[bands->n_series++] = (struct hc_figure_series){.kind = HC_SERIES_STEPS,
                                                                 .color = HC_BLACK,
                                                                 .name = "level of the job",
                                                                 .n = n,
                                                                 .x = values,
                                                                 .y = values + n};
}

enum hc_status hc_culprit_bands_init(struct hc_culprit_bands *bands,
                                     const struct hc_whatif_result *result, struct hc_axis *y,
                                     double plot, struct hc_error *err)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    size_t n_strips = 0;
    *bands = (struct hc_culprit_bands){.n_series = 0};
    double *next = bands->values = hc_new_array(count_values(culprits), sizeof *bands->values, err);
    if (!next)
        return err->status;
    for (size_t c = 0; c < culprits->n; c++)
        n_strips += has_strip(&culprits->culprits[c]);
    bands->n_unseen = n_strips > HC_MOST_CULPRIT_BANDS ? n_strips - HC_MOST_CULPRIT_BANDS : 0;
    n_strips -= bands->n_unseen;
    double range = (y->high - y->low) / (1 - (double)n_strips * STRIP / plot);
    double height = range * STRIP / plot;
    y->high = y->low + range;
    for (size_t c = 0; c < culprits->n && bands->n_marks < n_strips; c++) {
        const struct hc_culprit *culprit = &culprits->culprits[c];
        if (!has_strip(culprit))
            continue;
        double top = y->high - height * (double)bands->n_marks;
        fill_band(result, culprit, next, (double[]){top - FILL * height, top});
        add_strip(bands, result, culprit, next);
        next += 12 * culprit->n_stretches;
    }
    if (culprits->n_levels > 1)
        add_levels(bands, result, next);
    return HC_OK;
}

void hc_culprit_bands_fini(struct hc_culprit_bands *bands)
{
    free(bands->values);
    bands->values = NULL;
}

enum hc_status hc_culprit_workers(const struct hc_whatif_result *result, bool **is_marked,
                                  struct hc_error *err)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    size_t n = 0;
    *is_marked = NULL;
    for (size_t c = 0; c < culprits->n; c++)
        n += culprits->culprits[c].kind != HC_CULPRIT_JOB ? culprits->culprits[c].n_members : 0;
    if (n == 0)
        return HC_OK;
    if (!(*is_marked = hc_new_array(result->n_workers, sizeof **is_marked, err)))
        return err->status;
    for (size_t c = 0; c < culprits->n; c++) {
        const struct hc_culprit *culprit = &culprits->culprits[c];
        for (size_t i = 0; culprit->kind != HC_CULPRIT_JOB && i < culprit->n_members; i++)
            (*is_marked)[culprit->members[i]] = true;
    }
    return HC_OK;
}

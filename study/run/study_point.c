/* One point of a study: from its values to the config of the engine. */
#include "study/run/study_work.h"

#include "core/text/text_stream.h"

#include <omp.h>
#include <stdlib.h>

const char *hc_study_label(struct hc_arena *arena, const struct hc_node *value,
                           struct hc_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (value->type == HC_NODE_NUMBER || value->type == HC_NODE_TEXT)
        return hc_arena_format(arena, err, "%s", value->text);
    FILE *stream = hc_text_stream(&text, &size, err);
    if (!stream)
        return NULL;
    hc_node_write_line(stream, value);
    if (hc_text_stream_end(stream, &text, HC_OK, err))
        return NULL;
    const char *label = hc_arena_format(arena, err, "%s", text);
    free(text);
    return label;
}

/* Put "variant 'a', /b = 1" in front of the message. */
static void name_point(const struct hc_study_spot *spot, struct hc_error *err)
{
    struct hc_arena arena = {NULL};
    struct hc_error ignored;
    char text[HC_ERROR_SIZE / 2] = "";
    size_t used = 0;
    if (spot->variant->set || spot->variant->n_use)
        used = (size_t)snprintf(text, sizeof text, "variant '%s'", spot->variant->name);
    for (size_t i = 0; i < spot->n && used < sizeof text; i++) {
        const char *label = hc_study_label(&arena, spot->values[i], &ignored);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", used ? ", " : "",
                                 spot->paths[i], label ? label : "?");
    }
    hc_arena_fini(&arena);
    if (*text)
        hc_context(err, "%s", text);
}

#define FRESH_KEY UINT64_C(0x6672657368)

enum hc_status hc_study_bind(struct hc_study_work *work, const struct hc_study_spot *spot,
                             struct hc_engine_point *point, struct hc_error *err)
{
    struct hc_scenario *scenario = work->scenario;
    enum hc_status status = HC_OK;
    size_t n_errors = scenario->errors.n;
    struct hc_node *root =
        hc_study_point(scenario, spot->variant, spot->n, spot->paths, spot->values);
    if (root)
        status = hc_scenario_bind_point(scenario, work->study, spot->variant, root, point, err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario->errors, err);
    if (status == HC_BAD_INPUT) { /* told here: other points may be right */
        scenario->errors.n = n_errors;
        name_point(spot, err);
    }
    if (work->is_fresh)
        point->settings.key ^= FRESH_KEY;
    if (status == HC_OK)
        hc_scenario_settle(scenario, point, work->threads);
    return status;
}

bool hc_study_has_end(const struct hc_study_work *work, size_t run)
{
    const struct hc_engine *engine = work->scenario->engine;
    return !engine->has_end || engine->has_end(work->study->variant[run].point.config);
}

size_t hc_study_figure_column(const struct hc_study_columns *columns,
                              const struct hc_engine_figure *figure)
{
    size_t i = 0;
    while (i < columns->n && columns->figure[i] != figure)
        i++;
    return i;
}

bool hc_study_is_enough(const struct hc_study_work *work, const struct hc_study_tally *tally,
                        double confidence)
{
    if (work->until == work->columns.n)
        return false;
    struct hc_study_value value = hc_study_tally_value(tally, work->until, confidence);
    /* A quantile is of the replicas that are kept: more would change nothing. */
    bool is_all =
        work->columns.figure[work->until]->percent && tally->kept.n == work->columns.most_kept;
    return is_all || (value.high - value.low) / 2 <= work->study->half_width;
}

void hc_study_progress(struct hc_study_work *work, size_t n)
{
    uint64_t done = atomic_fetch_add(&work->n_done, n) + n;
    if (omp_get_thread_num() == 0)
        hc_progress_update(&work->progress, (int64_t)done);
}

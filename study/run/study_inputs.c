/* What fitted and recorded inputs leave open: each is drawn anew, all of them at once, and the
 * scenario is run with every draw.
 *
 * All draws live the same few lives as the scenario itself does here, so that what differs is what
 * the inputs differ by; the figure of a draw is that of the scenario, run as often as it asks for,
 * and the difference. */
#include "study/run/study_work.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which keys are drawn ---- */

struct drawn_keys {
    struct hc_study_work *work;
    const char **path; /* of the number of the draw, in the arena of the result */
    size_t n, capacity;
};

static enum hc_status add_key(struct drawn_keys *keys, const struct hc_path *path, const char *word,
                              struct hc_error *err)
{
    if (hc_reserve(&keys->path, &keys->capacity, keys->n + 1, sizeof *keys->path, err))
        return err->status;
    keys->path[keys->n] = hc_arena_format(keys->work->arena, err, "%s/%s/draw", path->text, word);
    return keys->path[keys->n++] ? HC_OK : err->status;
}

static enum hc_status find_keys(struct drawn_keys *keys, const struct hc_node *node,
                                struct hc_path *path, struct hc_error *err)
{
    static const char *const words[] = {"fitted", "recorded"};
    if (node->type != HC_NODE_OBJECT)
        return HC_OK;
    for (size_t i = 0; i < 2; i++) {
        const struct hc_node *data = hc_node_member(node, words[i]);
        bool is_free = data && data->type == HC_NODE_OBJECT && !hc_node_member(data, "draw");
        if (is_free && add_key(keys, path, words[i], err))
            return err->status;
    }
    for (const struct hc_node *child = node->first; child; child = child->next) {
        size_t before = hc_path_add(path, child->key);
        enum hc_status status = find_keys(keys, child, path, err);
        hc_path_back(path, before);
        if (status)
            return status;
    }
    return HC_OK;
}

/* Of what the engine is told, in the document of a variant. */
static enum hc_status find_all(struct drawn_keys *keys, const struct hc_node *root,
                               struct hc_error *err)
{
    const struct hc_scenario_key *sections = keys->work->scenario->engine->keys;
    for (; sections->name; sections++) {
        const struct hc_node *section = hc_node_member(root, sections->name);
        struct hc_path path = {.length = 0};
        hc_path_add(&path, sections->name);
        if (section && find_keys(keys, section, &path, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- the draws of a variant ---- */

struct draws {
    struct hc_scenario *scenario;
    const struct hc_study_variant *variant;
    const struct drawn_keys *keys;
};

/* The first is the scenario as it is. */
static enum hc_status make_spot(void *context, size_t i, struct hc_study_spot *spot,
                                struct hc_error *err)
{
    const struct draws *draws = context;
    size_t n = i ? draws->keys->n : 0;
    const struct hc_place place = {"a draw of the inputs", 0, 0};
    const struct hc_node **value =
        hc_arena_new(&draws->scenario->arena, (n + 1) * sizeof *value, err);
    if (!value)
        return err->status;
    for (size_t k = 0; k < n; k++)
        if (!(value[k] = hc_study_number(draws->scenario, (double)i, &place)))
            return err->status;
    *spot = (struct hc_study_spot){draws->variant, n, draws->keys->path, value};
    return HC_OK;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of ascending values: the i-th of n, from 1, is that of i / (n + 1), so that one more draw lies
 * between two quantiles with the probability that is between them. */
static double quantile(const double *sorted, size_t n, double share)
{
    double at = share * (double)(n + 1) - 1, below = floor(at);
    if (at <= 0)
        return sorted[0];
    size_t i = (size_t)below;
    return i + 1 < n ? sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static enum hc_status put_ranges(struct hc_study_work *work, struct hc_study_run *run,
                                 const struct hc_study_cell *cell, size_t n_draws,
                                 struct hc_error *err)
{
    double *value = hc_new_array(n_draws, sizeof *value, err);
    double tail = (1 - work->result->confidence) / 2;
    run->inputs = hc_arena_new(work->arena, work->columns.n * sizeof *run->inputs, err);
    if (!value || !run->inputs) {
        free(value);
        return err->status;
    }
    for (size_t c = 0; c < work->columns.n; c++) {
        size_t n = 0;
        for (size_t i = 1; i <= n_draws; i++) {
            value[n] = run->value[c].mean + cell[i].value[c].mean - cell[0].value[c].mean;
            n += isfinite(value[n]);
        }
        qsort(value, n, sizeof *value, by_size);
        bool is_known = n == n_draws;
        run->inputs[c] =
            (struct hc_study_value){run->value[c].mean, is_known ? quantile(value, n, tail) : NAN,
                                    is_known ? quantile(value, n, 1 - tail) : NAN, NAN};
    }
    free(value);
    return HC_OK;
}

static enum hc_status run_draws(struct hc_study_work *work, size_t which,
                                const struct drawn_keys *keys, struct hc_error *err)
{
    struct hc_study *study = work->study;
    struct draws draws = {work->scenario, &study->variant[which], keys};
    size_t n = (size_t)study->input_draws, until = work->until;
    struct hc_study_cell *cell = hc_new_array(n + 1, sizeof *cell, err);
    int32_t replicas = study->replicas;
    if (!cell)
        return err->status;
    study->replicas = study->input_replicas < replicas ? study->input_replicas : replicas;
    work->until = work->columns.n; /* each draw lives the same lives */
    enum hc_status status = hc_study_run_spots(work, n + 1, make_spot, &draws, cell, err);
    study->replicas = replicas;
    work->until = until;
    if (!status)
        status = put_ranges(work, &work->result->run[which], cell, n, err);
    free(cell);
    return status;
}

static enum hc_status tell_keys(struct hc_study_work *work, struct hc_study_run *run,
                                const struct drawn_keys *keys, struct hc_error *err)
{
    const char **path = hc_arena_new(work->arena, keys->n * sizeof *path, err);
    if (!path)
        return err->status;
    for (size_t i = 0; i < keys->n; i++) /* without "/draw" */
        if (!(path[i] = hc_arena_text(work->arena, keys->path[i],
                                      strlen(keys->path[i]) - strlen("/draw"), err)))
            return err->status;
    run->input_path = path;
    run->n_input_paths = keys->n;
    return HC_OK;
}

enum hc_status hc_study_inputs(struct hc_study_work *work, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < work->result->n_runs && !status && work->study->input_draws; i++) {
        struct drawn_keys keys = {.work = work};
        status = find_all(&keys, work->study->variant[i].root, err);
        if (!status && keys.n)
            status = run_draws(work, i, &keys, err);
        if (!status && keys.n)
            status = tell_keys(work, &work->result->run[i], &keys, err);
        free(keys.path);
    }
    work->result->n_input_draws = work->study->input_draws;
    return status;
}

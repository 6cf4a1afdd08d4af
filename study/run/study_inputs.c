/* What fitted and recorded inputs leave open: each is drawn anew, all of them at once, and the
 * scenario is run with every draw.
 *
 * All draws live the same few lives as the scenario itself does here, so that what differs is what
 * the inputs differ by; the figure of a draw is that of the scenario, run as often as it asks for,
 * and the difference. */
#include "study/run/study_work.h"

#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "core/text/text_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which keys are drawn ---- */

/* A key of the scenario whose value is not known for sure. */
struct drawn_key {
    const char *path;                 /* in the arena of the result */
    const char *put;                  /* where a draw is put */
    struct hc_node_interval interval; /* mean NULL: the draw is known by its number, which is put */
    const struct hc_scenario_key *limits; /* of a number */
};

struct drawn_keys {
    struct hc_study_work *work;
    struct drawn_key *key;
    size_t n, capacity;
};

/* What is put is the number of the draw, at `put` of the path; or the value itself, at the path. */
static enum hc_status add_key(struct drawn_keys *keys, const char *path, const char *put,
                              const struct hc_node_interval *interval, struct hc_error *err)
{
    struct hc_arena *arena = keys->work->arena;
    if (hc_reserve(&keys->key, &keys->capacity, keys->n + 1, sizeof *keys->key, err))
        return err->status;
    struct drawn_key *key = &keys->key[keys->n++];
    *key = (struct drawn_key){.path = hc_arena_format(arena, err, "%s", path),
                              .put = hc_arena_format(arena, err, "%s%s", path, put)};
    if (interval) {
        struct hc_scenario *scenario = keys->work->scenario;
        key->interval = *interval;
        key->limits =
            hc_scenario_resolve_key(scenario, scenario->root, path, true, &interval->mean->place);
    }
    return key->path && key->put ? HC_OK : err->status;
}

static enum hc_status add_if_recorded(struct drawn_keys *keys, const struct hc_node *node,
                                      struct hc_path *path, struct hc_error *err)
{
    static const char *const words[] = {"fitted", "recorded"};
    for (size_t i = 0; i < 2; i++) {
        const struct hc_node *data = hc_node_member(node, words[i]);
        if (!data || data->type != HC_NODE_OBJECT || hc_node_member(data, "draw"))
            continue;
        size_t before = hc_path_add(path, words[i]);
        enum hc_status status = add_key(keys, path->text, "/draw", NULL, err);
        hc_path_back(path, before);
        if (status)
            return status;
    }
    return HC_OK;
}

static enum hc_status find_keys(struct drawn_keys *keys, const struct hc_node *node,
                                struct hc_path *path, struct hc_error *err)
{
    struct hc_node_interval interval;
    if (hc_node_interval(node, &interval))
        return add_key(keys, path->text, "", &interval, err);
    if (node->type != HC_NODE_OBJECT)
        return HC_OK;
    enum hc_status status = add_if_recorded(keys, node, path, err);
    for (const struct hc_node *child = node->first; child && !status; child = child->next) {
        size_t before = hc_path_add(path, child->key);
        status = find_keys(keys, child, path, err);
        hc_path_back(path, before);
    }
    return status;
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

/* ---- draws of a spot ---- */

/* A swept value is not drawn, nor is what it replaces. */
static bool is_put(const struct hc_study_spot *spot, const char *path)
{
    for (size_t i = 0; i < spot->n; i++) {
        size_t n = strlen(spot->paths[i]);
        if (strncmp(spot->paths[i], path, n) == 0 && (!path[n] || path[n] == '/'))
            return true;
    }
    return false;
}

static void leave_out_put(struct drawn_keys *keys, const struct hc_study_spot *spot)
{
    size_t n = 0;
    for (size_t i = 0; i < keys->n; i++)
        if (!is_put(spot, keys->key[i].path))
            keys->key[n++] = keys->key[i];
    keys->n = n;
}

#define NORMAL_975    1.959963984540054 /* standard deviations on each side of 95 % */
#define INTERVAL_SEED UINT64_C(0x696e74657276616c)

#define MOST_REDRAWN 64

static bool may_be(const struct hc_scenario_key *key, double value)
{
    return !key || ((key->is_above ? value > key->low : value >= key->low) &&
                    (key->high == 0 || value <= key->high));
}

/* A value between the ends of an interval with a probability of 95 %, below the mean and above it
 * with the same: on each side its logarithm is normal. What the key cannot be is drawn anew. By
 * path, so that two keys of the same interval are drawn apart; the same key of two variants is
 * drawn the same. */
static double draw_interval(const struct drawn_key *key, size_t draw)
{
    struct hc_philox rng;
    double mean = key->interval.mean->number, value = mean;
    hc_philox_seek(&rng, INTERVAL_SEED, hc_text_hash(key->path, strlen(key->path)), draw);
    for (int i = 0; i < MOST_REDRAWN; i++) {
        double z = hc_philox_normal(&rng);
        double end = z < 0 ? key->interval.low->number : key->interval.high->number;
        value = mean * hc_stable_exp(fabs(z) / NORMAL_975 * hc_stable_log(end / mean));
        if (may_be(key->limits, value))
            return value;
    }
    return mean; /* which is within the limits */
}

struct draws {
    struct hc_scenario *scenario;
    const struct hc_study_spot *spot;
    const struct drawn_keys *keys;
};

/* What the spot has put, then the drawn keys. The first draw is the scenario as it is. */
static enum hc_status make_spot(void *context, size_t i, struct hc_study_spot *made,
                                struct hc_error *err)
{
    const struct draws *draws = context;
    const struct hc_study_spot *spot = draws->spot;
    const struct hc_place place = {"a draw of the inputs", 0, 0};
    struct hc_arena *arena = &draws->scenario->arena;
    size_t n = spot->n, all = n + draws->keys->n;
    const struct hc_node **value = hc_arena_new(arena, (all + 1) * sizeof *value, err);
    const char **path = hc_arena_new(arena, (all + 1) * sizeof *path, err);
    if (!value || !path)
        return err->status;
    for (size_t k = 0; k < n; k++) {
        path[k] = spot->paths[k];
        value[k] = spot->values[k];
    }
    for (size_t k = 0; i > 0 && k < draws->keys->n; k++, n++) {
        const struct drawn_key *key = &draws->keys->key[k];
        double number = key->interval.mean ? draw_interval(key, i) : (double)i;
        path[n] = key->put;
        if (!(value[n] = hc_study_number(draws->scenario, number, &place)))
            return err->status;
    }
    *made = (struct hc_study_spot){spot->variant, n, path, value};
    return HC_OK;
}

static enum hc_status run_draws(struct hc_study_work *work, const struct hc_study_spot *spot,
                                const struct drawn_keys *keys, struct hc_study_draws *draws,
                                struct hc_error *err)
{
    struct hc_study *study = work->study;
    struct draws context = {work->scenario, spot, keys};
    size_t until = work->until;
    int32_t replicas = study->replicas;
    draws->n = keys->n ? (size_t)study->input_draws : 0;
    draws->cell = hc_new_array(draws->n + 1, sizeof *draws->cell, err);
    if (!draws->cell)
        return err->status;
    study->replicas = study->input_replicas < replicas ? study->input_replicas : replicas;
    work->until = work->columns.n; /* each draw lives the same lives */
    enum hc_status status =
        hc_study_run_spots(work, draws->n + 1, make_spot, &context, draws->cell, err);
    study->replicas = replicas;
    work->until = until;
    return status;
}

static enum hc_status tell_keys(struct hc_study_work *work, const struct drawn_keys *keys,
                                struct hc_study_draws *draws, struct hc_error *err)
{
    draws->path = hc_arena_new(work->arena, (keys->n + 1) * sizeof *draws->path, err);
    if (!draws->path)
        return err->status;
    for (size_t i = 0; i < keys->n; i++)
        draws->path[i] = keys->key[i].path;
    draws->n_paths = keys->n;
    return HC_OK;
}

enum hc_status hc_study_draw_inputs(struct hc_study_work *work, const struct hc_study_spot *spot,
                                    struct hc_study_draws *draws, struct hc_error *err)
{
    struct drawn_keys keys = {.work = work};
    *draws = (struct hc_study_draws){.cell = NULL};
    enum hc_status status = find_all(&keys, spot->variant->root, err);
    if (status == HC_OK) {
        leave_out_put(&keys, spot);
        status = keys.n ? run_draws(work, spot, &keys, draws, err) : HC_OK;
    }
    if (status == HC_OK)
        status = tell_keys(work, &keys, draws, err);
    free(keys.key);
    return status;
}

double hc_study_draw_mean(const struct hc_study_work *work, const struct hc_study_draws *draws,
                          size_t i, size_t column, double mean)
{
    const struct hc_study_cell *cell = &draws->cell[draws->n ? i : 0];
    if (work->columns.figure[column]->is_share_of_replicas)
        return cell->value[column].mean;
    return mean + cell->value[column].mean - draws->cell[0].value[column].mean;
}

/* ---- ranges ---- */

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

enum hc_status hc_study_draw_ranges(struct hc_study_work *work, const struct hc_study_value *value,
                                    const struct hc_study_draws *draws,
                                    const struct hc_study_draws *less, struct hc_study_value **made,
                                    struct hc_error *err)
{
    size_t n_draws = draws->n > (less ? less->n : 0) ? draws->n : less->n;
    double *drawn = hc_new_array(n_draws, sizeof *drawn, err);
    double tail = (1 - work->result->confidence) / 2;
    struct hc_study_value *range = hc_arena_new(work->arena, work->columns.n * sizeof *range, err);
    if (!drawn || !range) {
        free(drawn);
        return err->status;
    }
    for (size_t c = 0; c < work->columns.n; c++) {
        size_t n = 0;
        for (size_t i = 1; i <= n_draws; i++) {
            drawn[n] = hc_study_draw_mean(work, draws, i, c, value[c].mean) -
                       (less ? hc_study_draw_mean(work, less, i, c, 0) : 0);
            n += isfinite(drawn[n]);
        }
        hc_sort(drawn, n);
        /* A draw has too few replicas for quantiles over them. */
        bool is_known = n == n_draws && !work->columns.figure[c]->percent;
        range[c] = (struct hc_study_value){value[c].mean, is_known ? quantile(drawn, n, tail) : NAN,
                                           is_known ? quantile(drawn, n, 1 - tail) : NAN, NAN};
    }
    free(drawn);
    *made = range;
    return HC_OK;
}

/* ---- the scenario and its variants ---- */

static enum hc_status put_run(struct hc_study_work *work, const struct hc_study_draws *all,
                              size_t which, struct hc_error *err)
{
    struct hc_study_run *run = &work->result->run[which];
    const struct hc_study_draws *draws = &all[which], *base = &all[work->result->compare_base];
    run->input_path = draws->path;
    run->n_input_paths = draws->n_paths;
    if (draws->n && hc_study_draw_ranges(work, run->value, draws, NULL, &run->inputs, err))
        return err->status;
    if (!run->difference || !(draws->n || base->n))
        return HC_OK;
    return hc_study_draw_ranges(work, run->difference, draws, base, &run->difference_inputs, err);
}

/* A run without draws, as often as those that it is compared with: where no run has any, it would
 * be for nothing. */
static enum hc_status run_undrawn(struct hc_study_work *work, struct hc_study_draws *all, size_t n,
                                  struct hc_error *err)
{
    const struct drawn_keys none = {.work = work};
    enum hc_status status = HC_OK;
    bool some_draw = false;
    for (size_t i = 0; i < n; i++)
        some_draw |= all[i].n > 0;
    for (size_t i = 0; i < n && some_draw && !status; i++) {
        const struct hc_study_spot spot = {.variant = &work->study->variant[i]};
        if (!all[i].n)
            status = run_draws(work, &spot, &none, &all[i], err);
    }
    return status;
}

enum hc_status hc_study_inputs(struct hc_study_work *work, struct hc_error *err)
{
    size_t n = work->study->input_draws ? work->result->n_runs : 0;
    struct hc_study_draws *all = hc_new_array(n + 1, sizeof *all, err);
    enum hc_status status = all ? HC_OK : err->status;
    for (size_t i = 0; i < n && !status; i++) {
        const struct hc_study_spot spot = {.variant = &work->study->variant[i]};
        status = hc_study_draw_inputs(work, &spot, &all[i], err);
    }
    if (!status)
        status = run_undrawn(work, all, n, err);
    for (size_t i = 0; i < n && !status; i++)
        status = put_run(work, all, i, err);
    for (size_t i = 0; all && i < n; i++)
        free(all[i].cell);
    free(all);
    work->result->n_input_draws = work->study->input_draws;
    return status;
}

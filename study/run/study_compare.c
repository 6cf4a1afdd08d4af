/* The scenario and its variants, block by block of replicas side by side. */
#include "study/run/study_work.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A figure of one run, a difference, an interaction: a tally, and where its values go. */
struct contrast {
    struct hc_study_tally tally;
    struct hc_study_value *value; /* [n_columns], of the result */
};

struct lockstep {
    struct hc_study_work *work;
    size_t n_runs, n_contrasts;
    struct contrast *contrast;      /* the first n_runs are the runs themselves */
    void *replicas;                 /* [block] */
    struct hc_figure_value *sample; /* [n_runs * block * n_columns] */
};

/* ---- what is compared ---- */

static enum hc_status new_contrast(struct lockstep *l, size_t n_runs, bool has_spread,
                                   struct contrast **made, struct hc_error *err)
{
    struct hc_study_work *work = l->work;
    struct contrast *contrast = &l->contrast[l->n_contrasts++];
    contrast->value = hc_arena_new(work->arena, work->columns.n * sizeof *contrast->value, err);
    if (!contrast->value)
        return err->status;
    *made = contrast;
    return hc_study_tally_init(&contrast->tally, &work->columns, n_runs, has_spread, work->arena,
                               err);
}

static void put_term(struct contrast *contrast, size_t i, size_t run, double factor)
{
    contrast->tally.run[i] = run;
    contrast->tally.factor[i] = factor;
}

static enum hc_status add_difference(struct lockstep *l, size_t run, struct hc_error *err)
{
    struct contrast *contrast = NULL;
    if (new_contrast(l, 2, false, &contrast, err))
        return err->status;
    put_term(contrast, 0, run, 1);
    put_term(contrast, 1, l->work->result->compare_base, -1);
    l->work->result->run[run].difference = contrast->value;
    return HC_OK;
}

/* f(all) - f(scenario) - sum of (f(part) - f(scenario)): parts are laid over the scenario, whatever
 * they are compared with. */
static enum hc_status add_interaction(struct lockstep *l, size_t run, struct hc_error *err)
{
    const struct hc_study_variant *variant = &l->work->study->variant[run];
    struct contrast *contrast = NULL;
    if (new_contrast(l, 2 + variant->n_use, false, &contrast, err))
        return err->status;
    put_term(contrast, 0, run, 1);
    put_term(contrast, 1, 0, (double)variant->n_use - 1);
    for (size_t i = 0; i < variant->n_use; i++)
        put_term(contrast, 2 + i, variant->use[i], -1);
    l->work->result->run[run].interaction = contrast->value;
    return HC_OK;
}

static enum hc_status add_contrasts(struct lockstep *l, struct hc_error *err)
{
    struct hc_study_result *result = l->work->result;
    for (size_t i = 0; i < l->n_runs; i++) {
        struct contrast *contrast = NULL;
        if (new_contrast(l, 1, true, &contrast, err))
            return err->status;
        put_term(contrast, 0, i, 1);
        result->run[i].value = contrast->value;
    }
    for (size_t i = 0; i < l->n_runs; i++) {
        const struct hc_study_variant *variant = &l->work->study->variant[i];
        bool is_other = i != result->compare_base;
        if (is_other && add_difference(l, i, err))
            return err->status;
        if (i > 0 && variant->n_use >= 2 && add_interaction(l, i, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- running ---- */

static struct hc_figure_value *sample_of(const struct lockstep *l, size_t run, size_t i)
{
    return l->sample + (run * l->work->block + i) * l->work->columns.n;
}

static enum hc_status run_block(struct lockstep *l, uint64_t first, size_t n, struct hc_error *err)
{
    struct hc_study_work *work = l->work;
    const struct hc_engine *engine = work->scenario->engine;
    for (size_t run = 0; run < l->n_runs; run++) {
        const void *config = work->study->variant[run].point.config;
        const struct hc_figure_scale scale = {config, work->study->price_per_gpu_h,
                                              work->study->done_by_d};
        struct hc_study_run *out = &work->result->run[run];
        if (engine->run(config, first, n, l->replicas, err))
            return err->status;
        for (size_t i = 0; i < n; i++) {
            const void *replica = hc_study_replica(work, l->replicas, i);
            if (engine->add_detail)
                engine->add_detail(out->detail, replica);
            out->n_replicas++;
            out->n_finished += !engine->is_finished || engine->is_finished(replica);
            hc_study_sample(&work->columns, replica, &scale, sample_of(l, run, i));
        }
        hc_study_progress(work, n);
    }
    return HC_OK;
}

static void add_block(struct lockstep *l, size_t n, const struct hc_figure_value **sample)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t run = 0; run < l->n_runs; run++)
            sample[run] = sample_of(l, run, i);
        for (size_t c = 0; c < l->n_contrasts; c++)
            hc_study_tally_add(&l->contrast[c].tally, sample);
    }
}

/* A variant may have its own. */
static double confidence_of(const struct hc_study_work *work, size_t run)
{
    return work->study->variant[run].point.settings.confidence;
}

/* Every run must be known well enough: they go on together. */
static bool is_enough(const struct lockstep *l)
{
    for (size_t run = 0; run < l->n_runs; run++)
        if (!hc_study_is_enough(l->work, &l->contrast[run].tally, confidence_of(l->work, run)))
            return false;
    return true;
}

static enum hc_status run_all(struct lockstep *l, struct hc_error *err)
{
    struct hc_study_work *work = l->work;
    const struct hc_figure_value **sample = hc_new_array(l->n_runs, sizeof(void *), err);
    enum hc_status status = sample ? HC_OK : err->status;
    uint64_t all = (uint64_t)work->study->replicas;
    for (uint64_t at = 0; at < all && status == HC_OK; at += work->block) {
        size_t n = all - at < work->block ? (size_t)(all - at) : work->block;
        status = run_block(l, at, n, err);
        if (status == HC_OK)
            add_block(l, n, sample);
        if (status == HC_OK && is_enough(l))
            break;
    }
    free(sample);
    return status;
}

/* ---- values ---- */

static void put_values(struct lockstep *l)
{
    struct hc_study_work *work = l->work;
    const struct hc_study_value *of_run[HC_MOST_KEYS + 2];
    for (size_t c = 0; c < l->n_contrasts; c++) {
        struct contrast *contrast = &l->contrast[c];
        double confidence = work->result->confidence;
        if (c < l->n_runs)
            confidence = confidence_of(work, c);
        bool is_paired = contrast->tally.n_runs == 1 || work->study->common_random_numbers;
        for (size_t i = 0; i < contrast->tally.n_runs && !is_paired; i++)
            of_run[i] = work->result->run[contrast->tally.run[i]].value;
        for (size_t i = 0; i < work->columns.n; i++)
            contrast->value[i] =
                is_paired ? hc_study_tally_value(&contrast->tally, i, confidence)
                          : hc_study_independent(&contrast->tally, of_run, i, confidence);
    }
}

/* What single replicas had; of quantiles and shares, which are of all of them, nothing. */
static enum hc_status put_replicas(struct lockstep *l, size_t run, struct hc_error *err)
{
    const struct hc_study_kept *kept = &l->contrast[run].tally.kept;
    struct hc_study_run *result = &l->work->result->run[run];
    size_t n = l->work->columns.n;
    const double **value = hc_arena_new(l->work->arena, n * sizeof *value, err);
    if (!value)
        return err->status;
    for (size_t c = 0; c < n; c++)
        value[c] = result->spread[c].n_replicas ? kept->value[c] : NULL;
    result->replica_value = value;
    result->n_kept = kept->n;
    return HC_OK;
}

/* What a replica of each run may meet. */
static enum hc_status put_spreads(struct lockstep *l, struct hc_error *err)
{
    struct hc_study_work *work = l->work;
    for (size_t run = 0; run < l->n_runs; run++) {
        struct hc_study_spread *spread =
            hc_arena_new(work->arena, work->columns.n * sizeof *spread, err);
        if (!spread)
            return err->status;
        for (size_t i = 0; i < work->columns.n; i++)
            spread[i] =
                hc_study_kept_spread(&l->contrast[run].tally.kept, i, confidence_of(work, run));
        work->result->run[run].spread = spread;
        if (put_replicas(l, run, err))
            return err->status;
    }
    return HC_OK;
}

/* The runs have been bound when the scenario was prepared. */
static enum hc_status start_runs(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_engine *engine = work->scenario->engine;
    for (size_t i = 0; i < work->result->n_runs; i++) {
        struct hc_study_run *run = &work->result->run[i];
        hc_scenario_settle(work->scenario, &work->study->variant[i].point, work->threads);
        run->engine = engine->name;
        if (!engine->detail_size)
            continue;
        run->detail = hc_arena_new(work->arena, engine->detail_size, err);
        if (!run->detail)
            return err->status;
        if (engine->start_detail)
            engine->start_detail(run->detail, work->study->variant[i].point.config);
    }
    return HC_OK;
}

static enum hc_status name_runs(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study *study = work->study;
    for (size_t i = 0; i < study->n_variants; i++) {
        const struct hc_study_variant *variant = &study->variant[i];
        struct hc_study_run *run = &work->result->run[i];
        const char **combines = hc_arena_new(work->arena, variant->n_use * sizeof(void *), err);
        if (!combines)
            return err->status;
        for (size_t j = 0; j < variant->n_use; j++)
            combines[j] = study->variant[variant->use[j]].name;
        run->name = variant->name;
        run->combines = combines;
        run->n_combines = variant->n_use;
    }
    return HC_OK;
}

enum hc_status hc_study_runs(struct hc_study_work *work, struct hc_error *err)
{
    struct lockstep l = {.work = work, .n_runs = work->result->n_runs};
    l.contrast = hc_new_array(3 * l.n_runs, sizeof *l.contrast, err);
    l.replicas = hc_new_array(work->block, work->scenario->engine->replica_size, err);
    l.sample = hc_new_array(l.n_runs * work->block * work->columns.n, sizeof *l.sample, err);
    enum hc_status status = l.contrast && l.replicas && l.sample ? HC_OK : err->status;
    if (status == HC_OK)
        status = name_runs(work, err);
    if (status == HC_OK)
        status = start_runs(work, err);
    if (status == HC_OK)
        status = add_contrasts(&l, err);
    if (status == HC_OK)
        status = run_all(&l, err);
    if (status == HC_OK)
        status = put_spreads(&l, err);
    if (status == HC_OK)
        put_values(&l);
    free(l.contrast);
    free(l.replicas);
    free(l.sample);
    return status;
}

#include "study/run/study_run.h"

#include "study/engines/lifetime/lifetime_findings.h"
#include "study/grammar/presets.h"
#include "study/run/study_digest.h"
#include "study/run/study_numbers.h"
#include "study/run/study_work.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static bool is_among(const struct hc_study_figures *figures,
                     const struct hc_scenario_figure *figure)
{
    for (size_t i = 0; i < figures->n; i++)
        if (figures->figure[i] == figure)
            return true;
    return false;
}

/* Wall time and GPU-hours always: a faster step can lower ETTR. */
static bool is_compared(const struct hc_study *study, const struct hc_scenario_figure *figure)
{
    static const char *const always[] = {"wall_d", "total_gpu_h", "ettr"};
    size_t n = study->compare_figures.n ? 2 : 3;
    for (size_t i = 0; i < n; i++)
        if (strcmp(figure->name, always[i]) == 0)
            return true;
    return is_among(&study->compare_figures, figure);
}

static bool is_column(const struct hc_study *study, const struct hc_scenario_figure *figure)
{
    if (strcmp(figure->name, "cost") == 0 && study->price_per_gpu_h == 0)
        return false;
    return figure->has_interval;
}

static enum hc_status make_columns(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study *study = work->study;
    size_t n = 0;
    while (hc_scenario_figures[n].name)
        n++;
    struct hc_study_column *column = hc_arena_new(work->arena, n * sizeof *column, err);
    work->columns.figure = hc_arena_new(work->arena, n * sizeof *work->columns.figure, err);
    if (!column || !work->columns.figure)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        const struct hc_scenario_figure *figure = &hc_scenario_figures[i];
        if (!is_column(study, figure))
            continue;
        bool is_reported = !study->report_figures.n || is_among(&study->report_figures, figure);
        column[work->columns.n] =
            (struct hc_study_column){.name = figure->name,
                                     .unit = figure->unit,
                                     .help = figure->help,
                                     .is_reported = is_reported,
                                     .is_compared = is_compared(study, figure),
                                     .title = figure->title ? figure->title : figure->name,
                                     .is_gain = figure->is_gain};
        work->columns.figure[work->columns.n++] = figure;
    }
    work->result->column = column;
    work->result->n_columns = work->columns.n;
    return HC_OK;
}

/* ---- what is known before anything runs ---- */

/* The file without directory and ending, or the preset. */
static const char *name_of(struct hc_study_work *work, struct hc_error *err)
{
    const char *path = work->scenario->path, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (strcmp(path, "-") == 0)
        return "scenario";
    if (hc_preset_name(path))
        name = hc_preset_name(path);
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return hc_arena_text(work->arena, name, length, err);
}

static enum hc_status put_inputs(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_scenario *scenario = work->scenario;
    struct hc_study_input *input =
        hc_arena_new(work->arena, scenario->n_inputs * sizeof *input, err);
    if (!input)
        return err->status;
    for (size_t i = 0; i < scenario->n_inputs; i++) {
        input[i].path = scenario->input[i].path;
        memcpy(input[i].sha256, scenario->input[i].sha256, sizeof input[i].sha256);
    }
    work->result->inputs = input;
    work->result->n_inputs = scenario->n_inputs;
    return HC_OK;
}

/* "1,200 nodes of 8 GPUs, 90 d of work" */
static const char *subject_of(struct hc_study_work *work, const struct hc_lifetime_config *config,
                              struct hc_error *err)
{
    char nodes[HC_NUMBER_TEXT], days[HC_NUMBER_TEXT];
    bool is_work = config->job.work_s > 0;
    return hc_arena_format(
        work->arena, err, "%s nodes of %d GPUs, %s d%s", hc_format_count(config->job.nodes, nodes),
        config->job.gpus_per_node,
        hc_study_number_text((is_work ? config->job.work_s : config->job.horizon_s) / 86400, days),
        is_work ? " of work" : "");
}

static enum hc_status put_facts(struct hc_study_work *work, struct hc_error *err)
{
    struct hc_study_result *result = work->result;
    const struct hc_study *study = work->study;
    struct hc_lifetime_config config;
    struct hc_study_spot spot = {.variant = &study->variant[0]};
    if (hc_study_bind(work, &spot, &config, err))
        return err->status;
    result->seed = config.seed;
    result->confidence = config.confidence;
    result->question = study->question;
    result->price_per_gpu_h = study->price_per_gpu_h;
    result->life_replica = (uint64_t)study->report_replica;
    result->is_compared = study->n_variants > 1;
    result->common_random_numbers = study->common_random_numbers;
    result->compare_base = study->compare_base;
    result->n_runs = study->n_variants;
    result->run = hc_arena_new(work->arena, study->n_variants * sizeof *result->run, err);
    result->name = name_of(work, err);
    result->scenario = hc_study_label(work->arena, work->scenario->root, err);
    result->subject = subject_of(work, &config, err);
    result->engine = "lifetime";
    result->title = "The life of a job, simulated";
    result->one = "life";
    result->many = "lives";
    if (!result->run || !result->name || !result->scenario || !result->subject)
        return err->status;
    for (size_t i = 0; i < result->n_runs; i++) {
        result->run[i].engine = result->engine;
        result->run[i].detail = hc_arena_new(work->arena, sizeof(struct hc_life_detail), err);
        if (!result->run[i].detail)
            return err->status;
    }
    return HC_OK;
}

/* 0 where nobody knows how many it will be. */
static int64_t expected_replicas(const struct hc_study *study)
{
    if (study->until || study->find.is_asked)
        return 0;
    size_t n = study->n_variants * (1 + (study->n_sweeps ? study->n_points : 0));
    return (int64_t)(n + 2 * study->n_sensitivities) * study->replicas;
}

static enum hc_status digest(struct hc_study_work *work, struct hc_error *err)
{
    enum hc_status status = hc_study_digest(work->result, work->arena, err);
    return status ? status : hc_life_find_all(work->result, work->arena, err);
}

static enum hc_status run_parts(struct hc_study_work *work, struct hc_error *err)
{
    static hc_study_part *const parts[] = {put_inputs,
                                           put_facts,
                                           hc_study_check_sweep,
                                           hc_study_check_tornado,
                                           hc_study_runs,
                                           hc_study_sweep_all,
                                           hc_study_find_value,
                                           hc_study_tornado,
                                           hc_study_references,
                                           hc_study_each_job,
                                           digest,
                                           hc_study_notes};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == HC_OK; i++)
        status = parts[i](work, err);
    return status;
}

/* OMP_NUM_THREADS may say more than the engine takes; it shows in no byte. */
static int default_threads(void)
{
    enum { MOST = 4096 };
    int threads = omp_get_max_threads();
    return threads < MOST ? threads : MOST;
}

enum hc_status hc_study_run(struct hc_study_answer *answer, struct hc_scenario *scenario,
                            const struct hc_study *study, int threads, struct hc_error *err)
{
    *answer = (struct hc_study_answer){.arena = {NULL}};
    struct hc_study_work work = {
        .scenario = scenario,
        .study = study,
        .result = &answer->result,
        .arena = &answer->arena,
        .threads = threads > 0 ? threads : default_threads(),
        .block = study->until ? HC_STUDY_BLOCK_UNTIL : HC_STUDY_BLOCK,
    };
    hc_progress_start(&work.progress, "simulate", "replicas", expected_replicas(study));
    enum hc_status status = make_columns(&work, err);
    work.until = hc_study_column_of(&work.columns, study->until);
    if (status == HC_OK)
        status = run_parts(&work, err);
    hc_progress_end(&work.progress);
    return status;
}

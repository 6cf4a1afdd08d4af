#include "study/run/study_run.h"

#include "core/process/threads.h"
#include "study/grammar/presets.h"
#include "study/run/study_digest.h"
#include "study/run/study_work.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static bool is_among(const struct hc_study_figures *figures, const struct hc_engine_figure *figure)
{
    for (size_t i = 0; i < figures->n; i++)
        if (figures->figure[i] == figure)
            return true;
    return false;
}

/* Where a figure stands in the reports of this study. */
static const struct hc_figure_places *places_of(const struct hc_study_work *work,
                                                const struct hc_engine_figure *figure)
{
    return figure->cut_off && !hc_study_has_end(work, 0) ? figure->cut_off : &figure->places;
}

static bool is_compared(const struct hc_study *study, const struct hc_engine_figure *figure,
                        int compared)
{
    return compared == HC_COMPARED_ALWAYS ||
           (compared == HC_COMPARED_BY_DEFAULT && !study->compare_figures.n) ||
           is_among(&study->compare_figures, figure);
}

static bool is_column(const struct hc_study *study, const struct hc_engine_figure *figure)
{
    bool is_there = !figure->is_there || figure->is_there(study->variant[0].point.config);
    return is_there && figure->has_interval &&
           (!figure->needs_price || study->price_per_gpu_h != 0) &&
           (!figure->needs_done_by || study->done_by_d != 0);
}

static void put_column(struct hc_study_work *work, struct hc_study_column *column,
                       const struct hc_engine_figure *figure)
{
    const struct hc_study *study = work->study;
    const struct hc_figure_places *places = places_of(work, figure);
    if (!is_column(study, figure))
        return;
    column[work->columns.n] = (struct hc_study_column){
        .name = figure->name,
        .unit = figure->unit,
        .help = figure->help,
        .is_reported = is_among(&study->report_figures, figure) ||
                       (!study->report_figures.n && !study->n_report_tables && !figure->is_told),
        .is_compared = is_compared(study, figure, places->compared),
        .title = figure->title ? figure->title : figure->name,
        .is_gain = figure->is_gain,
        .compare_place = places->compare_place,
        .lead_place = places->lead_place,
        .tile = places->tile,
        .method = 1 + figure->redefined};
    work->columns.figure[work->columns.n++] = figure;
}

/* So that what is kept of all runs stays below this. */
#define MOST_KEPT_BYTES ((size_t)256 << 20)

static size_t most_kept(const struct hc_study *study, size_t n_columns)
{
    size_t each = n_columns * study->n_variants * sizeof(double);
    size_t most = (size_t)study->replicas, room = MOST_KEPT_BYTES / (each ? each : 1);
    most = most < room ? most : room;
    return most < HC_STUDY_MOST_KEPT ? most : HC_STUDY_MOST_KEPT;
}

static enum hc_status make_columns(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_engine *engine = work->scenario->engine;
    size_t n = 0;
    while (hc_engine_nth_figure(engine, n))
        n++;
    size_t n_figures = n;
    for (struct hc_study_quantile *q = work->scenario->quantiles; q; q = q->next)
        n++;
    struct hc_study_column *column = hc_arena_new(work->arena, n * sizeof *column, err);
    work->columns.figure = hc_arena_new(work->arena, n * sizeof *work->columns.figure, err);
    if (!column || !work->columns.figure)
        return err->status;
    for (size_t i = 0; i < n_figures; i++)
        put_column(work, column, hc_engine_nth_figure(engine, i));
    for (struct hc_study_quantile *q = work->scenario->quantiles; q; q = q->next)
        put_column(work, column, &q->figure);
    work->columns.most_kept = most_kept(work->study, work->columns.n);
    work->result->column = column;
    work->result->n_columns = work->columns.n;
    return HC_OK;
}

/* ---- what is known before anything runs ---- */

/* The file without directory and ending, or the preset. */
const char *hc_study_name(struct hc_study_work *work, struct hc_error *err)
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

static enum hc_status put_facts(struct hc_study_work *work, struct hc_error *err)
{
    struct hc_study_result *result = work->result;
    const struct hc_study *study = work->study;
    const struct hc_engine *engine = work->scenario->engine;
    const struct hc_engine_point *base = &study->variant[0].point;
    result->engine = engine->name;
    result->title = engine->title;
    result->one = engine->one;
    result->many = engine->many;
    result->has_given_replicas = engine->n_replicas != NULL;
    result->events = engine->events ? engine->events : "events";
    result->seed = base->settings.seed;
    result->confidence = base->settings.confidence;
    result->question = study->question;
    result->table = study->report_tables;
    result->n_tables = study->n_report_tables;
    result->price_per_gpu_h = study->price_per_gpu_h;
    result->first_replica = base->settings.first_replica;
    result->drawn_replica = (uint64_t)study->report_replica;
    result->is_compared = study->n_variants > 1;
    result->common_random_numbers = study->common_random_numbers;
    result->compare_base = study->compare_base;
    result->n_runs = study->n_variants;
    result->run = hc_arena_new(work->arena, study->n_variants * sizeof *result->run, err);
    result->name = hc_study_name(work, err);
    result->scenario = hc_study_source(work, err);
    result->subject = engine->subject ? engine->subject(base->config, work->arena, err) : "";
    return result->run && result->name && result->scenario && result->subject ? HC_OK : err->status;
}

/* What only reports need of each run, when all have run. */
static enum hc_status describe(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_engine *engine = work->scenario->engine;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < work->result->n_runs && status == HC_OK && engine->describe; i++)
        status = engine->describe(work, i, err);
    return status;
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
    return hc_study_digest(work->result, work->arena, err);
}

static enum hc_status run_parts(struct hc_study_work *work, struct hc_error *err)
{
    static hc_study_part *const parts[] = {put_inputs,
                                           put_facts,
                                           hc_study_bind_sweep,
                                           hc_study_bind_tornado,
                                           hc_study_runs,
                                           hc_study_inputs,
                                           hc_study_sweep_all,
                                           hc_study_find_value,
                                           hc_study_tornado,
                                           describe,
                                           digest,
                                           hc_study_again,
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
    int threads = hc_threads_most();
    return threads < MOST ? threads : MOST;
}

enum hc_status hc_study_run(struct hc_study_answer *answer, struct hc_scenario *scenario,
                            struct hc_study *study, int threads, struct hc_error *err)
{
    *answer = (struct hc_study_answer){.arena = {NULL}, .engine = scenario->engine};
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
    work.until = hc_study_figure_column(&work.columns, study->until);
    if (status == HC_OK)
        status = run_parts(&work, err);
    hc_progress_end(&work.progress);
    return status;
}

enum hc_status hc_study_draw(struct hc_study_answer *answer, struct hc_error *err)
{
    return answer->engine->draw ? answer->engine->draw(answer, err) : HC_OK;
}

void hc_study_answer_fini(struct hc_study_answer *answer)
{
    const struct hc_engine *engine = answer->engine;
    for (size_t i = 0; answer->result.run && i < answer->result.n_runs; i++)
        if (answer->result.run[i].detail && engine->release_detail)
            engine->release_detail(answer->result.run[i].detail);
    hc_arena_fini(&answer->arena);
    *answer = (struct hc_study_answer){.arena = {NULL}};
}

/* The findings of a run as tables, which JSON and CSV have of each run. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/missing.h"

#include <math.h>

#define N_SECTIONS  9
#define MOST_SLACKS 1000 /* workers, of those with least */

/* A section being filled: cells of a row follow each other. */
struct filler {
    struct hc_study_section *section;
    struct hc_study_section_cell *cell;
    size_t n;
};

static struct hc_study_section_cell *start(struct filler *f, struct hc_study_section *section,
                                           size_t n_rows, struct hc_arena *arena,
                                           struct hc_error *err)
{
    section->n_rows = n_rows;
    section->is_told = true;
    f->section = section;
    f->n = 0;
    f->cell = hc_arena_new(arena, (n_rows * section->n_columns + 1) * sizeof *f->cell, err);
    section->cell = f->cell;
    return f->cell;
}

static void put_text(struct filler *f, const char *text)
{
    f->cell[f->n++].text = text;
}

static void put(struct filler *f, double number)
{
    f->cell[f->n++].number = number;
}

static void put_count(struct filler *f, int64_t count)
{
    f->cell[f->n].is_count = true;
    put(f, (double)count);
}

/* A rank of the trace, or not known. */
static void put_rank(struct filler *f, int32_t rank)
{
    if (rank == HC_MISSING_I32)
        put(f, NAN);
    else
        put_count(f, rank);
}

/* In this run, its share of all, and what is more than in the untouched job. */
static void put_times(struct filler *f, double untouched_s, double run_s, double all_s)
{
    put(f, untouched_s);
    put(f, run_s);
    put(f, all_s > 0 ? run_s / all_s : NAN);
    put(f, run_s - untouched_s);
}

#define SECTION(section_name, section_title, section_help, columns)                                \
    (struct hc_study_section)                                                                      \
    {                                                                                              \
        .name = section_name, .title = section_title, .help = section_help, .column = columns,     \
        .n_columns = sizeof columns / sizeof *columns                                              \
    }

/* ---- edits ---- */

static enum hc_status put_edits(struct hc_study_section *section,
                                const struct hc_replay_findings *found, struct hc_arena *arena,
                                struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {
        {"edit", "edit", ""},
        {"ops_selected", "ops selected", ""},
        {"ops_changed", "changed", ""},
        {"before_s", "time before", "s a step"},
        {"after_s", "after", "s a step"},
        {"delay_s", "launches later", "s a step"},
        {"extra_s", "steps longer", "s a step"},
        {"pause_in_ideal", "pause in the ideal", ""}};
    struct filler f;
    *section = SECTION("edits", "Edits",
                       "In the order in which they are applied: ops that each is for, those whose "
                       "duration it changed, and the time of these over all workers, before it and "
                       "after. Of what is drawn, the first draw.",
                       columns);
    if (!start(&f, section, found->n_effects, arena, err))
        return err->status;
    for (size_t i = 0; i < found->n_effects; i++) {
        const struct hc_replay_effect *effect = &found->effect[i];
        put_text(&f, effect->name);
        put_count(&f, effect->n_selected);
        put_count(&f, effect->n_changed);
        put(&f, effect->before_s);
        put(&f, effect->after_s);
        put(&f, effect->delay_s);
        put(&f, effect->extra_s);
        put_text(&f, effect->ideal ? effect->ideal : "no pause");
    }
    return HC_OK;
}

/* ---- steps ---- */

static enum hc_status put_steps(struct hc_study_section *section,
                                const struct hc_replay_findings *found, struct hc_arena *arena,
                                struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {{"step", "step", ""},
                                                             {"untouched_s", "untouched", "s"},
                                                             {"step_s", "step", "s"},
                                                             {"ideal_s", "its ideal", "s"},
                                                             {"change", "change", "share"}};
    const struct hc_replay_step_times *steps = &found->steps;
    struct filler f;
    *section = SECTION("steps", "Step by step",
                       "Each replayed step: untouched, with the edits, with their ideal "
                       "durations, and the second over the first, less 1.",
                       columns);
    if (!start(&f, section, steps->n, arena, err))
        return err->status;
    for (size_t s = 0; s < steps->n; s++) {
        put_count(&f, steps->number[s]);
        put(&f, steps->untouched_s[s]);
        put(&f, steps->run_s[s]);
        put(&f, steps->ideal_s[s]);
        put(&f, steps->run_s[s] / steps->untouched_s[s] - 1);
    }
    return HC_OK;
}

static enum hc_status put_ranks(struct hc_study_section *section,
                                const struct hc_replay_findings *found, struct hc_arena *arena,
                                struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {{"of_steps", "of the steps", ""},
                                                             {"untouched_s", "untouched", "s"},
                                                             {"step_s", "step", "s"},
                                                             {"change", "change", "share"}};
    const struct hc_replay_step_times *steps = &found->steps;
    struct filler f;
    *section = SECTION("step_ranks", "How the steps differ",
                       "The shortest, the median, the 95th percentile and the longest of the "
                       "steps, untouched and with the edits, each for itself.",
                       columns);
    if (!start(&f, section, HC_N_STEP_RANKS, arena, err))
        return err->status;
    for (int r = 0; r < HC_N_STEP_RANKS; r++) {
        put_text(&f, hc_replay_rank_name(r));
        put(&f, steps->untouched_rank_s[r]);
        put(&f, steps->run_rank_s[r]);
        put(&f, steps->run_rank_s[r] / steps->untouched_rank_s[r] - 1);
    }
    return HC_OK;
}

/* ---- the critical path ---- */

static bool has_part(const struct hc_replay_findings *found, int part)
{
    return found->untouched_part_s[part] != 0 || found->part_s[part] != 0;
}

static enum hc_status put_parts(struct hc_study_section *section,
                                const struct hc_replay_findings *found, struct hc_arena *arena,
                                struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {
        {"part", "op type", ""},
        {"untouched_s", "untouched", "s a step"},
        {"step_s", "on the path", "s a step"},
        {"share", "share", "share"},
        {"change_s", "change", "s a step"}};
    struct filler f;
    size_t n = 0;
    *section = SECTION("critical_path", "Critical path by op type",
                       "What the length of a step is made of: the ops that each began when the one "
                       "before it ended. They sum to the step time.",
                       columns);
    for (int part = 0; part < HC_REPLAY_N_PARTS; part++)
        n += has_part(found, part);
    if (!start(&f, section, n, arena, err))
        return err->status;
    for (int part = 0; part < HC_REPLAY_N_PARTS; part++)
        if (has_part(found, part)) {
            put_text(&f, hc_replay_part_name(found, part));
            put_times(&f, found->untouched_part_s[part], found->part_s[part], found->run_s);
        }
    return HC_OK;
}

/* What a worker is called in a scenario: "3/1"; a rank of profiler traces by its number. */
static const char *name_worker(const struct hc_replay_findings *found,
                               const struct hc_replay_worker *worker, struct hc_arena *arena,
                               struct hc_error *err)
{
    if (found->is_profile)
        return hc_arena_format(arena, err, "%d", (int)worker->rank);
    return hc_arena_format(arena, err, "%d/%d", (int)worker->dp_rank, (int)worker->stage);
}

static bool is_on_path(const struct hc_replay_worker *worker)
{
    return fabs(worker->untouched_s) > 0 || fabs(worker->run_s) > 0;
}

static enum hc_status put_workers(struct hc_study_section *section,
                                  const struct hc_replay_findings *found, struct hc_arena *arena,
                                  struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {
        {"worker", "worker", ""},
        {"rank", "rank", ""},
        {"untouched_s", "untouched", "s a step"},
        {"step_s", "on the path", "s a step"},
        {"share", "share", "share"},
        {"change_s", "change", "s a step"}};
    struct filler f;
    size_t n = 0;
    *section = SECTION("critical_path_workers", "Critical path by worker",
                       "The same by worker (dp rank / stage), its launch delays among it; workers "
                       "that are never on the path are left out.",
                       columns);
    for (size_t w = 0; w < found->n_workers; w++)
        n += is_on_path(&found->worker[w]);
    if (!start(&f, section, n, arena, err))
        return err->status;
    for (size_t w = 0; w < found->n_workers; w++) {
        const struct hc_replay_worker *worker = &found->worker[w];
        if (!is_on_path(worker))
            continue;
        const char *name = name_worker(found, worker, arena, err);
        if (!name)
            return err->status;
        put_text(&f, name);
        put_rank(&f, worker->rank);
        put_times(&f, worker->untouched_s, worker->run_s, found->run_s);
    }
    return HC_OK;
}

static enum hc_status put_slack(struct hc_study_section *section,
                                const struct hc_replay_findings *found, struct hc_arena *arena,
                                struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {{"worker", "worker", ""},
                                                             {"rank", "rank", ""},
                                                             {"slack_s", "slack", "s"},
                                                             {"tight", "steps without", "share"}};
    struct filler f;
    *section = SECTION("slack", "Slack",
                       "How much longer an op of a worker may take, it alone, before the step "
                       "takes longer: the least of its ops, mean over the steps, and the share of "
                       "the steps in which that is nothing. Least first, at most 1,000 workers.",
                       columns);
    size_t n = found->n_by_slack < MOST_SLACKS ? found->n_by_slack : MOST_SLACKS;
    if (!start(&f, section, n, arena, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        const struct hc_replay_worker *worker = &found->worker[found->by_slack[i]];
        const char *name = name_worker(found, worker, arena, err);
        if (!name)
            return err->status;
        put_text(&f, name);
        put_rank(&f, worker->rank);
        put(&f, worker->slack_s);
        put(&f, worker->tight);
    }
    return HC_OK;
}

/* ---- gain ---- */

static enum hc_status put_gain(struct hc_study_section *section,
                               const struct hc_replay_findings *found, struct hc_arena *arena,
                               struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {{"over", "over", ""},
                                                             {"steps", "steps", ""},
                                                             {"gpu_h", "gained", "GPU-h"},
                                                             {"how", "how", ""}};
    struct filler f;
    *section =
        SECTION("gain", "GPU-hours gained",
                "Against the untouched job; not known where the number of GPUs is not.", columns);
    if (!start(&f, section, 2, arena, err))
        return err->status;
    put_text(&f, "steps replayed");
    put_count(&f, (int64_t)found->steps.n);
    put(&f, found->gain.replayed_gpu_h);
    put_text(&f, "replayed");
    put_text(&f, "traced period");
    put_count(&f, found->gain.n_period_steps);
    put(&f, found->gain.period_gpu_h);
    put_text(&f, "extrapolated");
    return HC_OK;
}

/* ---- stops ---- */

static enum hc_status put_stops(struct hc_study_section *section,
                                const struct hc_replay_findings *found, struct hc_arena *arena,
                                struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {
        {"edit", "edit", ""},          {"step", "step", ""},
        {"moment_s", "moment", "s"},   {"last_completed_s", "last op of others", "s"},
        {"timeout_s", "timeout", "s"}, {"stops_s", "the job stops", "s"},
        {"lost_s", "time lost", "s"}};
    struct filler f;
    *section =
        SECTION("stops", "Workers that stop",
                "When workers stop, the others go on until they wait for them; the job stops "
                "a timeout after their last op, and the step is lost. Figures of steps are "
                "those of the job without it.",
                columns);
    if (!start(&f, section, found->n_stops, arena, err))
        return err->status;
    section->is_told = !found->n_stops; /* shown as it is, where there are any */
    for (size_t i = 0; i < found->n_stops; i++) {
        const struct hc_replay_stop *stop = &found->stop[i];
        put_text(&f, stop->edit);
        put_count(&f, stop->step);
        put(&f, stop->at_s);
        put(&f, stop->last_completed_s);
        put(&f, stop->timeout_s);
        put(&f, stop->stops_s);
        put(&f, stop->lost_s);
    }
    return HC_OK;
}

/* ---- bootstrap ---- */

static enum hc_status put_bootstrap(struct hc_study_section *section,
                                    const struct hc_replay_findings *found, struct hc_arena *arena,
                                    struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {
        {"figure", "figure", ""}, {"value", "value", ""}, {"low", "low", ""}, {"high", "high", ""}};
    struct filler f;
    *section = SECTION("bootstrap", "Intervals by a bootstrap",
                       "Of blocks of steps that follow each other (bootstrap/block_steps), drawn "
                       "with replacement: percentiles at the level of the intervals.",
                       columns);
    if (!start(&f, section, found->n_bootstrapped, arena, err))
        return err->status;
    for (size_t i = 0; i < found->n_bootstrapped; i++) {
        put_text(&f, found->bootstrapped[i].figure);
        put(&f, found->bootstrapped[i].value);
        put(&f, found->bootstrapped[i].low);
        put(&f, found->bootstrapped[i].high);
    }
    return HC_OK;
}

enum hc_status hc_replay_put_sections(struct hc_study_work *work, struct hc_study_run *run,
                                      struct hc_error *err)
{
    typedef enum hc_status put_one(struct hc_study_section *, const struct hc_replay_findings *,
                                   struct hc_arena *, struct hc_error *);
    static put_one *const all[N_SECTIONS] = {put_edits,   put_ranks,     put_parts,
                                             put_workers, put_slack,     put_gain,
                                             put_stops,   put_bootstrap, put_steps};
    const struct hc_replay_findings *found = hc_replay_run_findings(run);
    struct hc_study_section *section = hc_arena_new(work->arena, N_SECTIONS * sizeof *section, err);
    enum hc_status status = section ? HC_OK : err->status;
    for (size_t i = 0; i < N_SECTIONS && !status; i++)
        status = all[i](&section[i], found, work->arena, err);
    run->section = section;
    run->n_sections = status ? 0 : N_SECTIONS;
    return status;
}

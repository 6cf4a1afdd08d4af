/* replay_wing.h - what the files of this wing share. Private to this wing. */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_WING_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_WING_H

#include "sim/paths/critical_path.h"
#include "sim/profiles/edits/edited_profile.h"
#include "sim/rearrange/edited_job.h"
#include "study/binding/key_binding.h"
#include "study/engines/replay/replay_engine.h"
#include "study/engines/replay/replay_result.h"
#include "study/grammar/scenario_prepare.h"
#include "study/run/study_work.h"

/* What a variant or a point gave, once it has run: filled by the first replica that is asked for.
 */
struct hc_replay_answer {
    bool is_there;
    struct hc_edited_times times; /* means over draws, in the arena of the scenario */
    int64_t *n_selected;          /* [n_edits] ops, of the first draw */
    int32_t dp_size, n_stages;    /* of the plan that the edits have made */
    double work;                  /* that a step does, over that of the untouched job */
    struct hc_extrapolation extrapolation;
    struct hc_dealt dealt;                 /* of the first draw */
    struct hc_profile_times profile_times; /* of profiler traces: means over draws */
    struct hc_profile_effect *effect;      /* [n_edits] of these, of the first draw */
    struct hc_critical_sums *paths; /* over draws, in that arena; NULL where nothing is drawn or the
                                       plan is another: then they are found when asked for */
};

/* What a step trains, for tokens and FLOPs; 0 where it is not said. */
struct hc_replay_model {
    double batch, sequence, tokens;    /* sequences of a step, their length, tokens in all */
    double layers, hidden, vocabulary; /* of a dense transformer */
    double gpus, peak_tflops;          /* of a GPU */
};

/* The untouched job step by step, as it was traced and replayed: [n] each. Of profiler traces the
 * end is that of a replay by the dependencies alone, which the discrepancy is of: with what these
 * do not explain, the replay is the trace. */
struct hc_replay_untouched {
    size_t n;
    const int32_t *number; /* in the trace */
    size_t n_numbered;     /* steps of the trace in these n */
    int64_t n_period;      /* and from the first to the last of the trace */
    double discrepancy;    /* of all, with its sign */
    const int64_t *traced_ns, *span_ns, *end_ns, *ideal_span_ns, *ideal_end_ns;
};

/* A variant or a point, bound. */
struct hc_replay_config {
    const struct hc_replay_base *base;     /* of a step timeline; else NULL */
    const struct hc_profile_base *profile; /* of profiler traces; else NULL */
    struct hc_replay_untouched untouched;
    const struct hc_job *job;
    double n_gpus, n_workers; /* 0 GPUs: not known */
    double max_discrepancy;
    bool has_plan; /* some edit of the scenario gives the job another plan, with other workers */
    int32_t draws, block_steps, resamples;
    struct hc_replay_model model;
    size_t n_named; /* all that the scenario has */
    struct hc_edit *named;
    size_t n_edits; /* those that are applied, in order */
    struct hc_edit *edits;
    struct {
        const char *variant; /* NULL: the first */
        int32_t step;        /* HC_MISSING_I32: the first */
    } picture;               /* of report/perfetto */
    struct hc_run_settings settings;
    struct hc_replay_answer *answer;
    /* Replay all draws into the answer: of the kind of traces that the job has. */
    enum hc_status (*replay_draws)(const struct hc_replay_config *config, struct hc_error *err);
};

/* A replica is a block of consecutive steps: sums over them, in ns. */
struct hc_replay_block {
    double n_steps, traced, span, end, ideal_span, ideal_end;
    double base_span, base_end, base_ideal_span, base_ideal_end;
    double n_blocks; /* of the job */
};

extern const struct hc_scenario_key hc_replay_keys[];
extern const struct hc_scenario_key hc_replay_rearrange_keys[];
extern const struct hc_scenario_key hc_replay_extrapolate_keys[];
extern const struct hc_engine_figure hc_replay_figures[];

/* For the table of keys: what it cannot say of an edit. */
bool hc_replay_finish_edit(struct hc_key_binder *binder, const struct hc_node *node, void *edit);
void hc_replay_start_edit(void *edit);

/* For binding, all false where a function of a row is (key_binding.h): a selector out of its node;
 * a worker, "3/1", as dp rank and stage. config->base is known. */
bool hc_replay_bind_selector(struct hc_key_binder *binder, const struct hc_node *node,
                             uint32_t stream, struct hc_selector *to);
bool hc_replay_bind_worker(struct hc_key_binder *binder, const struct hc_node *node,
                           int32_t worker[2]);
bool hc_replay_bind_stages(struct hc_key_binder *binder, const struct hc_node *node,
                           struct hc_step_ranges *to);
/* Words by the numbers that they stand for (replay_words.c): the place of one; several as bits, 0
 * without node. */
extern const char *const hc_replay_op_types[],
    *const hc_replay_classes[], *const hc_replay_slowest_of[], *const hc_replay_drawn_per[];
unsigned hc_replay_place_of(const char *const *words, const char *word);
unsigned hc_replay_bind_words(const char *const *words, const struct hc_node *node);

/* Edits that give the job another plan: whether there are any, why one cannot be (HC_BAD_INPUT),
 * and what is to be said of those that a run has, and of all. */
bool hc_replay_has_plan(const struct hc_node *root);
enum hc_status hc_replay_check_plans(const struct hc_replay_config *config,
                                     struct hc_refusal *refusal, struct hc_error *err);
enum hc_status hc_replay_note_plan(struct hc_study_work *work, const char *name,
                                   const struct hc_replay_config *config, struct hc_error *err);
enum hc_status hc_replay_note_plans(struct hc_study_work *work, struct hc_error *err);

/* The input of a scenario; NULL: it was not read. */
const struct hc_replay_input *hc_replay_input_of(const struct hc_node *root);
/* What binding is for both kinds of traces: the edits and which are applied; the answer, once
 * config->untouched is known. */
enum hc_status hc_replay_bind_edits(struct hc_replay_config *config, struct hc_scenario *scenario,
                                    const struct hc_node *root, struct hc_refusal *refusal,
                                    struct hc_error *err);
enum hc_status hc_replay_new_answer(struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err);
enum hc_status hc_replay_bind(void *config, struct hc_scenario *scenario,
                              const struct hc_node *root, struct hc_refusal *refusal,
                              struct hc_error *err);

/* ---- the row of profiler traces, and what both rows share (replay_answer.c) ---- */

extern const struct hc_engine hc_profile_replay_engine;
/* What both rows have: the grammar of a scenario is the same whatever its traces are. */
#define HC_REPLAY_SHARED_ROW                                                                       \
    .name = "replay", .title = "The steps of a job, changed", .one = "step", .many = "steps",      \
    .events = "draws", .keys = hc_replay_keys, .figures = hc_replay_figures,                       \
    .tables = hc_replay_table_names, .config_size = sizeof(struct hc_replay_config),               \
    .replica_size = sizeof(struct hc_replay_block),                                                \
    .detail_size = sizeof(struct hc_replay_detail), .settle = hc_replay_settle,                    \
    .n_replicas = hc_replay_n_replicas, .run = hc_replay_run,                                      \
    .start_detail = hc_replay_start_detail
/* As reports/study/replay shows them; ends in NULL. */
extern const char *const hc_replay_table_names[];
void hc_replay_settle(void *config, const struct hc_run_settings *settings);
int32_t hc_replay_n_replicas(const void *config);
enum hc_status hc_replay_run(const void *config, uint64_t first, size_t n, void *replicas,
                             struct hc_error *err);
void hc_replay_start_detail(void *detail, const void *config);
/* HC_BAD_INPUT: the replay of the untouched job is further off its trace than it may be. */
enum hc_status hc_replay_check_discrepancy(const struct hc_replay_config *config,
                                           struct hc_refusal *refusal);
/* Say of edits of a run that they select nothing. */
enum hc_status hc_replay_note_empty(struct hc_study_work *work, size_t run, struct hc_error *err);
/* An edit that makes a duration negative is a mistake that only the replay finds. */
enum hc_status hc_replay_name_edit(const struct hc_replay_config *config, size_t failed,
                                   struct hc_error *err);
/* All draws of a run, into config->answer, added up; the findings of one of profiler traces. */
enum hc_status hc_timeline_replay_draws(const struct hc_replay_config *config,
                                        struct hc_error *err);
enum hc_status hc_profile_replay_draws(const struct hc_replay_config *config, struct hc_error *err);
enum hc_status hc_profile_replay_describe(struct hc_study_work *work, size_t run,
                                          struct hc_error *err);

/* Complain of what a scenario on many jobs cannot ask (replay_jobs.c). */
void hc_replay_refuse_of_jobs(struct hc_scenario *scenario, const struct hc_node *root);

/* How often the edits of a run are drawn: once where no random number matters. */
uint32_t hc_replay_n_draws(const struct hc_replay_config *config);

/* ---- for reports ---- */

/* Fill the findings and the sections of a run (replay_findings.c), its paths and slacks among them
 * (replay_path.c); then the sections out of the findings (replay_sections.c). */
enum hc_status hc_replay_describe(struct hc_study_work *work, size_t run, struct hc_error *err);
/* What report/perfetto asks for; and the step that it shows, of the first run (replay_pictures.c).
 */
enum hc_status hc_replay_bind_picture(struct hc_replay_config *config, const struct hc_node *root,
                                      struct hc_refusal *refusal);
enum hc_status hc_replay_draw(struct hc_study_answer *answer, struct hc_error *err);
enum hc_status hc_profile_replay_draw(struct hc_study_answer *answer, struct hc_error *err);
/* The run beside the untouched job: that of the name, or the first with edits, or the base. */
size_t hc_replay_choose_run(const struct hc_study_result *result, const char *name);

/* Whether pauses count to the ideal. */
enum hc_status hc_replay_note_all(struct hc_study_work *work, struct hc_error *err);
enum hc_status hc_replay_find_paths(struct hc_replay_findings *found,
                                    const struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err);
/* answer->paths, where something is drawn and the plan is that of the trace. */
enum hc_status hc_replay_new_paths(struct hc_replay_config *config, struct hc_arena *arena,
                                   struct hc_error *err);
/* Add the paths of all steps of a draw: paths is a struct hc_critical_sums, as hc_lanes_look has
 * it.
 */
enum hc_status hc_replay_add_paths(void *paths, const struct hc_edited_lanes *lanes,
                                   struct hc_error *err);
/* Look at the lanes that the first n_edits of a run make, of one draw. */
enum hc_status hc_replay_look(const struct hc_replay_config *config, size_t n_edits, uint32_t draw,
                              hc_lanes_look *look, void *context, struct hc_error *err);
enum hc_status hc_replay_put_sections(struct hc_study_work *work, struct hc_study_run *run,
                                      struct hc_error *err);

/* How many blocks of steps there are; one of what has run. */
size_t hc_replay_n_blocks(const struct hc_replay_config *config);
struct hc_replay_block hc_replay_block_of(const struct hc_replay_config *config, size_t which);
/* All blocks of steps of what has run: [*n] in the arena; NULL with err filled. */
struct hc_replay_block *hc_replay_blocks(const struct hc_replay_config *config, size_t *n,
                                         struct hc_arena *arena, struct hc_error *err);
/* Resample them, where the scenario asks for it. */
enum hc_status hc_replay_find_bootstrap(struct hc_replay_findings *found,
                                        const struct hc_replay_config *config,
                                        const struct hc_replay_block *block, size_t n,
                                        struct hc_arena *arena, struct hc_error *err);

/* GPUs that do the work of the untouched job with the plan of a run, over its work in a step. */
static inline double hc_replay_gpus_then(const struct hc_replay_config *config)
{
    const struct hc_replay_answer *answer = config->answer;
    return config->n_gpus * answer->dp_size * answer->n_stages / config->n_workers / answer->work;
}

/* The findings that both kinds of traces have: steps, gain, bootstrap, and their sections; the rest
 * of found is there already, but for what they compute. */
enum hc_status hc_replay_describe_steps(struct hc_study_work *work, size_t run,
                                        struct hc_error *err);

/* What edits that stop workers bring about; before a run, whether they can. */
enum hc_status hc_replay_check_stops(const struct hc_replay_config *config,
                                     struct hc_refusal *refusal, struct hc_error *err);
enum hc_status hc_replay_find_stops(struct hc_replay_findings *found,
                                    const struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err);

#endif

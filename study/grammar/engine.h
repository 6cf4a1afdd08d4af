/* engine.h - what answers a scenario: one row an engine. Grammar, study and reports know engines by
 * this table only; what an engine is told and gives is opaque to them.
 *
 * To add one: a folder study/engines/<name>/ with its keys, its binding and its figures, and a row
 * in study/engines/engines.c. Everything else follows from the row: checking, the JSON Schema, the
 * tables of docs/scenario.md, variants, sweeps, `find`, replicas, sensitivity, paired comparison,
 * and all views. Order in which the functions of a row are called, for each variant and point:
 *
 *     rules -> bind -> check -> settle -> run, run, ... -> describe, note, draw -> release
 *
 * A point of a sweep ends with run; only runs (the scenario and its variants) are described.
 * tests/engines/ has a whole engine in one file, with its simulation.
 */
#ifndef HC_STUDY_GRAMMAR_ENGINE_H
#define HC_STUDY_GRAMMAR_ENGINE_H

#include "study/grammar/scenario_keys.h"
#include "study/grammar/scenario_node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- figures ---- */

struct hc_figure_value {
    double above, below;
};

/* What a figure is computed from besides the replica. */
struct hc_figure_scale {
    const void *config; /* of the point */
    double price_per_gpu_h;
    double done_by_d; /* 0: not asked */
};

/* When a figure is compared though nobody asks for it. */
enum hc_figure_compared {
    HC_COMPARED_WHEN_ASKED,
    HC_COMPARED_BY_DEFAULT, /* unless others are asked for */
    HC_COMPARED_ALWAYS
};

/* Where reports put a figure first. Places count from 1; figures with place 0 follow in the order
 * of the table. */
struct hc_figure_places {
    int compared;      /* enum hc_figure_compared */
    int compare_place; /* in comparisons of variants */
    int lead_place;    /* in the answer at the top and in sweeps; of many figures, narrow tables
                          show those that have a place */
    const char *tile;  /* label of its tile at the top of the page; NULL: it has no tile */
};

/* A figure of the result. Its mean over replicas is the mean of `above`, or the sum of `above` over
 * that of `below`. */
struct hc_engine_figure {
    const char *name;  /* "wall_d" */
    const char *title; /* what people call it, "wall time"; NULL: its name */
    const char *unit;  /* "share", "d", "GPU-h", "" for a plain number */
    const char *help;  /* a phrase without full stop */
    bool is_gain;      /* more of it is better; else less is */
    double below_zero; /* how far it may be below 0: 1 of a ratio less 1, INFINITY of a gain. Of a
                          time, a share or a count 0: there its interval ends */
    bool is_told;      /* by the views of its engine: the summary has it only where asked for */
    bool has_interval; /* it is computed from a replica; else it stands in comparisons only */
    bool needs_price, needs_done_by;
    /* Whether a scenario says what the figure is made of; NULL: it always does. */
    bool (*is_there)(const void *config);
    int32_t redefined; /* times that what it means was changed: its method is one more. Raise it
                          when the same replica gives another number, and say in docs/methods what
                          was before */
    struct hc_figure_places places;
    /* The same where replicas have no end of their own and are cut off at a time that the scenario
     * gives: there progress is what differs, and not the time it takes. NULL: no difference. */
    const struct hc_figure_places *cut_off;

    double (*above)(const struct hc_engine_figure *figure, const void *replica,
                    const struct hc_figure_scale *scale);
    double (*below)(const struct hc_engine_figure *figure, const void *replica,
                    const struct hc_figure_scale *scale); /* NULL: 1 */
    uint64_t of; /* what of a replica `above` takes: its own business */

    /* `above` is 1 or 0, and the mean the share of replicas of which something is so. */
    bool is_share_of_replicas;
    /* Not the mean over replicas but a quantile, this percent of them at or below it; 0: the mean.
     * Tables of engines have none: whoever asks for "wall_d.p95" is given a copy of wall_d
     * (hc_study_figure). */
    int32_t percent;
};

/* ---- what is bound ---- */

/* What a scenario says to the study, and the study to every engine. */
struct hc_run_settings {
    uint64_t seed;
    uint64_t key; /* names the streams of random numbers together with seed and replica; the same
                     where runs are compared with common random numbers */
    uint64_t first_replica; /* the number of that which `run` calls 0, for its streams */
    int32_t replicas;
    int32_t threads; /* at least 1 once a study runs */
    double confidence;
};

/* A variant, or a variant with values of a sweep, as its engine takes it. */
struct hc_engine_point {
    void *config; /* [config_size] */
    struct hc_run_settings settings;
};

/* Why a point cannot be run: the pointer of the key, and what is wrong with it. */
struct hc_refusal {
    char pointer[HC_POINTER_SIZE]; /* "" for the whole */
    char sentence[HC_ERROR_SIZE];
};
enum hc_status hc_refuse(struct hc_refusal *refusal, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* HC_BAD_INPUT */

struct hc_scenario;     /* study/grammar/scenario_load.h */
struct hc_study_work;   /* study/run/study_work.h */
struct hc_study_answer; /* study/run/study_run.h */

struct hc_engine {
    const char *name;       /* the `kind` of its scenarios */
    bool is_later;          /* a name that is known, and refused until it can be run: no more */
    const char *title;      /* of its reports */
    const char *one, *many; /* what a replica is called: "life", "lives" */
    const char *events;     /* what random numbers bring about in it: "faults"; NULL: "events" */

    /* Sections of a scenario, after those that all have (hc_scenario_keys); ends in a NULL name.
     * Targets are offsets in the config, for study/binding/key_binding.h. */
    const struct hc_scenario_key *keys;
    /* They end in a NULL name; the first is that of a sensitivity that names none. */
    const struct hc_engine_figure *figures;
    /* Tables of the report that report/figures may name beside figures; ends in NULL. NULL: none.
     */
    const char *const *tables;
    size_t config_size, replica_size, detail_size; /* detail of a run: 0 for none */

    /* Complain of what the table cannot say (scenario->errors). NULL: nothing. */
    void (*rules)(struct hc_scenario *scenario, const struct hc_node *root);

    /* The row that answers a scenario, once the data that it names were read: this one, or another
     * of the same name, with the same keys, figures, replicas and config, where data of another
     * kind are another model. NULL: this one. */
    const struct hc_engine *(*of_data)(const struct hc_node *root);

    /* Fill config from a document without complaints; memory is that of scenario->arena. Complaints
     * may be added; HC_BAD_INPUT fills the refusal, all else err. */
    enum hc_status (*bind)(void *config, struct hc_scenario *scenario, const struct hc_node *root,
                           struct hc_refusal *refusal, struct hc_error *err);

    /* What is wrong with a config as a whole: as bind. NULL: nothing. */
    enum hc_status (*check)(const void *config, const struct hc_node *root,
                            struct hc_refusal *refusal, struct hc_error *err);

    /* Put the settings into a config; again when they change. */
    void (*settle)(void *config, const struct hc_run_settings *settings);

    /* How many replicas there are, where they are given with the config and not asked for: all are
     * run, and the key `replicas` is refused. NULL: as many as the scenario says. */
    int32_t (*n_replicas)(const void *config);

    /* Run replicas [first, first + n) into replicas[0..n). */
    enum hc_status (*run)(const void *config, uint64_t first, size_t n, void *replicas,
                          struct hc_error *err);

    /* A list of what random numbers brought about in replicas [0, n), for others to read:
     * HC_BAD_INPUT of check says why there can be none, and names the key. Both NULL: there is no
     * such list. */
    enum hc_status (*check_list)(const void *config, struct hc_error *err);
    enum hc_status (*write_list)(const void *config, size_t n, FILE *stream, struct hc_error *err);

    /* Whether a replica came to its end, and whether one that did not was cut off. NULL: all do. */
    bool (*is_finished)(const void *replica);
    bool (*has_end)(const void *config);

    /* The rest is for reports; each may be NULL. */

    /* "1,200 nodes of 8 GPUs, 90 d of work", in the arena; NULL with err filled. */
    const char *(*subject)(const void *config, struct hc_arena *arena, struct hc_error *err);
    /* Before the first replica, and each in order. */
    void (*start_detail)(void *detail, const void *config);
    void (*add_detail)(void *detail, const void *replica);
    /* After all have run: the rest of the detail of a run, and its sections. */
    enum hc_status (*describe)(struct hc_study_work *work, size_t run, struct hc_error *err);
    /* Sentences that are to be read with a run, and with all of them (hc_study_note). */
    enum hc_status (*note_run)(struct hc_study_work *work, size_t run, struct hc_error *err);
    enum hc_status (*note_all)(struct hc_study_work *work, struct hc_error *err);
    /* What only pictures need. */
    enum hc_status (*draw)(struct hc_study_answer *answer, struct hc_error *err);
    void (*release_detail)(void *detail);
};

/* The engines of the program, ending in NULL; the first is that of a scenario that names none
 * (study/engines/engines.c). */
extern const struct hc_engine *const hc_engines[];

/* The engine of that name, or NULL. */
const struct hc_engine *hc_engine_find(const struct hc_engine *const *engines, const char *name);

/* The figure of that name, or NULL: one of the engine, or "interaction", which comparisons of
 * variants have with every engine. */
const struct hc_engine_figure *hc_engine_figure(const struct hc_engine *engine, const char *name,
                                                size_t length);

/* The i-th of these, "interaction" last; NULL beyond. */
const struct hc_engine_figure *hc_engine_nth_figure(const struct hc_engine *engine, size_t i);

/* The keys at the top of a scenario: those of every scenario, then those of its engine. The values
 * that `kind` may have are the names of all engines. */
struct hc_scenario_top {
    struct hc_scenario_key keys[HC_MOST_KEYS];
    const char *kinds[HC_MOST_KEYS];
};
void hc_scenario_top(struct hc_scenario_top *top, const struct hc_engine *const *engines,
                     const struct hc_engine *engine);

#endif

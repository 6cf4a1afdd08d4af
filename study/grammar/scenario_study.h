/* scenario_study.h - what a scenario asks: its variants, sweeps, the value it looks for, how often
 * it runs, what it reports. Engines never see this; whoever runs a study takes one point after
 * another from it (hc_study_point), binds it (scenario_prepare.h) and runs the engine on it. */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_STUDY_H
#define HC_STUDY_GRAMMAR_SCENARIO_STUDY_H

#include "core/text/condition.h"
#include "study/grammar/engine.h"
#include "study/grammar/scenario_load.h"

#include <stdint.h>

#define HC_STUDY_MAX_VALUES 100000  /* of one sweep */
#define HC_STUDY_MAX_POINTS 1000000 /* of the grid of all */

struct hc_study_variant {
    const char *name;             /* "base" is the scenario itself */
    struct hc_node *root;         /* with the variant applied */
    const struct hc_node *set;    /* what it sets, or NULL */
    struct hc_engine_point point; /* bound (scenario_prepare.h); config NULL: not yet */
    size_t *use;                  /* variants that it is made of */
    size_t n_use;
};

struct hc_study_sweep {
    const char *path;
    const struct hc_scenario_key *key;
    const struct hc_node **value;
    size_t n;
};

struct hc_study_range {
    double from, to, step; /* step 0: none was given */
};

/* How many values a range with a step has; a step that meets the end but for rounding takes it. */
double hc_study_range_count(const struct hc_study_range *range);

struct hc_study_find {
    bool is_asked, is_smallest;
    const char *path;
    const struct hc_scenario_key *key;
    struct hc_condition condition; /* `figure`: of hc_engine_nth_figure */
    struct hc_study_range range;   /* in the unit of the key */
};

struct hc_study_sensitivity {
    const char *path;
    const struct hc_scenario_key *key;
    double low, high;
};

struct hc_study_figures {
    const struct hc_engine_figure **figure;
    size_t n;
};

struct hc_study {
    const char *question;                 /* or NULL */
    int32_t replicas;                     /* at most, where until is set */
    const struct hc_engine_figure *until; /* NULL: always as many */
    double half_width;

    struct hc_study_variant *variant; /* [0] is the base */
    size_t n_variants;
    bool is_compared;
    size_t compare_base;
    bool common_random_numbers;
    struct hc_study_figures compare_figures; /* none: the default */

    struct hc_study_sweep *sweep; /* a grid: all combinations, the last goes fastest */
    size_t n_sweeps, n_points;
    struct hc_study_find find;
    const struct hc_engine_figure *sensitivity_figure;
    struct hc_study_sensitivity *sensitivity;
    size_t n_sensitivities;

    int32_t input_draws, input_replicas; /* of what recorded data leave open */

    struct hc_study_figures report_figures; /* none: all */
    const char **report_tables;             /* of those of the engine; none: all */
    size_t n_report_tables;
    double price_per_gpu_h; /* 0: none */
    double done_by_d;       /* 0: not asked */
    int32_t report_replica;
};

/* Read what the scenario asks. Complaints go to scenario->errors, which are sorted again; all that
 * study points to belongs to the scenario. HC_INTERNAL only when there is no memory. */
enum hc_status hc_study_read(struct hc_study *study, struct hc_scenario *scenario,
                             struct hc_error *err);

/* The document of a variant with values put at paths, or NULL with a complaint. */
struct hc_node *hc_study_point(struct hc_scenario *scenario, const struct hc_study_variant *variant,
                               size_t n, const char *const *paths,
                               const struct hc_node *const *values);

/* A number as a value to put at a path. */
struct hc_node *hc_study_number(struct hc_scenario *scenario, double number,
                                const struct hc_place *place);

/* The figures that conditions on a study of this scenario may name; returns their number. */
size_t hc_study_list_figures(const struct hc_scenario *scenario,
                             struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES]);

/* Parse "ettr.low >= 0.97" (core/text/condition.h); false with a complaint at place. */
bool hc_study_condition(struct hc_condition *condition, struct hc_scenario *scenario,
                        const char *text, const struct hc_place *place);

/* A quantile of a figure over replicas, "wall_d.p95"; each is made once. */
struct hc_study_quantile {
    struct hc_engine_figure figure;
    const struct hc_engine_figure *whole;
    struct hc_study_quantile *next;
};

/* What a term of a condition is about, of the figures of hc_study_list_figures. */
const struct hc_engine_figure *hc_study_term_figure(struct hc_scenario *scenario,
                                                    const struct hc_condition_term *term);

/* ---- parts of reading that have files of their own ---- */

/* Variants and what they set (scenario_study_variants.c). */
void hc_study_read_variants(struct hc_study *study, struct hc_scenario *scenario);

/* A figure by its text, or NULL with a complaint. */
const struct hc_engine_figure *hc_study_figure(struct hc_scenario *scenario,
                                               const struct hc_node *name, const char *pointer);

#endif

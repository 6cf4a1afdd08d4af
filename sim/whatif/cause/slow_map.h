/* slow_map.h - in which steps a worker is slower than it is in the others. Private to this wing. */
#ifndef HC_SIM_WHATIF_CAUSE_SLOW_MAP_H
#define HC_SIM_WHATIF_CAUSE_SLOW_MAP_H

#include "sim/whatif/cause/step_levels.h"

/* Workers that change, and their slow steps. A worker that is slow in all steps is not in it: it is
 * slower than its peers, not than itself. */
struct hc_slow_map {
    size_t n_workers, n_steps, n_changing; /* workers with slow steps, but not all */
    uint8_t *is_slow;                      /* [n_workers][n_steps] */
    uint8_t *passes;                       /* [n_workers] bits 1 << enum hc_pass: which are slow */
    /* [n_workers][n_steps] how many times as long its passes take as in its other steps: 1 in
     * steps, and for passes, that are not slow. */
    double *level[HC_N_PASSES];
};

/* Find the workers that change between two levels, on their own or as part of a dp rank or a stage.
 * step_ns: [n_steps] spans of the steps: a stage is blamed for steps that are long. least_cost_s:
 * what a change must add to the mean step, if nothing hides it. */
enum hc_status hc_slow_map_find(struct hc_slow_map *map, const struct hc_step_levels *levels,
                                const int64_t *step_ns, double least_cost_s, struct hc_error *err);
/* Find the workers whose passes are of two kinds within the steps (lower_center, lower_cut of the
 * model, whose centers must be there), and take them out of the map: their steps are no slower than
 * others. */
enum hc_status hc_pass_mixtures_find(struct hc_pass_model *model, struct hc_slow_map *map,
                                     struct hc_error *err);
/* Forget the workers that slowness has visited for a step or two, and went on. */
void hc_slow_map_clear(struct hc_slow_map *map);
void hc_slow_map_fini(struct hc_slow_map *map);

#endif

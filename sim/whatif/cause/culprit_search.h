/* culprit_search.h - from workers that are slow, always or in some steps, to culprits: who belongs
 * together, and what is said of each. Private to this wing. */
#ifndef HC_SIM_WHATIF_CAUSE_CULPRIT_SEARCH_H
#define HC_SIM_WHATIF_CAUSE_CULPRIT_SEARCH_H

#include "sim/whatif/cause/culprit_game.h"
#include "sim/whatif/cause/slow_map.h"

/* ---- the search as a whole (sim/whatif/cause/straggler_cause.c), and its words
 * (sim/whatif/cause/straggler_words.c) ---- */

#define HC_LEAST_SHARE         0.2  /* of the excess that a cause must take */
#define HC_LEAST_CULPRIT_SHARE 0.05 /* that one of several culprits must take */
/* A culprit that adds this part to the mean step is named, also in a job that does not straggle: a
 * little less than the 2 % that matter, since what a replay saves falls short of what slowness
 * cost. */
#define HC_COST_TO_NAME        0.015
#define HC_LEAST_FURTHER_SHARE 0.1 /* that a further cause must take, to be named besides */
#define HC_LEAST_AGREEMENT                                                                         \
    0.3 /* least r of forward and backward passes where microbatches differ in work */

struct hc_straggler_cause_search {
    struct hc_whatif_analysis *analysis;
    struct hc_verdict *verdict;
    struct hc_pass_pairs pairs;
    bool is_deep; /* S reached the threshold, so what follows was found */
    struct hc_pass_model model;
    struct hc_step_levels levels;
    struct hc_slow_map slow;
    struct hc_links links;
    struct hc_remedies remedies;
    int32_t worst_stage;      /* the stage with most work */
    double worst_stage_ratio; /* its work over the mean of the stages */
    double r_stage;  /* median r over the stages, less those of slow workers and the slow stage */
    double r_stages; /* the same of the first stage against the last; NaN with one stage */
    double r_microbatch;     /* r of forward and backward deviations within a step and dp rank */
    struct hc_wander wander; /* n_workers 0 where the result has no worker_end_ns */
    double weight_s[HC_N_STRAGGLER_CAUSES]; /* what it takes of the mean step; 0: not a cause */
};

/* The cause that a remedy is the remedy of. */
static inline enum hc_straggler_cause hc_cause_of_remedy(enum hc_remedy remedy)
{
    static const enum hc_straggler_cause causes[HC_N_REMEDIES] = {
        [HC_REMEDY_WORKER] = HC_STRAGGLER_WORKER,     [HC_REMEDY_STAGE] = HC_STRAGGLER_STAGE,
        [HC_REMEDY_SEQUENCE] = HC_STRAGGLER_SEQUENCE, [HC_REMEDY_PAUSES] = HC_STRAGGLER_GC,
        [HC_REMEDY_LINKS] = HC_STRAGGLER_LINK,        [HC_REMEDY_COMMON] = HC_STRAGGLER_COMMON};
    return causes[remedy];
}

/* Write all tests into the verdict, then its text. The weights, and the verdict's cause and also,
 * must be there. */
void hc_straggler_cause_list_evidence(struct hc_straggler_cause_search *search);
void hc_straggler_cause_write_text(struct hc_straggler_cause_search *search);

/* Add a culprit to the result, with room for members and slow steps. NULL without memory. */
struct hc_culprit *hc_culprit_new(struct hc_straggler_cause_search *search);

/* Make culprits of links that are slow in the same steps: all links of a worker are its network
 * card, both directions of a boundary are one. Fills remedies.culprit_of_link. */
enum hc_status hc_culprits_add_links(struct hc_straggler_cause_search *search);
/* How many times as long as in its healthy steps, or as usual where there are none, the transfers
 * of such a culprit take, by step: ratio[n_steps]. Of the types of transfers that are slow; the
 * mean over transfers. HC_INTERNAL without memory. */
enum hc_status hc_culprit_link_ratios(const struct hc_straggler_cause_search *search, size_t number,
                                      double *ratio);

/* The same of all links of the members of a culprit that is no link. False where they have none. */
bool hc_worker_link_ratios(const struct hc_straggler_cause_search *search,
                           const struct hc_culprit *culprit, double *ratio);

/* Workers that are slow in some way, to be put together. */
struct hc_grouping {
    struct hc_straggler_cause_search *search;
    enum hc_slow_ops ops; /* of the culprits made; with LAUNCHES and TRANSFERS their cause */
    enum hc_slow_pattern pattern; /* ALWAYS, SOME_PASSES, or RECURRENT for what is found later */
    const uint8_t *is_slow;       /* [n_workers][n_steps]; NULL: in all steps */
    int32_t *culprit_of;          /* [n_workers] filled with their numbers; workers that have one
                                     are not split by steps; NULL: not wanted */
    uint8_t *in;                  /* [n_workers] those not grouped yet */
};

/* Make culprits of workers that are slow in the same steps, one set of them after the other: the
 * largest groups first, stages, dp ranks, hosts and slots that are slow as a whole; then single
 * workers. */
enum hc_status hc_culprits_split_by_steps(struct hc_grouping *grouping,
                                          const uint8_t *is_slow_worker);
/* Make one culprit of all workers of the job, whether they are in `in` or not. */
enum hc_status hc_culprits_add_job(struct hc_grouping *grouping, enum hc_culprit_kind kind);

/* Make culprits of workers whose optimizer, or other op that waits for nobody, takes longer than
 * that of their peers, or join it to what is slow of them already; and of the types of ops, passes
 * and transfers too, that take longer on all workers alike in some of the steps. least_s: what it
 * must add to the mean step, if nothing hides it. */
enum hc_status hc_culprits_add_types(struct hc_straggler_cause_search *search, double least_s);

/* Group the workers that are slow in all steps (slow_worker above 1), those of the map, and those
 * of which some passes are slow. Fills what is slow and when; the array of culprits, and where each
 * worker belongs. */
enum hc_status hc_culprits_group(struct hc_straggler_cause_search *search);

/* The mean of a figure of steps that follow each other, with its 95 % interval: Student's t, over
 * as many independent steps as the lag-1 correlation leaves of them. NaN without steps; no interval
 * of fewer than 3. */
struct hc_measured hc_mean_of_steps(const double *values, size_t n);

/* The workers that a culprit is held against: those of the same stage, not among its members, that
 * are healthy in the step; of a stage as a whole, those of the other stages. */
struct hc_peers {
    const struct hc_straggler_cause_search *search;
    const uint8_t *is_member; /* [n_workers] of the culprit */
    bool is_whole_stage;      /* the members are all workers of their stages */
    double *scratch;          /* [n_workers] */
};

/* How many times as long as those of its peers the passes of a member take: ratio[n_steps]. In a
 * step without a healthy peer its own level counts, over what the job has in common. The median of
 * peers, the worker not among them: a median with it, of two the faster one, is never above the
 * healthy worker, whose level would seem too high. */
void hc_levels_over_peers(const struct hc_peers *peers, size_t worker, int pass, double *ratio);
/* Half of the 95 % interval of what two healthy workers' mean levels differ by, over the square
 * root of 2: by the spread of the healthy workers of each stage (docs/methods/causes.md). */
double hc_peer_doubt(const struct hc_straggler_cause_search *search);

/* Fill the figures of the culprits: factors, duty, stretches with their intervals. */
enum hc_status hc_culprits_measure(struct hc_straggler_cause_search *search);

/* The factors, and the slow steps, of a culprit of which some passes are slow. */
enum hc_status hc_culprit_measure_passes(struct hc_straggler_cause_search *search, size_t number);

/* From is_slow: since, until, lasts, n_slow_steps, n_stretches, duty and pattern. */
void hc_culprit_find_pattern(struct hc_culprit *culprit, size_t n_steps);
/* Fill the GPU-hours from what is saved, sort, and write names and sentences. */
void hc_culprits_describe(struct hc_straggler_cause_search *search);
/* Mark the culprits from the first on that are told: those that save least_s of the mean step,
 * alone or as their part of all; among many workers there is always one that is a little slower for
 * a while. In a job that straggles, of the others only as many are left out as save no more than
 * that together. Returns how many are left out. */
size_t hc_culprits_judge(struct hc_culprits *culprits, size_t first, double least_s,
                         bool straggles);
/* Drop those that are not told. new_number: [n] where each is now, -1 where it is dropped; or NULL.
 */
void hc_culprits_drop(struct hc_culprits *culprits, size_t first, int32_t *new_number);

/* Append a culprit for each worker, or group of them, that starts its ops late, where launch delays
 * cost as much as is told of a culprit. HC_OK with nothing appended where the trace hides waiting
 * (sim/whatif/cause/late_launches.c). */
enum hc_status hc_late_launches_find(struct hc_straggler_cause_search *search);

#endif

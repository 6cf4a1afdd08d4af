/* culprit_game.h - what mending each culprit alone saves, what mending all of them saves, and the
 * share of each in the latter (docs/methods/causes.md). Private to this wing.
 *
 * A step is replayed by itself, so it is a game of its own, and its players are the culprits that
 * are slow in it. One round (a replay of all steps) mends another set of players in each step: so
 * the number of replays is that of the step with most players, not that of all culprits.
 */
#ifndef HC_SIM_WHATIF_CAUSE_CULPRIT_GAME_H
#define HC_SIM_WHATIF_CAUSE_CULPRIT_GAME_H

#include "sim/whatif/whatif_analysis.h"

/* Of a step with so many players all sets are replayed. Of one with more: each player alone, and
 * one order in which they are mended one after the other, another one in each such step. */
#define HC_GAME_EXACT 4

struct hc_culprit_game {
    struct hc_culprit *culprits; /* [n] */
    size_t n, n_steps;
    const int64_t *untouched_ns; /* [n_steps] spans with nothing mended */
    /* [n][n_steps] the number of a culprit among the players of a step, -1 where it is none; and
     * its turn in the order of the step. */
    int32_t *player, *turn;
    size_t *n_players; /* [n_steps] */
    size_t n_rounds;
    int64_t *span_ns;   /* [n_rounds][n_steps] */
    double *together_s; /* [n_steps] what mending all of them saves */
};

/* Whether a culprit is mended in a step of a round. */
bool hc_culprit_game_mends(const struct hc_culprit_game *game, size_t round, size_t culprit,
                           size_t step);

/* Replay the rounds, each as a counterfactual of this kind whose `arg` is its number, by
 * analysis->sweeps with this rewriting. Fills alone_s, split_s and together_s of the game; `game`
 * has culprits, n and untouched_ns only, and is to be freed by hc_culprit_game_fini, also on error.
 */
enum hc_status hc_culprit_game_play(struct hc_culprit_game *game,
                                    const struct hc_whatif_analysis *analysis,
                                    enum hc_sweep_kind kind, hc_rewrite_fn *rewrite,
                                    const void *context);
/* What mending one culprit alone saves in each step: saved_s[n_steps]. */
void hc_culprit_game_alone(const struct hc_culprit_game *game, size_t culprit, double *saved_s);
void hc_culprit_game_fini(struct hc_culprit_game *game);

#endif

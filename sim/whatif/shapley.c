/* shapley.c - the excess over the ideal, split among op types so that the parts add up.
 *
 * The game: a coalition of op types keeps its traced durations, all others are ideal; its worth is
 * the mean span of a step. The Shapley value of a type is what it adds, on average over all orders
 * in which the types could be put back (Shapley, "A value for n-person games", 1953).
 *
 * All 2^n coalitions are replayed, so the values are exact. To keep n small, types that move the
 * step hardly at all when put back alone play together as one; so do the least of the others where
 * a large trace would take too long. That is a game of its own, and its values are exact too.
 */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Op types of little effect are one player together: those whose own S - 1 is less than this share
 * of the S - 1 of the job. */
#define LEAST_EFFECT 0.01
#define MAX_PLAYERS  10
/* At most so many ops are swept in all (some 30 ms on one core), by having fewer players; but four
 * are always allowed. */
#define MAX_SWEPT_OPS (1LL << 26)
#define MIN_PLAYERS   4
/* Coalitions whose spans are in memory at a time. */
#define BATCH 64

struct game {
    struct hc_whatif_analysis *analysis;
    size_t n_types, n_players;
    size_t order[HC_N_OP_TYPES + 1];     /* op type groups, largest effect first */
    size_t player_of[HC_N_OP_TYPES + 1]; /* by op type group */
    double *worth_s;                     /* [2^n_players] by set of players */
};

static double effect(const struct game *game, size_t type)
{
    return fabs(game->analysis->result->blocking[HC_BY_OP_TYPE].groups[type].slowdown - 1);
}

static void sort_types(struct game *game)
{
    for (size_t k = 0; k < game->n_types; k++) {
        size_t at = k;
        for (; at > 0 && effect(game, game->order[at - 1]) < effect(game, k); at--)
            game->order[at] = game->order[at - 1];
        game->order[at] = k;
    }
}

static size_t most_players(const struct hc_whatif_result *result)
{
    size_t n = MIN_PLAYERS;
    while (n < MAX_PLAYERS && result->n_ops <= MAX_SWEPT_OPS >> (n + 1))
        n++;
    return n;
}

/* Choose which op types are a player each. The rest are the last player together. */
static void choose_players(struct game *game)
{
    size_t most = most_players(game->analysis->result), n_alone = 0;
    double least = LEAST_EFFECT * fabs(game->analysis->result->slowdown - 1);
    sort_types(game);
    while (n_alone < game->n_types && effect(game, game->order[n_alone]) >= least)
        n_alone++;
    if (n_alone + 1 >= game->n_types)
        n_alone = game->n_types; /* only one type is left over: it plays alone as well */
    if (n_alone > most || (n_alone == most && n_alone < game->n_types))
        n_alone = most - 1;
    for (size_t k = 0; k < game->n_types; k++)
        game->player_of[game->order[k]] = k < n_alone ? k : n_alone;
    game->n_players = n_alone < game->n_types ? n_alone + 1 : n_alone;
}

/* ---- coalitions ---- */

static enum hc_status sweep_batch(struct game *game, size_t first, size_t n, uint8_t *traced,
                                  int64_t *spans_ns)
{
    struct hc_whatif_analysis *a = game->analysis;
    struct hc_counterfactual counterfactuals[BATCH];
    size_t n_steps = a->result->n_steps;
    for (size_t i = 0; i < n; i++) {
        uint8_t *set = traced + i * game->n_types;
        for (size_t t = 0; t < game->n_types; t++)
            set[t] = (first + i) >> game->player_of[t] & 1;
        counterfactuals[i] = (struct hc_counterfactual){
            .kind = HC_SWEEP_TYPES_TRACED, .span_ns = spans_ns + i * n_steps, .traced = set};
    }
    if (hc_counterfactuals_run(&a->sweeps, counterfactuals, n, a->err))
        return a->err->status;
    for (size_t i = 0; i < n; i++)
        game->worth_s[first + i] = hc_mean_s(spans_ns + i * n_steps, n_steps);
    return HC_OK;
}

/* Find the worth of each set of players. The empty set and the full one need no sweep: they are the
 * ideal and the replayed timeline. */
static enum hc_status find_worths(struct game *game)
{
    struct hc_whatif_analysis *a = game->analysis;
    size_t n_sets = (size_t)1 << game->n_players;
    uint8_t *traced = hc_new_array(BATCH * game->n_types, 1, a->err);
    int64_t *spans_ns = hc_new_array(BATCH * a->result->n_steps, sizeof *spans_ns, a->err);
    game->worth_s = hc_new_array(n_sets, sizeof *game->worth_s, a->err);
    enum hc_status status = traced && spans_ns && game->worth_s ? HC_OK : a->err->status;
    for (size_t first = 1; status == HC_OK && first < n_sets - 1; first += BATCH) {
        size_t left = n_sets - 1 - first;
        status = sweep_batch(game, first, left < BATCH ? left : BATCH, traced, spans_ns);
    }
    if (status == HC_OK) {
        game->worth_s[0] = a->result->ideal_s;
        game->worth_s[n_sets - 1] = a->result->replayed_s;
    }
    free(traced);
    free(spans_ns);
    return status;
}

/* ---- values ---- */

double hc_shapley_weight(size_t n, size_t n_before)
{
    double share = 1.0 / (double)n;
    for (size_t k = 1; k <= n_before; k++)
        share *= (double)k / (double)(n - k);
    return share;
}

static double value_of(const struct game *game, size_t player)
{
    size_t n_sets = (size_t)1 << game->n_players, bit = (size_t)1 << player;
    double value = 0;
    for (size_t set = 0; set < n_sets; set++)
        if (!(set & bit))
            value += hc_shapley_weight(game->n_players, (size_t)__builtin_popcountll(set)) *
                     (game->worth_s[set | bit] - game->worth_s[set]);
    return value;
}

static enum hc_status keep_values(struct game *game)
{
    struct hc_whatif_result *r = game->analysis->result;
    struct hc_shapley *shapley = &r->depth.shapley;
    const struct hc_split_group *types = r->blocking[HC_BY_OP_TYPE].groups;
    shapley->groups = hc_new_array(game->n_players, sizeof *shapley->groups, game->analysis->err);
    if (!shapley->groups)
        return game->analysis->err->status;
    for (size_t k = 0; k < game->n_types; k++) {
        size_t type = game->order[k];
        struct hc_shapley_share *share = &shapley->groups[game->player_of[type]];
        share->name = share->n_types++ ? "other types" : types[type].name;
    }
    for (size_t p = 0; p < game->n_players; p++)
        shapley->groups[p].seconds = value_of(game, p);
    shapley->n_groups = game->n_players;
    shapley->n_sweeps = (int64_t)((1ULL << game->n_players) - 2);
    shapley->done = true;
    return HC_OK;
}

enum hc_status hc_shapley_find(struct hc_whatif_analysis *analysis)
{
    struct game game = {.analysis = analysis,
                        .n_types = analysis->result->blocking[HC_BY_OP_TYPE].n_groups};
    if (game.n_types == 0)
        return HC_OK;
    analysis->sweeps.groups = &analysis->type_groups;
    choose_players(&game);
    enum hc_status status = find_worths(&game);
    if (status == HC_OK)
        status = keep_values(&game);
    free(game.worth_s);
    return status;
}

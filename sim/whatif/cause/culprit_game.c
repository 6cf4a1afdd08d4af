#include "sim/whatif/cause/culprit_game.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool hc_culprit_game_mends(const struct hc_culprit_game *game, size_t round, size_t culprit,
                           size_t step)
{
    size_t at = culprit * game->n_steps + step, n = game->n_players[step];
    if (game->player[at] < 0)
        return false;
    if (n <= HC_GAME_EXACT) /* the round is the set, less 1 */
        return round + 1 < (size_t)1 << n && (round + 1) >> game->player[at] & 1;
    if (round < n)
        return (size_t)game->player[at] == round;
    return round < 2 * n - 1 && (size_t)game->turn[at] < round - n + 2;
}

/* The round in which all players of a step are mended. */
static size_t last_round(size_t n_players)
{
    return n_players <= HC_GAME_EXACT ? ((size_t)1 << n_players) - 2 : 2 * n_players - 2;
}

/* ---- who plays in which step, and in which order ---- */

/* Shuffle the turns of n players (Fisher and Yates), the same for the same seed. */
static void shuffle(int32_t *order, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (int32_t)i;
    for (size_t i = n; i > 1; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
        size_t k = (size_t)(seed >> 33) % i;
        int32_t moved = order[i - 1];
        order[i - 1] = order[k];
        order[k] = moved;
    }
}

/* The orders of steps follow each other so that alike players get alike turns: each shuffle is
 * turned round by one place at a time, forwards and backwards. number: of the step among those that
 * have an order. */
static void find_turns(struct hc_culprit_game *game, size_t step, size_t number, int32_t *order)
{
    size_t n = game->n_players[step];
    shuffle(order, n, number / (2 * n));
    for (size_t c = 0; c < game->n; c++) {
        size_t at = c * game->n_steps + step;
        if (game->player[at] < 0)
            continue;
        size_t turn = ((size_t)order[game->player[at]] + number / 2) % n;
        game->turn[at] = (int32_t)(number % 2 ? n - 1 - turn : turn);
    }
}

static enum hc_status list_players(struct hc_culprit_game *game, struct hc_error *err)
{
    size_t n_ordered = 0;
    int32_t *order = hc_new_array(game->n + 1, sizeof *order, err);
    if (!order)
        return err->status;
    for (size_t s = 0; s < game->n_steps; s++) {
        for (size_t c = 0; c < game->n; c++)
            game->player[c * game->n_steps + s] =
                game->culprits[c].is_slow[s] ? (int32_t)game->n_players[s]++ : -1;
        if (game->n_players[s] > HC_GAME_EXACT)
            find_turns(game, s, n_ordered++, order);
        if (game->n_players[s] && last_round(game->n_players[s]) >= game->n_rounds)
            game->n_rounds = last_round(game->n_players[s]) + 1;
    }
    free(order);
    return HC_OK;
}

/* ---- what they save ---- */

static double saved_by(const struct hc_culprit_game *game, size_t round, size_t step)
{
    return (double)(game->untouched_ns[step] - game->span_ns[round * game->n_steps + step]) / 1e9;
}

static size_t round_alone(const struct hc_culprit_game *game, size_t culprit, size_t step)
{
    int32_t player = game->player[culprit * game->n_steps + step];
    return game->n_players[step] <= HC_GAME_EXACT ? ((size_t)1 << player) - 1 : (size_t)player;
}

void hc_culprit_game_alone(const struct hc_culprit_game *game, size_t culprit, double *saved_s)
{
    for (size_t s = 0; s < game->n_steps; s++)
        saved_s[s] = game->player[culprit * game->n_steps + s] < 0
                         ? 0
                         : saved_by(game, round_alone(game, culprit, s), s);
}

/* The Shapley value of a player of a step, from all sets. */
static double value_of_sets(const struct hc_culprit_game *game, size_t player, size_t step)
{
    size_t n = game->n_players[step], bit = (size_t)1 << player;
    double value = 0;
    for (size_t set = 0; set < (size_t)1 << n; set++)
        if (!(set & bit))
            value +=
                hc_shapley_weight(n, (size_t)__builtin_popcountll(set)) *
                (saved_by(game, (set | bit) - 1, step) - (set ? saved_by(game, set - 1, step) : 0));
    return value;
}

/* What a player adds when it is mended in its turn. */
static double value_of_turn(const struct hc_culprit_game *game, size_t culprit, size_t step)
{
    size_t n = game->n_players[step], turn = (size_t)game->turn[culprit * game->n_steps + step];
    if (turn == 0)
        return saved_by(game, round_alone(game, culprit, step), step);
    double before;
    if (turn == 1) {
        size_t first = 0;
        while (game->player[first * game->n_steps + step] < 0 ||
               game->turn[first * game->n_steps + step] != 0)
            first++;
        before = saved_by(game, round_alone(game, first, step), step);
    } else {
        before = saved_by(game, n + turn - 2, step);
    }
    return saved_by(game, n + turn - 1, step) - before;
}

static void fill_savings(struct hc_culprit_game *game)
{
    double n_steps = (double)game->n_steps;
    for (size_t s = 0; s < game->n_steps; s++)
        if (game->n_players[s])
            game->together_s[s] = saved_by(game, last_round(game->n_players[s]), s);
    for (size_t c = 0; c < game->n; c++) {
        struct hc_culprit *culprit = &game->culprits[c];
        culprit->alone_s = culprit->split_s = 0;
        for (size_t s = 0; s < game->n_steps; s++) {
            int32_t player = game->player[c * game->n_steps + s];
            if (player < 0)
                continue;
            culprit->alone_s += saved_by(game, round_alone(game, c, s), s) / n_steps;
            culprit->split_s +=
                (game->n_players[s] <= HC_GAME_EXACT ? value_of_sets(game, (size_t)player, s)
                                                     : value_of_turn(game, c, s)) /
                n_steps;
        }
    }
}

/* ---- all together ---- */

enum hc_status hc_culprit_game_play(struct hc_culprit_game *game,
                                    const struct hc_whatif_analysis *analysis,
                                    enum hc_sweep_kind kind, hc_rewrite_fn *rewrite,
                                    const void *context)
{
    struct hc_error *err = analysis->err;
    game->n_steps = analysis->result->n_steps;
    size_t n_places = game->n * game->n_steps;
    game->player = hc_new_array(n_places, sizeof *game->player, err);
    game->turn = hc_new_array(n_places, sizeof *game->turn, err);
    game->n_players = hc_new_array(game->n_steps, sizeof *game->n_players, err);
    game->together_s = hc_new_array(game->n_steps, sizeof *game->together_s, err);
    if (!game->player || !game->turn || !game->n_players || !game->together_s ||
        list_players(game, err))
        return err->status;
    game->span_ns = hc_new_array(game->n_rounds * game->n_steps, sizeof *game->span_ns, err);
    struct hc_counterfactual *rounds = hc_new_array(game->n_rounds, sizeof *rounds, err);
    enum hc_status status = game->span_ns && rounds ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < game->n_rounds; i++)
        rounds[i] = (struct hc_counterfactual){
            .kind = kind, .arg = (int32_t)i, .span_ns = game->span_ns + i * game->n_steps};
    struct hc_counterfactuals sweeps = analysis->sweeps;
    sweeps.rewrite = rewrite;
    sweeps.rewrite_context = context;
    if (status == HC_OK)
        status = hc_counterfactuals_run(&sweeps, rounds, game->n_rounds, err);
    if (status == HC_OK)
        fill_savings(game);
    free(rounds);
    return status;
}

void hc_culprit_game_fini(struct hc_culprit_game *game)
{
    free(game->player);
    free(game->turn);
    free(game->n_players);
    free(game->span_ns);
    free(game->together_s);
}

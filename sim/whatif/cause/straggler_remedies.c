/* straggler_remedies.c - replays with one suspected part of the work set right and everything else
 * as traced: what each suspect takes of the excess. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The remedies that are all culprits of a cause, and no more, have no bit of their own. */
#define BIT(remedy) (1u << (remedy))
#define OWN_BITS    (BIT(HC_REMEDY_STAGE) | BIT(HC_REMEDY_SEQUENCE) | BIT(HC_REMEDY_PAUSES))

/* What a replay mends: parts of the work, as bits of remedies; and culprits, all of some causes
 * (bits of enum hc_straggler_cause), or those of a round of their game. */
struct mending {
    const struct hc_remedies *remedies;
    uint32_t own, causes;
    const struct hc_culprit_game *game; /* NULL: by causes */
    size_t round;
    const uint8_t *chosen; /* [n_workers] culprits are mended for these members; NULL: for all */
};

static bool is_left(const struct mending *m, size_t worker)
{
    return m->chosen && !m->chosen[worker];
}

static bool mends(const struct mending *m, int32_t number, size_t step)
{
    if (number < 0)
        return false;
    if (m->game)
        return hc_culprit_game_mends(m->game, m->round, (size_t)number, step);
    const struct hc_culprit *culprit = &m->remedies->culprits->culprits[number];
    return m->causes >> culprit->cause & 1 && culprit->is_told && culprit->is_slow[step];
}

/* The functions below write whole ns, so that sums of the times of a replay are exact. */

static void end_pauses(const struct hc_pass_model *model, const struct hc_pass_row *row)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    double limit = model->pause_limit[row->pass][row->line];
    for (size_t d = 0; d < dp_size; d++) {
        const double *slow = hc_pass_slow_row(model, row->pass, row->stage, d);
        for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
            size_t l = s * dp_size + d;
            double expected =
                row->center[d] * row->factor[l] * (slow ? slow[row->block->lanes->step[s]] : 1);
            if (row->duration[l] > limit * expected)
                row->duration[l] = rint(expected);
        }
    }
}

/* Give all microbatches the mean duration: the same work, evenly cut. */
static void even_microbatches(const struct hc_pass_model *model, const struct hc_pass_row *row)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    for (size_t l = 0; l < row->block->lanes->n_lanes; l += dp_size)
        for (size_t d = 0; d < dp_size; d++)
            row->duration[l + d] = rint(row->duration[l + d] * model->factor_mean /
                                        (row->factor[l + d] * model->drift[d]));
}

/* What the passes of a worker are divided by that is slow in all steps. Where only one kind is slow
 * that one is, by what it alone shows. */
static double lasting_factor(const struct hc_remedies *remedies, const struct hc_pass_row *row,
                             size_t dp_rank)
{
    size_t worker = dp_rank * (size_t)remedies->model->lanes->n_stages + (size_t)row->stage;
    enum hc_slow_ops ops = remedies->culprits->culprits[remedies->lasting_of[worker]].ops;
    if (ops != HC_SLOW_FORWARD && ops != HC_SLOW_BACKWARD)
        return remedies->slow_worker[worker];
    bool is_slow = (ops == HC_SLOW_FORWARD) == (row->pass == HC_FORWARD_PASS);
    return is_slow ? row->center[dp_rank] / remedies->model->base[row->pass][row->line] : 1;
}

/* What a replay mends of one culprit, or of the work as a whole (number SIZE_MAX). */
struct visit {
    const struct mending *m;
    size_t number;
};

/* The next member of the culprit, from *i on, that is on the stage of the row and to be mended;
 * false without one. */
static bool next_member(const struct visit *visit, const struct hc_pass_row *row, size_t *i,
                        size_t *worker)
{
    const struct hc_culprit *culprit = &visit->m->remedies->culprits->culprits[visit->number];
    size_t n_stages = (size_t)visit->m->remedies->model->lanes->n_stages;
    for (; *i < culprit->n_members; ++*i) {
        *worker = (size_t)culprit->members[*i];
        if (*worker % n_stages != (size_t)row->stage || is_left(visit->m, *worker))
            continue;
        ++*i;
        return true;
    }
    return false;
}

static void mend_workers(void *context, const struct hc_pass_row *row)
{
    const struct visit *visit = context;
    const struct hc_remedies *remedies = visit->m->remedies;
    const struct hc_pass_model *model = remedies->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    int32_t number = (int32_t)visit->number;
    for (size_t i = 0, worker; next_member(visit, row, &i, &worker);) {
        size_t d = worker / n_stages;
        const double *slow = remedies->changing_of[worker] == number
                                 ? hc_pass_slow_row(model, row->pass, row->stage, d)
                                 : NULL;
        bool lasts = remedies->lasting_of[worker] == number;
        double factor = lasts ? lasting_factor(remedies, row, d) : 1;
        for (size_t s = 0; (lasts || slow) && s < row->block->lanes->n_steps; s++) {
            size_t step = row->block->lanes->step[s];
            double over = slow ? factor * slow[step] : factor;
            if (mends(visit->m, number, step))
                row->duration[s * dp_size + d] = rint(row->duration[s * dp_size + d] / over);
        }
    }
}

/* Give the slow passes of workers of which others are not slow what they should take. */
static void mend_slow_passes(void *context, const struct hc_pass_row *row)
{
    const struct visit *visit = context;
    const struct hc_remedies *remedies = visit->m->remedies;
    const struct hc_pass_model *model = remedies->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    for (size_t i = 0, worker; next_member(visit, row, &i, &worker);) {
        size_t d = worker / n_stages;
        double limit = model->slow_pass_limit[row->pass][row->line * dp_size + d];
        if (remedies->some_passes_of[worker] != (int32_t)visit->number ||
            !(model->some_slow[worker] & 1 << row->pass))
            continue;
        for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
            double expected = hc_expected_pass_ns(model, row, d, s);
            if (row->duration[s * dp_size + d] > limit * expected &&
                mends(visit->m, (int32_t)visit->number, row->block->lanes->step[s]))
                row->duration[s * dp_size + d] = rint(expected);
        }
    }
}

static void even_work(void *context, const struct hc_pass_row *row)
{
    const struct mending *m = ((const struct visit *)context)->m;
    if (m->own & BIT(HC_REMEDY_PAUSES) && row->pass == HC_FORWARD_PASS)
        end_pauses(m->remedies->model, row);
    if (m->own & BIT(HC_REMEDY_SEQUENCE))
        even_microbatches(m->remedies->model, row);
}

static void even_stages(void *context, const struct hc_pass_row *row)
{
    const struct mending *m = ((const struct visit *)context)->m;
    double balance = m->remedies->balance[row->pass][row->line];
    for (size_t l = 0; l < row->block->lanes->n_lanes; l++)
        row->duration[l] = rint(row->duration[l] * balance);
}

/* Whether no member of its culprit that a link is slow because of is chosen: of those at its ends
 * where there are any, else (collectives that wait for another worker) of all. */
static bool is_left_link(const struct mending *m, int32_t number, const struct hc_link *link)
{
    const struct hc_culprit *culprit = &m->remedies->culprits->culprits[number];
    int32_t n_stages = m->remedies->links->lanes->n_stages, first = link->dp_rank * n_stages;
    int32_t far = link->is_p2p ? (link->stage + 1) % n_stages : link->stage;
    bool is_chosen = false, has_end = false;
    for (size_t i = 0; m->chosen && i < culprit->n_members; i++) {
        int32_t worker = culprit->members[i];
        bool is_end = worker == first + link->stage || worker == first + far;
        if (is_end && !has_end)
            is_chosen = false;
        has_end |= is_end;
        is_chosen |= m->chosen[worker] && is_end == has_end;
    }
    return m->chosen && !is_chosen;
}

static void rewrite_links(const struct mending *m, const struct hc_step_structure *structure,
                          const struct hc_lane_block *block, double *duration)
{
    const struct hc_links *links = m->remedies->links;
    size_t dp_size = (size_t)links->lanes->dp_size;
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        size_t first = hc_first_link(structure, p, links->lanes->n_stages, dp_size);
        if (first == HC_NO_LINK)
            continue;
        double base = rint(links->base[structure->op_type[p]]);
        for (size_t d = 0; d < dp_size; d++) {
            int32_t culprit = m->remedies->culprit_of_link[first + d];
            const uint8_t *slow_in = links->slow_in + (first + d) * links->n_steps;
            if (culprit < 0 || is_left_link(m, culprit, &links->links[first + d]))
                continue;
            for (size_t s = 0; s < block->n_steps; s++)
                if (slow_in[block->step[s]] && mends(m, culprit, block->step[s]))
                    duration[p * block->stride + s * dp_size + d] = base;
        }
    }
}

/* Divide the ops of a culprit that is slow in ops of certain types by how slow these are. */
static void rewrite_types(const struct mending *m, size_t number,
                          const struct hc_step_structure *structure,
                          const struct hc_lane_block *block, double *duration)
{
    const struct hc_culprit *culprit = &m->remedies->culprits->culprits[number];
    const struct hc_step_lanes *lanes = m->remedies->links->lanes;
    size_t n_stages = (size_t)lanes->n_stages, dp_size = (size_t)lanes->dp_size;
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        const double *ratio = culprit->type_ratio + (size_t)structure->op_type[p] * lanes->n_steps;
        for (size_t i = 0; culprit->op_types >> structure->op_type[p] & 1 && i < culprit->n_members;
             i++) {
            size_t worker = (size_t)culprit->members[i];
            double *row = duration + p * block->stride + worker / n_stages;
            for (size_t s = 0; worker % n_stages == (size_t)structure->stage[p] &&
                               !is_left(m, worker) && s < block->n_steps;
                 s++)
                if (mends(m, (int32_t)number, block->step[s]))
                    row[s * dp_size] = rint(row[s * dp_size] / ratio[block->step[s]]);
        }
    }
}

/* Whether a culprit is mended in some step of a block. */
static bool is_mended(const struct mending *m, size_t number, const struct hc_lane_block *block)
{
    bool is = false;
    for (size_t s = 0; !is && s < block->n_steps; s++)
        is = mends(m, (int32_t)number, block->step[s]);
    return is;
}

/* Mend the culprits one by one: of many workers few belong to one, and most replays mend one. Slow
 * passes are told from others before anything else is changed. */
static void rewrite(const struct mending *m, const struct hc_step_structure *structure,
                    const struct hc_lane_block *block, double *duration)
{
    const struct hc_pass_model *model = m->remedies->model;
    const struct hc_culprits *culprits = m->remedies->culprits;
    size_t number = (size_t)(structure - model->lanes->structures);
    size_t at = model->first_block[number] + (size_t)(block - structure->blocks);
    struct visit visit = {m, SIZE_MAX};
    bool has_links = false;
    for (size_t i = 0; model->n_with_slow_passes && i < culprits->n; i++) {
        visit.number = i;
        if (is_mended(m, i, block))
            hc_pass_rows_of_block(model, &model->blocks[at], duration, mend_slow_passes, &visit);
    }
    if (m->own & (BIT(HC_REMEDY_PAUSES) | BIT(HC_REMEDY_SEQUENCE)))
        hc_pass_rows_of_block(model, &model->blocks[at], duration, even_work, &visit);
    for (size_t i = 0; i < culprits->n; i++) {
        visit.number = i;
        if (!is_mended(m, i, block))
            continue;
        hc_pass_rows_of_block(model, &model->blocks[at], duration, mend_workers, &visit);
        if (culprits->culprits[i].type_ratio)
            rewrite_types(m, i, structure, block, duration);
        has_links |= culprits->culprits[i].ops == HC_SLOW_TRANSFERS;
    }
    if (has_links)
        rewrite_links(m, structure, block, duration);
    if (m->own & BIT(HC_REMEDY_STAGE))
        hc_pass_rows_of_block(model, &model->blocks[at], duration, even_stages, &visit);
}

/* ---- the game of the culprits ---- */

struct playing {
    const struct hc_remedies *remedies;
    const struct hc_culprit_game *game;
};

static void rewrite_round(const void *context, int32_t arg,
                          const struct hc_step_structure *structure,
                          const struct hc_lane_block *block, double *duration)
{
    const struct playing *playing = context;
    const struct mending m = {
        .remedies = playing->remedies, .game = playing->game, .round = (size_t)arg};
    rewrite(&m, structure, block, duration);
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

/* Take what slow and healthy steps differ by out of a series: a culprit that lasts from one step to
 * another changes once, and its mean is that of both kinds of steps as the trace has them. */
static void level_out(double *values, const struct hc_culprit *culprit, size_t n_steps)
{
    double sum[2] = {0, 0}, n[2] = {0, 0};
    for (size_t t = 0; t < n_steps; t++) {
        sum[culprit->is_slow[t]] += values[t];
        n[culprit->is_slow[t]]++;
    }
    double mean = (sum[0] + sum[1]) / (double)n_steps;
    for (size_t t = 0; t < n_steps; t++)
        values[t] += mean - sum[culprit->is_slow[t]] / n[culprit->is_slow[t]];
}

static bool is_stretch(const struct hc_culprit *culprit)
{
    return culprit->pattern == HC_SLOW_SINCE || culprit->pattern == HC_SLOW_UNTIL ||
           culprit->pattern == HC_SLOW_BETWEEN;
}

/* What is saved grows with what the factor is above 1: the half width of its interval over that.
 * NaN where the factor has none: how much would be saved is not known better. */
static double factor_doubt(const struct hc_culprit *culprit)
{
    const struct hc_measured *factor = &culprit->factor;
    double doubt = (factor->high - factor->low) / 2 / (factor->value - 1);
    return doubt > 0 ? doubt : NAN;
}

/* The share of the excess, with its interval: of a ratio of two means over steps, to first order
 * (the series of what each step moves the ratio by, over the mean of the whole), and of the factor
 * that the culprit is mended by. Overwrites saved_s. */
static struct hc_measured measure_share(double *saved_s, const struct hc_whatif_result *r,
                                        const struct hc_culprit *culprit)
{
    double excess_s = hc_whatif_excess_s(r);
    double share = mean_of(saved_s, r->n_steps) / excess_s;
    for (size_t t = 0; t < r->n_steps; t++) {
        double whole_s = (double)(r->replayed_ns[t] - r->ideal_ns[t]) / 1e9;
        saved_s[t] = share + (saved_s[t] - share * whole_s) / excess_s;
    }
    if (is_stretch(culprit))
        level_out(saved_s, culprit, r->n_steps);
    struct hc_measured mean = hc_mean_of_steps(saved_s, r->n_steps);
    double doubt = fabs(share) * factor_doubt(culprit);
    return (struct hc_measured){share, share - hypot(share - mean.low, doubt),
                                share + hypot(mean.high - share, doubt)};
}

/* Play the game of all culprits, and keep the spans of steps with all of them mended in
 * together_ns. */
static enum hc_status play(struct hc_remedies *remedies, struct hc_whatif_analysis *a,
                           int64_t *together_ns)
{
    const struct hc_whatif_result *r = a->result;
    struct hc_culprits *culprits = remedies->culprits;
    struct hc_culprit_game game = {
        .culprits = culprits->culprits, .n = culprits->n, .untouched_ns = r->replayed_ns};
    double *saved_s = hc_new_array(r->n_steps, sizeof *saved_s, a->err);
    enum hc_status status = saved_s ? HC_OK : a->err->status;
    if (status == HC_OK)
        status = hc_culprit_game_play(&game, a, HC_SWEEP_REWRITTEN, rewrite_round,
                                      &(struct playing){remedies, &game});
    for (size_t i = 0; status == HC_OK && i < culprits->n; i++) {
        hc_culprit_game_alone(&game, i, saved_s);
        culprits->culprits[i].alone_share = measure_share(saved_s, r, &culprits->culprits[i]);
    }
    for (size_t t = 0; status == HC_OK && t < r->n_steps; t++)
        together_ns[t] = r->replayed_ns[t] - (int64_t)rint(1e9 * game.together_s[t]);
    if (status == HC_OK)
        culprits->together_s = r->replayed_s - hc_mean_s(together_ns, r->n_steps);
    free(saved_s);
    hc_culprit_game_fini(&game);
    return status;
}

static void renumber(int32_t *culprit_of, size_t n, const int32_t *new_number)
{
    for (size_t i = 0; i < n; i++)
        if (culprit_of[i] >= 0)
            culprit_of[i] = new_number[culprit_of[i]];
}

/* ---- culprits that are not told ---- */

static void rewrite_told(const void *context, int32_t arg,
                         const struct hc_step_structure *structure,
                         const struct hc_lane_block *block, double *duration)
{
    const struct mending m = {.remedies = context, .causes = UINT32_MAX};
    (void)arg;
    rewrite(&m, structure, block, duration);
}

/* Leave out the culprits that save too little to be told; none, where what all save would not come
 * without them: of twenty that are equally slow each keeps what the others save. *n_dropped: so
 * many. */
static enum hc_status drop_small(struct hc_remedies *remedies, const struct hc_whatif_analysis *a,
                                 size_t *n_dropped)
{
    const struct hc_whatif_result *r = a->result;
    struct hc_culprits *culprits = remedies->culprits;
    double least_s = HC_COST_TO_NAME * r->replayed_s;
    bool straggles = r->slowdown >= HC_STRAGGLING;
    if (straggles && hc_whatif_excess_s(r) > 0)
        least_s = fmin(least_s, HC_LEAST_CULPRIT_SHARE * hc_whatif_excess_s(r));
    *n_dropped = hc_culprits_judge(culprits, 0, least_s, straggles);
    if (*n_dropped == 0)
        return HC_OK;
    int32_t *new_number = hc_new_array(culprits->n, sizeof *new_number, a->err);
    int64_t *span_ns = hc_new_array(r->n_steps, sizeof *span_ns, a->err);
    struct hc_counterfactuals sweeps = a->sweeps;
    sweeps.rewrite = rewrite_told;
    sweeps.rewrite_context = remedies;
    const struct hc_counterfactual told = {.kind = HC_SWEEP_REWRITTEN, .span_ns = span_ns};
    enum hc_status status =
        new_number && span_ns ? hc_counterfactuals_run(&sweeps, &told, 1, a->err) : a->err->status;
    if (status == HC_OK) {
        double saved_s = r->replayed_s - hc_mean_s(span_ns, r->n_steps);
        bool is_safe = saved_s >= culprits->together_s - 2 * least_s;
        for (size_t i = 0; i < culprits->n && !is_safe; i++)
            culprits->culprits[i].is_told = true;
        *n_dropped = is_safe ? *n_dropped : 0;
        hc_culprits_drop(culprits, 0, new_number);
        renumber(remedies->lasting_of, r->n_workers, new_number);
        renumber(remedies->changing_of, r->n_workers, new_number);
        renumber(remedies->some_passes_of, r->n_workers, new_number);
        renumber(remedies->culprit_of_link, remedies->links->n, new_number);
    }
    free(new_number);
    free(span_ns);
    return status;
}

/* ---- the remedies ---- */

struct replay {
    uint32_t own, causes;
};

/* With each remedy alone, with all, and with all but each; sets that are the same once. */
#define MOST_REPLAYS (2 * HC_N_REMEDIES + 1)

struct replay_list {
    const struct hc_remedies *remedies;
    size_t n, n_steps;
    struct replay replays[MOST_REPLAYS];
    int64_t *span_ns;           /* [n][n_steps] */
    const int64_t *together_ns; /* with all culprits mended, and nothing else */
    uint32_t causes;            /* of all culprits */
};

static struct replay replay_of(const struct hc_remedies *remedies, enum hc_remedy remedy)
{
    struct replay replay = {remedies->suspected[remedy] ? BIT(remedy) & OWN_BITS : 0, 0};
    for (size_t i = 0; i < remedies->culprits->n; i++)
        if (remedies->culprits->culprits[i].cause == hc_cause_of_remedy(remedy))
            replay.causes |= 1u << hc_cause_of_remedy(remedy);
    return replay;
}

/* The place of a replay in the list; SIZE_MAX where it is not in it. */
static size_t place_of(const struct replay_list *list, struct replay replay)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->replays[i].own == replay.own && list->replays[i].causes == replay.causes)
            return i;
    return SIZE_MAX;
}

static void add_replay(struct replay_list *list, struct replay replay)
{
    bool is_known = !replay.own && (!replay.causes || replay.causes == list->causes);
    if (!is_known && place_of(list, replay) == SIZE_MAX)
        list->replays[list->n++] = replay;
}

static const int64_t *spans_of(const struct replay_list *list, struct replay replay,
                               const struct hc_whatif_result *r)
{
    if (!replay.own && !replay.causes)
        return r->replayed_ns;
    if (!replay.own && replay.causes == list->causes)
        return list->together_ns;
    return list->span_ns + place_of(list, replay) * list->n_steps;
}

static struct replay all_but(struct replay all, struct replay one)
{
    return (struct replay){all.own & ~one.own, all.causes & ~one.causes};
}

static void rewrite_replay(const void *context, int32_t arg,
                           const struct hc_step_structure *structure,
                           const struct hc_lane_block *block, double *duration)
{
    const struct replay_list *list = context;
    const struct mending m = {.remedies = list->remedies,
                              .own = list->replays[arg].own,
                              .causes = list->replays[arg].causes};
    rewrite(&m, structure, block, duration);
}

static enum hc_status run_replays(struct replay_list *list, struct hc_whatif_analysis *a)
{
    struct hc_counterfactual counterfactuals[MOST_REPLAYS];
    list->span_ns = hc_new_array(list->n * list->n_steps + 1, sizeof *list->span_ns, a->err);
    if (!list->span_ns)
        return a->err->status;
    for (size_t i = 0; i < list->n; i++)
        counterfactuals[i] =
            (struct hc_counterfactual){.kind = HC_SWEEP_REWRITTEN,
                                       .arg = (int32_t)i,
                                       .span_ns = list->span_ns + i * list->n_steps};
    struct hc_counterfactuals sweeps = a->sweeps;
    sweeps.rewrite = rewrite_replay;
    sweeps.rewrite_context = list;
    return hc_counterfactuals_run(&sweeps, counterfactuals, list->n, a->err);
}

static enum hc_status replay_remedies(struct hc_remedies *remedies, struct hc_whatif_analysis *a,
                                      const int64_t *together_ns)
{
    const struct hc_whatif_result *r = a->result;
    struct replay_list list = {
        .remedies = remedies, .n_steps = r->n_steps, .together_ns = together_ns};
    struct replay all = {0, 0};
    for (int i = 0; i < HC_N_REMEDIES; i++) {
        struct replay one = replay_of(remedies, (enum hc_remedy)i);
        all.own |= one.own;
        all.causes |= one.causes;
    }
    list.causes = all.causes;
    add_replay(&list, all);
    for (int i = 0; i < HC_N_REMEDIES; i++) {
        struct replay one = replay_of(remedies, (enum hc_remedy)i);
        add_replay(&list, one);
        add_replay(&list, all_but(all, one));
    }
    enum hc_status status = run_replays(&list, a);
    double rest_s = status ? 0 : hc_mean_s(spans_of(&list, all, r), r->n_steps);
    for (int i = 0; status == HC_OK && i < HC_N_REMEDIES; i++) {
        struct replay one = replay_of(remedies, (enum hc_remedy)i);
        double others_s = hc_mean_s(spans_of(&list, all_but(all, one), r), r->n_steps);
        remedies->alone_s[i] = r->replayed_s - hc_mean_s(spans_of(&list, one, r), r->n_steps);
        remedies->saved_s[i] = (remedies->alone_s[i] + others_s - rest_s) / 2;
    }
    free(list.span_ns);
    return status;
}

/* ---- fixes that were asked for ---- */

struct fixing {
    const struct hc_remedies *remedies;
    const struct hc_asked_fix *fixes;
};

static void rewrite_fix(const void *context, int32_t arg, const struct hc_step_structure *structure,
                        const struct hc_lane_block *block, double *duration)
{
    const struct fixing *fixing = context;
    const struct mending m = {
        .remedies = fixing->remedies, .causes = UINT32_MAX, .chosen = fixing->fixes[arg].chosen};
    rewrite(&m, structure, block, duration);
}

enum hc_status hc_remedies_replay(struct hc_remedies *remedies, struct hc_whatif_analysis *a)
{
    size_t n_dropped = 0;
    int64_t *together_ns = hc_new_array(a->result->n_steps, sizeof *together_ns, a->err);
    enum hc_status status = together_ns ? play(remedies, a, together_ns) : a->err->status;
    if (status == HC_OK)
        status = drop_small(remedies, a, &n_dropped);
    if (status == HC_OK && n_dropped) /* what is told adds up without those that are not */
        status = play(remedies, a, together_ns);
    if (status == HC_OK)
        status = replay_remedies(remedies, a, together_ns);
    const struct fixing fixing = {remedies, a->result->depth.asked_fixes};
    if (status == HC_OK)
        status = hc_asked_fixes_replay(a, HC_SWEEP_REWRITTEN, rewrite_fix, &fixing);
    free(together_ns);
    return status;
}

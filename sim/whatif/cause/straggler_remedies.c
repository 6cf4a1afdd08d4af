/* straggler_remedies.c - replays with one suspected part of the work set right and everything else
 * as traced: what each suspect takes of the excess. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a replay mends, as bits: one for each remedy, then one for each culprit. The remedy of
 * workers has no bit of its own, it is all culprits that are workers or machines. */
#define BIT(remedy) (1 << (remedy))
#define CULPRIT_BIT(number)                                                                        \
    (1 << (HC_N_REMEDIES + ((number) < HC_MOST_MENDED ? (number) : HC_MOST_MENDED - 1)))

static int32_t culprit_bits(const struct hc_remedies *remedies, enum hc_straggler_cause cause)
{
    int32_t bits = 0;
    for (size_t i = 0; i < remedies->culprits->n; i++)
        if (remedies->culprits->culprits[i].cause == cause)
            bits |= CULPRIT_BIT((int32_t)i);
    return bits;
}

/* What a remedy mends; 0 when it is not suspected. */
static int32_t remedy_bits(const struct hc_remedies *remedies, enum hc_remedy remedy)
{
    int32_t own = remedies->suspected[remedy] ? BIT(remedy) : 0;
    switch (remedy) {
    case HC_REMEDY_LINKS:
        return culprit_bits(remedies, HC_STRAGGLER_LINK);
    case HC_REMEDY_WORKER:
        return culprit_bits(remedies, HC_STRAGGLER_WORKER);
    case HC_REMEDY_STAGE:
        return own | culprit_bits(remedies, HC_STRAGGLER_STAGE);
    default:
        return own;
    }
}

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
                row->duration[l] = expected;
        }
    }
}

/* Give all microbatches the mean duration: the same work, evenly cut. */
static void even_microbatches(const struct hc_pass_model *model, const struct hc_pass_row *row)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    for (size_t l = 0; l < row->block->lanes->n_lanes; l += dp_size)
        for (size_t d = 0; d < dp_size; d++)
            row->duration[l + d] *= model->factor_mean / (row->factor[l + d] * model->drift[d]);
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

static void mend_workers(const struct hc_remedies *remedies, int32_t bits,
                         const struct hc_pass_row *row)
{
    const struct hc_pass_model *model = remedies->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    for (size_t d = 0; d < dp_size; d++) {
        size_t worker = d * n_stages + (size_t)row->stage;
        int32_t lasting = remedies->lasting_of[worker], changing = remedies->changing_of[worker];
        if (lasting >= 0 && bits & CULPRIT_BIT(lasting))
            for (size_t l = d; l < row->block->lanes->n_lanes; l += dp_size)
                row->duration[l] /= lasting_factor(remedies, row, d);
        const double *slow = hc_pass_slow_row(model, row->pass, row->stage, d);
        if (slow && changing >= 0 && bits & CULPRIT_BIT(changing))
            for (size_t s = 0; s < row->block->lanes->n_steps; s++)
                row->duration[s * dp_size + d] /= slow[row->block->lanes->step[s]];
    }
}

/* Give the slow passes of workers of which others are not slow what they should take. */
static void mend_slow_passes(const struct hc_remedies *remedies, int32_t bits,
                             const struct hc_pass_row *row)
{
    const struct hc_pass_model *model = remedies->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    for (size_t d = 0; model->n_with_slow_passes && d < dp_size; d++) {
        size_t worker = d * n_stages + (size_t)row->stage;
        int32_t culprit = remedies->some_passes_of[worker];
        double limit = model->slow_pass_limit[row->pass][row->line * dp_size + d];
        if (culprit < 0 || !(bits & CULPRIT_BIT(culprit)) ||
            !(model->some_slow[worker] & 1 << row->pass))
            continue;
        for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
            double expected = hc_expected_pass_ns(model, row, d, s);
            if (row->duration[s * dp_size + d] > limit * expected)
                row->duration[s * dp_size + d] = expected;
        }
    }
}

/* One replay at work. */
struct rewriting {
    const struct hc_remedies *remedies;
    int32_t bits;
};

static void rewrite_pass(void *context, const struct hc_pass_row *row)
{
    const struct rewriting *rewriting = context;
    const struct hc_remedies *remedies = rewriting->remedies;
    int32_t bits = rewriting->bits;
    mend_slow_passes(remedies, bits, row);
    if (bits & BIT(HC_REMEDY_PAUSES) && row->pass == HC_FORWARD_PASS)
        end_pauses(remedies->model, row);
    if (bits & BIT(HC_REMEDY_SEQUENCE))
        even_microbatches(remedies->model, row);
    mend_workers(remedies, bits, row);
    double balance = bits & BIT(HC_REMEDY_STAGE) ? remedies->balance[row->pass][row->line] : 1;
    for (size_t l = 0; l < row->block->lanes->n_lanes; l++)
        row->duration[l] =
            rint(row->duration[l] *
                 balance); /* times of a replay are whole ns, so that sums are exact */
}

static void rewrite_links(const struct hc_remedies *remedies, int32_t bits,
                          const struct hc_step_structure *structure,
                          const struct hc_lane_block *block, double *duration)
{
    const struct hc_links *links = remedies->links;
    size_t dp_size = (size_t)links->lanes->dp_size;
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        size_t first = hc_first_link(structure, p, links->lanes->n_stages, dp_size);
        if (first == HC_NO_LINK)
            continue;
        double base = rint(links->base[structure->op_type[p]]);
        for (size_t d = 0; d < dp_size; d++) {
            int32_t culprit = remedies->culprit_of_link[first + d];
            if (culprit < 0 || !(bits & CULPRIT_BIT(culprit)))
                continue;
            const uint8_t *slow_in = links->slow_in + (first + d) * links->n_steps;
            for (size_t s = 0; s < block->n_steps; s++)
                if (slow_in[block->step[s]])
                    duration[p * block->stride + s * dp_size + d] = base;
        }
    }
}

static void rewrite(const void *context, int32_t bits, const struct hc_step_structure *structure,
                    const struct hc_lane_block *block, double *duration)
{
    const struct hc_remedies *remedies = context;
    const struct hc_pass_model *model = remedies->model;
    size_t number = (size_t)(structure - model->lanes->structures);
    size_t at = model->first_block[number] + (size_t)(block - structure->blocks);
    int32_t link_bits = culprit_bits(remedies, HC_STRAGGLER_LINK);
    if (bits & ~link_bits)
        hc_pass_rows_of_block(model, &model->blocks[at], duration, rewrite_pass,
                              &(struct rewriting){remedies, bits});
    if (bits & link_bits)
        rewrite_links(remedies, bits, structure, block, duration);
}

/* ---- sharing out ---- */

/* The replays that are needed: with each suspect set right alone, with all of them, and with all
 * but each. With two suspects, all but one is the other alone, so no replay is done twice. */
#define MOST_REPLAYS (2 * (HC_N_REMEDIES + HC_MOST_MENDED) + 1)

struct replay_list {
    size_t n, n_steps;
    int32_t bits[MOST_REPLAYS];
    int64_t *span_ns; /* [n][n_steps] */
};

static void add_replay(struct replay_list *replays, int32_t bits)
{
    for (size_t i = 0; i < replays->n; i++)
        if (replays->bits[i] == bits)
            return;
    replays->bits[replays->n++] = bits;
}

/* The spans of steps with this mended; as replayed when it is nothing. */
static const int64_t *spans_of(const struct replay_list *replays, int32_t bits,
                               const struct hc_whatif_result *r)
{
    for (size_t i = 0; i < replays->n; i++)
        if (replays->bits[i] == bits)
            return replays->span_ns + i * replays->n_steps;
    return r->replayed_ns;
}

static void add_suspect(struct replay_list *replays, int32_t bits, int32_t all)
{
    if (!bits)
        return;
    add_replay(replays, bits);
    if (all & ~bits)
        add_replay(replays, all & ~bits);
}

static enum hc_status run_replays(struct replay_list *replays, const struct hc_remedies *remedies,
                                  struct hc_whatif_analysis *a)
{
    struct hc_counterfactual counterfactuals[MOST_REPLAYS];
    replays->span_ns =
        hc_new_array(replays->n * replays->n_steps, sizeof *replays->span_ns, a->err);
    if (!replays->span_ns)
        return a->err->status;
    for (size_t i = 0; i < replays->n; i++)
        counterfactuals[i] =
            (struct hc_counterfactual){.kind = HC_SWEEP_REWRITTEN,
                                       .arg = replays->bits[i],
                                       .span_ns = replays->span_ns + i * replays->n_steps};
    struct hc_counterfactuals sweeps = a->sweeps;
    sweeps.rewrite = rewrite;
    sweeps.rewrite_context = remedies;
    return hc_counterfactuals_run(&sweeps, counterfactuals, replays->n, a->err);
}

/* What mending `bits` saves of a step: the mean of what goes when it is mended alone, and of what
 * comes back when it alone is left out of all. */
static void fill_saved(double *saved_s, const struct replay_list *replays,
                       const struct hc_whatif_result *r, int32_t bits, int32_t all)
{
    const int64_t *alone_ns = spans_of(replays, bits, r), *rest_ns = spans_of(replays, all, r);
    const int64_t *others_ns = spans_of(replays, all & ~bits, r);
    for (size_t t = 0; t < r->n_steps; t++)
        saved_s[t] =
            (double)(r->replayed_ns[t] - alone_ns[t] + others_ns[t] - rest_ns[t]) / 2 / 1e9;
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

static enum hc_status share_out(struct hc_remedies *remedies, const struct replay_list *replays,
                                struct hc_whatif_analysis *a, int32_t all)
{
    const struct hc_whatif_result *r = a->result;
    double *saved_s = hc_new_array(r->n_steps, sizeof *saved_s, a->err);
    if (!saved_s)
        return a->err->status;
    for (int i = 0; i < HC_N_REMEDIES; i++) {
        int32_t bits = remedy_bits(remedies, (enum hc_remedy)i);
        if (!bits)
            continue;
        fill_saved(saved_s, replays, r, bits, all);
        remedies->saved_s[i] = mean_of(saved_s, r->n_steps);
        remedies->share[i] = remedies->saved_s[i] / hc_whatif_excess_s(r);
    }
    for (size_t i = 0; i < remedies->culprits->n && i < HC_MOST_MENDED; i++) {
        fill_saved(saved_s, replays, r, CULPRIT_BIT((int32_t)i), all);
        remedies->culprit_saved_s[i] = hc_mean_of_steps(saved_s, r->n_steps);
        remedies->culprit_share[i] = measure_share(saved_s, r, &remedies->culprits->culprits[i]);
    }
    free(saved_s);
    return HC_OK;
}

enum hc_status hc_remedies_replay(struct hc_remedies *remedies, struct hc_whatif_analysis *a)
{
    struct replay_list replays = {.n_steps = a->result->n_steps};
    int32_t all = 0;
    for (size_t i = 0; i < HC_MOST_MENDED; i++)
        remedies->culprit_share[i] = remedies->culprit_saved_s[i] =
            (struct hc_measured){NAN, NAN, NAN};
    for (int i = 0; i < HC_N_REMEDIES; i++)
        all |= remedy_bits(remedies, (enum hc_remedy)i);
    if (!all)
        return HC_OK;
    add_replay(&replays, all);
    for (int i = 0; i < HC_N_REMEDIES; i++)
        add_suspect(&replays, remedy_bits(remedies, (enum hc_remedy)i), all);
    for (size_t i = 0; i < remedies->culprits->n && i < HC_MOST_MENDED; i++)
        add_suspect(&replays, CULPRIT_BIT((int32_t)i), all);
    enum hc_status status = run_replays(&replays, remedies, a);
    if (status == HC_OK)
        status = share_out(remedies, &replays, a, all);
    free(replays.span_ns);
    return status;
}

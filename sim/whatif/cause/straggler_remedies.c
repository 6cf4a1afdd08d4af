/* straggler_remedies.c - replays with one suspected part of the work set right and everything else
 * as traced: what each suspect takes of the excess. */
#include "sim/whatif/cause/cause_search.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(remedy) (1 << (remedy))

/* The passes of one line and microbatch in a block, a lane for each step and dp rank. */
struct pass_row {
    enum hc_pass pass;
    size_t line;
    const double *center; /* [dp_size] */
    const double *factor; /* [stride] */
    double *duration;     /* [stride] */
    size_t n_lanes;
};

static void end_pauses(const struct hc_pass_model *model, const struct pass_row *row)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    double limit = model->pause_limit[row->pass][row->line];
    for (size_t l = 0; l < row->n_lanes; l += dp_size)
        for (size_t d = 0; d < dp_size; d++) {
            double expected = row->center[d] * row->factor[l + d];
            if (row->duration[l + d] > limit * expected)
                row->duration[l + d] = expected;
        }
}

/* Give all microbatches the mean duration: the same work, evenly cut. */
static void even_microbatches(const struct hc_pass_model *model, const struct pass_row *row)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    for (size_t l = 0; l < row->n_lanes; l += dp_size)
        for (size_t d = 0; d < dp_size; d++)
            row->duration[l + d] *= model->factor_mean / (row->factor[l + d] * model->drift[d]);
}

static void even_workers(const struct hc_remedies *remedies, const struct pass_row *row)
{
    size_t dp_size = (size_t)remedies->model->lanes->dp_size;
    size_t n_stages = (size_t)remedies->model->lanes->n_stages;
    int32_t stage = remedies->model->pairs->lines[row->line].stage;
    for (size_t d = 0; d < dp_size; d++) {
        double slow = remedies->slow_worker[d * n_stages + (size_t)stage];
        for (size_t l = d; slow != 1 && l < row->n_lanes; l += dp_size)
            row->duration[l] /= slow;
    }
}

static void rewrite_pass(const struct hc_remedies *remedies, int32_t bits,
                         const struct pass_row *row)
{
    if (bits & BIT(HC_REMEDY_PAUSES) && row->pass == HC_FORWARD_PASS)
        end_pauses(remedies->model, row);
    if (bits & BIT(HC_REMEDY_SEQUENCE))
        even_microbatches(remedies->model, row);
    if (bits & BIT(HC_REMEDY_WORKER))
        even_workers(remedies, row);
    double balance = bits & BIT(HC_REMEDY_STAGE) ? remedies->balance[row->pass][row->line] : 1;
    for (size_t l = 0; l < row->n_lanes; l++)
        row->duration[l] =
            rint(row->duration[l] *
                 balance); /* times of a replay are whole ns, so that sums are exact */
}

static void rewrite_passes(const struct hc_remedies *remedies, int32_t bits,
                           const struct hc_model_block *block, double *duration)
{
    const struct hc_pass_model *model = remedies->model;
    const struct hc_pass_layout *layout = &model->pairs->layouts[block->structure];
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t line = 0; line < model->pairs->n_lines; line++)
            for (size_t m = 0; m < layout->n_microbatches; m++) {
                uint32_t position = layout->position[p][line * layout->n_microbatches + m];
                if (position == HC_NO_POSITION)
                    continue;
                struct pass_row row = {.pass = (enum hc_pass)p,
                                       .line = line,
                                       .center =
                                           model->center[p] + line * (size_t)model->lanes->dp_size,
                                       .factor = block->factor + m * block->lanes->stride,
                                       .duration = duration + position * block->lanes->stride,
                                       .n_lanes = block->lanes->n_lanes};
                rewrite_pass(remedies, bits, &row);
            }
}

static void rewrite_links(const struct hc_links *links, const struct hc_step_structure *structure,
                          const struct hc_lane_block *block, double *duration)
{
    size_t dp_size = (size_t)links->lanes->dp_size;
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        size_t first = hc_first_link(structure, p, links->lanes->n_stages, dp_size);
        if (first == HC_NO_LINK)
            continue;
        double base = rint(links->base[structure->op_type[p]]);
        for (size_t d = 0; d < dp_size; d++)
            for (size_t l = d; links->is_slow[first + d] && l < block->n_lanes; l += dp_size)
                duration[p * block->stride + l] = base;
    }
}

static void rewrite(const void *context, int32_t bits, const struct hc_step_structure *structure,
                    const struct hc_lane_block *block, double *duration)
{
    const struct hc_remedies *remedies = context;
    const struct hc_pass_model *model = remedies->model;
    size_t number = (size_t)(structure - model->lanes->structures);
    size_t at = model->first_block[number] + (size_t)(block - structure->blocks);
    if (bits & ~BIT(HC_REMEDY_LINKS))
        rewrite_passes(remedies, bits, &model->blocks[at], duration);
    if (bits & BIT(HC_REMEDY_LINKS))
        rewrite_links(remedies->links, structure, block, duration);
}

/* ---- sharing out ---- */

/* The replays that are needed: with each suspect set right alone, with all of them, and with all
 * but each. With two suspects, all but one is the other alone, so no replay is done twice. */
struct replay_list {
    size_t n;
    int32_t bits[2 * HC_N_REMEDIES + 1];
    double span_s[2 * HC_N_REMEDIES + 1];
};

static void add_replay(struct replay_list *replays, int32_t bits)
{
    for (size_t i = 0; i < replays->n; i++)
        if (replays->bits[i] == bits)
            return;
    replays->bits[replays->n++] = bits;
}

static double span_of(const struct replay_list *replays, int32_t bits)
{
    for (size_t i = 0; i < replays->n; i++)
        if (replays->bits[i] == bits)
            return replays->span_s[i];
    return NAN;
}

static enum hc_status run_replays(struct replay_list *replays, const struct hc_remedies *remedies,
                                  struct hc_whatif_analysis *a)
{
    size_t n_steps = a->result->n_steps;
    struct hc_counterfactual counterfactuals[2 * HC_N_REMEDIES + 1];
    int64_t *spans_ns = hc_new_array(replays->n * n_steps, sizeof *spans_ns, a->err);
    if (!spans_ns)
        return a->err->status;
    for (size_t i = 0; i < replays->n; i++)
        counterfactuals[i] = (struct hc_counterfactual){
            .kind = HC_SWEEP_REWRITTEN, .arg = replays->bits[i], .span_ns = spans_ns + i * n_steps};
    struct hc_counterfactuals sweeps = a->sweeps;
    sweeps.rewrite = rewrite;
    sweeps.rewrite_context = remedies;
    enum hc_status status = hc_counterfactuals_run(&sweeps, counterfactuals, replays->n, a->err);
    for (size_t i = 0; status == HC_OK && i < replays->n; i++)
        replays->span_s[i] = hc_mean_s(spans_ns + i * n_steps, n_steps);
    free(spans_ns);
    return status;
}

enum hc_status hc_remedies_replay(struct hc_remedies *remedies, struct hc_whatif_analysis *a)
{
    const struct hc_whatif_result *r = a->result;
    struct replay_list replays = {0};
    int32_t all = 0;
    for (int i = 0; i < HC_N_REMEDIES; i++)
        all |= remedies->suspected[i] ? BIT(i) : 0;
    double excess_s = hc_whatif_excess_s(r);
    if (!all || isnan(excess_s))
        return HC_OK;
    add_replay(&replays, all);
    for (int i = 0; i < HC_N_REMEDIES; i++) {
        if (!remedies->suspected[i])
            continue;
        add_replay(&replays, BIT(i));
        if (all & ~BIT(i))
            add_replay(&replays, all & ~BIT(i));
    }
    if (run_replays(&replays, remedies, a))
        return a->err->status;
    double rest_s = span_of(&replays, all);
    remedies->all_share = (r->replayed_s - rest_s) / excess_s;
    for (int i = 0; i < HC_N_REMEDIES; i++) {
        if (!remedies->suspected[i])
            continue;
        double others_s = all & ~BIT(i) ? span_of(&replays, all & ~BIT(i)) : r->replayed_s;
        double alone = r->replayed_s - span_of(&replays, BIT(i)), last = others_s - rest_s;
        remedies->share[i] = (alone + last) / 2 / excess_s;
    }
    return HC_OK;
}

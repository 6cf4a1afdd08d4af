#include "sim/profiles/profile_variants.h"

size_t hc_variant_mend(size_t rank_index)
{
    return HC_VARIANT_FIRST_RANK + rank_index;
}

size_t hc_variant_only(size_t n_ranks, size_t rank_index)
{
    return HC_VARIANT_FIRST_RANK + n_ranks + rank_index;
}

size_t hc_variant_question(size_t n_ranks, bool no_variants, size_t question)
{
    return HC_VARIANT_FIRST_RANK + (no_variants ? 0 : 2 * n_ranks) + question;
}

static void take_peers(struct hc_sweep_lanes *lanes, size_t lane, size_t rank,
                       enum hc_graph_work work)
{
    lanes->alt[(rank * HC_N_WORKS + work) * lanes->stride + lane] = 1;
}

static void make_ideal(struct hc_sweep_lanes *lanes, size_t lane, size_t rank)
{
    take_peers(lanes, lane, rank, HC_WORK_CPU);
    take_peers(lanes, lane, rank, HC_WORK_GPU);
    lanes->moves_start[rank * lanes->stride + lane] = 1;
}

static void scale(struct hc_sweep_lanes *lanes, size_t lane, size_t rank,
                  const struct hc_profile_question *asked)
{
    const bool scales[HC_N_WORKS] = {
        [HC_WORK_CPU] = asked->cpu, [HC_WORK_GPU] = asked->gpu, [HC_WORK_COMM] = asked->comm};
    for (size_t work = 0; work < HC_N_WORKS; work++)
        if (scales[work])
            lanes->factor[(rank * HC_N_WORKS + work) * lanes->stride + lane] = asked->factor;
}

static bool is_asked(const struct hc_profile_question *question, int32_t rank)
{
    for (size_t i = 0; i < question->n_ranks; i++)
        if (question->ranks[i] == rank)
            return true;
    return question->n_ranks == 0;
}

/* What a question changes on the rank of this index and number. */
static void pose(struct hc_sweep_lanes *lanes, size_t lane, size_t rank_index, int32_t rank,
                 const struct hc_profile_question *question)
{
    if (question->ask == HC_ASK_SCALE) {
        if (is_asked(question, rank))
            scale(lanes, lane, rank_index, question);
    } else if (is_asked(question, rank) == (question->ask == HC_ASK_MEND)) {
        make_ideal(lanes, lane, rank_index);
    }
}

enum hc_status hc_variants_init(struct hc_sweep_lanes *lanes, const struct hc_profile *profile,
                                const struct hc_profile_whatif_options *options,
                                struct hc_error *err)
{
    size_t n = profile->n_ranks;
    size_t n_lanes = hc_variant_question(n, options->no_variants, options->n_questions);
    if (hc_sweep_lanes_init(lanes, n_lanes, n, err))
        return err->status;
    lanes->residual[HC_VARIANT_STRUCTURAL] = 0;
    for (size_t r = 0; r < n; r++) {
        make_ideal(lanes, HC_VARIANT_IDEAL, r);
        lanes->moves_start[r * lanes->stride + HC_VARIANT_NO_SKEW] = 1;
        take_peers(lanes, HC_VARIANT_GPU, r, HC_WORK_GPU);
        take_peers(lanes, HC_VARIANT_CPU, r, HC_WORK_CPU);
        for (size_t q = 0; !options->no_variants && q < n; q++)
            make_ideal(lanes, q == r ? hc_variant_mend(r) : hc_variant_only(n, q), r);
        for (size_t q = 0; q < options->n_questions; q++)
            pose(lanes, hc_variant_question(n, options->no_variants, q), r, profile->ranks[r].rank,
                 &options->questions[q]);
    }
    return HC_OK;
}

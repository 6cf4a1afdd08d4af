#include "sim/profiles/profile_variants.h"

size_t hc_variant_mend(size_t rank_index)
{
    return HC_VARIANT_FIRST_RANK + rank_index;
}

size_t hc_variant_only(size_t n_ranks, size_t rank_index)
{
    return HC_VARIANT_FIRST_RANK + n_ranks + rank_index;
}

size_t hc_variant_scaling(size_t n_ranks, bool no_variants, size_t scaling)
{
    return HC_VARIANT_FIRST_RANK + (no_variants ? 0 : 2 * n_ranks) + scaling;
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
                  const struct hc_profile_scaling *scaling)
{
    const bool scales[HC_N_WORKS] = {
        [HC_WORK_CPU] = scaling->cpu, [HC_WORK_GPU] = scaling->gpu, [HC_WORK_COMM] = scaling->comm};
    for (size_t work = 0; work < HC_N_WORKS; work++)
        if (scales[work])
            lanes->factor[(rank * HC_N_WORKS + work) * lanes->stride + lane] = scaling->factor;
}

enum hc_status hc_variants_init(struct hc_sweep_lanes *lanes, const struct hc_profile *profile,
                                const struct hc_profile_whatif_options *options,
                                struct hc_error *err)
{
    size_t n = profile->n_ranks;
    size_t n_lanes = hc_variant_scaling(n, options->no_variants, options->n_scalings);
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
        for (size_t s = 0; s < options->n_scalings; s++) {
            const struct hc_profile_scaling *scaling = &options->scalings[s];
            if (scaling->rank == -1 || scaling->rank == profile->ranks[r].rank)
                scale(lanes, hc_variant_scaling(n, options->no_variants, s), r, scaling);
        }
    }
    return HC_OK;
}

/* profile_variants.h - the lanes of a what-if: which of them is which question, and what each
 * changes. Private to this wing. */
#ifndef HC_SIM_PROFILES_PROFILE_VARIANTS_H
#define HC_SIM_PROFILES_PROFILE_VARIANTS_H

#include "sim/profiles/profile_sweep.h"

enum hc_variant {
    HC_VARIANT_TRACED,
    HC_VARIANT_STRUCTURAL,
    HC_VARIANT_IDEAL,
    HC_VARIANT_NO_SKEW,
    HC_VARIANT_GPU,
    HC_VARIANT_CPU,
    HC_VARIANT_FIRST_RANK /* mend of each rank, then only of each, then the questions */
};

/* Lanes of all variants that the options ask for. */
enum hc_status hc_variants_init(struct hc_sweep_lanes *lanes, const struct hc_profile *profile,
                                const struct hc_profile_whatif_options *options,
                                struct hc_error *err);
size_t hc_variant_mend(size_t rank_index);
size_t hc_variant_only(size_t n_ranks, size_t rank_index);
size_t hc_variant_question(size_t n_ranks, bool no_variants, size_t question);

#endif

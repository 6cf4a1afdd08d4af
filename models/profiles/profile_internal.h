/* profile_internal.h - the steps of hc_profile_link, in their order. Private to this wing. */
#ifndef HC_MODELS_PROFILES_PROFILE_INTERNAL_H
#define HC_MODELS_PROFILES_PROFILE_INTERNAL_H

#include "models/profiles/profile.h"

/* Sort the ranks, take equal traces of one rank once, refuse unequal ones; world size and gaps. */
enum hc_status hc_profile_check_ranks(struct hc_profile *profile, struct hc_error *err);

/* HC_BAD_INPUT unless the codes of a rank are those of the texts of the profile. */
enum hc_status hc_profile_check_codes(const struct hc_profile *profile,
                                      const struct hc_profile_rank *rank, struct hc_error *err);

/* Absolute starts, sorted rows; what has no usable time is dropped. */
enum hc_status hc_profile_settle_rows(const struct hc_profile *profile,
                                      struct hc_profile_rank *rank, struct hc_error *err);

/* Free what linking derives from the rows. */
void hc_profile_unlink(struct hc_profile_rank *rank);

/* The launch of each GPU event, and the latest end up to it. */
enum hc_status hc_profile_find_launches(struct hc_profile_rank *rank, struct hc_error *err);

/* Steps with their windows, the step of each GPU event, the main thread. */
enum hc_status hc_profile_find_steps(const struct hc_profile *profile, struct hc_profile_rank *rank,
                                     enum hc_steps_by by, struct hc_error *err);

/* Drop the marks that nothing depends on any more, unless they have names. */
enum hc_status hc_profile_sift_marks(const struct hc_profile *profile, struct hc_profile_rank *rank,
                                     struct hc_error *err);

/* The steps that all ranks have. */
enum hc_status hc_profile_find_common_steps(struct hc_profile *profile, struct hc_error *err);

#endif

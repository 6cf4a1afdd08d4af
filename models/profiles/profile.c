#include "models/profiles/profile.h"

#include "models/profiles/profile_fill.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

const struct hc_text_set *hc_profile_dictionary(const struct hc_profile *profile,
                                                const char *dictionary)
{
    for (size_t d = 0; d < profile->names.n; d++)
        if (!strcmp(profile->names.dictionary[d], dictionary))
            return &profile->names.set[d];
    return NULL;
}

const char *hc_profile_text(const struct hc_profile *profile, const char *dictionary, int32_t code)
{
    const struct hc_text_set *set = hc_profile_dictionary(profile, dictionary);
    return set && code >= 0 && (size_t)code < set->n ? set->text[code] : "";
}

void hc_profile_rank_fini(struct hc_profile_rank *rank)
{
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++)
        hc_table_fini(&rank->table[t]);
    free(rank->name);
    hc_profile_unlink(rank);
    memset(rank, 0, sizeof *rank);
}

void hc_profile_fini(struct hc_profile *profile)
{
    for (size_t r = 0; r < profile->n_ranks; r++)
        hc_profile_rank_fini(&profile->ranks[r]);
    free(profile->ranks);
    free(profile->gaps);
    free(profile->common_steps);
    hc_table_names_fini(&profile->names);
    memset(profile, 0, sizeof *profile);
}

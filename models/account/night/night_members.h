/* night_members.h - the account of a night by the members of a dimension: of each run, node or user
 * by itself, what its GPUs did in the days that are reported and on each day of the window.
 *
 *     struct hc_night_members members;
 *     if (!hc_night_members_make(&members, result, HC_CUBE_NODE, err))
 *         ... hc_night_member_make(&member, &members, hc_night_members_find(&members, "n1"), err)
 *     hc_night_members_fini(&members);
 */
#ifndef HC_MODELS_ACCOUNT_NIGHT_NIGHT_MEMBERS_H
#define HC_MODELS_ACCOUNT_NIGHT_NIGHT_MEMBERS_H

#include "models/account/night/night_result.h"

/* The sums of a dimension in order of its names, so that those of one are found without a walk over
 * the cube: a large site has millions. */
struct hc_night_members {
    const struct hc_night_result *result;
    enum hc_cube_dimension dimension;
    size_t n;      /* names */
    size_t *first; /* those of name i: sums[first[i]] to sums[first[i + 1]] */
    struct hc_member_sum {
        int32_t day;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns;
    } * sums;
};

enum hc_status hc_night_members_make(struct hc_night_members *members,
                                     const struct hc_night_result *result,
                                     enum hc_cube_dimension dimension, struct hc_error *err);
/* The code of a name; of a run, that of its row. -1: there is none. */
int32_t hc_night_members_find(const struct hc_night_members *members, const char *name);
int32_t hc_night_members_run(const struct hc_night_members *members, const struct hc_run_row *row);
void hc_night_members_fini(struct hc_night_members *members);

/* One of them. */
struct hc_night_member {
    hc_gpu_ns leaves[HC_WHAT_COUNT][HC_WHY_COUNT]; /* of the days that are reported */
    struct hc_group_row all;                       /* the same; shares are of its own time */
    size_t n_days;
    struct hc_group_row *days; /* of the window, by their names */
};

enum hc_status hc_night_member_make(struct hc_night_member *member,
                                    const struct hc_night_members *members, int32_t code,
                                    struct hc_error *err);
void hc_night_member_fini(struct hc_night_member *member);

#endif

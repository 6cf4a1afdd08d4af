/* leaf_top.h - where the time of some leaves of the account was spent: by cause, node, user and
 * whatever else it is grouped by, most first.
 *
 * The rows of each grouping sum to the same total, in whole GPU-nanoseconds: what belongs to no
 * group (time that no failure took, attempts of no run) is a row of its own.
 */
#ifndef HC_MODELS_ACCOUNT_TOP_LEAF_TOP_H
#define HC_MODELS_ACCOUNT_TOP_LEAF_TOP_H

#include "models/account/night/night_result.h"

/* Parts of the time that was chosen. */
enum hc_top_part {
    HC_TOP_LOST, /* lost and abandoned work */
    HC_TOP_FAILED_STARTUP,
    HC_TOP_DETECTION, /* and localisation */
    HC_TOP_RECOVERY,
    HC_TOP_STARTUP,
    HC_TOP_OTHER,
    HC_N_TOP_PARTS
};

struct hc_top_row {
    const char *name; /* NULL: of no group */
    hc_gpu_ns gpu_ns;
    double gpu_hours, share; /* share: of all that was chosen */
    double parts[HC_N_TOP_PARTS];
    double infrastructure; /* GPU-hours of it that certain or likely failures of it took */
    double held;           /* GPU-hours that the group held; NaN: a cause holds nothing */
    double share_of_held;
    double before; /* GPU-hours of as many days before; NaN: not known */
};

struct hc_top_rows {
    enum hc_cube_dimension by;
    size_t n;
    struct hc_top_row *rows; /* most first, then by name; of no time are left out */
    bool adds_up;            /* they sum to the total, to the nanosecond */
};

struct hc_top {
    struct hc_top_row total; /* its held is that of all */
    size_t n;
    struct hc_top_rows by[HC_N_CUBE_DIMENSIONS];
};

struct hc_top_choice {
    const char *leaf;            /* of leaf_choice.h */
    struct hc_night_range range; /* as many days before it are looked at too, where there are */
    size_t n;
    const enum hc_cube_dimension *by;
};

enum hc_status hc_top_make(struct hc_top *top, const struct hc_night *night,
                           const struct hc_top_choice *choice, const struct hc_night_names *names,
                           struct hc_error *err);
/* Zeroed memory has none. */
void hc_top_fini(struct hc_top *top);

/* The dimension of a word of length characters, as "cause"; HC_CUBE_ALL: there is none. */
enum hc_cube_dimension hc_top_dimension_find(const char *word, size_t length);

#endif

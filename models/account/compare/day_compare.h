/* day_compare.h - the account of some days beside that of others, or of one run beside another:
 * leaf by leaf, with a test that knows how much a leaf changes from day to day anyway.
 *
 * The test is Student's t on the shares that a leaf has of the GPU-hours of days, weighted by these
 * GPU-hours: B's share less A's, over what the dispersion makes of their GPU-hours. The dispersion
 * is estimated from the days of A, those of B and the other days of the window, each around the
 * share of their own set, with the variance of a day's share falling with its GPU-hours. So two
 * single nights can be compared, where other days are known. It takes days for independent: where
 * what one day does goes on the next, it is too sure. Of two runs, the days are those of either: a
 * date may be in both.
 */
#ifndef HC_MODELS_ACCOUNT_COMPARE_DAY_COMPARE_H
#define HC_MODELS_ACCOUNT_COMPARE_DAY_COMPARE_H

#include "models/account/night/night.h"

#define HC_COMPARE_LEVEL 0.05 /* chance that any row is said to have changed where none has */

/* What is compared: each leaf, and two sums of them. */
enum hc_compared {
    HC_COMPARED_PRODUCTIVE = HC_WHAT_COUNT,
    HC_COMPARED_LOST, /* of leaf_choice.h */
    HC_N_COMPARED
};

/* Which side a day belongs to. */
enum hc_compared_set { HC_COMPARED_NEITHER, HC_COMPARED_A, HC_COMPARED_B, HC_N_COMPARED_SETS };

/* A day, or all days of a side; NaN: not known. */
struct hc_compared_day {
    int64_t day; /* since 1970-01-01 */
    enum hc_compared_set set;
    double held; /* GPU-hours */
    double hours[HC_N_COMPARED];
};

/* Exact sums of a day, in GPU-nanoseconds. */
struct hc_compared_sums {
    hc_gpu_ns held, gpu_ns[HC_N_COMPARED];
};

struct hc_compared_side {
    int64_t first_day, last_day;
    bool is_provisional;
    struct hc_compared_day sum;
};

struct hc_compared_row {
    enum hc_compared what;
    double hours[2], share[2], change; /* change: of the share, B less A */
    double spread; /* standard deviation of the share of a day of the mean size; NaN: not known */
    double t, freedom;  /* NaN: not tested */
    double probability; /* of as large a change either way where nothing has changed */
    bool has_changed;   /* probability times the rows tested is below HC_COMPARE_LEVEL */
};

struct hc_day_compare {
    struct hc_compared_side side[2];
    size_t n_days, n_other; /* days known, and those of neither side */
    size_t n, n_tested;
    struct hc_compared_row rows[HC_N_COMPARED]; /* the two sums, then the leaves that either has */
};

/* What is told of a run beside its leaves. */
struct hc_compared_run {
    const char *rule; /* by which its attempts are one run; NULL: not known */
    int64_t attempts, launches, failures, gpus; /* gpus: the most that an attempt held */
    double ettr[HC_N_ETTRS];                    /* NaN: not known */
};

/* Add GPU-time of a leaf to the leaf and to the sums that have it. */
void hc_compared_sums_add(struct hc_compared_sums *sums, enum hc_what what, enum hc_why why,
                          hc_gpu_ns gpu_ns);
/* The same in GPU-hours, of a day that belongs to neither side yet. */
struct hc_compared_day hc_compared_day_of(const struct hc_compared_sums *sums, int64_t day);

/* The days of a night, from a first day on; the caller's to free. NULL with err filled: memory. */
struct hc_compared_day *hc_compared_days(const struct hc_night *night, int64_t first_day,
                                         struct hc_error *err);

/* Give each day to the side whose first_day to last_day has it. */
void hc_compared_days_assign(struct hc_compared_day *days, size_t n_days,
                             const struct hc_compared_side side[2]);
/* Sum the days of a side: HC_COMPARED_A or HC_COMPARED_B. */
void hc_compared_side_sum(struct hc_compared_side *side, enum hc_compared_set set,
                          const struct hc_compared_day *days, size_t n_days);

/* side[0] and side[1] of the result are filled; days: all that are known, each with its set. */
void hc_day_compare_make(struct hc_day_compare *result, const struct hc_compared_day *days,
                         size_t n_days);

/* "lost_work"; "productive", "lost" of the sums. For people: "lost work". */
const char *hc_compared_name(enum hc_compared what);
const char *hc_compared_title(enum hc_compared what);

#endif

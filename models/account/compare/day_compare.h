/* day_compare.h - the account of some days beside that of others: leaf by leaf, with a test that
 * knows how much a leaf changes from day to day anyway.
 *
 * The test is Student's t on the shares that a leaf has of the GPU-hours of days, weighted by these
 * GPU-hours: B's share less A's, over what the dispersion makes of their GPU-hours. The dispersion
 * is estimated from the days of A, those of B and the other days of the window, each around the
 * share of their own set, with the variance of a day's share falling with its GPU-hours. So two
 * single nights can be compared, where other days are known. It takes days for independent: where
 * what one day does goes on the next, it is too sure.
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

/* A day, or all days of a side; NaN: not known. */
struct hc_compared_day {
    int64_t day; /* since 1970-01-01 */
    double held; /* GPU-hours */
    double hours[HC_N_COMPARED];
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

/* The days of a night, from a first day on; the caller's to free. NULL with err filled: memory. */
struct hc_compared_day *hc_compared_days(const struct hc_night *night, int64_t first_day,
                                         struct hc_error *err);

/* Sum the days of a side. */
void hc_compared_side_sum(struct hc_compared_side *side, const struct hc_compared_day *days,
                          size_t n_days);

/* side[0] and side[1] of the result are filled; days: all that are known, of the sides too. */
void hc_day_compare_make(struct hc_day_compare *result, const struct hc_compared_day *days,
                         size_t n_days);

/* "lost_work"; "productive", "lost" of the sums. For people: "lost work". */
const char *hc_compared_name(enum hc_compared what);
const char *hc_compared_title(enum hc_compared what);

#endif

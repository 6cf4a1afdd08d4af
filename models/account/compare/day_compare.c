#include "models/account/compare/day_compare.h"

#include "core/base/memory.h"
#include "models/account/tree/leaf_choice.h"
#include "models/stats/rounding.h"
#include "models/stats/student.h"

#include <math.h>
#include <stdlib.h>

const char *hc_compared_name(enum hc_compared what)
{
    return what == HC_COMPARED_PRODUCTIVE ? "productive"
           : what == HC_COMPARED_LOST     ? "lost"
                                          : hc_what_name((enum hc_what)what);
}

const char *hc_compared_title(enum hc_compared what)
{
    return what == HC_COMPARED_PRODUCTIVE ? "all productive"
           : what == HC_COMPARED_LOST     ? "all lost to failures"
                                          : hc_what_title((enum hc_what)what);
}

/* ---- days ---- */

void hc_compared_sums_add(struct hc_compared_sums *sums, enum hc_what what, enum hc_why why,
                          hc_gpu_ns gpu_ns)
{
    sums->held += gpu_ns;
    sums->gpu_ns[what] += gpu_ns;
    if (hc_what_goodput(what) == HC_GOODPUT_PRODUCTIVE)
        sums->gpu_ns[HC_COMPARED_PRODUCTIVE] += gpu_ns;
    if (hc_leaf_choice_has("lost", what, why))
        sums->gpu_ns[HC_COMPARED_LOST] += gpu_ns;
}

struct hc_compared_day hc_compared_day_of(const struct hc_compared_sums *sums, int64_t day)
{
    struct hc_compared_day result = {.day = day, .held = hc_gpu_hours(sums->held)};
    for (int w = 0; w < HC_N_COMPARED; w++)
        result.hours[w] = hc_gpu_hours(sums->gpu_ns[w]);
    return result;
}

struct hc_compared_day *hc_compared_days(const struct hc_night *night, int64_t first_day,
                                         struct hc_error *err)
{
    struct hc_compared_day *days = hc_new_array(night->days.n, sizeof *days, err);
    struct hc_compared_sums *sums = days ? hc_new_array(night->days.n, sizeof *sums, err) : NULL;
    if (!sums) {
        free(days);
        return NULL;
    }
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        if (place.dimension == HC_CUBE_ALL)
            hc_compared_sums_add(&sums[place.day], cell.what, cell.why, gpu_ns);
    }
    for (size_t d = 0; d < night->days.n; d++)
        days[d] = hc_compared_day_of(&sums[d], first_day + (int64_t)d);
    free(sums);
    return days;
}

static bool is_of(const struct hc_compared_side *side, int64_t day)
{
    return day >= side->first_day && day <= side->last_day;
}

void hc_compared_days_assign(struct hc_compared_day *days, size_t n_days,
                             const struct hc_compared_side side[2])
{
    for (size_t d = 0; d < n_days; d++)
        days[d].set = is_of(&side[0], days[d].day)   ? HC_COMPARED_A
                      : is_of(&side[1], days[d].day) ? HC_COMPARED_B
                                                     : HC_COMPARED_NEITHER;
}

void hc_compared_side_sum(struct hc_compared_side *side, enum hc_compared_set set,
                          const struct hc_compared_day *days, size_t n_days)
{
    side->sum = (struct hc_compared_day){.day = side->first_day, .set = set};
    for (size_t d = 0; d < n_days; d++) {
        if (days[d].set != set)
            continue;
        side->sum.held += days[d].held;
        for (int w = 0; w < HC_N_COMPARED; w++)
            side->sum.hours[w] += days[d].hours[w];
    }
}

/* ---- the test ---- */

struct moments {
    double n, weight, mean, squares; /* squares: of deviations from the mean, weighted */
};

static void add_value(struct moments *m, double value, double weight)
{
    double delta = value - m->mean;
    m->n++;
    m->weight += weight;
    m->mean += delta * weight / m->weight;
    m->squares += weight * delta * (value - m->mean);
}

/* The variance of a day's share falls with its GPU-hours: dispersion / GPU-hours. */
static void test(struct hc_compared_row *row, const struct hc_compared_day *days, size_t n_days)
{
    struct moments sets[HC_N_COMPARED_SETS] = {{0, 0, 0, 0}};
    double squares = 0, freedom = 0, n = 0, weight = 0;
    row->spread = row->t = row->freedom = row->probability = NAN;
    for (size_t d = 0; d < n_days; d++) {
        double share = days[d].hours[row->what] / days[d].held;
        if (days[d].held > 0 && !isnan(share))
            add_value(&sets[days[d].set], share, days[d].held);
    }
    for (int s = 0; s < HC_N_COMPARED_SETS; s++) {
        squares += sets[s].squares;
        freedom += sets[s].n > 1 ? sets[s].n - 1 : 0;
        n += sets[s].n;
        weight += sets[s].weight;
    }
    if (sets[HC_COMPARED_A].n == 0 || sets[HC_COMPARED_B].n == 0 || freedom < 1 || squares <= 0)
        return;
    double dispersion = squares / freedom;
    row->freedom = freedom;
    row->spread = sqrt(dispersion * n / weight);
    row->t = (sets[HC_COMPARED_B].mean - sets[HC_COMPARED_A].mean) /
             sqrt(dispersion * (1 / sets[HC_COMPARED_A].weight + 1 / sets[HC_COMPARED_B].weight));
    row->probability =
        fmin(1, hc_round_digits(2 * hc_student_upper(freedom, fabs(row->t)), HC_FIT_DIGITS));
}

static void add_row(struct hc_day_compare *result, enum hc_compared what,
                    const struct hc_compared_day *days, size_t n_days)
{
    struct hc_compared_row row = {.what = what};
    for (int s = 0; s < 2; s++) {
        row.hours[s] = result->side[s].sum.hours[what];
        row.share[s] = result->side[s].sum.held > 0 ? row.hours[s] / result->side[s].sum.held : NAN;
    }
    row.change = row.share[1] - row.share[0];
    if (what < HC_COMPARED_PRODUCTIVE && row.hours[0] == 0 && row.hours[1] == 0)
        return;
    test(&row, days, n_days);
    result->n_tested += !isnan(row.probability);
    result->rows[result->n++] = row;
}

void hc_day_compare_make(struct hc_day_compare *result, const struct hc_compared_day *days,
                         size_t n_days)
{
    result->n = result->n_tested = result->n_other = 0;
    result->n_days = n_days;
    for (size_t d = 0; d < n_days; d++)
        result->n_other += days[d].held > 0 && days[d].set == HC_COMPARED_NEITHER;
    add_row(result, HC_COMPARED_PRODUCTIVE, days, n_days);
    add_row(result, HC_COMPARED_LOST, days, n_days);
    for (int w = 0; w < HC_WHAT_COUNT; w++)
        add_row(result, (enum hc_compared)w, days, n_days);
    for (size_t i = 0; i < result->n; i++)
        result->rows[i].has_changed =
            result->rows[i].probability * (double)result->n_tested < HC_COMPARE_LEVEL;
}

/* Jobs of several users that ended in failure together.
 *
 * How many users fail within one window by chance: failures come at the rate of the days before,
 * where those of one user in a row are one. Nights are quiet, and storms come in hours, so each
 * hour of these days has its own rate, that which was counted in it; a window that begins with a
 * failure of that hour has u - 1 further ones with the probability of Poisson. The fewest users for
 * which the number of such windows in a day is within the budget make a finding.
 *
 * That is asked of the cluster, and of each rack, switch, file system and partition with its own
 * failures, since what a rack does is lost among those of a large cluster; the budget is for all of
 * these questions together.
 */
#include "models/findings/findings_judge.h"

#include "core/base/memory.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#define HOUR_NS     INT64_C(3600000000000)
#define MOST_USERS  1000
#define MOST_A_HOUR 1200

/* The ends of one place, in the order of time. */
struct range {
    const struct hc_end *rows;
    size_t first, end;
};

/* The first that is not before time. */
static size_t first_at(const struct range *range, int64_t time)
{
    size_t low = range->first, high = range->end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (range->rows[middle].end->time_ns < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- what chance does ---- */

/* Hours of the days before by how many failures they had, those of one user in a row once; of more
 * than the most that are told apart, as the most. */
struct usual {
    int hours[MOST_A_HOUR + 1];
    int most;
    double n_days, window_h;
    double dispersion; /* of hours */
    double n_places;   /* that are asked, of all kinds */
};

static void add_hour(struct usual *usual, int n)
{
    int k = n < MOST_A_HOUR ? n : MOST_A_HOUR;
    usual->hours[k]++;
    usual->most = k > usual->most ? k : usual->most;
}

static void look_back(struct usual *usual, const struct range *range,
                      const struct hc_finding_batch *batch)
{
    const int64_t *start = batch->input->day_start_ns;
    int from = hc_finding_first_day(batch->day - 1, batch->options->baseline_days), of_hour = 0;
    double all = (double)(start[batch->day] - start[from]) / (double)HOUR_NS, n = 0, squares = 0;
    *usual =
        (struct usual){.n_days = all / 24,
                       .window_h = (double)batch->options->cofailure_window_ns / (double)HOUR_NS};
    int64_t hour = -1;
    for (size_t i = first_at(range, start[from]); i < range->end; i++) {
        const struct hc_end *row = &range->rows[i];
        if (row->end->time_ns >= start[batch->day])
            break;
        int64_t this_hour = (row->end->time_ns - start[from]) / HOUR_NS;
        if (this_hour != hour && hour >= 0)
            add_hour(usual, of_hour);
        of_hour = this_hour == hour ? of_hour + row->is_first : row->is_first;
        hour = this_hour;
    }
    add_hour(usual, of_hour);
    for (int k = 1; k <= usual->most; k++) {
        n += (double)usual->hours[k] * k;
        squares += (double)usual->hours[k] * k * k;
    }
    usual->dispersion =
        n > 0 ? hc_round_digits(fmax(1, squares / n - n / all), HC_STATS_DIGITS) : 1;
}

/* Windows of so many users on a day, at all places if they were like this one. */
static double by_chance(const struct usual *usual, int n_users)
{
    /* One failure more than there was, in an hour with another. */
    double sum = 2 * hc_sf_poisson_upper(n_users - 1, 2 * usual->window_h);
    for (int k = 1; k <= usual->most; k++)
        if (usual->hours[k] > 0)
            sum +=
                (double)usual->hours[k] * k * hc_sf_poisson_upper(n_users - 1, k * usual->window_h);
    return hc_round_digits(usual->n_places * sum / usual->n_days, HC_STATS_DIGITS);
}

static int fewest_users(const struct usual *usual, const struct hc_finding_batch *batch)
{
    double budget = hc_finding_budget(batch->options, HC_FINDING_COFAILURE);
    int n = batch->options->cofailure_least_users;
    while (n < MOST_USERS && by_chance(usual, n) > budget)
        n++;
    return n;
}

/* ---- the day ---- */

/* Adds an end to the window, or takes it out; returns by how much a number of different ones
 * changes. */
static int count(int32_t *counts, int32_t which, int by)
{
    counts[which] += by;
    return by > 0 ? counts[which] == 1 : -(counts[which] == 0);
}

static int count_user(const struct hc_ends *ends, const struct hc_end *end, int by)
{
    return count(ends->counts, end->user, by);
}

static int count_job(const struct hc_ends *ends, const struct hc_end *end, int by)
{
    return count(ends->counts + ends->level[HC_CLUSTER_LEVEL].n, end->job, by);
}

static void count_different(struct hc_cofailure *cofailure, const struct hc_ends *ends)
{
    const struct hc_end *rows = ends->level[cofailure->level].rows;
    cofailure->n_jobs = cofailure->n_users = 0;
    for (size_t i = cofailure->first; i < cofailure->end; i++) {
        cofailure->n_jobs += count_job(ends, &rows[i], 1);
        cofailure->n_users += count_user(ends, &rows[i], 1);
    }
    for (size_t i = cofailure->first; i < cofailure->end; i++) {
        count_job(ends, &rows[i], -1);
        count_user(ends, &rows[i], -1);
    }
}

struct scan {
    struct hc_cofailures *found;
    const struct hc_ends *ends;
    const struct hc_finding_batch *batch;
    double n_places;
};

/* Windows that overlap are one. */
static enum hc_status put(struct hc_cofailures *found, const struct hc_cofailure *window,
                          struct hc_error *err)
{
    struct hc_cofailure *last = found->n ? &found->rows[found->n - 1] : NULL;
    if (last && last->level == window->level && window->first < last->end) {
        last->end = window->end;
        return HC_OK;
    }
    if (hc_reserve(&found->rows, &found->capacity, found->n + 1, sizeof *found->rows, err))
        return err->status;
    found->rows[found->n++] = *window;
    return HC_OK;
}

/* Windows that begin with each end of the day, and slide. */
static enum hc_status slide(const struct scan *scan, struct hc_cofailure window, int least_users,
                            struct hc_error *err)
{
    const struct hc_ends *ends = scan->ends;
    const struct hc_end *rows = ends->level[window.level].rows;
    size_t first = window.first, last = window.end, end = first;
    int n_users = 0, n_jobs = 0;
    enum hc_status status = HC_OK;
    for (size_t i = first; i < last; i++) {
        int64_t until = rows[i].end->time_ns + scan->batch->options->cofailure_window_ns;
        for (; end < last && rows[end].end->time_ns <= until; end++) {
            n_users += count_user(ends, &rows[end], 1);
            n_jobs += count_job(ends, &rows[end], 1);
        }
        window.first = i;
        window.end = end;
        if (status == HC_OK && n_users >= least_users &&
            n_jobs >= scan->batch->options->cofailure_least_jobs)
            status = put(scan->found, &window, err);
        n_users += count_user(ends, &rows[i], -1);
        n_jobs += count_job(ends, &rows[i], -1);
    }
    return status;
}

/* One place. Its by_chance is that of its users. */
static enum hc_status scan_place(const struct scan *scan, const struct hc_cofailure *place,
                                 struct hc_error *err)
{
    const struct hc_finding_batch *batch = scan->batch;
    const struct hc_ends *ends = scan->ends;
    struct hc_cofailures *found = scan->found;
    const int64_t *start = batch->input->day_start_ns;
    struct range range = {ends->level[place->level].rows, place->first, place->end};
    struct hc_cofailure today = *place;
    today.first = first_at(&range, start[batch->day]);
    today.end = first_at(&range, start[batch->day + 1]);
    if (today.end < today.first + (size_t)batch->options->cofailure_least_users)
        return HC_OK;
    struct usual usual;
    look_back(&usual, &range, batch);
    usual.n_places = scan->n_places;
    size_t n_before = found->n;
    int least_users = fewest_users(&usual, batch);
    if (slide(scan, today, least_users, err))
        return err->status;
    for (size_t i = n_before; i < found->n; i++) {
        struct hc_cofailure *cofailure = &found->rows[i];
        count_different(cofailure, ends);
        cofailure->by_chance = by_chance(&usual, cofailure->n_users);
        cofailure->dispersion = usual.dispersion;
        cofailure->time_ns = range.rows[cofailure->first].end->time_ns;
        cofailure->last_ns = range.rows[cofailure->end - 1].end->time_ns;
    }
    return HC_OK;
}

/* The end of the place that begins with this row. */
static size_t end_of_place(const struct hc_end_level *level, size_t first)
{
    size_t end = first + 1;
    while (end < level->n && level->rows[end].place == level->rows[first].place)
        end++;
    return end;
}

/* Places with a failure up to the end of the day, of all kinds. */
static double count_places(const struct hc_ends *ends, const struct hc_finding_batch *batch)
{
    int64_t until = batch->input->day_start_ns[batch->day + 1];
    double n = 0;
    for (int kind = 0; kind < HC_N_LEVELS; kind++) {
        const struct hc_end_level *level = &ends->level[kind];
        for (size_t i = 0; i < level->n; i = end_of_place(level, i))
            n += level->rows[i].end->time_ns < until;
    }
    return n;
}

/* ---- one finding for one event ---- */

static bool is_within(const struct hc_cofailure *narrow, const struct hc_cofailure *wide,
                      int64_t window_ns)
{
    return narrow->level < wide->level && narrow->time_ns <= wide->last_ns + window_ns &&
           wide->time_ns <= narrow->last_ns + window_ns;
}

/* What a wider place adds: half as many users again, or it is the narrower event and a few failures
 * beside it. Rows are from narrow to wide. */
static void keep_one_each(struct hc_cofailures *found, int64_t window_ns)
{
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++) {
        const struct hc_cofailure wide = found->rows[i];
        int most = 0;
        for (size_t j = 0; j < n; j++) {
            const struct hc_cofailure *narrow = &found->rows[j];
            if (is_within(narrow, &wide, window_ns) && narrow->n_users > most)
                most = narrow->n_users;
        }
        if (most && 2 * wide.n_users <= 3 * most)
            continue;
        size_t kept = 0;
        for (size_t j = 0; j < n; j++) {
            struct hc_cofailure narrow = found->rows[j];
            if (!is_within(&narrow, &wide, window_ns))
                found->rows[kept++] = narrow;
        }
        found->rows[kept++] = wide;
        n = kept;
    }
    found->n = n;
}

static enum hc_status finish(struct hc_cofailure *cofailure, const struct hc_ends *ends,
                             struct hc_error *err)
{
    const struct hc_end *rows = ends->level[cofailure->level].rows;
    for (size_t i = cofailure->first; i < cofailure->end; i++)
        if (isfinite(rows[i].end->gpu_hours))
            cofailure->gpu_hours += rows[i].end->gpu_hours;
    return hc_cofailure_scope(cofailure, ends, err);
}

enum hc_status hc_find_cofailures(struct hc_cofailures *found, const struct hc_ends *ends,
                                  const struct hc_finding_batch *batch, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    found->n = 0;
    if (batch->day < batch->options->least_baseline || !ends->level[HC_CLUSTER_LEVEL].n)
        return HC_OK;
    struct scan scan = {found, ends, batch, count_places(ends, batch)};
    for (int kind = 0; kind < HC_N_LEVELS; kind++) {
        const struct hc_end_level *level = &ends->level[kind];
        for (size_t i = 0, end; i < level->n && status == HC_OK; i = end) {
            end = end_of_place(level, i);
            struct hc_cofailure place = {.level = kind, .first = i, .end = end};
            status = scan_place(&scan, &place, err);
        }
    }
    keep_one_each(found, batch->options->cofailure_window_ns);
    for (size_t i = 0; i < found->n && status == HC_OK; i++)
        status = finish(&found->rows[i], ends, err);
    return status;
}

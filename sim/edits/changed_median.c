#include "sim/edits/changed_median.h"

#include "core/base/dispatch.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Of more changed values than this a sample is taken; of fewer any one is a good enough guess. */
#define MANY 512
/* So few values that may be the one looked for are not narrowed down further. */
#define FEW 8

/* Changed values from whose middle the next two guesses are taken: at so many places to its sides,
 * two standard deviations of where the middle of all is among them. */
#define SAMPLE_SIZE 63
#define TO_THE_SIDE 8

/* The search for values of given ranks, which are whole numbers from low to high. What is below low
 * or above high was dropped, and counted. */
struct search {
    const double *sorted; /* those that may be from low to high */
    size_t n_sorted;
    double *before, *after;
    size_t n_before, n_after;
    int64_t n_below; /* values dropped because they are below low */
    double low, high;
};

/* How many of n ascending values are at or below limit. */
static size_t n_up_to(const double *values, size_t n, double limit)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same of values in any order. */
HC_DISPATCH
static int64_t count_up_to(const double *values, size_t n, double limit)
{
    int64_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += values[i] <= limit;
    return count;
}

/* Keep the values from low to high. Without a branch: which of them stay is as good as random. */
static size_t keep_between(double *values, size_t n, double low, double high)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[i];
        values[n_kept] = value;
        n_kept += (size_t)((value >= low) & (value <= high));
    }
    return n_kept;
}

/* How many values are at or below limit, of which n_sorted among those sorted that are left. */
static int64_t rank_of(const struct search *s, double limit, size_t *n_sorted)
{
    *n_sorted = n_up_to(s->sorted, s->n_sorted, limit);
    return s->n_below + (int64_t)*n_sorted - count_up_to(s->before, s->n_before, limit) +
           count_up_to(s->after, s->n_after, limit);
}

/* The values looked for are at or below limit: so many of the sorted ones may be, too. */
static void search_below(struct search *s, double limit, size_t n_sorted)
{
    s->high = limit;
    s->n_sorted = n_sorted;
}

/* The next whole number; beyond 2^53, where doubles are further apart, the next double. */
static double next_whole(double value)
{
    return value + 1 > value ? value + 1 : nextafter(value, INFINITY);
}

/* They are above it: so many of all values are not, and so many of the sorted ones. */
static void search_above(struct search *s, double limit, size_t n_sorted, int64_t rank)
{
    s->low = next_whole(limit);
    s->sorted += n_sorted;
    s->n_sorted -= n_sorted;
    s->n_below = rank;
}

static void drop_others(struct search *s)
{
    s->n_before = keep_between(s->before, s->n_before, s->low, s->high);
    s->n_after = keep_between(s->after, s->n_after, s->low, s->high);
}

/* A rank moves up by as many as there are before a change, and down by as many as there are after
 * it, at most: between the sorted values at such a distance are the ones of both ranks. */
static void search_sorted(struct search *s, size_t first, size_t last)
{
    const double *sorted = s->sorted;
    size_t n = s->n_sorted, n_sorted, n_before = s->n_before, n_after = s->n_after;
    if (!n)
        return;
    if (last + n_before < n) {
        double high = sorted[last + n_before];
        search_below(s, high, n_up_to(sorted, n, high));
    }
    if (first >= n_after && first - n_after < n) {
        double below = sorted[first - n_after] - 1;
        int64_t rank = rank_of(s, below, &n_sorted);
        search_above(s, below, n_sorted, rank);
    }
    drop_others(s);
}

/* Some of the values at equal distances, ascending. */
static void take_sample(double *sample, const double *values, size_t n)
{
    for (size_t i = 0; i < SAMPLE_SIZE; i++) {
        double value = values[(2 * i + 1) * n / (2 * SAMPLE_SIZE)];
        size_t at = i;
        for (; at > 0 && sample[at - 1] > value; at--)
            sample[at] = sample[at - 1];
        sample[at] = value;
    }
}

/* A guess that rules something out: below the upper limit, of two limits with nothing between them
 * the lower one. */
static double guess_within(const struct search *s, double guess)
{
    double last = s->high - 1 < s->high ? s->high - 1 : nextafter(s->high, -INFINITY);
    return guess < s->high ? guess : last > s->low ? last : s->low;
}

/* Rule out what is beyond a guess: false where the two ranks lie on both sides of it. */
static bool try_guess(struct search *s, double guess, int64_t first, int64_t last)
{
    size_t n_sorted;
    int64_t rank = rank_of(s, guess, &n_sorted);
    if (rank > last)
        search_below(s, guess, n_sorted);
    else if (rank <= first)
        search_above(s, guess, n_sorted, rank);
    return rank > last || rank <= first;
}

/* Two guesses, from a sample of the changed values. */
static bool guess_by_sample(struct search *s, int64_t first, int64_t last)
{
    double sample[SAMPLE_SIZE];
    bool is_after = s->n_after >= s->n_before;
    take_sample(sample, is_after ? s->after : s->before, is_after ? s->n_after : s->n_before);
    double above = guess_within(s, sample[SAMPLE_SIZE / 2 + TO_THE_SIDE]);
    double below = sample[SAMPLE_SIZE / 2 - TO_THE_SIDE];
    return try_guess(s, above, first, last) &&
           (below < s->low || below >= s->high || try_guess(s, below, first, last));
}

/* One guess: a value from the middle of those of which there are most. */
static bool guess_by_value(struct search *s, int64_t first, int64_t last)
{
    double guess =
        s->n_sorted >= s->n_after ? s->sorted[s->n_sorted / 2] : s->after[s->n_after / 2];
    return try_guess(s, guess_within(s, guess), first, last);
}

/* Until few values are left, or the two ranks lie on both sides of a guess. */
static void narrow(struct search *s, int64_t first, int64_t last)
{
    bool goes_on = true;
    while (goes_on && s->n_sorted + s->n_after > FEW && s->low < s->high) {
        bool are_many = s->n_before + s->n_after > MANY;
        goes_on = are_many ? guess_by_sample(s, first, last) : guess_by_value(s, first, last);
        drop_others(s);
    }
}

/* Limits where no guess has set one: the least and the greatest value that is left. */
static void limit_search(struct search *s)
{
    bool is_below = s->low == -INFINITY, is_above = s->high == INFINITY;
    double least = s->n_sorted ? s->sorted[0] : INFINITY;
    double most = s->n_sorted ? s->sorted[s->n_sorted - 1] : -INFINITY;
    for (size_t i = 0; i < s->n_after && (is_below || is_above); i++) {
        least = s->after[i] < least ? s->after[i] : least;
        most = s->after[i] > most ? s->after[i] : most;
    }
    s->low = is_below ? least : s->low;
    s->high = is_above ? most : s->high;
}

/* The value of a rank, from 0: the least whole number with more at or below it. */
static double value_of(struct search s, int64_t rank)
{
    while (s.low < s.high) {
        double guess = guess_within(&s, floor(s.low + (s.high - s.low) / 2));
        size_t n_sorted;
        if (rank_of(&s, guess, &n_sorted) > rank)
            s.high = guess;
        else
            s.low = next_whole(guess);
    }
    return s.low;
}

double hc_changed_median(struct hc_changed_values *values)
{
    struct search s = {.sorted = values->sorted,
                       .n_sorted = values->n,
                       .before = values->before,
                       .after = values->after,
                       .n_before = values->n_before,
                       .n_after = values->n_after,
                       .low = -INFINITY,
                       .high = INFINITY};
    size_t n = s.n_sorted - s.n_before + s.n_after, first = (n - 1) / 2, last = n / 2;
    search_sorted(&s, first, last);
    narrow(&s, (int64_t)first, (int64_t)last);
    limit_search(&s);
    double low = value_of(s, (int64_t)first);
    double high = first == last ? low : value_of(s, (int64_t)last);
    return floor((low + high) / 2 + 0.5);
}

#include "models/account/tree/launch_pace.h"

#include "core/base/missing.h"

int64_t hc_times(int64_t n, int64_t duration_ns)
{
    int64_t product;
    if (n <= 0 || duration_ns <= 0)
        return 0;
    return __builtin_mul_overflow(n, duration_ns, &product) ? INT64_MAX : product;
}

int64_t hc_row_took_ns(const struct hc_step_row *row)
{
    return row->duration_ns < 0 ? HC_MISSING_I64 : hc_times(row->iterations, row->duration_ns);
}

bool hc_is_gap(int64_t gap_ns, int64_t took_ns, bool has_reason)
{
    return gap_ns > took_ns / (has_reason ? 10000 : 100);
}

/* The first row that is of an iteration or a later one. */
static size_t first_from(const struct hc_moment_row *rows, size_t n, int64_t iteration)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].iteration < iteration)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t hc_count_moments(const struct hc_moment_row *rows, size_t n, int64_t from, int64_t before)
{
    size_t first = first_from(rows, n, from), last = first_from(rows, n, before);
    return last > first ? (int64_t)(last - first) : 0;
}

/* Sums of gaps of a kind. */
struct gaps {
    hc_gpu_ns sum_ns; /* of one GPU: more than 64 bits where a log is damaged */
    int64_t n;
};

static int64_t mean(const struct gaps *gaps)
{
    return gaps->n ? (int64_t)(gaps->sum_ns / gaps->n) : HC_MISSING_I64;
}

struct hc_pace hc_pace_find(const struct hc_launch_facts *facts)
{
    struct gaps saves = {0, 0}, evaluations = {0, 0};
    struct hc_pace pace = {.step_ns = HC_MISSING_I64};
    for (size_t i = 1; i < facts->n_steps; i++) {
        const struct hc_step_row *row = &facts->steps[i], *before = &facts->steps[i - 1];
        int64_t took_ns = hc_row_took_ns(row), gap_ns;
        if (took_ns == HC_MISSING_I64 ||
            __builtin_sub_overflow(row->end_ns, before->end_ns, &gap_ns) ||
            __builtin_sub_overflow(gap_ns, took_ns, &gap_ns))
            continue;
        int64_t n_saves =
            hc_count_moments(facts->saves, facts->n_saves, before->iteration, row->iteration);
        int64_t n_evaluations = hc_count_moments(facts->evaluations, facts->n_evaluations,
                                                 before->iteration, row->iteration);
        if (!hc_is_gap(gap_ns, took_ns, true) || (n_saves > 0) == (n_evaluations > 0))
            continue;
        struct gaps *gaps = n_saves ? &saves : &evaluations;
        gaps->sum_ns += gap_ns;
        gaps->n += n_saves + n_evaluations;
        pace.saves_late |= n_saves && hc_count_moments(facts->saves, facts->n_saves,
                                                       before->iteration, before->iteration + 1);
    }
    if (facts->n_steps)
        pace.step_ns = facts->steps[facts->n_steps - 1].duration_ns;
    if (pace.step_ns < 0)
        pace.step_ns = HC_MISSING_I64;
    pace.stall_ns = mean(&saves);
    pace.evaluation_ns = mean(&evaluations);
    return pace;
}

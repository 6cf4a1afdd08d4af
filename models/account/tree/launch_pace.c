#include "models/account/tree/launch_pace.h"

#include "core/base/missing.h"

bool hc_is_gap(int64_t gap_ns, int64_t took_ns, bool has_reason)
{
    return gap_ns > took_ns / (has_reason ? 10000 : 100);
}

bool hc_has_moment(const struct hc_moment_row *rows, size_t n, int64_t from, int64_t before)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].iteration < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && rows[low].iteration < before;
}

/* Sums of gaps of a kind. */
struct gaps {
    int64_t sum_ns, n;
};

static int64_t mean(const struct gaps *gaps)
{
    return gaps->n ? gaps->sum_ns / gaps->n : HC_MISSING_I64;
}

struct hc_pace hc_pace_find(const struct hc_launch_facts *facts)
{
    struct gaps saves = {0, 0}, evaluations = {0, 0};
    struct hc_pace pace = {.step_ns = HC_MISSING_I64};
    for (size_t i = 1; i < facts->n_steps; i++) {
        const struct hc_step_row *row = &facts->steps[i], *before = &facts->steps[i - 1];
        if (row->duration_ns == HC_MISSING_I64)
            continue;
        int64_t took_ns = row->duration_ns * row->iterations;
        int64_t gap_ns = row->end_ns - took_ns - before->end_ns;
        bool has_save =
            hc_has_moment(facts->saves, facts->n_saves, before->iteration, row->iteration);
        bool has_evaluation = hc_has_moment(facts->evaluations, facts->n_evaluations,
                                            before->iteration, row->iteration);
        if (!hc_is_gap(gap_ns, took_ns, true) || has_save == has_evaluation)
            continue;
        struct gaps *gaps = has_save ? &saves : &evaluations;
        gaps->sum_ns += gap_ns;
        gaps->n++;
        pace.saves_late |= has_save && hc_has_moment(facts->saves, facts->n_saves,
                                                     before->iteration, before->iteration + 1);
    }
    if (facts->n_steps)
        pace.step_ns = facts->steps[facts->n_steps - 1].duration_ns;
    pace.stall_ns = mean(&saves);
    pace.evaluation_ns = mean(&evaluations);
    return pace;
}

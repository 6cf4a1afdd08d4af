#include "models/steps/step_dates.h"

#include "core/base/missing.h"

/* Clocks that show a time between these are taken for Unix clocks: 2000-01-01 to 2200-01-01. Clocks
 * of steps and of computers that count from their start are far below. */
#define LEAST_UNIX_NS INT64_C(946684800000000000)
#define MOST_UNIX_NS  INT64_C(7258118400000000000)

enum clock_kind { UNIX_CLOCK, TRACE_CLOCK, STEP_CLOCKS };

/* Steps that begin before half of the step before is over cannot be on one clock with it. */
static enum clock_kind clock_of(const struct hc_step_span *spans, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t half_ns = (spans[i - 1].to_ns - spans[i - 1].from_ns) / 2;
        if (spans[i].from_ns - spans[i - 1].from_ns <= half_ns)
            return STEP_CLOCKS;
    }
    bool is_unix = spans[0].from_ns >= LEAST_UNIX_NS && spans[n - 1].to_ns <= MOST_UNIX_NS;
    return is_unix ? UNIX_CLOCK : TRACE_CLOCK;
}

/* How long the steps of the trace take on average; missing where int64 cannot hold their sum. */
static int64_t mean_span_ns(const struct hc_step_span *spans, size_t n)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_add_overflow(sum_ns, spans[i].to_ns - spans[i].from_ns, &sum_ns))
            return HC_MISSING_I64;
    return sum_ns / (int64_t)n;
}

/* The sum of two times; missing where int64 cannot hold it, or one of them is missing. */
static int64_t later(int64_t time_ns, int64_t by_ns)
{
    int64_t sum_ns;
    bool is_missing = time_ns == HC_MISSING_I64 || by_ns == HC_MISSING_I64;
    return is_missing || __builtin_add_overflow(time_ns, by_ns, &sum_ns) ? HC_MISSING_I64 : sum_ns;
}

/* The time from the start of a step to that of the next one of the trace. */
static int64_t time_to_next(int64_t length_ns, int64_t n_between, int64_t mean_ns)
{
    int64_t between_ns;
    if (mean_ns == HC_MISSING_I64 || __builtin_mul_overflow(n_between, mean_ns, &between_ns))
        return HC_MISSING_I64;
    return later(between_ns, length_ns);
}

static void count_from(struct hc_step_span *spans, size_t n, int64_t start_unix_ns, bool is_by_step)
{
    int64_t first_ns = spans[0].from_ns, mean_ns = mean_span_ns(spans, n), passed_ns = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t length_ns = spans[i].to_ns - spans[i].from_ns;
        int64_t at_ns = is_by_step ? passed_ns : spans[i].from_ns - first_ns;
        if (i + 1 < n)
            passed_ns = later(
                passed_ns,
                time_to_next(length_ns, (int64_t)spans[i + 1].step - spans[i].step - 1, mean_ns));
        spans[i].from_ns = later(start_unix_ns, at_ns);
        spans[i].to_ns = later(spans[i].from_ns, length_ns);
    }
}

bool hc_step_dates_set(struct hc_step_span *spans, size_t n, int64_t start_unix_ns,
                       bool *are_estimated)
{
    *are_estimated = false;
    if (n == 0)
        return false;
    enum clock_kind clock = clock_of(spans, n);
    if (clock == UNIX_CLOCK)
        return true;
    if (start_unix_ns == HC_MISSING_I64)
        return false;
    *are_estimated = clock == STEP_CLOCKS;
    count_from(spans, n, start_unix_ns, clock == STEP_CLOCKS);
    return true;
}

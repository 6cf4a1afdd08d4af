#include "pipeline/fit/fit_backtest.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "models/fit/fault_fit.h"

#include <stdio.h>
#include <stdlib.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

/* The first day of the month of a day, and of the month after it. */
static void month_of(int64_t day, int64_t *first, int64_t *next)
{
    char text[32];
    int year = 1970, month = 1;
    hc_format_iso8601(day * DAY_NS, text);
    if (sscanf(text, "%d-%d", &year, &month) != 2)
        year = 1970, month = 1;
    *first = hc_days_of_date(year, month, 1);
    *next = *first + hc_days_in_month(year, month);
}

static enum hc_status add_period(struct hc_backtest *backtest, size_t *room, int64_t from,
                                 int64_t to, struct hc_error *err)
{
    if (hc_reserve(&backtest->periods, room, backtest->n + 1, sizeof *backtest->periods, err))
        return err->status;
    backtest->periods[backtest->n++] = (struct hc_backtest_period){.from_day = from, .to_day = to};
    return HC_OK;
}

/* A day counts that the window covers at least the half of, at its ends. */
static enum hc_status cut(struct hc_backtest *backtest, const struct hc_fit_records *records,
                          enum hc_fit_period period, struct hc_error *err)
{
    int64_t first = (records->from_ns + DAY_NS / 2) / DAY_NS;
    int64_t end = (records->to_ns + DAY_NS / 2) / DAY_NS, next;
    int64_t length = period == HC_FIT_WEEKS ? 7 : 1;
    size_t room = 0;
    if (period != HC_FIT_MONTHS) {
        for (int64_t day = first + (end - first) % length; day < end; day += length)
            if (add_period(backtest, &room, day, day + length, err))
                return err->status;
        return HC_OK;
    }
    for (int64_t day = first; day < end; day = next) {
        int64_t start;
        month_of(day, &start, &next);
        if (start >= first && next <= end && add_period(backtest, &room, start, next, err))
            return err->status;
    }
    return HC_OK;
}

static struct hc_backtest_period *period_at(struct hc_backtest *backtest, int64_t day)
{
    size_t low = 0, high = backtest->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (backtest->periods[middle].to_day <= day)
            low = middle + 1;
        else
            high = middle;
    }
    return low < backtest->n && backtest->periods[low].from_day <= day ? &backtest->periods[low]
                                                                       : NULL;
}

static enum hc_status count(struct hc_backtest *backtest, const struct hc_fit_records *records,
                            struct hc_error *err)
{
    struct hc_fault_fits fits;
    enum hc_status status = hc_fault_fits_make(&fits, records, 1, err);
    int64_t n_seen = 0; /* incidents are numbered in order of their first strike */
    for (size_t i = 0; i < records->n_strikes && !status; i++) {
        struct hc_backtest_period *period =
            period_at(backtest, records->strikes[i].time_ns / DAY_NS);
        bool is_new = fits.incident[i] >= n_seen;
        n_seen = is_new ? fits.incident[i] + 1 : n_seen;
        if (period) {
            period->n_strikes++;
            period->n_incidents += is_new;
        }
    }
    hc_fault_fits_fini(&fits);
    for (size_t i = 0; i < records->n_days; i++) {
        struct hc_backtest_period *period = period_at(backtest, records->first_day + (int64_t)i);
        if (period)
            period->node_days += records->day_use_days[i];
    }
    return status;
}

enum hc_status hc_fit_backtest_make(struct hc_backtest *backtest,
                                    const struct hc_fit_records *records, enum hc_fit_period period,
                                    size_t n_held_out, struct hc_error *err)
{
    if (cut(backtest, records, period, err))
        return err->status;
    if (backtest->n <= n_held_out)
        return hc_fail(err, HC_BAD_INPUT,
                       "whole periods in the records: %zu; hold out fewer than these (--backtest), "
                       "or choose shorter ones (--period)",
                       backtest->n);
    backtest->n_held_out = n_held_out;
    if (count(backtest, records, err))
        return err->status;
    return hc_backtest_run(backtest, err);
}

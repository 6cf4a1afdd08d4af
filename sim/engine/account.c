#include "sim/engine/account.h"

static const char *const what_name[HC_WHAT_COUNT] = {"startup.image",
                                                     "startup.environment",
                                                     "startup.init",
                                                     "startup.load",
                                                     "startup.compile",
                                                     "startup.first_step",
                                                     "startup.failed",
                                                     "startup.unsplit",
                                                     "productive.ideal",
                                                     "productive.straggler_excess",
                                                     "productive.unsplit",
                                                     "degraded",
                                                     "checkpoint.stall",
                                                     "evaluation",
                                                     "data_wait",
                                                     "lost_work",
                                                     "detection",
                                                     "localisation",
                                                     "recovery",
                                                     "idle_after",
                                                     "unknown",
                                                     "standby.idle",
                                                     "pool.idle"};

static const char *const why_name[HC_WHY_COUNT] = {
    "first_start", "infrastructure", "user", "planned", "preemption", "unknown", "none"};

const char *hc_what_name(enum hc_what what)
{
    return what_name[what];
}

const char *hc_why_name(enum hc_why why)
{
    return why_name[why];
}

void hc_account_add(struct hc_account *account, const struct hc_account *other)
{
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            account->leaf[what][why] += other->leaf[what][why];
}

hc_gpu_ns hc_account_what(const struct hc_account *account, enum hc_what what)
{
    hc_gpu_ns sum = 0;
    for (int why = 0; why < HC_WHY_COUNT; why++)
        sum += account->leaf[what][why];
    return sum;
}

hc_gpu_ns hc_account_total(const struct hc_account *account)
{
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        sum += hc_account_what(account, (enum hc_what)what);
    return sum;
}

double hc_gpu_hours(hc_gpu_ns gpu_ns)
{
    /* Whole hours and the rest apart, so that small sums keep their digits. */
    const hc_gpu_ns hour = (hc_gpu_ns)3600 * 1000000000;
    return (double)(gpu_ns / hour) + (double)(gpu_ns % hour) / 3.6e12;
}

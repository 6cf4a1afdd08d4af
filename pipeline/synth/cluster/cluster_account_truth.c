#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"
#include "sim/synth/cluster/cluster_account.h"

#include <inttypes.h>
#include <string.h>

#define DAY_MS ((int64_t)86400000)
#define MS_NS  1000000

/* The day at hand of an attempt: whole milliseconds by what, why and whether it is at risk. */
struct day {
    FILE *stream;
    size_t number; /* of the attempt */
    const struct hc_cluster_attempt *attempt;
    int64_t begin_ms;
    int64_t ms[HC_WHAT_COUNT][HC_WHY_COUNT][2];
    bool has_any;
};

static void put_row(const struct day *day, int what, int why, int is_at_risk)
{
    const struct hc_cluster_attempt *a = day->attempt;
    fprintf(day->stream, "%zu,%" PRId64 ",%d,", day->number, a->raw_job, a->restarts);
    if (a->run != HC_CLUSTER_NONE)
        hc_cluster_put_run(day->stream, a);
    fputc(',', day->stream);
    hc_cluster_put_date(day->stream, day->begin_ms / 1000);
    fprintf(day->stream, ",%s,%s,%d,", hc_what_name((enum hc_what)what),
            hc_why_name((enum hc_why)why), is_at_risk);
    hc_cluster_put_gpu_ns(day->stream, (hc_gpu_ns)day->ms[what][why][is_at_risk] * MS_NS * a->gpus);
    fputc('\n', day->stream);
}

static void end_day(struct day *day)
{
    for (int what = 0; what < HC_WHAT_COUNT && day->has_any; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            for (int is_at_risk = 0; is_at_risk < 2; is_at_risk++)
                if (day->ms[what][why][is_at_risk])
                    put_row(day, what, why, is_at_risk);
    if (day->has_any)
        memset(day->ms, 0, sizeof day->ms);
    day->has_any = false;
}

static void add(void *context, const struct hc_cluster_stretch *stretch)
{
    struct day *day = context;
    for (int64_t from_ms = stretch->from_ms, to_ms; from_ms < stretch->to_ms; from_ms = to_ms) {
        int64_t begin_ms = from_ms - from_ms % DAY_MS;
        to_ms = stretch->to_ms < begin_ms + DAY_MS ? stretch->to_ms : begin_ms + DAY_MS;
        if (begin_ms != day->begin_ms)
            end_day(day);
        day->begin_ms = begin_ms;
        day->ms[stretch->what][stretch->why][stretch->is_at_risk] += to_ms - from_ms;
        day->has_any = true;
    }
}

enum hc_status hc_cluster_write_account(FILE *stream, const struct hc_cluster *cluster,
                                        struct hc_error *err)
{
    struct hc_cluster_account account;
    if (hc_cluster_account_open(&account, cluster, err))
        return err->status;
    struct day day = {.stream = stream};
    fputs("attempt,raw_job,restarts,run,day,what,why,at_risk,gpu_ns\n", stream);
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        day.number = i;
        day.attempt = &cluster->attempts[i];
        if (!day.attempt->gpus)
            continue;
        hc_cluster_account_of(&account, i, add, &day);
        end_day(&day);
    }
    hc_cluster_account_close(&account);
    return HC_OK;
}

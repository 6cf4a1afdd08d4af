/* The row of the engine of lifetimes (study/grammar/engine.h). */
#include "study/engines/lifetime/lifetime_engine.h"

#include "core/text/number_format.h"
#include "study/engines/lifetime/lifetime_findings.h"
#include "study/engines/lifetime/lifetime_wing.h"
#include "study/run/study_numbers.h"

#include <stdio.h>

/* ---- before a run ---- */

static enum hc_status check(const void *config, const struct hc_node *root,
                            struct hc_refusal *refusal, struct hc_error *err)
{
    char place[HC_POINTER_SIZE];
    enum hc_status status = hc_lifetime_config_check(config, err);
    if (status != HC_BAD_INPUT)
        return status;
    snprintf(place, sizeof place, "%.*s", err->place_length, err->message);
    hc_refuse(refusal, place, "%s", hc_error_sentence(err));
    hc_refusal_by_key(refusal, hc_lifetime_keys, root);
    return status;
}

static void settle(void *config, const struct hc_run_settings *settings)
{
    struct hc_lifetime_config *c = config;
    c->seed = settings->seed;
    c->key = settings->key;
    c->first_replica = settings->first_replica;
    c->replicas = settings->replicas;
    c->threads = settings->threads;
    c->confidence = settings->confidence;
}

static const char *subject(const void *config, struct hc_arena *arena, struct hc_error *err)
{
    const struct hc_lifetime_job *job = &((const struct hc_lifetime_config *)config)->job;
    char nodes[HC_NUMBER_TEXT], days[HC_NUMBER_TEXT];
    bool is_work = job->work_s > 0;
    return hc_arena_format(
        arena, err, "%s nodes of %d GPUs, %s d%s", hc_format_count(job->nodes, nodes),
        job->gpus_per_node,
        hc_study_number_text((is_work ? job->work_s : job->horizon_s) / 86400, days),
        is_work ? " of work" : "");
}

/* ---- replicas ---- */

static enum hc_status run(const void *config, uint64_t first, size_t n, void *replicas,
                          struct hc_error *err)
{
    return hc_lifetime_run(config, first, n, replicas, err);
}

static bool is_finished(const void *replica)
{
    return ((const struct hc_lifetime_replica *)replica)->finished;
}

/* A life that only its horizon ends is never finished, and nothing is missing in it. */
static bool has_end(const void *config)
{
    return ((const struct hc_lifetime_config *)config)->job.work_s > 0;
}

/* ---- reports ---- */

static void start_detail(void *detail, const void *config)
{
    ((struct hc_life_detail *)detail)->config = config;
}

static void add_detail(void *detail, const void *replica)
{
    hc_lifetime_summary_add(&((struct hc_life_detail *)detail)->summary, replica);
}

static enum hc_status describe(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    struct hc_study_run *of = &work->result->run[which];
    struct hc_life_detail *detail = of->detail;
    detail->reference = hc_lifetime_reference(detail->config, &detail->summary);
    if (hc_lifetime_each_job(work, of, err))
        return err->status;
    bool is_last = which + 1 == work->result->n_runs;
    return is_last ? hc_life_find_all(work->result, work->arena, err) : HC_OK;
}

const struct hc_engine hc_lifetime_engine = {
    .name = "lifetime",
    .title = "The life of a job, simulated",
    .one = "life",
    .many = "lives",
    .events = "faults",
    .keys = hc_lifetime_keys,
    .figures = hc_lifetime_figures,
    .config_size = sizeof(struct hc_lifetime_config),
    .replica_size = sizeof(struct hc_lifetime_replica),
    .detail_size = sizeof(struct hc_life_detail),
    .rules = hc_lifetime_rules,
    .bind = hc_lifetime_bind,
    .check = check,
    .settle = settle,
    .run = run,
    .check_list = hc_lifetime_list_check,
    .write_list = hc_lifetime_list_write,
    .is_finished = is_finished,
    .has_end = has_end,
    .subject = subject,
    .start_detail = start_detail,
    .add_detail = add_detail,
    .describe = describe,
    .note_run = hc_lifetime_note_run,
    .note_all = hc_lifetime_note_all,
    .draw = hc_lifetime_draw,
    .release_detail = hc_lifetime_release,
};

#include "models/account/job_account.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_MINUTES_NS ((int64_t)15 * 60 * 1000000000)
#define GPUS_OF_A_NODE   8
/* Where a time that a correction names must lie around an end: as for failures of which no log was
 * read. */
#define CORRECTED_BEFORE_NS ((int64_t)22 * 60 * 1000000000)
#define CORRECTED_AFTER_NS  ((int64_t)5 * 60 * 1000000000)

const char *hc_account_grouping_name(enum hc_account_grouping by)
{
    static const char *const names[HC_N_ACCOUNT_GROUPINGS] = {
        [HC_ACCOUNT_BY_STATE] = "state",         [HC_ACCOUNT_BY_SIZE] = "size",
        [HC_ACCOUNT_BY_PARTITION] = "partition", [HC_ACCOUNT_BY_ACCOUNT] = "account",
        [HC_ACCOUNT_BY_USER] = "user",
    };
    return names[by];
}

/* Sizes that differ in what a failure means: a part of a node, a node, several, many. */
const char *hc_account_size_class(int32_t gpus)
{
    static const struct {
        int32_t below;
        const char *name;
    } classes[] = {{1, "no GPU"},     {2, "1 GPU"},         {8, "2-7 GPUs"},        {9, "8 GPUs"},
                   {64, "9-63 GPUs"}, {256, "64-255 GPUs"}, {1024, "256-1023 GPUs"}};
    if (gpus == HC_MISSING_I32)
        return "?";
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (gpus < classes[i].below)
            return classes[i].name;
    return "1024 GPUs and more";
}

/* ---- the time of an attempt ---- */

struct span {
    int64_t start_ns, end_ns, suspended_ns;
    bool is_running, is_cut;
};

/* Its time in the window; false where it has none. */
static bool find_span(const struct hc_job_account *account, const struct hc_account_attempt *a,
                      struct span *span)
{
    int64_t suspended_ns = a->suspended_ns == HC_MISSING_I64 ? 0 : a->suspended_ns;
    *span = (struct span){.start_ns = a->start_ns, .end_ns = a->end_ns};
    if (a->start_ns == HC_MISSING_I64)
        return false;
    span->is_running = a->end_ns == HC_MISSING_I64;
    if (span->is_running)
        span->end_ns =
            a->start_ns + suspended_ns + (a->elapsed_ns == HC_MISSING_I64 ? 0 : a->elapsed_ns);
    span->is_cut = span->start_ns < account->from_ns || span->end_ns > account->to_ns;
    if (span->start_ns < account->from_ns)
        span->start_ns = account->from_ns;
    if (span->end_ns > account->to_ns)
        span->end_ns = account->to_ns;
    if (span->end_ns < span->start_ns || (span->is_cut && span->end_ns == span->start_ns))
        return false;
    span->suspended_ns = span->is_cut ? 0 : suspended_ns;
    return true;
}

/* ---- groups ---- */

static void add_sum(struct hc_account_sum *to, const struct hc_account_sum *sum)
{
    to->n_attempts += sum->n_attempts;
    to->gpu_ns += sum->gpu_ns;
    to->cpu_ns += sum->cpu_ns;
    to->cost += sum->cost;
    to->priced_gpu_ns += sum->priced_gpu_ns;
}

static enum hc_status add_to_group(struct hc_account_groups *groups, const char *name,
                                   const struct hc_account_sum *sum, struct hc_error *err)
{
    int32_t code;
    size_t had = groups->names.n;
    if (!name || !*name)
        name = "?";
    if (hc_text_set_add(&groups->names, name, strlen(name), &code, err) ||
        hc_reserve(&groups->sums, &groups->capacity, groups->names.n, sizeof *groups->sums, err))
        return err->status;
    if (groups->names.n > had)
        groups->sums[code] = (struct hc_account_sum){0};
    add_sum(&groups->sums[code], sum);
    return HC_OK;
}

static const char *name_of(const struct hc_account_attempt *a, enum hc_account_grouping by)
{
    switch (by) {
    case HC_ACCOUNT_BY_STATE:
        return a->state == HC_MISSING_I32 ? NULL : hc_job_state_name((enum hc_job_state)a->state);
    case HC_ACCOUNT_BY_SIZE:
        return hc_account_size_class(a->gpus);
    case HC_ACCOUNT_BY_PARTITION:
        return a->partition;
    case HC_ACCOUNT_BY_ACCOUNT:
        return a->account;
    default:
        return a->user;
    }
}

/* ---- interruptions ---- */

static bool is_interrupted(int32_t state)
{
    return state == HC_JOB_NODE_FAIL || state == HC_JOB_BOOT_FAIL || state == HC_JOB_PREEMPTED ||
           state == HC_JOB_REQUEUED;
}

/* Whether it was interrupted, after what people say of its end. */
static void count_interruption(struct hc_job_account *account, const struct hc_account_attempt *a,
                               const struct hc_account_sum *sum)
{
    bool has_end = a->end_ns != HC_MISSING_I64 && a->end_ns > INT64_MIN + CORRECTED_BEFORE_NS &&
                   a->end_ns < INT64_MAX - CORRECTED_AFTER_NS;
    int64_t end_ns = has_end ? a->end_ns : 0; /* 0: nobody is asked about it */
    const struct hc_corrected_end end = {
        .cluster = a->cluster,
        .nodes = a->nodes,
        .job = a->job,
        .from_ns = end_ns - CORRECTED_BEFORE_NS,
        .to_ns = end_ns + CORRECTED_AFTER_NS,
        .gpu_ns = (int64_t)sum->gpu_ns,
        .array_task = a->array_task,
        .restarts = a->restarts,
        .is_failure = hc_job_state_is_failure(a->state),
    };
    bool by_rules = is_interrupted(a->state), is_one = by_rules;
    const struct hc_correction *said =
        account->corrections && has_end ? hc_corrections_find(account->corrections, &end) : NULL;
    if (said && said->cause != HC_CORRECTION_UNKNOWN)
        is_one = said->cause != HC_CORRECTION_USER && said->cause != HC_CORRECTION_NO_FAILURE;
    if (is_one)
        add_sum(&account->interrupted, sum);
    if (is_one && !by_rules)
        add_sum(&account->put_in, sum);
    if (!is_one && by_rules)
        add_sum(&account->taken_out, sum);
}

/* ---- what is not there ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdu;
}

/* A job that was restarted three times has four records, where none is missing. */
static enum hc_status note_restarts(struct hc_job_account *account,
                                    const struct hc_account_attempt *a, struct hc_error *err)
{
    size_t entry, had = account->records_of_job.n;
    uint64_t hash = mix(mix(mix(0, (uint64_t)a->job), (uint64_t)(int64_t)a->array_task),
                        (uint64_t)(int64_t)a->het_component);
    if (a->restarts == HC_MISSING_I32)
        return HC_OK;
    for (const char *c = a->cluster; c && *c; c++)
        hash = mix(hash, (unsigned char)*c);
    if (hc_int_map_insert(&account->records_of_job, hash, 0, &entry, err) ||
        hc_reserve(&account->n_of_job, &account->jobs_capacity, entry + 1,
                   sizeof *account->n_of_job, err) ||
        hc_reserve(&account->most_restarts, &account->restarts_capacity, entry + 1,
                   sizeof *account->most_restarts, err))
        return err->status;
    if (account->records_of_job.n > had)
        account->n_of_job[entry] = account->most_restarts[entry] = 0;
    account->n_of_job[entry]++;
    if (a->restarts > account->most_restarts[entry])
        account->most_restarts[entry] = a->restarts;
    return HC_OK;
}

void hc_job_account_end(struct hc_job_account *account)
{
    for (size_t i = 0; i < account->records_of_job.n; i++) {
        int32_t lost = account->most_restarts[i] + 1 - account->n_of_job[i];
        account->n_lost += lost > 0 ? lost : 0;
    }
}

/* ---- the queue ---- */

static enum hc_status add_wait(struct hc_job_account *account, const struct hc_account_attempt *a,
                               struct hc_error *err)
{
    struct hc_account_queue *queue = &account->queue;
    bool knows = a->eligible_ns != HC_MISSING_I64;
    int64_t since_ns = knows ? a->eligible_ns : a->submit_ns;
    if (a->gpus == HC_MISSING_I32 || a->gpus == 0 || since_ns == HC_MISSING_I64 ||
        a->start_ns < since_ns || a->start_ns < account->from_ns || a->start_ns >= account->to_ns)
        return HC_OK;
    if (hc_reserve(&queue->waits_s, &queue->capacity, queue->n + 1, sizeof *queue->waits_s, err))
        return err->status;
    queue->waits_s[queue->n++] = (double)(a->start_ns - since_ns) / 1e9;
    queue->gpu_wait_ns += (hc_wide_ns)(a->start_ns - since_ns) * a->gpus;
    queue->n_from_submit += !knows;
    return HC_OK;
}

/* ---- all ---- */

static void note_extent(struct hc_job_account *account, const struct span *span)
{
    bool is_first = account->total.n_attempts == 0;
    if (is_first || span->start_ns < account->first_ns)
        account->first_ns = span->start_ns;
    if (is_first || span->end_ns > account->last_ns)
        account->last_ns = span->end_ns;
}

static enum hc_status count(struct hc_job_account *account, const struct hc_account_attempt *a,
                            const struct span *span, struct hc_error *err)
{
    /* A job that is suspended keeps its GPUs, but no CPU: as the usage of Slurm has it. */
    int64_t held_ns = span->end_ns - span->start_ns, ran_ns = held_ns - span->suspended_ns;
    int32_t gpus = a->gpus == HC_MISSING_I32 ? 0 : a->gpus;
    struct hc_account_sum sum = {.n_attempts = 1};
    sum.gpu_ns = (hc_wide_ns)held_ns * gpus;
    sum.cpu_ns = (hc_wide_ns)(ran_ns > 0 ? ran_ns : 0) * (a->cpus == HC_MISSING_I32 ? 0 : a->cpus);
    sum.cost = sum.gpu_ns * a->price;
    sum.priced_gpu_ns = a->price ? sum.gpu_ns : 0;
    for (int by = 0; by < HC_N_ACCOUNT_GROUPINGS; by++)
        if (add_to_group(&account->groups[by], name_of(a, (enum hc_account_grouping)by), &sum, err))
            return err->status;
    note_extent(account, span);
    add_sum(&account->total, &sum);
    count_interruption(account, a, &sum);
    account->n_gpus_estimated += a->has_estimated_gpus;
    account->estimated_gpu_ns += a->has_estimated_gpus ? sum.gpu_ns : 0;
    account->n_running += span->is_running;
    account->n_gpus_unknown += a->gpus == HC_MISSING_I32;
    account->n_suspended_clipped +=
        span->is_cut && a->suspended_ns != HC_MISSING_I64 && a->suspended_ns > 0;
    if (gpus >= GPUS_OF_A_NODE) {
        int64_t first_ns = held_ns < FIRST_MINUTES_NS ? held_ns : FIRST_MINUTES_NS;
        account->large_gpu_ns += sum.gpu_ns;
        account->first_minutes_gpu_ns += (hc_wide_ns)first_ns * gpus;
    }
    return add_wait(account, a, err);
}

enum hc_status hc_job_account_add(struct hc_job_account *account,
                                  const struct hc_account_attempt *attempt, struct hc_error *err)
{
    struct span span;
    account->n_records++;
    if (note_restarts(account, attempt, err))
        return err->status;
    if (find_span(account, attempt, &span))
        return count(account, attempt, &span, err);
    if (attempt->start_ns == HC_MISSING_I64 && attempt->elapsed_ns > 0)
        account->n_unplaced++;
    else if (attempt->start_ns == HC_MISSING_I64)
        account->n_never_ran++;
    else
        account->n_outside++;
    return HC_OK;
}

void hc_job_account_fini(struct hc_job_account *account)
{
    for (int by = 0; by < HC_N_ACCOUNT_GROUPINGS; by++) {
        hc_text_set_fini(&account->groups[by].names);
        free(account->groups[by].sums);
    }
    free(account->queue.waits_s);
    hc_int_map_fini(&account->records_of_job);
    free(account->n_of_job);
    free(account->most_restarts);
    *account = (struct hc_job_account){0};
}

hc_wide_ns hc_job_account_of_states(const struct hc_job_account *account,
                                    const enum hc_job_state *states, size_t n)
{
    const struct hc_account_groups *groups = &account->groups[HC_ACCOUNT_BY_STATE];
    hc_wide_ns sum = 0;
    for (size_t i = 0; i < groups->names.n; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(groups->names.text[i], hc_job_state_name(states[k])) == 0)
                sum += groups->sums[i].gpu_ns;
    return sum;
}

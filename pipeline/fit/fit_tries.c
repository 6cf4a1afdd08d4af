/* fit_tries.c - the attempts of runs in their order, and jobs that are called as these are.
 *
 * Attempts are put into runs by their logs (models/joins/lineage.h). One that failed before its
 * first line has none, and would make the wait after the failure before it look as long as both.
 */
#include "pipeline/fit/fit_loading.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_table.h"
#include "pipeline/daily/record_scan.h"

#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))

static uint64_t key_of(const char *const texts[3], int32_t nodes)
{
    uint64_t key = (uint64_t)nodes + 1;
    for (int i = 0; i < 3; i++) {
        if (!texts[i])
            return 0;
        for (const char *c = texts[i]; *c; c++) /* FNV-1a, a byte that no text has between them */
            key = (key ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        key = (key ^ 0xff) * UINT64_C(0x100000001b3);
    }
    return key ? key : 1;
}

static uint64_t key_of_attempt(const struct hc_joins *joins, const struct hc_join_attempt *attempt)
{
    const char *const texts[3] = {hc_joins_find_text(joins, attempt->user),
                                  hc_joins_find_text(joins, attempt->name),
                                  hc_joins_find_text(joins, attempt->work_dir)};
    return key_of(texts, attempt->nodes);
}

struct taking {
    struct hc_fit_loading *loading;
    struct hc_int_map keys; /* of runs */
};

static enum hc_status take_jobs(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    struct taking *taking = context;
    struct hc_fit_loading *loading = taking->loading;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t start_ns = hc_table_i64(t, HC_JOBS_START_NS)[i];
        const char *const texts[3] = {hc_record_text(rows, HC_JOBS_USER, i),
                                      hc_record_text(rows, HC_JOBS_NAME, i),
                                      hc_record_text(rows, HC_JOBS_WORK_DIR, i)};
        uint64_t key = key_of(texts, hc_table_i32(t, HC_JOBS_NODES)[i]);
        if (start_ns == HC_MISSING_I64 || !key || hc_int_map_find(&taking->keys, key) < 0)
            continue;
        if (hc_reserve(&loading->namesakes, &loading->namesakes_room, loading->n_namesakes + 1,
                       sizeof *loading->namesakes, err))
            return err->status;
        loading->namesakes[loading->n_namesakes++] = (struct hc_fit_namesake){
            key, start_ns, hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i], hc_jobs_raw_job(t, i)};
    }
    return HC_OK;
}

static int compare_namesakes(const void *a, const void *b)
{
    const struct hc_fit_namesake *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->raw_job > y->raw_job) - (x->raw_job < y->raw_job);
}

static enum hc_status load_namesakes(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_joins *joins = &loading->failures->joins;
    struct taking taking = {.loading = loading};
    const struct hc_record_scan scan = {
        .archive = loading->choice->archive,
        .def = &hc_jobs_def,
        .cluster = loading->choice->cluster,
        .from_ns = INT64_MIN,
        .to_ns = INT64_MAX,
        .columns = BIT(HC_JOBS_JOB) | BIT(HC_JOBS_RAW_JOB) | BIT(HC_JOBS_ARRAY_TASK) |
                   BIT(HC_JOBS_HET_COMPONENT) | BIT(HC_JOBS_USER) | BIT(HC_JOBS_NAME) |
                   BIT(HC_JOBS_WORK_DIR) | BIT(HC_JOBS_NODES) | BIT(HC_JOBS_START_NS) |
                   BIT(HC_JOBS_SUBMIT_NS)};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < joins->n_attempts && !status; i++) {
        size_t entry;
        uint64_t key = joins->attempts[i].run < 0 ? 0 : key_of_attempt(joins, &joins->attempts[i]);
        if (key)
            status = hc_int_map_insert(&taking.keys, key, 0, &entry, err);
    }
    if (!status && taking.keys.n)
        status = hc_record_scan_run(&scan, take_jobs, &taking, err);
    hc_int_map_fini(&taking.keys);
    if (loading->n_namesakes)
        qsort(loading->namesakes, loading->n_namesakes, sizeof *loading->namesakes,
              compare_namesakes);
    return status;
}

/* The first of a key that starts at or after a time, or NULL. */
static const struct hc_fit_namesake *next_namesake(const struct hc_fit_loading *loading,
                                                   uint64_t key, int64_t from_ns)
{
    size_t low = 0, high = loading->n_namesakes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hc_fit_namesake *namesake = &loading->namesakes[middle];
        if (namesake->key < key || (namesake->key == key && namesake->start_ns < from_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low < loading->n_namesakes && loading->namesakes[low].key == key
               ? &loading->namesakes[low]
               : NULL;
}

/* ---- attempts of runs ---- */

static int compare_tries(const void *a, const void *b)
{
    const struct hc_fit_try *x = a, *y = b;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

enum hc_status hc_fit_load_tries(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_joins *joins = &loading->failures->joins;
    loading->tries = hc_new_array(joins->n_attempts, sizeof *loading->tries, err);
    loading->side =
        loading->tries ? hc_new_array(joins->n_attempts, sizeof *loading->side, err) : NULL;
    if (!loading->side)
        return err->status;
    for (size_t i = 0; i < joins->n_attempts; i++)
        if (joins->attempts[i].run >= 0)
            loading->tries[loading->n_tries++] = (struct hc_fit_try){
                joins->attempts[i].run, (int32_t)i, joins->attempts[i].start_ns};
    if (loading->n_tries)
        qsort(loading->tries, loading->n_tries, sizeof *loading->tries, compare_tries);
    return load_namesakes(loading, err);
}

/* The attempt of the run that starts first after this one, or NULL. */
static const struct hc_join_attempt *next_try(const struct hc_fit_loading *loading,
                                              const struct hc_join_attempt *attempt)
{
    size_t low = 0, high = loading->n_tries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hc_fit_try *t = &loading->tries[middle];
        if (t->run < attempt->run || (t->run == attempt->run && t->start_ns <= attempt->start_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low < loading->n_tries && loading->tries[low].run == attempt->run
               ? &loading->failures->joins.attempts[loading->tries[low].attempt]
               : NULL;
}

bool hc_fit_next(const struct hc_fit_loading *loading, int32_t attempt, int64_t end_ns,
                 struct hc_fit_namesake *next)
{
    const struct hc_joins *joins = &loading->failures->joins;
    uint64_t key = key_of_attempt(joins, &joins->attempts[attempt]);
    const struct hc_fit_namesake *namesake = key ? next_namesake(loading, key, end_ns) : NULL;
    const struct hc_join_attempt *after = next_try(loading, &joins->attempts[attempt]);
    if (after)
        *next = (struct hc_fit_namesake){key, after->start_ns, after->submit_ns, after->raw_job};
    if (namesake && (!after || namesake->start_ns < next->start_ns))
        *next = *namesake;
    return after || namesake;
}

#include "pipeline/daily/segment_spans.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_table.h"

#include <stdlib.h>

enum hc_status hc_segment_spans_init(struct hc_segment_spans *spans,
                                     const struct hc_archive *archive, struct hc_error *err)
{
    *spans = (struct hc_segment_spans){.n = archive->n_entries, .latest_ns = INT64_MIN};
    spans->last_ns = hc_new_array(spans->n, sizeof *spans->last_ns, err);
    for (size_t i = 0; i < spans->n && spans->last_ns; i++)
        spans->last_ns[i] = INT64_MIN;
    return spans->last_ns ? HC_OK : err->status;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b; /* missing is below all */
}

void hc_segment_spans_see(struct hc_segment_spans *spans, const struct hc_archive *archive,
                          const struct hc_record_rows *rows)
{
    const struct hc_table *t = rows->table;
    int64_t *last_ns = &spans->last_ns[rows->entry - archive->entries];
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t start_ns = hc_table_i64(t, HC_JOBS_START_NS)[i];
        int64_t end_ns = hc_table_i64(t, HC_JOBS_END_NS)[i];
        int64_t time_ns = later(later(hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i], start_ns), end_ns);
        bool goes_on = start_ns != HC_MISSING_I64 && end_ns == HC_MISSING_I64;
        spans->latest_ns = later(spans->latest_ns, time_ns);
        *last_ns = goes_on ? INT64_MAX : later(*last_ns, time_ns);
    }
}

enum hc_status hc_segment_spans_keep(struct hc_segment_spans *spans,
                                     const struct hc_archive *archive,
                                     const struct hc_record_rows *rows, size_t n_attempts,
                                     struct hc_error *err)
{
    if (hc_reserve(&spans->entry_of, &spans->room, n_attempts, sizeof *spans->entry_of, err))
        return err->status;
    while (spans->n_attempts < n_attempts)
        spans->entry_of[spans->n_attempts++] = (size_t)(rows->entry - archive->entries);
    return HC_OK;
}

static bool is_there(const struct hc_join_attempt *attempt, int64_t from_ns)
{
    return attempt->end_ns == HC_MISSING_I64 || attempt->end_ns >= from_ns;
}

enum hc_status hc_segment_spans_choose(struct hc_segment_spans *spans, const struct hc_joins *joins,
                                       int64_t from_ns, struct hc_error *err)
{
    bool *is_run_there = hc_new_array(joins->n_runs, sizeof *is_run_there, err);
    spans->is_wanted = hc_new_array(spans->n, sizeof *spans->is_wanted, err);
    enum hc_status status = is_run_there && spans->is_wanted ? HC_OK : err->status;
    for (size_t i = 0; i < joins->n_attempts && !status; i++)
        if (joins->attempts[i].run >= 0 && is_there(&joins->attempts[i], from_ns))
            is_run_there[joins->attempts[i].run] = true;
    for (size_t i = 0; i < spans->n && !status; i++)
        spans->is_wanted[i] = spans->last_ns[i] >= from_ns;
    for (size_t i = 0; i < spans->n_attempts && !status; i++)
        if (joins->attempts[i].run >= 0 && is_run_there[joins->attempts[i].run])
            spans->is_wanted[spans->entry_of[i]] = true;
    free(is_run_there);
    return status;
}

void hc_segment_spans_fini(struct hc_segment_spans *spans)
{
    free(spans->last_ns);
    free(spans->entry_of);
    free(spans->is_wanted);
    *spans = (struct hc_segment_spans){0};
}

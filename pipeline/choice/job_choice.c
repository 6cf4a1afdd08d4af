#include "pipeline/choice/job_choice.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/missing.h"
#include "pipeline/choice/entry_dates.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What the pass over the dates of jobs has seen. */
struct pass {
    size_t n_chosen, n_left, n_undated;
    const struct hc_manifest_entry *nearest; /* of those outside of the time */
    struct hc_entry_dates nearest_dates;
    int64_t distance_ns; /* of it */
};

/* How far a job is from the time that is wanted; 0: it is of that time. */
static int64_t distance(const struct hc_entry_dates *dates, const struct hc_job_choice *choice)
{
    int64_t since_ns = choice->since_ns, until_ns = choice->until_ns;
    if (since_ns != INT64_MIN && dates->last_ns < since_ns)
        return since_ns - dates->last_ns;
    if (until_ns != INT64_MAX && dates->first_ns >= until_ns)
        return dates->first_ns - until_ns + 1;
    return 0;
}

/* A damaged segment has no dates. Of one that the system refuses to read nobody knows whether it is
 * meant: that is an error. */
static enum hc_status look_at(struct pass *pass, const struct hc_job_choice *choice,
                              const struct hc_manifest_entry *entry, bool *is_of_time,
                              struct hc_error *err)
{
    struct hc_entry_dates dates;
    struct hc_error why;
    enum hc_status status = hc_entry_dates_find(&dates, choice->archive, entry, &why);
    *is_of_time = false;
    if (status == HC_IO || status == HC_INTERNAL) {
        *err = why;
        return status;
    }
    if (dates.first_ns == HC_MISSING_I64) {
        pass->n_undated++;
        return HC_OK;
    }
    /* A day of records ends where the next begins. */
    dates.last_ns -= entry->day[0] != '\0';
    int64_t distance_ns = distance(&dates, choice);
    if (distance_ns && (!pass->nearest || distance_ns < pass->distance_ns)) {
        pass->nearest = entry;
        pass->nearest_dates = dates;
        pass->distance_ns = distance_ns;
    }
    *is_of_time = distance_ns == 0;
    return HC_OK;
}

/* Ranks of one job are of one time: that of the first tells. */
static enum hc_status keep_of_time(bool *is_chosen, struct pass *pass,
                                   const struct hc_job_choice *choice, struct hc_error *err)
{
    const struct hc_archive *archive = choice->archive;
    size_t n;
    for (size_t i = 0; i < archive->n_entries; i += n) {
        n = hc_archive_n_ranks(archive, &archive->entries[i]);
        if (!is_chosen[i])
            continue;
        pass->n_chosen++;
        bool is_kept;
        if (look_at(pass, choice, &archive->entries[i], &is_kept, err))
            return err->status;
        pass->n_left += is_kept;
        if (!is_kept)
            memset(is_chosen + i, 0, n * sizeof *is_chosen);
    }
    return HC_OK;
}

static enum hc_status fail_none(const struct pass *pass, const struct hc_job_choice *choice,
                                struct hc_error *err)
{
    const struct hc_manifest_entry *near = pass->nearest;
    char first[32], last[32];
    if (!near)
        return hc_fail(err, HC_USAGE,
                       "of %zu jobs or days of archive '%s', none has dates (see 'hindcast ls'): "
                       "leave --since and --until out",
                       pass->n_chosen, choice->archive->path);
    hc_format_iso8601(pass->nearest_dates.first_ns, first);
    hc_format_iso8601(pass->nearest_dates.last_ns, last);
    return hc_fail(err, HC_USAGE,
                   "of %zu jobs or days of archive '%s', none is of that time; nearest is "
                   "'%.100s/%.100s', from %.19sZ to %.19sZ",
                   pass->n_chosen, choice->archive->path, near->cluster, near->job_id, first, last);
}

enum hc_status hc_jobs_choose(bool *is_chosen, const struct hc_job_choice *choice,
                              const char *const *names, size_t n, struct hc_error *err)
{
    const struct hc_archive *archive = choice->archive;
    struct hc_archive_choice named = {
        .table = choice->table, .cluster = choice->cluster, .every_attempt = choice->every_attempt};
    struct pass pass = {.n_chosen = 0};
    memset(is_chosen, 0, archive->n_entries * sizeof *is_chosen);
    for (size_t i = 0; i < n || i == 0; i++) {
        named.name = n ? names[i] : NULL;
        if (hc_archive_choose(archive, &named, is_chosen, err))
            return err->status;
    }
    if (choice->since_ns == INT64_MIN && choice->until_ns == INT64_MAX)
        return HC_OK;
    if (keep_of_time(is_chosen, &pass, choice, err))
        return err->status;
    if (pass.n_chosen && !pass.n_left)
        return fail_none(&pass, choice, err);
    if (pass.n_undated)
        hc_warn("%zu of %zu jobs or days have no dates, and are left out", pass.n_undated,
                pass.n_chosen);
    return HC_OK;
}

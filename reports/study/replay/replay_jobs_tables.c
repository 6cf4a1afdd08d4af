#include "reports/study/replay/replay_jobs_tables.h"

#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "study/run/study_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)
#define NAME_WIDTH        28

#define NUMBER(title_, html_title_)                                                                \
    {                                                                                              \
        .title = title_, .html_title = html_title_, .gap = 2, .is_right = true                     \
    }
#define WORDS(title_, html_title_)                                                                 \
    {                                                                                              \
        .title = title_, .html_title = html_title_, .gap = 2, .is_number = true                    \
    }

/* ---- words ---- */

const char *hc_job_name(const struct hc_replay_job *job, char text[HC_JOB_NAME])
{
    bool has_cluster = strcmp(job->cluster, "default") != 0;
    int n = snprintf(text, HC_JOB_NAME, "%s%s%s", has_cluster ? job->cluster : "",
                     has_cluster ? "/" : "", job->job_id);
    if (job->attempt && n > 0 && n < HC_JOB_NAME)
        snprintf(text + n, HC_JOB_NAME - (size_t)n, "#%d", (int)job->attempt);
    return text;
}

const char *hc_job_fate_text(enum hc_job_fate fate)
{
    static const char *const texts[HC_N_JOB_FATES] = {
        [HC_JOB_ANSWERED] = "answered",
        [HC_JOB_UNREADABLE] = "cannot be read",
        [HC_JOB_DAMAGED] = "damaged",
        [HC_JOB_NO_MEMORY] = "out of memory",
        [HC_JOB_NO_REPLAY] = "cannot be replayed",
        [HC_JOB_DISCREPANCY] = "discrepancy too large",
        [HC_JOB_REFUSED] = "edits mean nothing in it",
    };
    return texts[fate];
}

const char *hc_job_change_text(const struct hc_study_value *change, char text[HC_JOB_CHANGE])
{
    const struct hc_study_value percent = {1e2 * change->mean, 1e2 * change->low,
                                           1e2 * change->high, NAN};
    char number[HC_STUDY_NUMBER];
    snprintf(text, HC_JOB_CHANGE, "%s%s", hc_study_change_text(&percent, number),
             isfinite(change->mean) ? " %" : "");
    return text;
}

bool hc_replay_jobs_shows(const struct hc_replay_jobs *jobs, size_t run)
{
    return !jobs->total[run].is_untouched;
}

/* ---- cells ---- */

static void add_name(struct hc_section *section, const struct hc_replay_job *job)
{
    char name[HC_JOB_NAME], head[4 * NAME_WIDTH];
    hc_job_name(job, name);
    hc_section_forms(section, hc_text_head(head, sizeof head, name, NAME_WIDTH), name);
}

static void add_real(struct hc_section *section, double value)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, hc_study_number_text(value, number));
}

static void add_ratio(struct hc_section *section, double value)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, hc_format_fixed(value, 3, number));
}

/* A change alone, with its sign: "-22.5 %", "0 %". */
static const char *signed_percent(double change, char text[HC_NUMBER_TEXT + 1])
{
    text[0] = '+';
    hc_format_percent(change, text + (change > 0));
    return text;
}

static void add_change(struct hc_section *section, double change)
{
    char text[HC_NUMBER_TEXT + 1];
    hc_section_text(section, signed_percent(change, text));
}

/* ---- totals ---- */

static void add_extreme(struct hc_section *section, const struct hc_replay_jobs *jobs, size_t run,
                        size_t j)
{
    char text[HC_JOB_NAME + HC_NUMBER_TEXT + 4], name[HC_JOB_NAME], change[HC_NUMBER_TEXT + 1];
    if (j == HC_STUDY_NONE) {
        hc_section_text(section, "-");
        return;
    }
    snprintf(text, sizeof text, "%s (%s)",
             signed_percent(jobs->job[j].run[run].change.mean, change),
             hc_job_name(&jobs->job[j], name));
    hc_section_text(section, text);
}

struct hc_section hc_replay_jobs_totals_table(const struct hc_replay_jobs *jobs)
{
    static const struct hc_section_column columns[] = {
        {.title = "variant"},
        NUMBER("change", "step time, by GPU-hours"),
        NUMBER("GPU-h gained", "GPU-hours gained"),
        NUMBER("faster", "jobs faster"),
        NUMBER("slower", "jobs slower"),
        NUMBER("open", "open"),
        NUMBER("median", "median change"),
        WORDS("least", "least change"),
        WORDS("most", "most change"),
    };
    struct hc_section section = {
        .caption = "Faster, slower: jobs whose interval of the change leaves out nought",
        .indent = 2,
        COLUMNS(columns)};
    for (size_t r = 0; r < jobs->n_runs; r++) {
        const struct hc_replay_jobs_total *total = &jobs->total[r];
        if (!hc_replay_jobs_shows(jobs, r))
            continue;
        hc_section_text(&section, jobs->run_name[r]);
        add_change(&section, total->change);
        add_real(&section, total->gained_gpu_h);
        hc_section_count(&section, (int64_t)total->n_faster);
        hc_section_count(&section, (int64_t)total->n_slower);
        hc_section_count(&section, (int64_t)total->n_open);
        add_change(&section, total->median_change);
        add_extreme(&section, jobs, r, total->best);
        add_extreme(&section, jobs, r, total->worst);
    }
    return section;
}

/* ---- jobs under a run ---- */

struct ordering {
    const struct hc_replay_jobs *jobs;
    size_t run;
};

/* Jobs whose GPUs are not known come last. */
static int compare_gains(const void *a, const void *b, void *context)
{
    const struct ordering *by = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const struct hc_replay_job_run *p = &by->jobs->job[x].run[by->run],
                                   *q = &by->jobs->job[y].run[by->run];
    bool p_known = isfinite(p->gained_gpu_h.mean), q_known = isfinite(q->gained_gpu_h.mean);
    if (p_known != q_known)
        return p_known ? -1 : 1;
    if (p_known && p->gained_gpu_h.mean != q->gained_gpu_h.mean)
        return p->gained_gpu_h.mean > q->gained_gpu_h.mean ? -1 : 1;
    if (p->change.mean != q->change.mean)
        return p->change.mean < q->change.mean ? -1 : 1;
    return (x > y) - (x < y);
}

size_t *hc_replay_jobs_order(const struct hc_replay_jobs *jobs, size_t run, size_t *n,
                             struct hc_error *err)
{
    struct ordering by = {jobs, run};
    size_t *order = hc_new_array(jobs->n_jobs, sizeof *order, err);
    *n = 0;
    for (size_t j = 0; order && j < jobs->n_jobs; j++)
        if (jobs->job[j].fate == HC_JOB_ANSWERED)
            order[(*n)++] = j;
    if (order)
        qsort_r(order, *n, sizeof *order, compare_gains, &by);
    return order;
}

static void add_job(struct hc_section *section, const struct hc_replay_job *job, size_t run)
{
    const struct hc_replay_job_run *of = &job->run[run];
    char change[HC_JOB_CHANGE];
    add_name(section, job);
    hc_section_count(section, job->n_gpus ? job->n_gpus : HC_MISSING_I64);
    hc_section_count(section, (int64_t)job->dp_size * job->n_stages);
    hc_section_count(section, job->n_steps);
    hc_section_percent(section, fabs(job->discrepancy));
    add_real(section, job->untouched_s);
    add_real(section, of->step_s.mean);
    hc_section_text(section, hc_job_change_text(&of->change, change));
    add_ratio(section, job->untouched_slowdown);
    add_ratio(section, of->slowdown.mean);
    add_real(section, of->gained_gpu_h.mean);
}

struct hc_section hc_replay_jobs_run_table(const struct hc_replay_jobs *jobs, size_t run,
                                           const size_t *order, size_t n)
{
    static const struct hc_section_column columns[] = {
        {.title = "job"},
        NUMBER("GPUs", NULL),
        NUMBER("workers", NULL),
        NUMBER("steps", NULL),
        NUMBER("discr.", "discrepancy"),
        NUMBER("step_s", "step time, untouched (s)"),
        NUMBER("then", "then (s)"),
        WORDS("change", NULL),
        NUMBER("S", "S, untouched"),
        NUMBER("then", "S then"),
        NUMBER("GPU-h gained", "GPU-hours gained"),
    };
    struct hc_section section = {.indent = 2, COLUMNS(columns)};
    for (size_t i = 0; i < n; i++)
        add_job(&section, &jobs->job[order[i]], run);
    return section;
}

/* ---- jobs without an answer ---- */

struct hc_section hc_replay_jobs_unanswered_table(const struct hc_replay_jobs *jobs, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.html_title = "job"},
        {.html_title = "what", .gap = 2},
        {.html_title = "why", .gap = 4, .is_below = true},
    };
    struct hc_section section = {.indent = 2, COLUMNS(columns)};
    for (size_t j = 0; j < jobs->n_jobs && hc_section_n_rows(&section) < most; j++) {
        const struct hc_replay_job *job = &jobs->job[j];
        if (job->fate == HC_JOB_ANSWERED)
            continue;
        add_name(&section, job);
        hc_section_text(&section, hc_job_fate_text(job->fate));
        hc_section_prose(&section, job->detail);
    }
    return section;
}

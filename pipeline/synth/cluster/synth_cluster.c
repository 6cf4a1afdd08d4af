#include "pipeline/synth/cluster/synth_cluster.h"

#include "core/base/log.h"
#include "core/text/number_format.h"
#include "pipeline/synth/cluster/cluster_files.h"
#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/empty_directory.h"

#include <inttypes.h>
#include <stdlib.h>

/* A file of the site, below its directory. */
struct file {
    const char *name;
    void (*write)(FILE *stream, const struct hc_cluster_site *site);
};

/* ---- files of the site ---- */

static void write_sacct(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_sacct(stream, &s->cluster, &(struct hc_cluster_sacct_form){.zone = NULL});
}
static void write_sacct_local(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_sacct(stream, &s->cluster, &(struct hc_cluster_sacct_form){.zone = s->zone});
}
static void write_sacct_xdmod(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_sacct(stream, &s->cluster, &(struct hc_cluster_sacct_form){.is_xdmod = true});
}
static void write_node_events(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_node_events(stream, &s->cluster);
}
static void write_syslog(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_SYSLOG_ISO, NULL);
}
static void write_syslog_local(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_SYSLOG_BSD, s->zone);
}
static void write_journal(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_JOURNAL, NULL);
}
static void write_log_store(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_LOG_STORE, NULL);
}
static void write_attempts(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_attempts(stream, &s->cluster);
}
static void write_cycles(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_cycles(stream, &s->cluster);
}
static void write_runs(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_runs(stream, &s->cluster);
}
static void write_faults(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_faults(stream, &s->cluster);
}

static void write_planted(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_planted(stream, &s->cluster);
}
static void write_marks(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_marks(stream, &s->cluster);
}
static void write_starts(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_starts(stream, &s->cluster);
}

static const struct file files[] = {
    {"slurm/sacct.txt", write_sacct},
    {"slurm/sacct-local.txt", write_sacct_local},
    {"slurm/sacct-xdmod.txt", write_sacct_xdmod},
    {"slurm/events.txt", write_node_events},
    {"kernel/syslog-iso.log", write_syslog},
    {"kernel/syslog-local.log", write_syslog_local},
    {"kernel/journal.json", write_journal},
    {"kernel/log-store.jsonl", write_log_store},
    {"starts/marks.log", write_marks},
    {"truth/starts.csv", write_starts},
    {"truth/attempts.csv", write_attempts},
    {"truth/cycles.csv", write_cycles},
    {"truth/runs.csv", write_runs},
    {"truth/faults.csv", write_faults},
    {"truth/planted.csv", write_planted},
};

static enum hc_status write_files(struct hc_cluster_site *s, struct hc_error *err)
{
    static const char *const directories[] = {"slurm", "kernel", "starts", "logs", "truth"};
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (hc_cluster_add_directory(s, directories[i], err))
            return err->status;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *stream = hc_cluster_add_file(s, files[i].name, err);
        if (!stream)
            return err->status;
        files[i].write(stream, s);
    }
    FILE *stream = hc_cluster_add_file(s, "truth/account.csv", err);
    if (!stream || hc_cluster_write_account(stream, &s->cluster, err))
        return err->status;
    stream = hc_cluster_add_file(s, "truth/installed.csv", err);
    if (!stream || hc_cluster_write_installed(stream, &s->cluster, err))
        return err->status;
    stream = hc_cluster_add_file(s, "truth/timelines.csv", err);
    return stream ? hc_cluster_write_timelines(stream, &s->cluster, err) : err->status;
}

/* ---- logs ---- */

static void write_log(FILE *stream, const struct hc_cluster_site *s, int32_t attempt, int dialect)
{
    (void)dialect;
    hc_cluster_write_log(stream, &s->cluster, (size_t)attempt, s->zone);
}

/* Attempts of one job write on in one file. */
static enum hc_status write_logs(struct hc_cluster_site *s, size_t *n_logs, struct hc_error *err)
{
    char name[64];
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < s->cluster.n_runs && !status; i++) {
        snprintf(name, sizeof name, "logs/run-%02zu", i + 1);
        status = hc_cluster_add_directory(s, name, err);
    }
    for (size_t i = 0; i < s->cluster.n_attempts && !status; i++) {
        const struct hc_cluster_attempt *a = &s->cluster.attempts[i];
        if (!a->n_cycles)
            continue;
        snprintf(name, sizeof name, "logs/run-%02d/%" PRId64 ".out", a->run + 1, a->raw_job);
        const struct hc_cluster_part part = {.write = write_log, .of = (int32_t)i};
        status = hc_cluster_add_part(s, name, &part, a->restarts > 0, err);
        *n_logs += a->restarts == 0;
    }
    return status;
}

static void say(const struct hc_cluster_site *s, size_t n_logs)
{
    char count[4][HC_NUMBER_TEXT];
    hc_note("'%s': %s records of jobs, %s cycles of runs in %s logs, %s faults", s->directory,
            hc_format_count((int64_t)s->cluster.n_attempts, count[0]),
            hc_format_count((int64_t)s->cluster.n_cycles, count[1]),
            hc_format_count((int64_t)n_logs, count[2]),
            hc_format_count((int64_t)s->cluster.n_faults, count[3]));
}

static enum hc_status write_all(struct hc_cluster_site *s, const struct hc_synth_cluster *synth,
                                size_t *n_logs, struct hc_error *err)
{
    const struct hc_cluster_looks looks = {synth->node_days, synth->queue_days};
    if (hc_cluster_kernel_lines_make(&s->lines, &s->cluster, err) || hc_outset_open(&s->set, err) ||
        hc_outset_directory(s->set, s->directory, err) || write_files(s, err) ||
        hc_cluster_begin_parts(s, err) || write_logs(s, n_logs, err) ||
        hc_cluster_add_timelines(s, err) || hc_cluster_add_looks(s, &looks, err))
        return err->status;
    if (synth->with_dialects && hc_cluster_add_dialects(s, err))
        return err->status;
    return hc_outset_commit(s->set, err);
}

enum hc_status hc_synth_cluster_write(const struct hc_synth_cluster *synth, struct hc_error *err)
{
    struct hc_cluster_site s = {.directory = synth->directory, .zone = synth->zone};
    size_t n_logs = 0;
    if (hc_check_empty(synth->directory, "cluster", err) ||
        hc_cluster_live(&s.cluster, &synth->options, err))
        return err->status;
    enum hc_status status = write_all(&s, synth, &n_logs, err);
    hc_outset_close(s.set);
    if (!status)
        say(&s, n_logs);
    hc_trace_synth_close(s.trace);
    free(s.lines.lines);
    hc_cluster_fini(&s.cluster);
    return status;
}

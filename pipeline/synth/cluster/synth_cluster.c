#include "pipeline/synth/cluster/synth_cluster.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outset.h"
#include "core/text/number_format.h"
#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"
#include "pipeline/synth/empty_directory.h"

#include <inttypes.h>
#include <stdlib.h>

struct session {
    const struct hc_synth_cluster *synth;
    struct hc_cluster cluster;
    struct hc_cluster_kernel_lines lines;
    struct hc_outset *set;
    size_t n_logs;
};

static enum hc_status add_directory(struct session *s, const char *name, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", s->synth->directory, name);
    enum hc_status status = path ? hc_outset_directory(s->set, path, err) : err->status;
    free(path);
    return status;
}

static FILE *add_file(struct session *s, const char *name, struct hc_error *err)
{
    FILE *stream = NULL;
    char *path = hc_new_text(err, "%s/%s", s->synth->directory, name);
    if (path && hc_outset_add(s->set, path, &stream, err))
        stream = NULL;
    free(path);
    return stream;
}

/* ---- files of the site ---- */

static void write_sacct(FILE *stream, const struct session *s)
{
    hc_cluster_write_sacct(stream, &s->cluster, NULL);
}
static void write_sacct_local(FILE *stream, const struct session *s)
{
    hc_cluster_write_sacct(stream, &s->cluster, s->synth->zone);
}
static void write_sacct_xdmod(FILE *stream, const struct session *s)
{
    hc_cluster_write_sacct_xdmod(stream, &s->cluster);
}
static void write_node_events(FILE *stream, const struct session *s)
{
    hc_cluster_write_node_events(stream, &s->cluster);
}
static void write_syslog(FILE *stream, const struct session *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_SYSLOG_ISO, NULL);
}
static void write_syslog_local(FILE *stream, const struct session *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_SYSLOG_BSD, s->synth->zone);
}
static void write_journal(FILE *stream, const struct session *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_JOURNAL, NULL);
}
static void write_log_store(FILE *stream, const struct session *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_LOG_STORE, NULL);
}
static void write_attempts(FILE *stream, const struct session *s)
{
    hc_cluster_write_attempts(stream, &s->cluster);
}
static void write_cycles(FILE *stream, const struct session *s)
{
    hc_cluster_write_cycles(stream, &s->cluster);
}
static void write_runs(FILE *stream, const struct session *s)
{
    hc_cluster_write_runs(stream, &s->cluster);
}
static void write_faults(FILE *stream, const struct session *s)
{
    hc_cluster_write_faults(stream, &s->cluster);
}

static const struct {
    const char *name;
    void (*write)(FILE *stream, const struct session *session);
} files[] = {
    {"slurm/sacct.txt", write_sacct},
    {"slurm/sacct-local.txt", write_sacct_local},
    {"slurm/sacct-xdmod.txt", write_sacct_xdmod},
    {"slurm/events.txt", write_node_events},
    {"kernel/syslog-iso.log", write_syslog},
    {"kernel/syslog-local.log", write_syslog_local},
    {"kernel/journal.json", write_journal},
    {"kernel/log-store.jsonl", write_log_store},
    {"truth/attempts.csv", write_attempts},
    {"truth/cycles.csv", write_cycles},
    {"truth/runs.csv", write_runs},
    {"truth/faults.csv", write_faults},
};

static enum hc_status write_files(struct session *s, struct hc_error *err)
{
    static const char *const directories[] = {"slurm", "kernel", "logs", "truth"};
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (add_directory(s, directories[i], err))
            return err->status;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *stream = add_file(s, files[i].name, err);
        if (!stream)
            return err->status;
        files[i].write(stream, s);
    }
    return HC_OK;
}

/* ---- logs ---- */

/* Of an attempt: attempts of one job write on in one file. */
static enum hc_status write_log(struct session *s, size_t attempt, const char *scratch,
                                struct hc_error *err)
{
    const struct hc_cluster_attempt *a = &s->cluster.attempts[attempt];
    char *from = hc_new_text(err, "%s/run-%02d-%" PRId64 ".out", scratch, a->run + 1, a->raw_job);
    char *path = hc_new_text(err, "%s/logs/run-%02d/%" PRId64 ".out", s->synth->directory,
                             a->run + 1, a->raw_job);
    FILE *stream = from && path ? fopen(from, "a") : NULL;
    if (from && path && !stream)
        hc_fail_errno(err, "cannot write", from);
    if (stream) {
        hc_cluster_write_log(stream, &s->cluster, attempt, s->synth->zone);
        bool is_bad = ferror(stream);
        if (fclose(stream) || is_bad)
            hc_fail_errno(err, "cannot write", from);
        else if (a->restarts == 0 && hc_outset_adopt(s->set, from, path, true, err) == HC_OK)
            s->n_logs++;
    }
    free(from);
    free(path);
    return err->status;
}

static enum hc_status write_logs(struct session *s, struct hc_error *err)
{
    char *scratch = hc_new_text(err, "%s/.logs", s->synth->directory);
    enum hc_status status =
        scratch ? hc_outset_scratch_directory(s->set, scratch, err) : err->status;
    for (size_t i = 0; i < s->cluster.n_runs && !status; i++) {
        char name[32];
        snprintf(name, sizeof name, "logs/run-%02zu", i + 1);
        status = add_directory(s, name, err);
    }
    for (size_t i = 0; i < s->cluster.n_attempts && !status; i++)
        if (s->cluster.attempts[i].n_cycles)
            status = write_log(s, i, scratch, err);
    free(scratch);
    return status;
}

static void say(const struct session *s)
{
    char count[4][HC_NUMBER_TEXT];
    hc_note("'%s': %s records of jobs, %s cycles of runs in %s logs, %s faults",
            s->synth->directory, hc_format_count((int64_t)s->cluster.n_attempts, count[0]),
            hc_format_count((int64_t)s->cluster.n_cycles, count[1]),
            hc_format_count((int64_t)s->n_logs, count[2]),
            hc_format_count((int64_t)s->cluster.n_faults, count[3]));
}

enum hc_status hc_synth_cluster_write(const struct hc_synth_cluster *synth, struct hc_error *err)
{
    struct session s = {.synth = synth};
    if (hc_check_empty(synth->directory, "cluster", err) ||
        hc_cluster_live(&s.cluster, &synth->options, err))
        return err->status;
    enum hc_status status = hc_cluster_kernel_lines_make(&s.lines, &s.cluster, err);
    if (!status)
        status = hc_outset_open(&s.set, err);
    if (!status)
        status = hc_outset_directory(s.set, synth->directory, err);
    if (!status)
        status = write_files(&s, err);
    if (!status)
        status = write_logs(&s, err);
    if (!status)
        status = hc_outset_commit(s.set, err);
    hc_outset_close(s.set);
    if (!status)
        say(&s);
    free(s.lines.lines);
    hc_cluster_fini(&s.cluster);
    return status;
}

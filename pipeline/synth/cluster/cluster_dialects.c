/* The same months in every further form that hindcast reads. */
#include "pipeline/synth/cluster/cluster_files.h"
#include "pipeline/synth/cluster/cluster_sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define N_INSTANTS 4

/* ---- files of the whole ---- */

static void put_delimiter(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_sacct(
        stream, &s->cluster,
        &(struct hc_cluster_sacct_form){.delimiter = "^", .ends_with_delimiter = true});
}
static void put_seconds(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_sacct(stream, &s->cluster,
                           &(struct hc_cluster_sacct_form){.in_seconds = true});
}
static void put_swf(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_swf(stream, &s->cluster);
}
static void put_philly_csv(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_philly_csv(stream, &s->cluster, s->zone);
}
static void put_own_csv(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_own_jobs(stream, &s->cluster, false);
}
static void put_own_json(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_own_jobs(stream, &s->cluster, true);
}
static void put_journal_text(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_JOURNAL_TEXT, NULL);
}
static void put_syslog_5424(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_kernel(stream, &s->lines, HC_CLUSTER_SYSLOG_5424, NULL);
}
static void put_pods(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_pods(stream, &s->cluster, false);
}
static void put_pod_lines(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_pods(stream, &s->cluster, true);
}
static void put_incidents_csv(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_incidents(stream, &s->cluster, false);
}
static void put_incidents_json(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_incidents(stream, &s->cluster, true);
}
static void put_corrections_csv(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_corrections(stream, &s->cluster, false);
}
static void put_corrections_json(FILE *stream, const struct hc_cluster_site *s)
{
    hc_cluster_write_corrections(stream, &s->cluster, true);
}

static const struct {
    const char *name;
    void (*write)(FILE *stream, const struct hc_cluster_site *site);
} files[] = {
    {"dialects/jobs/sacct-delimiter.txt", put_delimiter},
    {"dialects/jobs/sacct-seconds.txt", put_seconds},
    {"dialects/jobs/jobs.swf", put_swf},
    {"dialects/jobs/philly.csv", put_philly_csv},
    {"dialects/jobs/own.csv", put_own_csv},
    {"dialects/jobs/own.jsonl", put_own_json},
    {"dialects/kernel/journal.txt", put_journal_text},
    {"dialects/kernel/syslog-5424.log", put_syslog_5424},
    {"dialects/starts/events.json", put_pods},
    {"dialects/starts/events.jsonl", put_pod_lines},
    {"dialects/incidents/incidents.csv", put_incidents_csv},
    {"dialects/incidents/incidents.jsonl", put_incidents_json},
    {"dialects/incidents/corrections.csv", put_corrections_csv},
    {"dialects/incidents/corrections.jsonl", put_corrections_json},
};

static enum hc_status add_files(struct hc_cluster_site *s, struct hc_error *err)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *stream = hc_cluster_add_file(s, files[i].name, err);
        if (!stream)
            return err->status;
        files[i].write(stream, s);
    }
    FILE *stream = hc_cluster_add_file(s, "dialects/jobs/cluster_job_log.json", err);
    return stream ? hc_cluster_write_philly_log(stream, &s->cluster, s->zone, err) : err->status;
}

/* ---- the nodes at a few instants ---- */

static const struct {
    const char *form;
    void (*write)(FILE *stream, const struct hc_cluster_instant *instant);
} forms[] = {
    {"dialects/nodes/%d/scontrol.txt", hc_cluster_write_scontrol},
    {"dialects/nodes/%d/scontrol-oneliner.txt", hc_cluster_write_scontrol_oneliner},
    {"dialects/nodes/%d/sinfo.txt", hc_cluster_write_sinfo},
    {"truth/nodes-%d.csv", hc_cluster_write_instant},
};

/* "20260301T120000Z", as the name of a snapshot says when it was taken */
static void put_json_name(char *name, size_t size, int n, int64_t at_s)
{
    time_t at = (time_t)at_s;
    struct tm utc;
    char stamp[32] = "";
    if (gmtime_r(&at, &utc))
        strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(name, size, "dialects/nodes/%d/nodes-%s.json", n, stamp);
}

static enum hc_status add_instant(struct hc_cluster_site *s, int n, struct hc_error *err)
{
    const struct hc_cluster_instant *instant = hc_cluster_sweep_nodes(s->sweep);
    char name[96];
    snprintf(name, sizeof name, "dialects/nodes/%d", n);
    enum hc_status status = hc_cluster_add_directory(s, name, err);
    for (size_t f = 0; f < sizeof forms / sizeof *forms && !status; f++) {
        snprintf(name, sizeof name, forms[f].form, n);
        FILE *stream = hc_cluster_add_file(s, name, err);
        if (stream)
            forms[f].write(stream, instant);
        status = stream ? HC_OK : err->status;
    }
    put_json_name(name, sizeof name, n, instant->at_s);
    FILE *stream = status ? NULL : hc_cluster_add_file(s, name, err);
    if (stream)
        hc_cluster_write_nodes_json(stream, instant);
    return stream ? HC_OK : err->status;
}

static enum hc_status add_instants(struct hc_cluster_site *s, struct hc_error *err)
{
    int64_t begin_s = s->cluster.options.start_s, span_s = s->cluster.end_s - begin_s;
    struct hc_cluster_sweep sweep;
    enum hc_status status = hc_cluster_sweep_open(&sweep, &s->cluster, err);
    s->sweep = &sweep;
    for (int n = 1; n <= N_INSTANTS && !status; n++) {
        hc_cluster_sweep_to(&sweep, begin_s + span_s * n / (N_INSTANTS + 1));
        status = add_instant(s, n, err);
    }
    s->sweep = NULL;
    hc_cluster_sweep_close(&sweep);
    return status;
}

/* ---- a file a node, or a job ---- */

static bool has_line(const struct hc_cluster_site *s, int32_t node)
{
    for (size_t i = 0; i < s->lines.n; i++)
        if (s->lines.lines[i].node == node)
            return true;
    return false;
}

static void put_dmesg(FILE *stream, const struct hc_cluster_site *s, int32_t node, int dialect)
{
    const struct hc_cluster_boot boot = {s->cluster.options.start_s - 3600, s->zone};
    hc_cluster_write_dmesg(stream, &s->lines, node, (enum hc_cluster_dmesg_dialect)dialect, &boot);
}

static enum hc_status add_dmesg(struct hc_cluster_site *s, struct hc_error *err)
{
    static const char *const names[] = {[HC_CLUSTER_DMESG_BOOT] = "dmesg-boot",
                                        [HC_CLUSTER_DMESG_TIME] = "dmesg-time",
                                        [HC_CLUSTER_DMESG_ISO] = "dmesg-iso"};
    enum hc_status status = HC_OK;
    for (int d = 0; d < 3 && !status; d++) {
        char name[96];
        snprintf(name, sizeof name, "dialects/kernel/%s", names[d]);
        status = hc_cluster_add_directory(s, name, err);
        for (int32_t node = 0; node < s->cluster.options.n_nodes && !status; node++) {
            const struct hc_cluster_part part = {put_dmesg, node, d};
            snprintf(name, sizeof name, "dialects/kernel/%s/gpu%04d.dmesg", names[d], node + 1);
            if (has_line(s, node))
                status = hc_cluster_add_part(s, name, &part, false, err);
        }
    }
    return status;
}

static void put_log(FILE *stream, const struct hc_cluster_site *s, int32_t attempt, int dialect)
{
    hc_cluster_write_other_log(stream, &s->cluster, (size_t)attempt,
                               (enum hc_cluster_log_dialect)dialect);
}

static enum hc_status add_logs(struct hc_cluster_site *s, struct hc_error *err)
{
    static const char *const names[] = {[HC_CLUSTER_LOG_MEGATRON_OLD] = "megatron-old",
                                        [HC_CLUSTER_LOG_MLPERF] = "mlperf",
                                        [HC_CLUSTER_LOG_DEEPSPEED] = "deepspeed",
                                        [HC_CLUSTER_LOG_VERL] = "verl"};
    enum hc_status status = HC_OK;
    for (int d = 0; d < 4 && !status; d++) {
        char name[96];
        snprintf(name, sizeof name, "dialects/logs/%s", names[d]);
        status = hc_cluster_add_directory(s, name, err);
        for (size_t i = 0; i < s->cluster.n_attempts && !status; i++) {
            const struct hc_cluster_attempt *a = &s->cluster.attempts[i];
            const struct hc_cluster_part part = {put_log, (int32_t)i, d};
            snprintf(name, sizeof name, "dialects/logs/%s/%" PRId64 ".out", names[d], a->raw_job);
            if (a->n_cycles)
                status = hc_cluster_add_part(s, name, &part, a->restarts > 0, err);
        }
    }
    return status;
}

enum hc_status hc_cluster_add_dialects(struct hc_cluster_site *s, struct hc_error *err)
{
    static const char *const directories[] = {
        "dialects",       "dialects/jobs",      "dialects/kernel", "dialects/starts",
        "dialects/nodes", "dialects/incidents", "dialects/logs"};
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (hc_cluster_add_directory(s, directories[i], err))
            return err->status;
    if (add_files(s, err) || add_dmesg(s, err) || add_logs(s, err))
        return err->status;
    return add_instants(s, err);
}

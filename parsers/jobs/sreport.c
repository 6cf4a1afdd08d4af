#include "parsers/jobs/sreport.h"

#include "core/base/printable.h"
#include "parsers/io/line_reader.h"
#include "parsers/jobs/sacct_records.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S    ((int64_t)1000000000)
#define TIME_LENGTH 19 /* "2026-11-23T04:00:00" */

enum column { COLUMN_CLUSTER, COLUMN_LOGIN, COLUMN_TRES, COLUMN_USED, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {"Cluster", "Login", "TRES Name", "Used"};

struct sreport {
    struct hc_job_usage *usage;
    const char *path, *cluster;
    const struct hc_zone *zone;
    int64_t line;
    bool has_window, has_columns;
    bool has_gpus; /* a figure of GPUs, of any user */
    size_t column[N_COLUMNS];
    size_t n_columns;
};

__attribute__((format(printf, 3, 4))) static enum hc_status
wrong(const struct sreport *p, struct hc_error *err, const char *format, ...);

static enum hc_status wrong(const struct sreport *p, struct hc_error *err, const char *format, ...)
{
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: %s", p->path, (long long)p->line, what);
}

/* ---- headers ---- */

static bool begins(struct hc_span text, const char *with)
{
    size_t n = strlen(with);
    return text.length >= n && memcmp(text.text, with, n) == 0;
}

static bool is(struct hc_span text, const char *word)
{
    return text.length == strlen(word) && begins(text, word);
}

static bool read_time(const struct sreport *p, const char *at, int64_t *time_s)
{
    struct hc_date_cache dates = {0};
    bool is_local;
    if (hc_slurm_time(&dates, (struct hc_span){at, TIME_LENGTH}, time_s, &is_local) !=
            HC_SLURM_VALUE ||
        !is_local)
        return false;
    if (p->zone)
        hc_zone_to_unix_s(p->zone, *time_s, time_s);
    return true;
}

/* "Cluster/Account/User Utilization 2026-11-23T04:00:00 - 2026-11-23T05:59:59 (7200 secs)": the end
 * is the last second of the window. *is_title: the line is one. */
static enum hc_status read_title(struct sreport *p, struct hc_span line, bool *is_title,
                                 struct hc_error *err)
{
    int64_t from_s, to_s;
    const char *dash = memmem(line.text, line.length, " - ", 3);
    size_t before = dash ? (size_t)(dash - line.text) : 0;
    *is_title = dash && before >= TIME_LENGTH && line.length - before >= 3 + TIME_LENGTH &&
                read_time(p, dash - TIME_LENGTH, &from_s) && read_time(p, dash + 3, &to_s);
    if (!*is_title)
        return HC_OK;
    int64_t from_ns = from_s * NS_PER_S, to_ns = (to_s + 1) * NS_PER_S;
    if (from_ns >= to_ns)
        return wrong(p, err, "the window ends before it begins");
    if (p->has_window)
        return wrong(p, err, "a second report begins; give one at a time");
    p->usage->from_ns = from_ns;
    p->usage->to_ns = to_ns;
    p->has_window = true;
    return HC_OK;
}

/* "Usage reported in TRES Minutes" */
static enum hc_status read_unit(struct sreport *p, struct hc_span line, struct hc_error *err)
{
    static const struct {
        const char *name;
        int64_t seconds;
    } units[] = {{"Seconds", 1}, {"Minutes", 60}, {"Hours", 3600}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].name);
        if (line.length > n && line.text[line.length - n - 1] == ' ' &&
            memcmp(line.text + line.length - n, units[i].name, n) == 0) {
            p->usage->unit_s = units[i].seconds;
            return HC_OK;
        }
    }
    return wrong(p, err, "'%s': neither seconds, minutes nor hours; report with -t seconds",
                 hc_printable(line.text, line.length).text);
}

static enum hc_status read_columns(struct sreport *p, const struct hc_span *fields, size_t n,
                                   struct hc_error *err)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        p->column[c] = n;
        for (size_t i = 0; i < n; i++)
            if (is(fields[i], column_names[c]))
                p->column[c] = i;
        if (p->column[c] == n)
            return wrong(p, err,
                         "no column '%s': 'sreport -P -t seconds -T gres/gpu cluster "
                         "AccountUtilizationByUser' is expected",
                         column_names[c]);
    }
    p->n_columns = n;
    p->has_columns = true;
    return HC_OK;
}

/* ---- figures ---- */

/* Rows without a login are sums of those of an account. */
static enum hc_status read_row(struct sreport *p, const struct hc_span *fields, size_t n,
                               struct hc_error *err)
{
    int64_t used;
    if (n != p->n_columns)
        return wrong(p, err, "%zu fields, not %zu", n, p->n_columns);
    struct hc_span login = fields[p->column[COLUMN_LOGIN]];
    struct hc_span value = fields[p->column[COLUMN_USED]];
    if (!is(fields[p->column[COLUMN_TRES]], "gres/gpu") ||
        (p->cluster && !is(fields[p->column[COLUMN_CLUSTER]], p->cluster)))
        return HC_OK;
    p->has_gpus = true;
    if (login.length == 0)
        return HC_OK;
    if (hc_slurm_count(value, &used) != HC_SLURM_VALUE || used > INT64_MAX / 3600)
        return wrong(p, err, "'Used' is '%s', not a whole number",
                     hc_printable(value.text, value.length).text);
    if (memchr(login.text, '\0', login.length))
        return wrong(p, err, "the login holds a NUL byte");
    if (hc_job_usage_add(p->usage, login.text, login.length, used * p->usage->unit_s, err))
        return hc_context(err, "'%s': line %lld", p->path, (long long)p->line);
    return HC_OK;
}

static enum hc_status take(struct sreport *p, struct hc_span line, struct hc_error *err)
{
    struct hc_span fields[HC_SACCT_MOST_FIELDS];
    bool is_title = false;
    if (line.length == 0 || begins(line, "----"))
        return HC_OK;
    if (begins(line, "Usage reported in ") || begins(line, "Time reported in "))
        return read_unit(p, line, err);
    if (!memchr(line.text, '|', line.length)) {
        if (read_title(p, line, &is_title, err))
            return err->status;
        return is_title ? HC_OK
                        : wrong(p, err, "neither a header nor a row: report with 'sreport -P'");
    }
    if (!p->has_window || !p->usage->unit_s)
        return wrong(p, err, "no header says window and unit: report without --noheader");
    size_t n = hc_sacct_split(line, "|", 1, fields);
    return p->has_columns ? read_row(p, fields, n, err) : read_columns(p, fields, n, err);
}

static enum hc_status read_lines(struct sreport *p, struct hc_line_reader *lines,
                                 struct hc_error *err)
{
    struct hc_line line;
    for (bool is_over = false;;) {
        if (hc_lines_next(lines, &line, &is_over, err))
            return err->status;
        if (is_over)
            break;
        p->line = line.number;
        if (take(p, (struct hc_span){line.text, line.length}, err))
            return err->status;
    }
    if (!p->has_gpus)
        return hc_fail(
            err, HC_BAD_INPUT, "'%s' has no figure of GPUs%s%s%s: report with -T gres/gpu", p->path,
            p->cluster ? " of cluster '" : "", p->cluster ? p->cluster : "", p->cluster ? "'" : "");
    return HC_OK;
}

enum hc_status hc_sreport_read(struct hc_job_usage *usage, const char *path, const char *cluster,
                               const struct hc_zone *zone, struct hc_error *err)
{
    struct sreport sreport = {.usage = usage, .path = path, .cluster = cluster, .zone = zone};
    struct hc_line_reader *lines = NULL;
    struct hc_source source;
    *usage = (struct hc_job_usage){0};
    if (hc_source_open(&source, path, err))
        return err->status;
    enum hc_status status = hc_lines_open(&lines, &source, err);
    if (!status)
        status = read_lines(&sreport, lines, err);
    hc_lines_close(lines);
    hc_source_close(&source);
    return status;
}

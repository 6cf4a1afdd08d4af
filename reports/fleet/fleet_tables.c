#include "reports/fleet/fleet_tables.h"

#include "core/base/clock.h"
#include "core/base/text_layout.h"
#include "core/text/number_format.h"
#include "reports/fleet/fleet_views.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)

/* Columns of text: of a name, and of a number in so many characters with the blank before it. */
#define NAME(title_, width_)                                                                       \
    {                                                                                              \
        .title = title_, .width = width_                                                           \
    }
#define NUMBER(title_, html_title_, width_)                                                        \
    {                                                                                              \
        .title = title_, .html_title = html_title_, .gap = 1, .width = (width_)-1,                 \
        .is_right = true                                                                           \
    }
#define PAGE_NUMBER(title_)                                                                        \
    {                                                                                              \
        .title = title_, .is_right = true, .only = HC_HTML_ONLY                                    \
    }

/* ---- cells ---- */

static void add_count(struct hc_section *section, size_t count)
{
    hc_section_count(section, (int64_t)count);
}

static void add_hours(struct hc_section *section, double hours)
{
    char number[HC_NUMBER_TEXT];
    hc_section_hours(section, hours, hc_fleet_hours_text(hours, number));
}

/* A ratio in at most seven columns: three decimals, fewer of one that is large. */
static void add_ratio(struct hc_section *section, double value)
{
    char number[HC_NUMBER_TEXT];
    double size = fabs(value);
    hc_format_fixed(value, size < 99.9995 ? 3 : size < 9999.95 ? 1 : 0, number);
    if (size >= 999999.5)
        snprintf(number, sizeof number, "%.1e", value);
    hc_section_text(section, number);
}

/* In at most eight columns: what has more digits is no cluster, and is not read to the last. */
static void add_gpus(struct hc_section *section, int64_t n_gpus)
{
    char number[HC_NUMBER_TEXT];
    if (n_gpus < 1000000)
        hc_format_count(n_gpus, number);
    else
        snprintf(number, sizeof number, "%.2e", (double)n_gpus);
    hc_section_text(section, n_gpus > 0 ? number : "-");
}

/* ---- funnel, causes, tests ---- */

struct hc_section hc_fleet_funnel_table(const struct hc_fleet_report *report,
                                        const struct hc_fleet_summary *summary)
{
    static const struct hc_section_column columns[] = {
        NAME("discarded", 27),
        NUMBER("jobs", NULL, 8),
        NUMBER("of rest", "of the rest", 9),
        NUMBER("of all", NULL, 9),
        NUMBER("GPU-hours", NULL, 11),
        NUMBER("of rest", "of the rest", 9),
        PAGE_NUMBER("of all"),
        NUMBER("unkn.", "GPU-hours not known", 7),
    };
    struct hc_section section = {
        .title = "FUNNEL (of rest: of what the stages before left; unkn.: GPU-hours not known)",
        .caption = "Of the rest: of what the stages above left",
        COLUMNS(columns)};
    char text[HC_FLEET_STAGE_TEXT];
    for (int s = 0; s < HC_N_FLEET_FATES; s++) {
        enum hc_fleet_fate fate = hc_fleet_stages[s];
        const struct hc_fleet_stage *stage = &summary->funnel[fate];
        bool is_end = fate == HC_FLEET_ANALYSED;
        hc_section_text(&section, hc_fleet_stage_text(report, fate, text));
        add_count(&section, stage->part.n);
        hc_section_percent(&section, is_end ? NAN : stage->part.share);
        hc_section_percent(&section, stage->share_of_all);
        add_hours(&section, hc_fleet_part_hours(&stage->part));
        hc_section_percent(&section, is_end ? NAN : stage->part.hours_share);
        hc_section_percent(&section, stage->hours_share_of_all);
        add_count(&section, stage->part.unknown);
    }
    return section;
}

struct hc_section hc_fleet_lacking_table(const struct hc_fleet_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.html_title = "job"},
        {.html_title = "why", .gap = 4, .is_below = true},
    };
    struct hc_section section = {
        .title = "LACKING JOBS", .caption = "Jobs that are lacking", COLUMNS(columns)};
    char job[256], head[4 * HC_TEXT_WIDTH];
    for (size_t i = 0; i < report->n_rows && hc_section_n_rows(&section) < most; i++) {
        const struct hc_fleet_row *row = &report->rows[i];
        if (!hc_fleet_is_lacking(row->fate))
            continue;
        hc_fleet_job_text(row, job, sizeof job);
        hc_section_forms(&section, hc_text_head(head, sizeof head, job, HC_TEXT_WIDTH), job);
        hc_section_text(&section, row->detail);
    }
    return section;
}

struct hc_section hc_fleet_causes_table(const struct hc_fleet_summary *summary)
{
    static const struct hc_section_column columns[] = {
        NAME("cause", 27),
        NUMBER("jobs", NULL, 8),
        NUMBER("share", "of straggling", 9),
        NUMBER("mean S", NULL, 8),
        NUMBER("GPU-h lost", "GPU-hours lost", 12),
        NUMBER("share", "of all lost", 9),
        NUMBER("also", NULL, 7),
    };
    struct hc_section section = {
        .title = "CAUSES (share of the straggling jobs, and of all GPU-hours lost)",
        COLUMNS(columns)};
    for (int k = 1; k <= HC_N_STRAGGLER_CAUSES; k++) {
        enum hc_straggler_cause id = k % HC_N_STRAGGLER_CAUSES; /* the jobs without one last */
        const struct hc_fleet_cause *cause = &summary->causes[id];
        hc_section_text(&section, hc_straggler_cause_text(id));
        add_count(&section, cause->part.n);
        hc_section_percent(&section, cause->share_of_straggling);
        add_ratio(&section, cause->mean_slowdown);
        add_hours(&section, cause->hours_lost);
        hc_section_percent(&section, cause->lost_share);
        add_count(&section, cause->n_also);
    }
    hc_section_note(&section, "also: jobs of another cause whose tests this one passes besides");
    return section;
}

struct hc_section hc_fleet_tests_table(const struct hc_fleet_summary *summary)
{
    static const struct hc_section_column columns[] = {
        NAME("test", 29),
        NUMBER("jobs", "jobs that pass", 8),
        NUMBER("of", NULL, 8),
        NUMBER("share", NULL, 9),
        NUMBER("by GPU-h", "by GPU-hours", 9),
        NUMBER("mean S", NULL, 8),
        NUMBER("unkn.", "not known", 7),
    };
    struct hc_section section = {
        .title = "TESTS, each by itself (of the straggling jobs; unkn.: the test is not known)",
        COLUMNS(columns)};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    for (int id = 0; id < HC_N_FLEET_METRICS; id++) {
        const struct hc_fleet_metric *metric = &summary->metric[id];
        hc_section_text(&section, hc_fleet_metric_text(id));
        add_count(&section, metric->passed.n);
        add_count(&section, metric->passed.of);
        hc_section_percent(&section, metric->passed.share);
        hc_section_percent(&section, metric->passed.hours_share);
        add_ratio(&section, metric->mean_slowdown);
        add_count(&section, metric->n_unknown);
    }
    hc_section_note(&section,
                    "without pipeline parallelism (M_S is 0): %s of all jobs,\n%s of the "
                    "straggling ones",
                    hc_format_percent(summary->without_pp.share, a),
                    hc_format_percent(summary->straggling_without_pp.share, b));
    return section;
}

/* ---- op types, sizes, quantiles ---- */

/* A class, or with a name a type of it: in one column of text, in two of the page. */
static void add_type(struct hc_section *section, const struct hc_fleet_type_waste *waste)
{
    const char *class = hc_fleet_class_text(waste->op_class);
    char name[48];
    snprintf(name, sizeof name, "  %s", waste->name);
    hc_section_text(section, waste->name[0] ? name : class);
    hc_section_text(section, waste->name[0] ? "" : class);
    hc_section_text(section, waste->name);
    add_count(section, waste->by_jobs.n);
    hc_section_percent(section, waste->by_jobs.mean);
    hc_section_percent(section, hc_fleet_cdf_percent(&waste->by_jobs, 50));
    hc_section_percent(section, hc_fleet_cdf_percent(&waste->by_jobs, 90));
    hc_section_percent(section, waste->by_hours.mean);
}

struct hc_section hc_fleet_types_table(const struct hc_fleet_summary *summary)
{
    static const struct hc_section_column columns[] = {
        {.title = "op type", .width = 30, .only = HC_TEXT_ONLY},
        {.title = "class", .only = HC_HTML_ONLY},
        {.title = "op type", .only = HC_HTML_ONLY},
        NUMBER("jobs", NULL, 8),
        NUMBER("mean", "mean waste", 9),
        NUMBER("P50", NULL, 9),
        NUMBER("P90", NULL, 9),
        NUMBER("mean by GPU-h", "mean by GPU-hours", 14),
    };
    struct hc_section section = {
        .title = "WASTE BY OP TYPE (a class: the largest of its types in each job)",
        COLUMNS(columns)};
    char number[HC_NUMBER_TEXT];
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++) {
        add_type(&section, &summary->class_waste[c]);
        for (size_t t = 0; t < summary->n_types; t++)
            if ((int)summary->types[t].op_class == c)
                add_type(&section, &summary->types[t]);
    }
    hc_section_note(&section, "%s of the analysed jobs were split by op type",
                    hc_format_count((int64_t)summary->n_split, number));
    return section;
}

struct hc_section hc_fleet_sizes_table(const struct hc_fleet_summary *summary)
{
    static const struct hc_section_column columns[] = {
        NAME("GPUs", 27),
        NUMBER("jobs", NULL, 8),
        NUMBER("straggling", NULL, 11),
        NUMBER("median S", NULL, 9),
        NUMBER("P90 S", NULL, 9),
        NUMBER("GPU-h lost", "GPU-hours lost", 14),
    };
    struct hc_section section = {.title = "SLOWDOWN BY SIZE", COLUMNS(columns)};
    char text[2 * HC_NUMBER_TEXT], number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < summary->n_sizes; i++) {
        const struct hc_fleet_size *size = &summary->sizes[i];
        hc_section_text(&section, hc_fleet_size_text(size, text));
        add_count(&section, size->straggling.of);
        hc_section_percent(&section, size->straggling.share);
        add_ratio(&section, hc_fleet_cdf_percent(&size->slowdown, 50));
        add_ratio(&section, hc_fleet_cdf_percent(&size->slowdown, 90));
        add_hours(&section, size->from > 0 ? size->hours_lost : NAN);
    }
    hc_section_note(&section, "rank correlation of S and GPUs: %s over %s jobs (Spearman)",
                    hc_format_fixed(summary->size_correlation, 3, number),
                    hc_format_count((int64_t)summary->n_size_pairs, text));
    return section;
}

struct hc_section hc_fleet_quantiles_table(const struct hc_fleet_summary *summary)
{
    static const struct hc_section_column columns[] = {
        NAME("figure", 19),        {.title = "weight", .html_title = "weighted by", .width = 10},
        NUMBER("values", NULL, 9), NUMBER("mean", NULL, 10),
        NUMBER("P50", NULL, 10),   NUMBER("P90", NULL, 10),
        NUMBER("P99", NULL, 10),   PAGE_NUMBER("largest"),
    };
    static const int percents[] = {50, 90, 99, 100};
    struct hc_section section = {
        .title = "DISTRIBUTIONS (from step slowdown on: of the straggling jobs)", COLUMNS(columns)};
    char number[HC_NUMBER_TEXT];
    for (int id = 0; id < HC_N_FLEET_CDFS; id++) {
        const struct hc_fleet_cdf *cdf = &summary->cdf[id];
        hc_section_text(&section, hc_fleet_cdf_text(id));
        hc_section_text(&section, hc_fleet_weight_text(id));
        add_count(&section, cdf->n);
        hc_section_text(&section, hc_fleet_cdf_value(id, cdf->mean, number));
        for (int p = 0; p < 4; p++)
            hc_section_text(&section,
                            hc_fleet_cdf_value(id, hc_fleet_cdf_percent(cdf, percents[p]), number));
    }
    return section;
}

/* ---- hosts ---- */

/* "2026-11-21 10:14 UTC", or "step 114 of JOB". */
static void add_since(struct hc_section *section, const struct hc_fleet_report *report,
                      const struct hc_fleet_host_total *total)
{
    char job[512], text[560], date[32];
    if (total->since_unix_ns == HC_MISSING_I64) {
        hc_fleet_job_text(&report->rows[total->first_row], job, sizeof job);
        snprintf(text, sizeof text, "step %" PRId32 " of %s", total->since_step, job);
    } else {
        hc_format_iso8601(total->since_unix_ns, date);
        snprintf(text, sizeof text, "%.10s %.5s UTC", date, date + 11);
    }
    hc_section_text(section, text);
}

struct hc_section hc_fleet_hosts_table(const struct hc_fleet_report *report,
                                       const struct hc_fleet_summary *summary, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "host", .width = 26}, NUMBER("jobs", NULL, 7),
        NUMBER("stretches", NULL, 11),  NUMBER("GPU-h lost", "GPU-hours lost", 12),
        {.title = "since", .gap = 2},   {.title = "at the end", .only = HC_HTML_ONLY},
    };
    struct hc_section section = {.title = "SLOW HOSTS", COLUMNS(columns)};
    char name[512], a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    for (size_t i = 0; i < summary->n_hosts && i < most; i++) {
        const struct hc_fleet_host_total *total = &summary->hosts[i];
        bool is_default = strcmp(total->cluster, "default") == 0;
        snprintf(name, sizeof name, "%s%s%s", is_default ? "" : total->cluster,
                 is_default ? "" : "/", total->name);
        hc_section_text(&section, name);
        add_count(&section, total->n_jobs);
        hc_section_count(&section, total->n_stretches);
        add_hours(&section, total->hours_lost);
        add_since(&section, report, total);
        hc_section_text(&section, total->lasts ? "slow" : "mended");
    }
    if (summary->n_hosts > 0)
        hc_section_note(&section, "GPU-hours lost: the part of each host in what fixing all saves; "
                                  "parts add up.");
    if (summary->n_shared_hosts > 0)
        hc_section_note(&section,
                        "%s of %s slow hosts %s slow in several jobs: look at the machine",
                        hc_format_count((int64_t)summary->n_shared_hosts, a),
                        hc_format_count((int64_t)summary->n_hosts, b),
                        summary->n_shared_hosts == 1 ? "is" : "are");
    return section;
}

/* ---- the ranking ---- */

static void add_job(struct hc_section *section, const struct hc_fleet_report *report, size_t i)
{
    char text[512], name[HC_FLEET_PAGE_NAME], href[1024];
    hc_fleet_job_text(&report->rows[i], text, sizeof text);
    bool has_page = report->pages && (report->has_page ? report->has_page[i]
                                                       : report->rows[i].fate == HC_FLEET_ANALYSED);
    snprintf(href, sizeof href, "%s/%s", report->pages ? report->pages : "",
             hc_fleet_page_name(&report->rows[i], name));
    hc_section_link(section, has_page ? href : NULL, text);
}

/* The cause, for the page with what passes besides and blanks that do not break: on a small screen
 * the table is to scroll, and not to grow a line a word. */
static void add_cause(struct hc_section *section, const struct hc_fleet_row *row)
{
    char words[256], text[512];
    size_t used = (size_t)snprintf(words, sizeof words, "%s", hc_straggler_cause_text(row->cause)),
           n = 0;
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES && used < sizeof words; id++)
        if (row->also >> id & 1)
            used += (size_t)snprintf(words + used, sizeof words - used, ", also %s",
                                     hc_straggler_cause_key(id));
    for (const char *word = words; *word; word++) {
        if (*word == ' ')
            text[n++] = '\xC2';
        text[n++] = *word == ' ' ? '\xA0' : *word;
    }
    text[n] = '\0';
    hc_section_text(section, hc_straggler_cause_key(row->cause));
    hc_section_text(section, text);
}

struct hc_section hc_fleet_ranking_table(const struct hc_fleet_report *report, const size_t *order,
                                         size_t first, size_t end)
{
    static const struct hc_section_column columns[] = {
        NUMBER("", NULL, 4),
        {.title = "job", .gap = 1, .width = 26},
        NUMBER("S", NULL, 8),
        NUMBER("waste", NULL, 8),
        NUMBER("GPUs", NULL, 9),
        NUMBER("GPU-h lost", "GPU-hours lost", 11),
        {.title = "cause", .gap = 1, .only = HC_TEXT_ONLY},
        {.title = "cause", .only = HC_HTML_ONLY},
        PAGE_NUMBER("M_W"),
        PAGE_NUMBER("M_S"),
        PAGE_NUMBER("r"),
        {.title = "slow", .only = HC_HTML_ONLY},
        {.gap = 5, .is_below = true, .only = HC_TEXT_ONLY},
    };
    struct hc_section section = {COLUMNS(columns)};
    for (size_t i = first; i < end; i++) {
        const struct hc_fleet_row *row = &report->rows[order[i]];
        add_count(&section, i + 1);
        add_job(&section, report, order[i]);
        add_ratio(&section, row->slowdown);
        hc_section_percent(&section, row->waste);
        add_gpus(&section, row->n_gpus);
        add_hours(&section, isnan(hc_fleet_row_hours(row)) ? NAN : row->gpu_hours_lost);
        add_cause(&section, row);
        add_ratio(&section, row->m_w);
        add_ratio(&section, row->m_s);
        add_ratio(&section, row->correlation);
        hc_section_prose(&section, row->culprit);
        hc_section_text(&section, row->culprit);
    }
    return section;
}

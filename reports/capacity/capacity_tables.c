/* capacity_tables.c - the tables of a capacity report, for text and pages. */
#include "reports/capacity/capacity_views.h"

#include "core/text/number_format.h"

#include <math.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)
#define NUMBER_BEHIND(gap_, title_)                                                                \
    {                                                                                              \
        .title = title_, .gap = gap_, .is_right = true                                             \
    }
#define NUMBER(title_) NUMBER_BEHIND(2, title_)

static void add_hours(struct hc_section *section, double hours)
{
    char text[HC_NUMBER_TEXT];
    hc_section_hours(section, hours,
                     isnan(hours)  ? "-"
                     : hours == 0  ? "0"
                     : hours < 100 ? hc_format_fixed(hours, 1, text)
                                   : hc_format_count((int64_t)llround(hours), text));
}

static void add_real(struct hc_section *section, double value, int decimals)
{
    char text[HC_NUMBER_TEXT];
    hc_section_text(section, isnan(value) ? "-" : hc_format_fixed(value, decimals, text));
}

static void add_seconds(struct hc_section *section, double seconds)
{
    char text[HC_NUMBER_TEXT], number[HC_NUMBER_TEXT - 4];
    const struct {
        double unit_s;
        const char *unit;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {0, "s"}};
    size_t i = 0;
    if (isnan(seconds)) {
        hc_section_text(section, "-");
        return;
    }
    while (seconds < 2 * units[i].unit_s)
        i++;
    double value = units[i].unit_s > 0 ? seconds / units[i].unit_s : seconds;
    char full[HC_NUMBER_TEXT];
    snprintf(number, sizeof number, "%.30s", hc_format_fixed(value, value < 10 ? 1 : 0, full));
    snprintf(text, sizeof text, "%s %s", number, units[i].unit);
    hc_section_text(section, text);
}

static void note_rest(struct hc_section *section, size_t n, size_t most)
{
    if (n > most)
        hc_section_note(section, "and %zu more, which --csv and --json list", n - most);
}

/* ---- the tree ---- */

struct hc_section hc_capacity_tree_table(const struct hc_capacity_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "installed", .width = 24},
        NUMBER("GPU-hours"),
        NUMBER("share"),
    };
    struct hc_section section = {.title = "INSTALLED GPU-TIME", COLUMNS(columns)};
    const struct hc_capacity_row *total = &report->result->total;
    (void)most;
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++) {
        if (isnan(total->hours[leaf]))
            continue;
        hc_section_text(&section, hc_capacity_leaf_title((enum hc_capacity_leaf)leaf));
        add_hours(&section, total->hours[leaf]);
        hc_section_percent(&section,
                           total->installed > 0 ? total->hours[leaf] / total->installed : NAN);
    }
    if (report->result->begins_at_allocated)
        return section;
    hc_section_text(&section, "installed");
    add_hours(&section, total->installed);
    hc_section_percent(&section, total->installed > 0 ? 1 : NAN);
    hc_section_text(&section, "available");
    add_hours(&section, total->available);
    hc_section_percent(&section, total->installed > 0 ? total->available / total->installed : NAN);
    return section;
}

/* ---- days, partitions ---- */

static void add_row(struct hc_section *section, const struct hc_capacity_row *row)
{
    double idle = row->hours[HC_CAPACITY_IDLE_NO_DEMAND] + row->hours[HC_CAPACITY_IDLE_UNKNOWN];
    add_hours(section, row->installed);
    add_hours(section, row->hours[HC_CAPACITY_ALLOCATED]);
    add_hours(section, row->hours[HC_CAPACITY_DOWN]);
    add_hours(section, row->hours[HC_CAPACITY_DRAINED]);
    add_hours(section, row->hours[HC_CAPACITY_MAINTENANCE] + row->hours[HC_CAPACITY_RESERVED]);
    add_hours(section, row->hours[HC_CAPACITY_IDLE_DEMAND]);
    add_hours(section, idle);
    hc_section_percent(section, row->used_of_available);
}

#define ROW_COLUMNS                                                                                \
    NUMBER_BEHIND(1, "installed"), NUMBER_BEHIND(1, "allocated"), NUMBER_BEHIND(1, "down"),        \
        NUMBER_BEHIND(1, "drained"),                                                               \
        {.title = "set aside", .html_title = "maintenance, reserved", .gap = 1, .is_right = true}, \
        {.title = "wanted", .html_title = "idle with demand", .gap = 1, .is_right = true},         \
        {.title = "idle", .html_title = "otherwise idle", .gap = 1, .is_right = true},             \
    {                                                                                              \
        .title = "used", .html_title = "used of available", .gap = 1, .is_right = true             \
    }

struct hc_section hc_capacity_days_table(const struct hc_capacity_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {{.title = "day"}, ROW_COLUMNS};
    struct hc_section section = {.title = "BY DAY, GPU-HOURS", COLUMNS(columns)};
    const struct hc_capacity_result *result = report->result;
    size_t first = result->n_days > most ? result->n_days - most : 0;
    char day[HC_CAPACITY_DAY];
    for (size_t i = first; i < result->n_days; i++) {
        const struct hc_capacity_row *row = &result->days[i].row;
        hc_section_text(&section, hc_capacity_day_text(report, row->from_ns, day));
        add_row(&section, row);
    }
    if (first)
        hc_section_note(&section, "and %zu earlier, which --csv and --json list", first);
    return section;
}

struct hc_section hc_capacity_partitions_table(const struct hc_capacity_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "partition", .width = 12}, NUMBER_BEHIND(1, "nodes"), ROW_COLUMNS};
    struct hc_section section = {.title = "BY PARTITION, GPU-HOURS", COLUMNS(columns)};
    const struct hc_capacity_result *result = report->result;
    for (size_t i = 0; i < result->n_partitions && i < most; i++) {
        const struct hc_capacity_row *row = &result->partitions[i];
        hc_section_text(&section, row->name ? row->name : "?");
        hc_section_count(&section, row->n_nodes);
        add_row(&section, row);
    }
    note_rest(&section, result->n_partitions, most);
    if (result->n_partitions > 1)
        hc_section_note(&section, "Nodes of several partitions are in each of them.");
    return section;
}

/* ---- fragmentation, backlog ---- */

struct hc_section hc_capacity_free_table(const struct hc_capacity_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "day"},
        {.title = "free nodes", .html_title = "free nodes, mean", .gap = 2, .is_right = true},
        NUMBER("least"),
        NUMBER("most"),
        {.title = "GPUs", .html_title = "GPUs of free nodes, most", .gap = 2, .is_right = true},
        {.title = "partly",
         .html_title = "idle GPU-hours on partly used nodes",
         .gap = 2,
         .is_right = true},
        {.title = "waiting", .html_title = "jobs waiting at its end", .gap = 2, .is_right = true},
        {.title = "GPUs", .html_title = "their GPUs", .gap = 2, .is_right = true},
        {.title = "backlog", .html_title = "backlog, GPU-hours", .gap = 2, .is_right = true},
    };
    struct hc_section section = {.title = "FREE NODES, AND WHAT WAITED AT THE END OF THE DAY",
                                 COLUMNS(columns)};
    const struct hc_capacity_result *result = report->result;
    size_t first = result->n_days > most ? result->n_days - most : 0;
    char text[HC_CAPACITY_DAY];
    for (size_t i = first; i < result->n_days; i++) {
        const struct hc_capacity_day *day = &result->days[i];
        hc_section_text(&section, hc_capacity_day_text(report, day->row.from_ns, text));
        add_real(&section, day->free_nodes, 1);
        hc_section_count(&section, day->least_free_nodes);
        hc_section_count(&section, day->most_free_nodes);
        hc_section_count(&section, day->most_free_gpus);
        add_hours(&section, day->row.partly_used);
        hc_section_count(&section, day->waiting.jobs);
        hc_section_count(&section, day->waiting.gpus);
        add_hours(&section, day->backlog_hours);
    }
    return section;
}

/* ---- demand ---- */

struct hc_section hc_capacity_demand_table(const struct hc_capacity_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "waited for", .width = 24},
        NUMBER("GPU-hours"),
        NUMBER("GPUs"),
        NUMBER("most"),
        NUMBER("jobs"),
        {.title = "demand", .gap = 2},
    };
    struct hc_section section = {.title = "WHAT GPU JOBS WAITED FOR", COLUMNS(columns)};
    const struct hc_capacity_result *result = report->result;
    for (size_t i = 0; i < result->n_wants && i < most; i++) {
        const struct hc_capacity_want *want = &result->wants[i];
        hc_section_text(&section, want->name);
        add_hours(&section, want->gpu_hours);
        add_real(&section, want->mean_gpus, 1);
        hc_section_count(&section, want->most_gpus);
        add_real(&section, want->mean_jobs, 1);
        hc_section_text(&section, want->is_demand ? "yes" : "no");
    }
    return section;
}

/* ---- waits ---- */

static struct hc_section waits_table(const struct hc_capacity_report *report,
                                     enum hc_wait_grouping by, const char *title, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "", .html_title = "group", .width = 20},
        NUMBER("jobs"),
        {.title = "wait", .html_title = "wait, median", .gap = 2, .is_right = true},
        {.title = "p90", .html_title = "wait, 90 %", .gap = 2, .is_right = true},
        {.title = "run", .html_title = "run, median", .gap = 2, .is_right = true},
        {.title = "slowdown", .html_title = "slowdown, median", .gap = 2, .is_right = true},
        {.title = "bounded", .html_title = "bounded slowdown, mean", .gap = 2, .is_right = true},
        {.title = "p90", .html_title = "bounded slowdown, 90 %", .gap = 2, .is_right = true},
    };
    struct hc_section section = {.title = title, COLUMNS(columns)};
    const struct hc_job_waits *waits = report->result->waits;
    size_t n = 0;
    for (size_t i = 0; i < waits->n_groups; i++) {
        const struct hc_wait_group *group = &waits->groups[i];
        bool is_all = by == HC_WAITS_BY_SIZE && group->by == HC_WAITS_OF_ALL;
        if ((group->by != by && !is_all) || n++ >= most)
            continue;
        hc_section_text(&section, is_all ? "all" : group->name ? group->name : "?");
        hc_section_count(&section, group->n);
        add_seconds(&section, group->of[HC_WAIT_S].median);
        add_seconds(&section, group->of[HC_WAIT_S].p90);
        add_seconds(&section, group->of[HC_RUN_S].median);
        add_real(&section, group->of[HC_SLOWDOWN].median, 2);
        add_real(&section, group->of[HC_BOUNDED_SLOWDOWN].mean, 2);
        add_real(&section, group->of[HC_BOUNDED_SLOWDOWN].p90, 2);
    }
    note_rest(&section, n, most);
    return section;
}

struct hc_section hc_capacity_sizes_table(const struct hc_capacity_report *report, size_t most)
{
    return waits_table(report, HC_WAITS_BY_SIZE, "HOW LONG GPU JOBS WAITED AND RAN, BY SIZE", most);
}

struct hc_section hc_capacity_wait_partitions_table(const struct hc_capacity_report *report,
                                                    size_t most)
{
    return waits_table(report, HC_WAITS_BY_PARTITION, "THE SAME BY PARTITION", most);
}

struct hc_section hc_capacity_users_table(const struct hc_capacity_report *report, size_t most)
{
    return waits_table(report, HC_WAITS_BY_USER, "THE SAME BY USER", most);
}

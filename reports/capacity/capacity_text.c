/* capacity_text.c - text and page of a capacity report. */
#include "reports/capacity/capacity_views.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/text_line.h"

#include <ctype.h>

#define MOST_ROWS 500 /* of a table on a page; JSON and CSV have them all */

static const struct {
    const char *anchor, *title;
    struct hc_section (*table)(const struct hc_capacity_report *report, size_t most);
} tables[] = {
    {"tree", "Installed GPU-time", hc_capacity_tree_table},
    {"days", "By day", hc_capacity_days_table},
    {"partitions", "By partition", hc_capacity_partitions_table},
    {"demand", "What GPU jobs waited for", hc_capacity_demand_table},
    {"free", "Free nodes and backlog", hc_capacity_free_table},
    {"sizes", "Waits by size", hc_capacity_sizes_table},
    {"wait-partitions", "Waits by partition", hc_capacity_wait_partitions_table},
    {"users", "Waits by user", hc_capacity_users_table},
};

enum hc_status hc_capacity_write_text(const struct hc_capacity_report *report, FILE *stream,
                                      struct hc_error *err)
{
    char text[HC_CAPACITY_WORDS];
    struct hc_text_line line = {.used = 0};
    hc_capacity_extent(report, text);
    hc_line_add(&line, "%s", text);
    hc_line_put(stream, "capacity", &line);
    for (int i = 0; hc_capacity_doubt(report, i, text); i++) {
        if (!text[0])
            continue;
        hc_line_add(&line, "%s", text);
        hc_line_put(stream, "note", &line);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (hc_section_print_any(stream, tables[i].table(report, report->top), err))
            return err->status;
    return HC_OK;
}

static void put_sentence(FILE *stream, const char *class_name, char *text)
{
    text[0] = (char)toupper((unsigned char)text[0]);
    if (text[0])
        hc_html_paragraph(stream, class_name, "%s.", text);
}

static void put_head(FILE *stream, const struct hc_capacity_report *report)
{
    const struct hc_capacity_row *total = &report->result->total;
    char text[HC_CAPACITY_WORDS], number[HC_NUMBER_TEXT];
    hc_html_tiles_start(stream);
    hc_html_tile(stream, HC_TONE_PLAIN, "used of installed",
                 hc_format_percent(total->used_of_installed, number), NULL);
    hc_html_tile(stream, HC_TONE_PLAIN, "used of available",
                 hc_format_percent(total->used_of_available, number), NULL);
    hc_html_tile(
        stream, HC_TONE_PLAIN, "idle with demand",
        hc_format_percent(total->hours[HC_CAPACITY_IDLE_DEMAND] / total->installed, number),
        "of installed");
    hc_html_tiles_end(stream);
    hc_html_callout_start(stream, HC_TONE_PLAIN, "What it is made of");
    hc_capacity_extent(report, text);
    put_sentence(stream, "lead", text);
    for (int i = 0; hc_capacity_doubt(report, i, text); i++)
        put_sentence(stream, NULL, text);
    hc_html_callout_end(stream);
}

enum hc_status hc_capacity_write_html(const struct hc_capacity_report *report, FILE *stream,
                                      struct hc_error *err)
{
    const struct hc_figure_sink sink = hc_figure_page(stream);
    char from[32], to[32];
    hc_html_start(stream, &(struct hc_html_head){"Capacity", report->cluster,
                                                 "Where installed GPU-time went.", report->run_id,
                                                 hc_html_time(report->result->from_ns, from),
                                                 hc_html_time(report->result->to_ns, to)});
    put_head(stream, report);
    hc_html_section_start(stream, "figures", "Figures");
    hc_html_grid_start(stream);
    enum hc_status status = hc_capacity_put_figures(&sink, report, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == HC_OK; i++)
        status = hc_section_print_headed(stream, tables[i].anchor, tables[i].title,
                                         tables[i].table(report, MOST_ROWS), err);
    hc_html_end(stream, NULL, 0);
    return status;
}

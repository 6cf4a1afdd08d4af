/* The tables of a report on timed collectives, for text and pages. */
#include "reports/timings/timings_views.h"

#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)
#define NUMBER(title_)                                                                             \
    {                                                                                              \
        .title = title_, .gap = 2, .is_right = true                                                \
    }
#define ID_COLUMNS 20 /* of the id of a communicator in text */

/* ---- cells ---- */

static void add_ns(struct hc_section *section, int64_t ns)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section,
                    ns == HC_MISSING_I64 ? "-" : hc_format_seconds((double)ns * 1e-9, number));
}

static void add_id(struct hc_section *section, int64_t id)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, id);
    hc_section_text(section, id == HC_MISSING_I64 || id == HC_MISSING_I32 ? "-" : text);
}

static void add_real(struct hc_section *section, double value, int decimals)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, isnan(value) ? "-" : hc_format_fixed(value, decimals, number));
}

static void add_bytes(struct hc_section *section, int64_t bytes)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, bytes == HC_MISSING_I64 ? "-" : hc_format_count(bytes, number));
}

static void add_communicator(struct hc_section *section, const struct hc_timed_set *set,
                             int32_t communicator)
{
    int32_t name = set->communicators[communicator].name;
    hc_section_text(section, name < 0 ? set->ids.text[communicator] : set->names.text[name]);
}

static void note_rest(struct hc_section *section, size_t n, size_t most)
{
    if (n > most)
        hc_section_note(section, "and %zu more, which --csv and --json list", n - most);
}

/* ---- ranks ---- */

struct hc_section hc_timings_ranks_table(const struct hc_timings_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "rank", .is_right = true},
        NUMBER("collectives"),
        NUMBER("last in"),
        {.title = "caused", .html_title = "makes others wait", .gap = 2, .is_right = true},
        NUMBER("share"),
        {.title = "waits", .html_title = "waits for others", .gap = 2, .is_right = true},
        {.title = "process", .gap = 2},
    };
    struct hc_section section = {.title = "RANKS", COLUMNS(columns)};
    const struct hc_timed_result *result = report->result;
    double all_ns = (double)result->totals.waited_ns;
    for (size_t i = 0; i < result->n_processes && i < most; i++) {
        const struct hc_timed_process *process = &result->processes[i];
        add_id(&section, process->rank);
        hc_section_count(&section, process->n_collectives);
        hc_section_count(&section, process->n_last);
        add_ns(&section, process->caused_ns);
        hc_section_percent(&section, all_ns > 0 ? (double)process->caused_ns / all_ns : NAN);
        add_ns(&section, process->waited_ns);
        hc_section_text(&section, report->set->processes.text[process->process]);
    }
    note_rest(&section, result->n_processes, most);
    return section;
}

/* ---- collectives ---- */

static void add_last(struct hc_section *section, const struct hc_timed_collective *collective)
{
    char text[48];
    snprintf(text, sizeof text, "%" PRId32 "%s%s", collective->last,
             collective->lead_ns == 0 ? "?" : "", collective->is_complete ? "" : "*");
    hc_section_text(section, collective->last == HC_MISSING_I32 ? "-" : text);
}

static void add_members(struct hc_section *section, const struct hc_timed_set *set,
                        const struct hc_timed_collective *collective)
{
    char text[64];
    int32_t n_ranks = set->communicators[collective->communicator].n_ranks;
    if (n_ranks == HC_MISSING_I32)
        snprintf(text, sizeof text, "%zu of ?", collective->n);
    else if (collective->is_complete)
        snprintf(text, sizeof text, "%zu", collective->n);
    else
        snprintf(text, sizeof text, "%zu of %" PRId32, collective->n, n_ranks);
    hc_section_text(section, text);
}

struct hc_section hc_timings_collectives_table(const struct hc_timings_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "op"},       {.title = "communicator", .gap = 2, .width = ID_COLUMNS},
        NUMBER("number"),      NUMBER("ranks"),
        NUMBER("last"),        NUMBER("lead"),
        NUMBER("waits"),       NUMBER("transfer"),
        NUMBER("bytes"),       NUMBER("bus GB/s"),
        NUMBER("of baseline"),
    };
    struct hc_section section = {.title = "COLLECTIVES", COLUMNS(columns)};
    const struct hc_timed_result *result = report->result;
    bool is_partial = false, is_unsure = false;
    section.n_columns -= !report->baseline;
    for (size_t i = 0; i < result->n_collectives && i < most; i++) {
        const struct hc_timed_collective *c = &result->collectives[i];
        bool has_waits = c->last != HC_MISSING_I32;
        hc_section_text(&section, report->set->ops.text[c->op]);
        add_communicator(&section, report->set, c->communicator);
        add_id(&section, c->seq);
        add_members(&section, report->set, c);
        add_last(&section, c);
        add_ns(&section, has_waits ? c->lead_ns : HC_MISSING_I64);
        add_ns(&section, has_waits ? c->waited_ns : HC_MISSING_I64);
        add_ns(&section, c->least_ns);
        add_bytes(&section, c->bytes);
        add_real(&section, c->busbw_gb_s, 4);
        if (report->baseline)
            hc_section_percent(&section, c->busbw_gb_s / c->expected.busbw_gb_s);
        is_partial |= !c->is_complete;
        is_unsure |= has_waits && c->lead_ns == 0;
    }
    note_rest(&section, result->n_collectives, most);
    if (is_partial)
        hc_section_note(&section, "* of those present: waits are lower, transfers upper bounds");
    if (is_unsure)
        hc_section_note(&section, "? another arrived in the same microsecond");
    return section;
}

/* ---- rates ---- */

static void add_rate(struct hc_section *section, const struct hc_timings_report *report,
                     const struct hc_timed_rate *rate)
{
    add_bytes(section, rate->bytes);
    hc_section_count(section, rate->n);
    add_ns(section, rate->median_ns);
    add_ns(section, rate->total_ns);
    add_real(section, rate->busbw_gb_s, 4);
    add_real(section, rate->least_busbw_gb_s, 4);
    if (!report->baseline)
        return;
    add_real(section, rate->expected_gb_s, 4);
    hc_section_percent(section, rate->share);
    hc_section_count(section, isnan(rate->share) ? HC_MISSING_I64 : rate->n_below);
    add_ns(section, isnan(rate->share) ? HC_MISSING_I64 : rate->lost_ns);
}

#define RATE_COLUMNS                                                                               \
    NUMBER("transfers"), NUMBER("median"), NUMBER("in all"), NUMBER("bus GB/s"), NUMBER("least"),  \
        NUMBER("expected"), NUMBER("share"), NUMBER("below"), NUMBER("lost")
#define N_BASELINE_COLUMNS 4

struct hc_section hc_timings_classes_table(const struct hc_timings_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "op"}, NUMBER("ranks"), NUMBER("bytes from"), RATE_COLUMNS};
    struct hc_section section = {.title = "OPERATIONS BY SIZE", COLUMNS(columns)};
    const struct hc_timed_result *result = report->result;
    section.n_columns -= report->baseline ? 0 : N_BASELINE_COLUMNS;
    for (size_t i = 0; i < result->n_classes && i < most; i++) {
        const struct hc_timed_rate *rate = &result->classes[i];
        hc_section_text(&section, report->set->ops.text[rate->op]);
        add_id(&section, rate->n_ranks);
        add_rate(&section, report, rate);
    }
    note_rest(&section, result->n_classes, most);
    hc_section_note(&section, "times are those of the last to arrive; bus GB/s: median, and least");
    return section;
}

struct hc_section hc_timings_rates_table(const struct hc_timings_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "op"}, {.title = "communicator", .gap = 2, .width = ID_COLUMNS},
        NUMBER("ranks"), NUMBER("bytes"),
        RATE_COLUMNS,
    };
    struct hc_section section = {.title = report->baseline ? "BELOW THE BASELINE" : "COMMUNICATORS",
                                 COLUMNS(columns)};
    const struct hc_timed_result *result = report->result;
    size_t n = 0;
    section.n_columns -= report->baseline ? 0 : N_BASELINE_COLUMNS;
    for (size_t i = 0; i < result->n_rates; i++) {
        const struct hc_timed_rate *rate = &result->rates[i];
        if ((report->baseline && !rate->n_below) || n++ >= most)
            continue;
        hc_section_text(&section, report->set->ops.text[rate->op]);
        add_communicator(&section, report->set, rate->communicator);
        add_id(&section, rate->n_ranks);
        add_rate(&section, report, rate);
    }
    note_rest(&section, n, most);
    return section;
}

/* Tables of the what-if of a job; text shows some of them as paragraphs, a row after the other. */
#include "reports/whatif/whatif_views.h"

#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)
#define PAGE_NUMBER(title_)                                                                        \
    {                                                                                              \
        .title = title_, .is_right = true, .only = HC_HTML_ONLY                                    \
    }
#define PAGE_WORDS(title_)                                                                         \
    {                                                                                              \
        .title = title_, .only = HC_HTML_ONLY                                                      \
    }

static void add_i32(struct hc_section *section, int32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRId32, number);
    hc_section_text(section, text);
}

static void add_ratio(struct hc_section *section, double ratio)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, hc_format_fixed(ratio, 3, number));
}

/* ---- evidence ---- */

/* "m_w 1.002 >= 0.500": a test in few words. */
static void add_brief(struct hc_section *section, const struct hc_evidence *test)
{
    char text[3 * HC_NUMBER_TEXT + 8], value[HC_NUMBER_TEXT], limit[HC_NUMBER_TEXT];
    if (isnan(test->value))
        snprintf(text, sizeof text, "%s not known", test->key);
    else
        snprintf(text, sizeof text, "%s %s %s %s", test->key,
                 hc_format_fixed(test->value, 3, value), test->passed ? ">=" : "<",
                 hc_format_fixed(test->limit, 3, limit));
    hc_section_text(section, text);
}

struct hc_section hc_whatif_evidence_table(const struct hc_verdict *verdict)
{
    static const struct hc_section_column columns[] = {
        {.only = HC_TEXT_ONLY}, PAGE_WORDS("cause"),   PAGE_NUMBER("value"), PAGE_NUMBER("limit"),
        PAGE_WORDS("passed"),   PAGE_WORDS("finding"), PAGE_WORDS("test"),
    };
    struct hc_section section = {COLUMNS(columns)};
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct hc_evidence *test = &verdict->evidence[i];
        add_brief(&section, test);
        hc_section_text(&section, hc_straggler_cause_text(test->cause));
        add_ratio(&section, test->value);
        add_ratio(&section, test->limit);
        hc_section_text(&section, isnan(test->value) ? "not known" : test->passed ? "yes" : "no");
        hc_section_prose(&section, test->text);
        hc_section_text(&section, test->key);
    }
    return section;
}

struct hc_section hc_whatif_correlations_table(const struct hc_verdict *verdict)
{
    static const struct hc_section_column columns[] = {
        PAGE_NUMBER("stage"), PAGE_NUMBER("correlation"), PAGE_NUMBER("pairs")};
    struct hc_section section = {
        .caption = "Pearson correlation of the durations of the two passes of a microbatch",
        COLUMNS(columns)};
    for (size_t stage = 0; stage < verdict->n_stages; stage++) {
        add_i32(&section, (int32_t)stage);
        add_ratio(&section, verdict->pass_correlation[stage]);
        hc_section_count(&section, verdict->n_pass_pairs[stage]);
    }
    return section;
}

/* ---- workers ---- */

/* The worst, by place in findings.workers. */
static void add_worker(struct hc_section *section, const struct hc_whatif_result *result,
                       size_t place)
{
    size_t index = result->findings.workers[place];
    const struct hc_worker *worker = &result->workers[index];
    const char *at_switch = hc_worker_switch(&result->places, index);
    char exact[HC_NUMBER_TEXT], number[HC_NUMBER_TEXT],
        approx[HC_NUMBER_TEXT + 16] = "", name[HC_MEMBER_TEXT];
    char host[HC_PLACE_TEXT], whole[HC_MEMBER_TEXT + HC_PLACE_TEXT + 8];
    hc_worker_place_text(&result->places, index, host);
    hc_fix_member_name(result, HC_FIX_WORKERS, (int32_t)index, name);
    snprintf(whole, sizeof whole, "%s%s%s", name, host[0] ? " on " : "", host);
    hc_format_fixed(worker->exact > 0 ? worker->exact : NAN, 3, exact);
    hc_format_fixed(worker->slowdown, 3, number);
    if (isfinite(worker->slowdown))
        snprintf(approx, sizeof approx, "(approx. %s)", number);
    hc_section_text(section, whole);
    add_i32(section, worker->rank);
    add_i32(section, worker->dp_rank);
    add_i32(section, worker->stage);
    hc_section_text(section, exact);
    hc_section_forms(section, approx, number);
    if (result->places.n_hosts > 0)
        hc_section_text(section, host[0] ? host : "-");
    if (result->places.n_hosts > 0 && result->job.n_switched > 0)
        hc_section_text(section, at_switch ? at_switch : "-");
}

/* What a rank of the trace stands for, where that is several GPUs. */
static void note_groups(struct hc_section *section, const struct hc_whatif_result *result)
{
    const struct hc_job_places *places = &result->places;
    int32_t others = places->group_size - 1;
    if (others == 1)
        hc_section_note(section, "Each rank stands for 2 GPUs: its own and that of the %s.",
                        places->is_contiguous ? "rank after it" : "other rank of its group");
    else if (others > 1)
        hc_section_note(section,
                        "Each rank stands for %" PRId32 " GPUs: its own and those of the %" PRId32
                        " %s.",
                        others + 1, others,
                        places->is_contiguous ? "ranks after it" : "other ranks of its group");
}

/* How far the approximation is off, over all workers. */
static void note_difference(struct hc_section *section, const struct hc_whatif_result *result)
{
    const struct hc_whatif_findings *findings = &result->findings;
    bool is_off = findings->approximation_error > 0;
    char number[HC_NUMBER_TEXT], name[HC_MEMBER_TEXT] = "";
    if (!findings->has_exact || !isfinite(findings->approximation_error))
        return;
    if (is_off)
        hc_fix_member_name(result, HC_FIX_WORKERS, (int32_t)findings->approximation_worst, name);
    hc_section_note(
        section, "approx.: the smaller of S by dp rank and by stage; off by up to %s%s%s",
        hc_format_fixed(findings->approximation_error, 3, number), is_off ? ", at " : "", name);
}

struct hc_section hc_whatif_worst_workers_table(const struct hc_whatif_result *result, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.only = HC_TEXT_ONLY}, /* its name: rank, dp rank and stage */
        PAGE_NUMBER("rank"),
        PAGE_NUMBER("dp rank"),
        PAGE_NUMBER("stage"),
        {.html_title = "S exact", .is_right = true},
        {.html_title = "approx.", .is_right = true},
        PAGE_WORDS("host"),
        PAGE_WORDS("switch"),
    };
    struct hc_section section = {.columns = columns,
                                 .n_columns = result->places.n_hosts == 0   ? 6
                                              : result->job.n_switched == 0 ? 7
                                                                            : 8};
    for (size_t i = 0; i < result->n_workers && i < most; i++)
        add_worker(&section, result, i);
    note_groups(&section, result);
    note_difference(&section, result);
    return section;
}

/* ---- steps ---- */

struct hc_section hc_whatif_left_out_table(const struct hc_whatif_result *result, size_t most)
{
    static const struct hc_section_column columns[] = {PAGE_NUMBER("step"), PAGE_WORDS("reason"),
                                                       PAGE_WORDS("first fault")};
    struct hc_section section = {COLUMNS(columns)};
    size_t n = result->n_left_out;
    for (size_t i = 0; i < n && i < most; i++) {
        add_i32(&section, result->left_out[i].step);
        hc_section_text(&section, hc_step_fate_text(result->left_out[i].fate));
        hc_section_prose(&section, result->left_out[i].detail);
    }
    if (n > most)
        hc_section_note(&section, "And %zu more.", n - most);
    return section;
}

/* The tables of a report on profiler traces, for text and pages. */
#include "reports/profiles/profile_views.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)

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

static void add_share(struct hc_section *section, int64_t part_ns, int64_t whole_ns)
{
    hc_section_percent(section, whole_ns > 0 ? (double)part_ns / (double)whole_ns : NAN);
}

static void note_rest(struct hc_section *section, size_t n, size_t most)
{
    if (n > most)
        hc_section_note(section, "and %zu more, which --csv and --json list", n - most);
}

#define NUMBER(title_)                                                                             \
    {                                                                                              \
        .title = title_, .gap = 2, .is_right = true                                                \
    }

/* ---- what the GPUs did ---- */

struct hc_section hc_profile_breakdown_table(const struct hc_profile_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "rank", .is_right = true},
        NUMBER("step"),
        {.title = "CPU", .html_title = "step on the CPU", .gap = 2, .is_right = true},
        {.title = "window", .html_title = "GPU window", .gap = 2, .is_right = true},
        NUMBER("compute"),
        {.title = "comm", .html_title = "communication alone", .gap = 2, .is_right = true},
        {.title = "hidden", .html_title = "behind compute", .gap = 2, .is_right = true},
        {.title = "copies", .html_title = "copies alone", .gap = 2, .is_right = true},
        NUMBER("idle"),
        {.html_title = "lag", .is_right = true, .only = HC_HTML_ONLY},
    };
    struct hc_section section = {.title = "BREAKDOWN", COLUMNS(columns)};
    const struct hc_breakdown_rows *rows = report->breakdown;
    for (size_t i = 0; i < rows->n && i < most; i++) {
        const struct hc_breakdown_row *row = &rows->rows[i];
        const struct hc_breakdown *b = &row->breakdown;
        add_id(&section, row->rank);
        add_id(&section, row->step);
        add_ns(&section, row->cpu_step_ns);
        add_ns(&section, b->window_ns);
        add_ns(&section, b->compute_ns);
        add_ns(&section, b->exposed_comm_ns);
        add_ns(&section, b->overlapped_comm_ns);
        add_ns(&section, b->exposed_memcpy_ns);
        add_ns(&section, b->idle_ns);
        add_ns(&section, row->lag_ns);
    }
    note_rest(&section, rows->n, most);
    hc_section_note(&section,
                    "compute, comm (which nothing hides), copies (likewise) and idle are "
                    "all\nof the window of the GPU; hidden: communication behind compute");
    if (rows->n_without_gpu)
        hc_section_note(&section, "%zu steps have no GPU event", rows->n_without_gpu);
    return section;
}

/* ---- collectives ---- */

static void add_busbw(struct hc_section *section, double gb_s)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, isnan(gb_s) ? "-" : hc_format_fixed(gb_s, 4, number));
}

static void add_last(struct hc_section *section, const struct hc_collective *collective)
{
    char text[48];
    if (collective->last_rank == HC_MISSING_I32) {
        hc_section_text(section, "-");
        return;
    }
    snprintf(text, sizeof text, "%" PRId32 "%s%s", collective->last_rank,
             collective->last_is_unsure ? "?" : "", collective->is_complete ? "" : "*");
    hc_section_text(section, text);
}

static int64_t sum_of_waits(const struct hc_collectives *collectives, size_t i)
{
    const struct hc_collective *collective = &collectives->collectives[i];
    int64_t sum_ns = 0;
    if (collective->last_rank == HC_MISSING_I32)
        return HC_MISSING_I64;
    for (size_t k = 0; k < collective->n; k++)
        sum_ns = hc_capped_sum(sum_ns, collectives->wait_ns[collective->first + k]);
    return sum_ns;
}

/* How many run slower than the baseline lets expect. */
static void note_baseline(struct hc_section *section, const struct hc_profile_report *report)
{
    const struct hc_collectives *c = report->collectives;
    size_t n = 0, n_below = 0;
    char below[HC_NUMBER_TEXT];
    for (size_t i = 0; i < c->n; i++) {
        double share = c->collectives[i].busbw_gb_s / report->expected_gb_s[i];
        n += !isnan(share);
        n_below += share < report->below;
    }
    hc_section_note(section, "%zu of %zu that the baseline knows run below %s of it", n_below, n,
                    hc_format_percent(report->below, below));
}

struct hc_section hc_profile_collectives_table(const struct hc_profile_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "", .is_right = true},
        {.title = "op", .gap = 2},
        {.title = "group", .gap = 2},
        NUMBER("ranks"),
        NUMBER("last"),
        NUMBER("lead"),
        NUMBER("waits"),
        NUMBER("transfer"),
        NUMBER("end skew"),
        NUMBER("bytes"),
        NUMBER("bus GB/s"),
        NUMBER("of baseline"),
    };
    struct hc_section section = {.title = "COLLECTIVES", COLUMNS(columns)};
    const struct hc_collectives *c = report->collectives;
    bool is_partial = false, is_unsure = false;
    section.n_columns -= !report->expected_gb_s;
    for (size_t i = 0; i < c->n && i < most; i++) {
        const struct hc_collective *collective = &c->collectives[i];
        char bytes[HC_NUMBER_TEXT];
        add_id(&section, (int64_t)i);
        hc_section_text(&section, collective->op[0] ? collective->op : "?");
        hc_section_text(&section, c->groups[collective->group].name);
        hc_section_count(&section, (int64_t)collective->n);
        add_last(&section, collective);
        add_ns(&section, collective->lead_ns);
        add_ns(&section, sum_of_waits(c, i));
        add_ns(&section, collective->transfer_ns);
        add_ns(&section, collective->end_skew_ns);
        hc_section_text(&section, collective->bytes == HC_MISSING_I64
                                      ? "-"
                                      : hc_format_count(collective->bytes, bytes));
        add_busbw(&section, collective->busbw_gb_s);
        if (report->expected_gb_s)
            hc_section_percent(&section, collective->busbw_gb_s / report->expected_gb_s[i]);
        is_partial |= !collective->is_complete;
        is_unsure |= collective->last_is_unsure;
    }
    note_rest(&section, c->n, most);
    if (report->expected_gb_s)
        note_baseline(&section, report);
    if (is_partial)
        hc_section_note(&section, "* of those present: a member has no trace; waits are lower, "
                                  "transfers upper bounds");
    if (is_unsure)
        hc_section_note(&section, "? the lead is within twice the largest residual of the clocks");
    for (size_t g = 0; g < c->n_groups; g++)
        if (c->groups[g].is_refused)
            hc_section_note(&section,
                            "group %s is refused: of its matches by order %zu violate causality "
                            "and %zu disagree; its kernels stay local",
                            c->groups[g].name, c->groups[g].n_violations,
                            c->groups[g].n_mismatches);
    if (c->n_local)
        hc_section_note(&section, "%zu kernels of communication are joined to none", c->n_local);
    return section;
}

/* ---- stragglers ---- */

struct hc_section hc_profile_stragglers_table(const struct hc_profile_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "rank", .is_right = true},
        NUMBER("last in"),
        NUMBER("makes wait"),
        NUMBER("share"),
        NUMBER("waits"),
        NUMBER("start"),
        NUMBER("cost"),
        NUMBER("mend"),
    };
    struct hc_section section = {.title = "STRAGGLERS", COLUMNS(columns)};
    const struct hc_collectives *c = report->collectives;
    const struct hc_profile_whatif_result *w = report->whatif;
    int64_t all_ns = 0;
    size_t n = report->profile->n_ranks;
    for (size_t r = 0; r < n; r++)
        all_ns = hc_capped_sum(all_ns, c->clocks[r].caused_wait_ns);
    for (size_t r = 0; r < n && r < most; r++) {
        const struct hc_profile_variants *variants = w && w->ranks ? &w->ranks[r] : NULL;
        add_id(&section, report->profile->ranks[r].rank);
        hc_section_count(&section, (int64_t)c->clocks[r].n_last);
        add_ns(&section, c->clocks[r].caused_wait_ns);
        add_share(&section, c->clocks[r].caused_wait_ns, all_ns);
        add_ns(&section, c->clocks[r].wait_ns);
        add_ns(&section, variants ? variants->start_skew_ns : HC_MISSING_I64);
        add_ns(&section, variants ? variants->cost_ns : HC_MISSING_I64);
        add_ns(&section, variants ? variants->gain_ns : HC_MISSING_I64);
    }
    note_rest(&section, n, most);
    hc_section_note(&section, "makes wait: what the others wait for it where it is last;\n"
                              "cost: T with all others ideal, less T ideal;\n"
                              "mend: what T loses when this rank alone is as its peers");
    return section;
}

/* ---- clocks ---- */

/* Offsets may be hours, and their bounds microseconds apart: all in microseconds, to the digit. */
static void add_us(struct hc_section *section, int64_t ns)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section,
                    ns == HC_MISSING_I64 ? "-" : hc_format_fixed((double)ns * 1e-3, 3, number));
}

struct hc_section hc_profile_clocks_table(const struct hc_profile_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "rank", .is_right = true},
        NUMBER("component"),
        NUMBER("offset us"),
        NUMBER("at least"),
        NUMBER("at most"),
    };
    struct hc_section section = {.title = "CLOCKS", COLUMNS(columns)};
    const struct hc_collectives *c = report->collectives;
    size_t n = report->profile->n_ranks;
    char middle[HC_NUMBER_TEXT], most_text[HC_NUMBER_TEXT];
    for (size_t r = 0; r < n && r < most; r++) {
        add_id(&section, report->profile->ranks[r].rank);
        add_id(&section, c->clocks[r].component);
        add_us(&section, c->clocks[r].offset_ns);
        add_us(&section, c->clocks[r].low_ns);
        add_us(&section, c->clocks[r].high_ns);
    }
    note_rest(&section, n, most);
    if (c->is_aligned)
        hc_section_note(&section, "residuals of the ends of collectives: median %s, at most %s%s",
                        hc_format_seconds((double)c->median_residual_ns * 1e-9, middle),
                        hc_format_seconds((double)c->max_residual_ns * 1e-9, most_text),
                        c->has_drift ? "; the clocks drift: aligned step by step" : "");
    else
        hc_section_note(&section, "the clocks are as recorded");
    return section;
}

/* ---- what-if ---- */

static void add_variant(struct hc_section *section, const char *name, int64_t ns, int64_t ideal_ns)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, name);
    add_ns(section, ns);
    hc_section_text(section,
                    ideal_ns > 0 ? hc_format_fixed((double)ns / (double)ideal_ns, 4, number) : "-");
}

struct hc_section hc_profile_variants_table(const struct hc_profile_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = ""}, NUMBER("T"), NUMBER("over ideal")};
    struct hc_section section = {.title = "WHAT IF", COLUMNS(columns)};
    const struct hc_profile_whatif_result *w = report->whatif;
    add_variant(&section, "as traced", w->traced_ns, w->ideal_ns);
    add_variant(&section, "replayed", w->replayed_ns, w->ideal_ns);
    add_variant(&section, "by the rules alone", w->structural_ns, w->ideal_ns);
    add_variant(&section, "all start together", w->no_skew_ns, w->ideal_ns);
    add_variant(&section, "GPU work as the peers'", w->gpu_ideal_ns, w->ideal_ns);
    add_variant(&section, "CPU work as the peers'", w->cpu_ideal_ns, w->ideal_ns);
    add_variant(&section, "ideal: all three", w->ideal_ns, w->ideal_ns);
    for (size_t i = 0; i < report->n_questions; i++) {
        char name[HC_QUESTION_NAME];
        add_variant(&section, hc_question_name(&report->questions[i], name), w->answer_ns[i],
                    w->ideal_ns);
    }
    return section;
}

struct hc_section hc_profile_predictions_table(const struct hc_profile_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {NUMBER("step"), NUMBER("traced"),
                                                       NUMBER("predicted"), NUMBER("error"),
                                                       NUMBER("without twin")};
    struct hc_section section = {.title = "EACH STEP FROM THE OTHERS", COLUMNS(columns)};
    const struct hc_profile_whatif_result *w = report->whatif;
    for (size_t i = 0; i < w->n_predictions && i < most; i++) {
        const struct hc_step_prediction *step = &w->predictions[i];
        char steps[64];
        if (step->last_step > step->first_step)
            snprintf(steps, sizeof steps, "%" PRId64 "-%" PRId64, step->first_step,
                     step->last_step);
        else
            snprintf(steps, sizeof steps, "%" PRId64, step->first_step);
        hc_section_text(&section, steps);
        add_ns(&section, step->traced_ns);
        add_ns(&section, step->predicted_ns);
        hc_section_percent(&section, step->error);
        hc_section_percent(&section, step->share_without_twin);
    }
    if (w->n_predictions > most)
        hc_section_note(&section, "and %zu more", w->n_predictions - most);
    hc_section_note(&section,
                    "predicted: the step with the work of its ranks as in their other steps\n"
                    "(medians); without twin: work that no other step has");
    return section;
}

static const char *const parts[HC_N_PATH_PARTS] = {
    [HC_PATH_CPU] = "cpu",         [HC_PATH_WAKE] = "wake",
    [HC_PATH_LAUNCH] = "launch",   [HC_PATH_SYNC] = "sync",
    [HC_PATH_COMPUTE] = "compute", [HC_PATH_MEMCPY] = "memcpy",
    [HC_PATH_COMM] = "transfer",   [HC_PATH_STREAM] = "stream",
    [HC_PATH_EVENT] = "event",     [HC_PATH_UNEXPLAINED] = "unexplained",
};

const char *hc_path_part_text(enum hc_path_part part)
{
    return parts[part];
}

struct hc_section hc_profile_path_table(const struct hc_profile_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "part"}, NUMBER("time"), NUMBER("share")};
    struct hc_section section = {.title = "CRITICAL PATH", COLUMNS(columns)};
    const struct hc_profile_whatif_result *w = report->whatif;
    int64_t all_ns = 0;
    for (int p = 0; p < HC_N_PATH_PARTS; p++)
        all_ns += w->path_ns[p];
    for (int p = 0; p < HC_N_PATH_PARTS; p++) {
        if (w->path_ns[p] == 0)
            continue;
        hc_section_text(&section, parts[p]);
        add_ns(&section, w->path_ns[p]);
        add_share(&section, w->path_ns[p], all_ns);
    }
    for (size_t i = 0; i < w->n_path && i < most; i++) {
        const struct hc_path_stretch *stretch = &w->path[i];
        char time[HC_NUMBER_TEXT];
        hc_format_seconds((double)(stretch->to_ns - stretch->from_ns) * 1e-9, time);
        if (stretch->collective >= 0)
            hc_section_note(&section, "%s rank %" PRId32 " for %s, by collective %" PRId32,
                            i ? "then" : "on", stretch->rank, time, stretch->collective);
        else
            hc_section_note(&section, "%s rank %" PRId32 " for %s", i ? "then" : "on",
                            stretch->rank, time);
    }
    note_rest(&section, w->n_path, most);
    return section;
}

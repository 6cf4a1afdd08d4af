/* The tables of a comparison, for text and pages. */
#include "reports/compare/compare_views.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)

/* ---- names ---- */

static const struct {
    const char *key, *text;
    enum hc_change_unit unit;
} figures[HC_N_COMPARED] = {
    [HC_COMPARED_STEP] = {"mean_traced_s", "mean step", HC_CHANGE_OF_TIME},
    [HC_COMPARED_REPLAYED] = {"mean_replayed_s", "without launch delays", HC_CHANGE_OF_TIME},
    [HC_COMPARED_IDEAL] = {"mean_ideal_s", "without stragglers", HC_CHANGE_OF_TIME},
    [HC_COMPARED_SLOWDOWN] = {"slowdown", "slowdown S", HC_CHANGE_OF_RATIO},
    [HC_COMPARED_WASTE] = {"waste", "waste 1 - 1/S", HC_CHANGE_OF_RATIO},
    [HC_COMPARED_LAUNCH] = {"launch_slowdown", "launch slowdown", HC_CHANGE_OF_RATIO},
    [HC_COMPARED_M_W] = {"m_w", "M_W, workers", HC_CHANGE_OF_RATIO},
    [HC_COMPARED_M_S] = {"m_s", "M_S, last stage", HC_CHANGE_OF_RATIO},
};

const char *hc_compared_figure_key(enum hc_compared_figure figure)
{
    return figures[figure].key;
}

const char *hc_compared_figure_text(enum hc_compared_figure figure)
{
    return figures[figure].text;
}

const char *hc_compared_worker_text(const struct hc_compared_worker *worker,
                                    char text[HC_CHANGE_TEXT])
{
    if (worker->rank_a == HC_MISSING_I32)
        snprintf(text, HC_CHANGE_TEXT, "dp %" PRId32 ", stage %" PRId32, worker->dp_rank,
                 worker->stage);
    else
        snprintf(text, HC_CHANGE_TEXT, "rank %" PRId32 " (dp %" PRId32 ", stage %" PRId32 ")",
                 worker->rank_a, worker->dp_rank, worker->stage);
    return text;
}

const char *hc_compared_steps_text(const struct hc_whatif_result *result,
                                   char text[HC_COMPARED_STEPS_TEXT])
{
    size_t last = result->n_steps - 1;
    char from[HC_STEP_NAME], to[HC_STEP_NAME];
    hc_step_name(result, 0, from);
    hc_step_name(result, last, to);
    if (hc_step_unix_ns(result, 0) == HC_MISSING_I64)
        snprintf(text, HC_COMPARED_STEPS_TEXT, "%" PRId32 " to %" PRId32, result->steps[0],
                 result->steps[last]);
    else
        snprintf(text, HC_COMPARED_STEPS_TEXT, "%s to %s", from, to);
    return text;
}

/* ---- changes as text ---- */

/* Per cent with two digits that count where it is below 1; ratios with three after the point. */
static int decimals_of(double value, enum hc_change_unit unit)
{
    return unit == HC_CHANGE_OF_RATIO ? 3 : fabs(value) < 1 ? 2 : 1;
}

/* With a sign, but 0. */
static void put_signed(double value, int decimals, char text[HC_NUMBER_TEXT + 1])
{
    char number[HC_NUMBER_TEXT];
    hc_format_fixed(value, decimals, number);
    bool is_zero = strtod(number, NULL) == 0;
    snprintf(text, HC_NUMBER_TEXT + 1, "%s%s", value > 0 && !is_zero ? "+" : "", number);
}

const char *hc_change_text(const struct hc_change *change, enum hc_change_unit unit,
                           char text[HC_CHANGE_TEXT])
{
    bool is_time = unit == HC_CHANGE_OF_TIME;
    double value = is_time ? 100 * change->relative : change->difference;
    char number[HC_NUMBER_TEXT + 1];
    if (!isfinite(value))
        return "-";
    put_signed(value, decimals_of(value, unit), number);
    snprintf(text, HC_CHANGE_TEXT, "%s%s", number, is_time ? " %" : "");
    return text;
}

const char *hc_change_interval_text(const struct hc_change *change, enum hc_change_unit unit,
                                    char text[HC_CHANGE_TEXT])
{
    bool is_time = unit == HC_CHANGE_OF_TIME;
    double low = is_time ? 100 * change->relative_low : change->low;
    double high = is_time ? 100 * change->relative_high : change->high;
    char from[HC_NUMBER_TEXT + 1], to[HC_NUMBER_TEXT + 1];
    if (!isfinite(low) || !isfinite(high))
        return "";
    int decimals = decimals_of(fmax(fabs(low), fabs(high)), unit);
    put_signed(low, decimals, from);
    put_signed(high, decimals, to);
    snprintf(text, HC_CHANGE_TEXT, "%s to %s%s", from, to, is_time ? " %" : "");
    return text;
}

/* ---- rows ---- */

#define CHANGE_COLUMNS                                                                             \
    {.title = "A", .gap = 2, .is_right = true}, {.title = "B", .gap = 2, .is_right = true},        \
        {.title = "change", .gap = 2, .is_right = true},                                           \
        {.title = "95 %", .gap = 2, .is_number = true},                                            \
    {                                                                                              \
        .title = "changed", .gap = 2                                                               \
    }

static void add_value(struct hc_section *section, double value, enum hc_change_unit unit)
{
    char number[HC_NUMBER_TEXT];
    if (isnan(value))
        hc_section_text(section, "-");
    else if (unit == HC_CHANGE_OF_TIME)
        hc_section_text(section, hc_format_seconds(value, number));
    else
        hc_section_text(section, hc_format_fixed(value, 3, number));
}

/* The cells of CHANGE_COLUMNS. */
static void add_change(struct hc_section *section, const struct hc_change *change,
                       enum hc_change_unit unit)
{
    static const char *const signs[] = {[HC_CHANGE_UNKNOWN] = "?",
                                        [HC_CHANGE_NONE] = "no",
                                        [HC_CHANGE_UP] = "up",
                                        [HC_CHANGE_DOWN] = "down"};
    char text[HC_CHANGE_TEXT];
    add_value(section, change->a, unit);
    add_value(section, change->b, unit);
    hc_section_text(section, hc_change_text(change, unit, text));
    hc_section_text(section, hc_change_interval_text(change, unit, text));
    hc_section_text(section, signs[change->sign]);
}

struct hc_section hc_compare_figures_table(const struct hc_comparison *c)
{
    static const struct hc_section_column columns[] = {{.title = ""}, CHANGE_COLUMNS};
    struct hc_section section = {.title = "THE JOB", COLUMNS(columns)};
    for (size_t i = 0; i < HC_N_COMPARED; i++) {
        if (isnan(c->figures[i].a) && isnan(c->figures[i].b))
            continue;
        hc_section_text(&section, figures[i].text);
        add_change(&section, &c->figures[i], figures[i].unit);
    }
    return section;
}

static void add_i32(struct hc_section *section, int32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRId32, number);
    hc_section_text(section, text);
}

static void add_share(struct hc_section *section, double share)
{
    if (isnan(share))
        hc_section_text(section, "-");
    else
        hc_section_percent(section, share);
}

struct hc_section hc_compare_types_table(const struct hc_comparison *c)
{
    static const struct hc_section_column columns[] = {
        {.title = "mean of an op"},
        CHANGE_COLUMNS,
        {.title = "step A", .html_title = "part of the step, A", .gap = 2, .is_right = true},
        {.title = "step B", .html_title = "part of the step, B", .gap = 2, .is_right = true},
        {.html_title = "ideal, A", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "ideal, B", .is_right = true, .only = HC_HTML_ONLY},
    };
    struct hc_section section = {.title = "OP TYPES", COLUMNS(columns)};
    for (size_t i = 0; i < c->n_types; i++) {
        const struct hc_compared_type *type = &c->types[i];
        if (type->busy_s.a == 0 && type->busy_s.b == 0)
            continue; /* of gc, in jobs that never pause */
        hc_section_text(&section, hc_op_type_name(type->op_type));
        add_change(&section, &type->duration_s, HC_CHANGE_OF_TIME);
        add_share(&section, type->share_a);
        add_share(&section, type->share_b);
        add_value(&section, type->ideal_a_s, HC_CHANGE_OF_TIME);
        add_value(&section, type->ideal_b_s, HC_CHANGE_OF_TIME);
    }
    return section;
}

struct hc_section hc_compare_stages_table(const struct hc_comparison *c, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "stage", .is_right = true}, {.title = "", .gap = 2}, CHANGE_COLUMNS};
    struct hc_section section = {.title = "STAGES", COLUMNS(columns)};
    for (size_t i = 0; i < c->n_stages && i < most; i++) {
        const struct hc_compared_stage *stage = &c->stages[i];
        const struct {
            const char *name;
            const struct hc_change *change;
            enum hc_change_unit unit;
        } rows[] = {{"forward pass", &stage->forward_s, HC_CHANGE_OF_TIME},
                    {"backward pass", &stage->backward_s, HC_CHANGE_OF_TIME},
                    {"S of it alone", &stage->slowdown, HC_CHANGE_OF_RATIO}};
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            add_i32(&section, stage->stage);
            hc_section_text(&section, rows[k].name);
            add_change(&section, rows[k].change, rows[k].unit);
        }
    }
    if (c->n_stages > most)
        hc_section_note(&section, "and %zu stages more, which --csv and --json list",
                        c->n_stages - most);
    return section;
}

/* ---- those that changed most ---- */

struct ranked {
    double size; /* -1: not known */
    size_t index;
};

static int by_size(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    int order = (left->size < right->size) - (left->size > right->size);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* The indices of n changes, the largest difference first, of equal ones the earlier; those that are
 * not known come last. change_of gives the i-th. */
static size_t *
descending(size_t n, const struct hc_change *(*change_of)(const struct hc_comparison *c, size_t i),
           const struct hc_comparison *c, struct hc_error *err)
{
    struct ranked *ranked = hc_new_array(n, sizeof *ranked, err);
    size_t *order = ranked ? hc_new_array(n, sizeof *order, err) : NULL;
    for (size_t i = 0; order && i < n; i++) {
        double difference = change_of(c, i)->difference;
        ranked[i] = (struct ranked){isnan(difference) ? -1 : fabs(difference), i};
    }
    if (order)
        qsort(ranked, n, sizeof *ranked, by_size);
    for (size_t i = 0; order && i < n; i++)
        order[i] = ranked[i].index;
    free(ranked);
    return order;
}

static const struct hc_change *worker_ratio(const struct hc_comparison *c, size_t i)
{
    return &c->workers[i].pass_ratio;
}

static const struct hc_change *worker_slowdown(const struct hc_comparison *c, size_t i)
{
    return &c->workers[i].slowdown;
}

size_t *hc_compare_workers_by_change(const struct hc_comparison *c, struct hc_error *err)
{
    return descending(c->n_workers, c->a->dp_size > 1 ? worker_ratio : worker_slowdown, c, err);
}

static void add_worker(struct hc_section *section, const struct hc_compared_worker *worker,
                       bool has_peers, bool has_hosts)
{
    char name[HC_CHANGE_TEXT], hosts[512];
    bool moved = worker->host_a && worker->host_b && strcmp(worker->host_a, worker->host_b) != 0;
    hc_section_text(section, hc_compared_worker_text(worker, name));
    add_change(section, has_peers ? &worker->pass_ratio : &worker->slowdown, HC_CHANGE_OF_RATIO);
    if (!has_hosts)
        return;
    snprintf(hosts, sizeof hosts, "%s%s%s", worker->host_a ? worker->host_a : "-",
             moved ? " -> " : "", moved ? worker->host_b : "");
    hc_section_text(section, hosts);
}

enum hc_status hc_compare_workers_table(struct hc_section *section, const struct hc_comparison *c,
                                        size_t most, struct hc_error *err)
{
    static const struct hc_section_column with_peers[] = {
        {.title = "times its peers"}, CHANGE_COLUMNS, {.title = "host", .gap = 2}};
    static const struct hc_section_column alone[] = {
        {.title = "S of it alone"}, CHANGE_COLUMNS, {.title = "host", .gap = 2}};
    bool has_peers = c->a->dp_size > 1, has_hosts = c->a->job.n_nodes > 0;
    *section = (struct hc_section){.title = "WORKERS",
                                   .columns = has_peers ? with_peers : alone,
                                   .n_columns = has_hosts ? 7 : 6};
    if (c->n_workers == 0)
        return HC_OK;
    size_t *order = hc_compare_workers_by_change(c, err);
    if (!order)
        return err->status;
    for (size_t i = 0; i < c->n_workers && i < most; i++)
        add_worker(section, &c->workers[order[i]], has_peers, has_hosts);
    if (c->n_workers > most)
        hc_section_note(section, "and %zu more that changed less, which --csv and --json list",
                        c->n_workers - most);
    free(order);
    return HC_OK;
}

static const struct hc_change *host_ratio(const struct hc_comparison *c, size_t i)
{
    return &c->hosts[i].pass_ratio;
}

enum hc_status hc_compare_hosts_table(struct hc_section *section, const struct hc_comparison *c,
                                      size_t most, struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "times its peers"},
        CHANGE_COLUMNS,
        {.html_title = "workers, A", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "workers, B", .is_right = true, .only = HC_HTML_ONLY}};
    *section = (struct hc_section){.title = "HOSTS", COLUMNS(columns)};
    if (c->n_hosts == 0)
        return HC_OK;
    size_t *order = descending(c->n_hosts, host_ratio, c, err);
    if (!order)
        return err->status;
    for (size_t i = 0; i < c->n_hosts && i < most; i++) {
        const struct hc_compared_host *host = &c->hosts[order[i]];
        hc_section_text(section, host->host);
        add_change(section, &host->pass_ratio, HC_CHANGE_OF_RATIO);
        hc_section_count(section, (int64_t)host->workers_a);
        hc_section_count(section, (int64_t)host->workers_b);
    }
    if (c->n_hosts > most)
        hc_section_note(section, "and %zu more that changed less, which --csv and --json list",
                        c->n_hosts - most);
    free(order);
    return HC_OK;
}

/* ---- causes ---- */

/* Text has the sides below each other, and names them. */
static void add_culprit_text(struct hc_section *section, const char *side,
                             const struct hc_culprit *culprit)
{
    char text[sizeof culprit->text + 8];
    snprintf(text, sizeof text, "%s%s", side, culprit ? culprit->text : "");
    hc_section_forms(section, culprit ? text : "", culprit ? culprit->text : "");
}

struct hc_section hc_compare_culprits_table(const struct hc_comparison *c)
{
    static const struct hc_section_column columns[] = {{.title = "change"},
                                                       {.title = "what is slow", .gap = 2},
                                                       {.title = "A", .gap = 4, .is_below = true},
                                                       {.title = "B", .gap = 4, .is_below = true}};
    struct hc_section section = {.title = "CULPRITS", COLUMNS(columns)};
    for (size_t i = 0; i < c->n_culprits; i++) {
        const struct hc_compared_culprit *culprit = &c->culprits[i];
        hc_section_text(&section, hc_culprit_change_key(culprit->change));
        hc_section_text(&section, culprit->name);
        add_culprit_text(&section, "A: ", culprit->a);
        add_culprit_text(&section, "B: ", culprit->b);
    }
    return section;
}

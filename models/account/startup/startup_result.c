#include "models/account/startup/startup_result.h"

#include "core/base/memory.h"
#include "models/account/startup/startup_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hc_startup_group_name(enum hc_startup_group group)
{
    static const char *const names[HC_N_STARTUP_GROUPS] = {"run", "user", "size"};
    return names[group];
}

static bool is_in(const struct hc_startup_input *input, const struct hc_startup_start *start)
{
    return start->from_ns >= input->from_ns && start->from_ns < input->to_ns;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof *values, compare_reals);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* ---- classes ---- */

struct overhead {
    int32_t class;
    double s;
    size_t start;
};

static int compare_overheads(const void *a, const void *b)
{
    const struct overhead *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->s > y->s) - (x->s < y->s);
}

static void add_avoidable(struct hc_startup_input *input, const struct hc_startup_start *start,
                          double gpu_hours)
{
    input->all.avoidable += gpu_hours;
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++)
        input->sums[g][start->group[g]].avoidable += gpu_hours;
}

/* The starts of a class, list[0] to list[n - 1], the shortest first. The best tenth is the least
 * overhead that a tenth of them do not exceed. */
static struct hc_startup_class_row class_of(struct hc_startup_input *input,
                                            const struct overhead *list, size_t n)
{
    struct hc_startup_class_row row = {.name = input->classes.text[list[0].class],
                                       .n_starts = (int64_t)n,
                                       .best_s = NAN,
                                       .median_s = n % 2 ? list[n / 2].s
                                                         : (list[n / 2 - 1].s + list[n / 2].s) / 2,
                                       .most_s = list[n - 1].s,
                                       .avoidable = NAN};
    bool is_known = n >= HC_STARTUP_LEAST_STARTS;
    if (is_known) {
        row.best_s = list[(n + 9) / 10 - 1].s;
        row.avoidable = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const struct hc_startup_start *start = &input->starts[list[i].start];
        row.gpu_hours += hc_gpu_hours(start->gpu_ns);
        if (is_known && list[i].s > row.best_s) {
            double avoidable = (list[i].s - row.best_s) * start->gpus / 3600;
            row.avoidable += avoidable;
            add_avoidable(input, start, avoidable);
        }
    }
    return row;
}

static int compare_classes(const void *a, const void *b)
{
    const struct hc_startup_class_row *x = a, *y = b;
    if (isnan(x->avoidable) != isnan(y->avoidable))
        return isnan(x->avoidable) ? 1 : -1;
    if (!isnan(x->avoidable) && x->avoidable != y->avoidable)
        return x->avoidable > y->avoidable ? -1 : 1;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    return strcmp(x->name, y->name);
}

static enum hc_status make_classes(struct hc_startup_result *result, struct hc_startup_input *input,
                                   struct hc_error *err)
{
    size_t n = 0;
    double known = 0;
    struct overhead *list = hc_new_array(input->n_starts, sizeof *list, err);
    result->classes = list ? hc_new_array(input->classes.n, sizeof *result->classes, err) : NULL;
    for (size_t i = 0; i < input->n_starts && result->classes; i++) {
        const struct hc_startup_start *start = &input->starts[i];
        if (!is_in(input, start))
            continue;
        result->n_starts++;
        result->n_failed += start->has_failed;
        if (!start->has_failed)
            list[n++] = (struct overhead){start->class, start->overhead_s, i};
    }
    if (n && result->classes)
        qsort(list, n, sizeof *list, compare_overheads);
    for (size_t i = 0, next; i < n && result->classes; i = next) {
        for (next = i; next < n && list[next].class == list[i].class; next++)
            ;
        struct hc_startup_class_row row = class_of(input, &list[i], next - i);
        result->without_class += isnan(row.avoidable) ? row.gpu_hours : 0;
        known += isnan(row.avoidable) ? 0 : row.gpu_hours;
        result->classes[result->n_classes++] = row;
    }
    free(list);
    result->avoidable = input->all.avoidable;
    result->avoidable_share = ratio(result->avoidable, known);
    if (result->n_classes)
        qsort(result->classes, result->n_classes, sizeof *result->classes, compare_classes);
    return result->classes ? HC_OK : err->status;
}

/* ---- phases ---- */

static void fill_phase(struct hc_startup_phase_row *row, const struct hc_startup_input *input,
                       double *room)
{
    double own = 0, slowest = 0;
    size_t n = 0;
    for (size_t i = 0; i < input->n_phases; i++) {
        const struct hc_startup_phase *p = &input->phases[i];
        if (p->phase != row->phase || !is_in(input, &input->starts[p->start]))
            continue;
        double each = p->slowest_s * (double)p->n_nodes;
        row->n_starts++;
        row->n_nodes += (int64_t)p->n_nodes;
        row->slowest_s = fmax(row->slowest_s, p->slowest_s);
        own += p->mean_s * (double)p->n_nodes;
        slowest += each;
        row->waiting_gpu_hours += (p->slowest_s - p->mean_s) * p->gpus / 3600;
        if (p->median_s > 0) {
            room[n++] = p->slowest_s / p->median_s;
            row->ratio_most = fmax(row->ratio_most, room[n - 1]);
        }
    }
    row->waiting_share = slowest > 0 ? 1 - own / slowest : NAN;
    row->ratio_median = median_of(room, n);
    if (n == 0)
        row->ratio_most = NAN;
    n = 0;
    for (size_t i = 0; i < input->n_own; i++)
        if (input->own[i].phase == row->phase && is_in(input, &input->starts[input->own[i].start]))
            room[n++] = input->own[i].own_s;
    row->median_s = median_of(room, n);
}

static enum hc_status make_phases(struct hc_startup_result *result,
                                  const struct hc_startup_input *input, struct hc_error *err)
{
    double *room = hc_new_array(input->n_own + input->n_phases, sizeof *room, err);
    if (!room)
        return err->status;
    for (int phase = 0; phase < HC_N_PHASES; phase++) {
        struct hc_startup_phase_row row = {.phase = (enum hc_phase)phase};
        fill_phase(&row, input, room);
        if (row.n_starts)
            result->phases[result->n_phases++] = row;
    }
    free(room);
    for (int what = 0; what <= HC_WHAT_STARTUP_UNSPLIT; what++)
        if (input->what[what]) {
            struct hc_startup_leaf_row *row = &result->leaves[result->n_leaves++];
            *row = (struct hc_startup_leaf_row){.what = (enum hc_what)what,
                                                .gpu_ns = input->what[what],
                                                .gpu_hours = hc_gpu_hours(input->what[what])};
            row->share = ratio(row->gpu_hours, result->startup);
            row->share_of_held = ratio(row->gpu_hours, result->held);
        }
    return HC_OK;
}

/* ---- groups ---- */

static int compare_groups(const void *a, const void *b)
{
    const struct hc_startup_group_row *x = a, *y = b;
    if (x->startup != y->startup)
        return x->startup > y->startup ? -1 : 1;
    if (x->held != y->held)
        return x->held > y->held ? -1 : 1;
    return strcmp(x->name, y->name);
}

static enum hc_status make_group(struct hc_startup_result *result,
                                 const struct hc_startup_input *input, int group,
                                 struct hc_error *err)
{
    size_t n = input->names[group].n;
    struct hc_startup_group_row *rows = hc_new_array(n, sizeof *rows, err);
    result->groups[group] = rows;
    for (size_t i = 0; i < n && rows; i++) {
        const struct hc_startup_sum *sum = &input->sums[group][i];
        struct hc_startup_group_row row = {.name = input->names[group].text[i],
                                           .n_starts = sum->n_starts,
                                           .held = hc_gpu_hours(sum->held),
                                           .startup = hc_gpu_hours(sum->startup),
                                           .avoidable = sum->avoidable};
        row.share = ratio(row.startup, row.held);
        if (sum->startup || sum->n_starts)
            rows[result->n_groups[group]++] = row;
    }
    if (result->n_groups[group])
        qsort(rows, result->n_groups[group], sizeof *rows, compare_groups);
    return rows ? HC_OK : err->status;
}

enum hc_status hc_startup_result_make(struct hc_startup_result *result,
                                      struct hc_startup_input *input, struct hc_error *err)
{
    *result = (struct hc_startup_result){.input = input};
    result->held = hc_gpu_hours(input->all.held);
    result->startup = hc_gpu_hours(input->all.startup);
    result->share = ratio(result->startup, result->held);
    if (make_classes(result, input, err) || make_phases(result, input, err) ||
        hc_startup_nodes_make(result, input, err))
        return err->status;
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++)
        if (make_group(result, input, g, err))
            return err->status;
    return HC_OK;
}

void hc_startup_result_fini(struct hc_startup_result *result)
{
    free(result->classes);
    free(result->nodes);
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++)
        free(result->groups[g]);
    *result = (struct hc_startup_result){.n_starts = 0};
}

#include "models/account/startup/startup_input.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_FACTOR 1.5
#define SLOW_MORE_S 5.0
#define LEAST_NODES 3 /* of a phase in which one can be called slow */

/* ---- names ---- */

static enum hc_status name_group(struct hc_startup_input *input, enum hc_startup_group group,
                                 const char *name, struct hc_error *err)
{
    int32_t *code = &input->group[group];
    size_t n_before = input->names[group].n;
    name = name ? name : "?";
    if (hc_text_set_add(&input->names[group], name, strlen(name), code, err) ||
        hc_reserve(&input->sums[group], &input->rooms[group], input->names[group].n,
                   sizeof *input->sums[group], err))
        return err->status;
    if (input->names[group].n > n_before)
        input->sums[group][*code] = (struct hc_startup_sum){.held = 0};
    return HC_OK;
}

/* Starts that are compared: of one partition and size, of an allocation or in place. An attempt
 * without a log may be no training at all: all of its start-up is what marks tell. */
static enum hc_status name_class(struct hc_startup_input *input, int32_t number, bool has_log,
                                 int32_t *code, struct hc_error *err)
{
    char name[256];
    int length = snprintf(name, sizeof name, "%.160s, %s GPUs, %s%s",
                          input->at.partition ? input->at.partition : "?", input->at.size,
                          number ? "again in place" : "allocation", has_log ? "" : ", no log");
    return hc_text_set_add(&input->classes, name, (size_t)length, code, err);
}

/* ---- the own times of a start ---- */

static int compare_rows(const void *a, const void *b)
{
    const struct hc_startup_row *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Several rows of a node, one a rank, are one: from the first to begin to the last to end. */
static void unite_rows(struct hc_startup_input *input)
{
    size_t n = 0;
    for (size_t i = 0; i < input->n_rows; i++) {
        struct hc_startup_row *row = &input->rows[i], *last = n ? &input->rows[n - 1] : NULL;
        if (last && last->launch == row->launch && last->phase == row->phase &&
            last->node == row->node) {
            if (row->to_ns > last->to_ns)
                last->to_ns = row->to_ns;
        } else {
            input->rows[n++] = *row;
        }
    }
    input->n_rows = n;
}

static double own_s(const struct hc_startup_row *row)
{
    return (double)(row->to_ns - row->from_ns) / 1e9;
}

static int compare_own(const void *a, const void *b)
{
    double x = ((const struct hc_startup_own *)a)->own_s;
    double y = ((const struct hc_startup_own *)b)->own_s;
    if (x != y)
        return x < y ? -1 : 1;
    int32_t i = ((const struct hc_startup_own *)a)->node;
    int32_t j = ((const struct hc_startup_own *)b)->node;
    return (i > j) - (i < j);
}

/* The nodes of a phase, rows[0] to rows[n - 1]. */
static enum hc_status add_phase(struct hc_startup_input *input, size_t start,
                                const struct hc_startup_row *rows, size_t n, struct hc_error *err)
{
    if (hc_reserve(&input->own, &input->own_room, input->n_own + n, sizeof *input->own, err) ||
        hc_reserve(&input->phases, &input->phases_room, input->n_phases + 1, sizeof *input->phases,
                   err))
        return err->status;
    struct hc_startup_own *own = &input->own[input->n_own];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        own[i] =
            (struct hc_startup_own){rows[i].node, start, rows[i].phase, own_s(&rows[i]), false};
        sum += own[i].own_s;
    }
    qsort(own, n, sizeof *own, compare_own);
    double median = n % 2 ? own[n / 2].own_s : (own[n / 2 - 1].own_s + own[n / 2].own_s) / 2;
    for (size_t i = 0; i < n; i++)
        own[i].is_slow = n >= LEAST_NODES && own[i].own_s >= SLOW_FACTOR * median &&
                         own[i].own_s >= median + SLOW_MORE_S;
    input->phases[input->n_phases++] = (struct hc_startup_phase){.start = start,
                                                                 .phase = rows[0].phase,
                                                                 .slowest = own[n - 1].node,
                                                                 .gpus = input->at.gpus,
                                                                 .n_nodes = n,
                                                                 .mean_s = sum / (double)n,
                                                                 .median_s = median,
                                                                 .slowest_s = own[n - 1].own_s};
    input->n_own += n;
    return HC_OK;
}

/* The phases that nodes marked of the start that is open. */
static enum hc_status add_phases(struct hc_startup_input *input, size_t launch,
                                 struct hc_error *err)
{
    for (size_t i = 0, next; i < input->n_rows; i = next) {
        for (next = i; next < input->n_rows && input->rows[next].launch == input->rows[i].launch &&
                       input->rows[next].phase == input->rows[i].phase;
             next++)
            ;
        if (input->rows[i].launch == launch &&
            add_phase(input, input->n_starts - 1, &input->rows[i], next - i, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- taking ---- */

enum hc_status hc_startup_take_attempt(struct hc_startup_input *input,
                                       const struct hc_startup_attempt *attempt,
                                       struct hc_error *err)
{
    input->at = *attempt;
    input->n_rows = 0;
    input->is_sorted = false;
    input->launch = -2;
    input->has_start = false;
    return name_group(input, HC_STARTUP_RUN, attempt->run ? attempt->run : "(no run)", err) ||
                   name_group(input, HC_STARTUP_USER, attempt->user, err) ||
                   name_group(input, HC_STARTUP_SIZE, attempt->size, err)
               ? err->status
               : HC_OK;
}

enum hc_status hc_startup_take_phase(struct hc_startup_input *input, const char *node,
                                     const struct hc_startup_row *row, struct hc_error *err)
{
    if (row->to_ns < row->from_ns)
        return HC_OK;
    if (hc_reserve(&input->rows, &input->rows_room, input->n_rows + 1, sizeof *input->rows, err))
        return err->status;
    struct hc_startup_row *added = &input->rows[input->n_rows];
    *added = *row;
    input->n_rows++;
    return hc_text_set_add(&input->nodes, node, strlen(node), &added->node, err);
}

static void add_sums(struct hc_startup_input *input, const struct hc_slice *slice, bool is_startup)
{
    int64_t from_ns = slice->from_ns > input->from_ns ? slice->from_ns : input->from_ns;
    int64_t to_ns = slice->to_ns < input->to_ns ? slice->to_ns : input->to_ns;
    if (from_ns >= to_ns)
        return;
    hc_gpu_ns gpu_ns = (hc_gpu_ns)(to_ns - from_ns) * slice->gpus;
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++) {
        input->sums[g][input->group[g]].held += gpu_ns;
        input->sums[g][input->group[g]].startup += is_startup ? gpu_ns : 0;
    }
    input->all.held += gpu_ns;
    input->all.startup += is_startup ? gpu_ns : 0;
    if (is_startup)
        input->what[slice->what] += gpu_ns;
}

static enum hc_status open_start(struct hc_startup_input *input, const struct hc_slice *slice,
                                 struct hc_error *err)
{
    int32_t number = slice->launch < 0 ? 0 : slice->launch - input->at.first_launch;
    if (hc_reserve(&input->starts, &input->starts_room, input->n_starts + 1, sizeof *input->starts,
                   err))
        return err->status;
    struct hc_startup_start *start = &input->starts[input->n_starts++];
    *start = (struct hc_startup_start){.job = input->at.job,
                                       .from_ns = slice->from_ns,
                                       .end_ns = slice->to_ns,
                                       .number = number,
                                       .gpus = input->at.gpus};
    memcpy(start->group, input->group, sizeof start->group);
    input->has_start = true;
    if (!input->is_sorted && input->n_rows) {
        qsort(input->rows, input->n_rows, sizeof *input->rows, compare_rows);
        unite_rows(input);
    }
    input->is_sorted = true;
    return name_class(input, number, slice->launch >= 0, &start->class, err) ||
                   add_phases(input, (size_t)number, err)
               ? err->status
               : HC_OK;
}

enum hc_status hc_startup_take_slice(struct hc_startup_input *input, const struct hc_slice *slice,
                                     struct hc_error *err)
{
    bool is_startup = slice->what <= HC_WHAT_STARTUP_UNSPLIT;
    add_sums(input, slice, is_startup);
    if (slice->launch != input->launch) {
        input->launch = slice->launch;
        input->has_start = false;
    }
    if (!is_startup)
        return HC_OK;
    if (!input->has_start && open_start(input, slice, err))
        return err->status;
    struct hc_startup_start *start = &input->starts[input->n_starts - 1];
    start->gpu_ns += hc_slice_gpu_ns(slice);
    start->gpu_ns_of[slice->what] += hc_slice_gpu_ns(slice);
    start->overhead_s = (double)start->gpu_ns / 1e9 / input->at.gpus;
    start->end_ns = slice->to_ns;
    start->has_failed |= slice->what == HC_WHAT_STARTUP_FAILED;
    return HC_OK;
}

void hc_startup_end(struct hc_startup_input *input)
{
    for (size_t i = 0; i < input->n_starts; i++) {
        const struct hc_startup_start *start = &input->starts[i];
        if (start->from_ns < input->from_ns || start->from_ns >= input->to_ns)
            continue;
        input->all.n_starts++;
        for (int g = 0; g < HC_N_STARTUP_GROUPS; g++)
            input->sums[g][start->group[g]].n_starts++;
    }
}

void hc_startup_input_fini(struct hc_startup_input *input)
{
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++) {
        hc_text_set_fini(&input->names[g]);
        free(input->sums[g]);
    }
    hc_text_set_fini(&input->classes);
    hc_text_set_fini(&input->nodes);
    free(input->starts);
    free(input->phases);
    free(input->own);
    free(input->rows);
    *input = (struct hc_startup_input){.n_starts = 0};
}

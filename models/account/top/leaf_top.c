#include "models/account/top/leaf_top.h"

#include "core/base/memory.h"
#include "models/account/tree/leaf_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum hc_cube_dimension hc_top_dimension_find(const char *word, size_t length)
{
    for (int d = HC_CUBE_ALL + 1; d < HC_N_CUBE_DIMENSIONS; d++) {
        const char *name = hc_cube_dimension_name((enum hc_cube_dimension)d);
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            return (enum hc_cube_dimension)d;
    }
    return HC_CUBE_ALL;
}

static enum hc_top_part part_of(enum hc_what what)
{
    switch (what) {
    case HC_WHAT_LOST_WORK:
    case HC_WHAT_ABANDONED:
        return HC_TOP_LOST;
    case HC_WHAT_STARTUP_FAILED:
        return HC_TOP_FAILED_STARTUP;
    case HC_WHAT_DETECTION:
    case HC_WHAT_LOCALISATION:
        return HC_TOP_DETECTION;
    case HC_WHAT_RECOVERY:
        return HC_TOP_RECOVERY;
    case HC_WHAT_STARTUP_IMAGE:
    case HC_WHAT_STARTUP_ENVIRONMENT:
    case HC_WHAT_STARTUP_INIT:
    case HC_WHAT_STARTUP_LOAD:
    case HC_WHAT_STARTUP_COMPILE:
    case HC_WHAT_STARTUP_FIRST_STEP:
    case HC_WHAT_STARTUP_WARM_UP:
    case HC_WHAT_STARTUP_UNSPLIT:
        return HC_TOP_STARTUP;
    default:
        return HC_TOP_OTHER;
    }
}

/* ---- sums ---- */

struct top_sums {
    hc_gpu_ns held, chosen, infrastructure, before;
    hc_gpu_ns parts[HC_N_TOP_PARTS];
};

static void add_cell(struct top_sums *sums, const struct hc_top_choice *choice, int32_t day,
                     const struct hc_cube_cell *cell, hc_gpu_ns gpu_ns)
{
    size_t n_days = choice->range.last - choice->range.first + 1;
    bool is_in = (size_t)day >= choice->range.first && (size_t)day <= choice->range.last;
    bool is_before =
        (size_t)day < choice->range.first && (size_t)day + n_days >= choice->range.first;
    bool is_chosen = hc_leaf_choice_has(choice->leaf, cell->what, cell->why);
    if (is_in)
        sums->held += gpu_ns;
    if (is_in && is_chosen) {
        sums->chosen += gpu_ns;
        sums->parts[part_of(cell->what)] += gpu_ns;
        if (cell->why == HC_WHY_INFRASTRUCTURE && cell->evidence <= HC_EVIDENCE_LIKELY)
            sums->infrastructure += gpu_ns;
    }
    if (is_before && is_chosen)
        sums->before += gpu_ns;
}

static struct hc_top_row show(const char *name, const struct top_sums *sums,
                              const struct hc_top *top, const struct hc_top_choice *choice)
{
    struct hc_top_row row = {.name = name,
                             .gpu_ns = sums->chosen,
                             .gpu_hours = hc_gpu_hours(sums->chosen),
                             .infrastructure = hc_gpu_hours(sums->infrastructure),
                             .held = hc_gpu_hours(sums->held),
                             .before = hc_gpu_hours(sums->before)};
    hc_gpu_ns all = top->total.gpu_ns ? top->total.gpu_ns : sums->chosen;
    row.share = all ? row.gpu_hours / hc_gpu_hours(all) : NAN;
    row.share_of_held = sums->held ? row.gpu_hours / row.held : NAN;
    for (int p = 0; p < HC_N_TOP_PARTS; p++)
        row.parts[p] = hc_gpu_hours(sums->parts[p]);
    if (choice->range.last - choice->range.first + 1 > choice->range.first)
        row.before = NAN;
    return row;
}

static int compare(const void *a, const void *b)
{
    const struct hc_top_row *x = a, *y = b;
    if (x->gpu_ns != y->gpu_ns)
        return x->gpu_ns > y->gpu_ns ? -1 : 1;
    if (!x->name || !y->name)
        return (!x->name) - (!y->name);
    return strcmp(x->name, y->name);
}

/* What is in no group: all, less the groups. */
static struct top_sums rest_of(const struct top_sums *all, const struct top_sums *sums, size_t n)
{
    struct top_sums rest = *all;
    for (size_t i = 0; i < n; i++) {
        rest.held -= sums[i].held;
        rest.chosen -= sums[i].chosen;
        rest.infrastructure -= sums[i].infrastructure;
        rest.before -= sums[i].before;
        for (int p = 0; p < HC_N_TOP_PARTS; p++)
            rest.parts[p] -= sums[i].parts[p];
    }
    return rest;
}

static const char *name_of(const struct hc_night *night, enum hc_cube_dimension by, size_t code,
                           const struct hc_night_names *names)
{
    return by == HC_CUBE_RUN ? names->run_name((int32_t)code, names->context)
                             : night->cube.names[by].text[code];
}

static enum hc_status make_rows(struct hc_top *top, const struct hc_night *night,
                                const struct hc_top_choice *choice, const struct top_sums *all,
                                const struct hc_night_names *names, struct hc_error *err)
{
    struct hc_top_rows *rows = &top->by[top->n];
    enum hc_cube_dimension by = choice->by[top->n++];
    size_t n = by == HC_CUBE_RUN ? night->runs.n : night->cube.names[by].n;
    struct top_sums *sums = hc_new_array(n + 1, sizeof *sums, err);
    rows->by = by;
    rows->rows = sums ? hc_new_array(n + 1, sizeof *rows->rows, err) : NULL;
    if (!rows->rows) {
        free(sums);
        return err->status;
    }
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        if (place.dimension == by)
            add_cell(&sums[place.name], choice, place.day, &cell, gpu_ns);
    }
    sums[n] = rest_of(all, sums, n);
    hc_gpu_ns sum = 0;
    for (size_t i = 0; i <= n; i++) {
        struct hc_top_row row =
            show(i < n ? name_of(night, by, i, names) : NULL, &sums[i], top, choice);
        if (by == HC_CUBE_CAUSE)
            row.held = row.share_of_held = NAN;
        if (row.gpu_ns || row.before > 0)
            rows->rows[rows->n++] = row;
        sum += row.gpu_ns;
    }
    rows->adds_up = sum == all->chosen && sums[n].chosen >= 0 && sums[n].held >= 0;
    free(sums);
    if (rows->n)
        qsort(rows->rows, rows->n, sizeof *rows->rows, compare);
    return HC_OK;
}

enum hc_status hc_top_make(struct hc_top *top, const struct hc_night *night,
                           const struct hc_top_choice *choice, const struct hc_night_names *names,
                           struct hc_error *err)
{
    struct top_sums all = {.held = 0};
    *top = (struct hc_top){.n = 0};
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        if (place.dimension == HC_CUBE_ALL)
            add_cell(&all, choice, place.day, &cell, gpu_ns);
    }
    top->total = show("all", &all, top, choice);
    for (size_t i = 0; i < choice->n; i++)
        if (make_rows(top, night, choice, &all, names, err))
            return err->status;
    return HC_OK;
}

void hc_top_fini(struct hc_top *top)
{
    for (size_t i = 0; i < top->n; i++)
        free(top->by[i].rows);
    *top = (struct hc_top){.n = 0};
}

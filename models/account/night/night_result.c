#include "models/account/night/night_result.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hc_gpu_ns_text(hc_gpu_ns gpu_ns, char text[48])
{
    char digits[48];
    size_t n = 0, at = 0;
    bool is_negative = gpu_ns < 0;
    do {
        int digit = (int)(gpu_ns % 10);
        digits[n++] = (char)('0' + (digit < 0 ? -digit : digit));
        gpu_ns /= 10;
    } while (gpu_ns);
    if (is_negative)
        text[at++] = '-';
    while (n)
        text[at++] = digits[--n];
    text[at] = '\0';
    return text;
}

/* ---- leaves ---- */

/* Sums of the leaves over as many days as are reported, ending some days earlier. */
struct leaf_sums {
    hc_gpu_ns ns[HC_WHAT_COUNT][HC_WHY_COUNT][HC_N_EVIDENCES][HC_N_MARKS];
};

enum { NOW, DAY_BEFORE, WEEK_BEFORE, FOUR_WEEKS_BEFORE, N_STRETCHES };
static const size_t days_earlier[N_STRETCHES] = {0, 1, 7, 28};

static bool is_in(const struct hc_night_range *range, size_t earlier, int32_t day)
{
    return range->first >= earlier && (size_t)day >= range->first - earlier &&
           (size_t)day <= range->last - earlier;
}

static void sum_leaves(const struct hc_night_result *result, struct leaf_sums sums[N_STRETCHES])
{
    const struct hc_account_cube *cube = &result->night->cube;
    for (size_t i = 0; i < cube->of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(cube, i, &place, &cell);
        for (int s = 0; s < N_STRETCHES && place.dimension == HC_CUBE_ALL; s++)
            if (is_in(&result->range, days_earlier[s], place.day))
                sums[s].ns[cell.what][cell.why][cell.evidence][cell.mark] += gpu_ns;
    }
}

/* Of a leaf, for a why and its evidence or for all of them. */
static hc_gpu_ns sum_of(const struct leaf_sums *sums, const struct hc_leaf_row *row, int mark)
{
    hc_gpu_ns sum = 0;
    for (int why = 0; why < HC_WHY_COUNT; why++)
        for (int e = 0; e < HC_N_EVIDENCES; e++)
            for (int m = 0; m < HC_N_MARKS; m++)
                if ((row->why == HC_WHY_COUNT ||
                     (why == (int)row->why && e == (int)row->evidence)) &&
                    (mark < 0 || m == mark))
                    sum += sums->ns[row->what][why][e][m];
    return sum;
}

static double before(const struct hc_night_result *result, const struct leaf_sums *sums,
                     const struct hc_leaf_row *row, int stretch)
{
    return result->range.first < days_earlier[stretch]
               ? NAN
               : hc_gpu_hours(sum_of(&sums[stretch], row, -1));
}

/* Add a row where there is something to say of it, now or before. */
static void add_leaf(struct hc_night_result *result, const struct leaf_sums *sums,
                     struct hc_leaf_row row)
{
    row.gpu_ns = sum_of(&sums[NOW], &row, -1);
    row.gpu_hours = hc_gpu_hours(row.gpu_ns);
    row.measured = hc_gpu_hours(sum_of(&sums[NOW], &row, HC_MARK_MEASURED));
    row.estimated = hc_gpu_hours(sum_of(&sums[NOW], &row, HC_MARK_ESTIMATED));
    row.unknown = hc_gpu_hours(sum_of(&sums[NOW], &row, HC_MARK_UNKNOWN));
    row.day_before = before(result, sums, &row, DAY_BEFORE);
    row.week_before = before(result, sums, &row, WEEK_BEFORE);
    row.four_weeks_before = before(result, sums, &row, FOUR_WEEKS_BEFORE);
    if (row.gpu_ns || row.day_before > 0 || row.week_before > 0 || row.four_weeks_before > 0)
        result->leaves[result->n_leaves++] = row;
}

static void add_leaves(struct hc_night_result *result, const struct leaf_sums *sums)
{
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        add_leaf(result, sums,
                 (struct hc_leaf_row){.what = (enum hc_what)what, .why = HC_WHY_COUNT});
        for (int why = 0; why < HC_WHY_COUNT && hc_what_has_why((enum hc_what)what); why++)
            for (int e = 0; e < HC_N_EVIDENCES; e++)
                add_leaf(result, sums,
                         (struct hc_leaf_row){.what = (enum hc_what)what,
                                              .why = (enum hc_why)why,
                                              .evidence = (enum hc_failure_evidence)e});
    }
}

static void sum_up(struct hc_night_result *result)
{
    hc_gpu_ns by_category[HC_N_GOODPUT_CATEGORIES] = {0};
    double productive = 0, measured = 0, estimated = 0, unknown = 0;
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_leaf_row *row = &result->leaves[i];
        if (row->why != HC_WHY_COUNT)
            continue;
        result->total_gpu_ns += row->gpu_ns;
        by_category[hc_what_goodput(row->what)] += row->gpu_ns;
        measured += row->measured;
        estimated += row->estimated;
        unknown += row->unknown;
    }
    result->gpu_hours = hc_gpu_hours(result->total_gpu_ns);
    productive = hc_gpu_hours(by_category[HC_GOODPUT_PRODUCTIVE]);
    double all = result->total_gpu_ns ? result->gpu_hours : NAN;
    result->productive_share = productive / all;
    result->measured_share = measured / all;
    result->estimated_share = estimated / all;
    result->unknown_share = unknown / all;
    for (size_t i = 0; i < result->n_leaves; i++)
        result->leaves[i].share = result->leaves[i].gpu_hours / all;
    for (int c = 0; c < HC_N_GOODPUT_CATEGORIES; c++)
        if (by_category[c])
            result->goodput[result->n_goodput++] =
                (struct hc_goodput_row){.category = (enum hc_goodput_category)c,
                                        .gpu_ns = by_category[c],
                                        .gpu_hours = hc_gpu_hours(by_category[c]),
                                        .share = hc_gpu_hours(by_category[c]) / all};
}

static enum hc_status make_leaves(struct hc_night_result *result, struct hc_error *err)
{
    size_t most = HC_WHAT_COUNT * (1 + HC_WHY_COUNT * HC_N_EVIDENCES);
    struct leaf_sums *sums = hc_new_array(N_STRETCHES, sizeof *sums, err);
    result->leaves = sums ? hc_new_array(most, sizeof *result->leaves, err) : NULL;
    result->goodput = hc_new_array(HC_N_GOODPUT_CATEGORIES, sizeof *result->goodput, err);
    if (result->leaves && result->goodput) {
        sum_leaves(result, sums);
        add_leaves(result, sums);
        sum_up(result);
    }
    free(sums);
    return result->leaves && result->goodput ? HC_OK : err->status;
}

/* ---- groups ---- */

/* Columns of a group, as exact sums. */
enum column { PRODUCTIVE, STARTUP, STALLS, LOST, FAULTS, IDLE, UNKNOWN, N_COLUMNS };
struct group_sums {
    hc_gpu_ns ns[N_COLUMNS];
};

static enum column column_of(enum hc_what what)
{
    switch (what) {
    case HC_WHAT_PRODUCTIVE_IDEAL:
    case HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS:
    case HC_WHAT_PRODUCTIVE_UNSPLIT:
        return PRODUCTIVE;
    case HC_WHAT_CHECKPOINT_STALL:
    case HC_WHAT_EVALUATION:
    case HC_WHAT_DATA_WAIT:
        return STALLS;
    case HC_WHAT_LOST_WORK:
    case HC_WHAT_ABANDONED:
        return LOST;
    case HC_WHAT_STARTUP_FAILED:
    case HC_WHAT_DETECTION:
    case HC_WHAT_LOCALISATION:
    case HC_WHAT_RECOVERY:
        return FAULTS;
    case HC_WHAT_DEGRADED:
    case HC_WHAT_IDLE_AFTER:
    case HC_WHAT_STANDBY_IDLE:
    case HC_WHAT_POOL_IDLE:
        return IDLE;
    case HC_WHAT_UNKNOWN:
        return UNKNOWN;
    default:
        return STARTUP;
    }
}

static void show_group(struct hc_group_row *row, const char *name, const struct group_sums *sums,
                       double all)
{
    hc_gpu_ns sum = 0;
    for (int c = 0; c < N_COLUMNS; c++)
        sum += sums->ns[c];
    *row = (struct hc_group_row){.name = name,
                                 .gpu_hours = hc_gpu_hours(sum),
                                 .productive = hc_gpu_hours(sums->ns[PRODUCTIVE]),
                                 .startup = hc_gpu_hours(sums->ns[STARTUP]),
                                 .stalls = hc_gpu_hours(sums->ns[STALLS]),
                                 .lost = hc_gpu_hours(sums->ns[LOST]),
                                 .faults = hc_gpu_hours(sums->ns[FAULTS]),
                                 .idle = hc_gpu_hours(sums->ns[IDLE]),
                                 .unknown = hc_gpu_hours(sums->ns[UNKNOWN])};
    row->share = row->gpu_hours / all;
    row->productive_share = sum ? row->productive / row->gpu_hours : NAN;
}

void hc_night_group_row(struct hc_group_row *row, const char *name,
                        const hc_gpu_ns by_what[HC_WHAT_COUNT], double all)
{
    struct group_sums sums = {.ns = {0}};
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        sums.ns[column_of((enum hc_what)what)] += by_what[what];
    show_group(row, name, &sums, all);
}

static int compare_groups(const void *a, const void *b)
{
    const struct hc_group_row *x = a, *y = b;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    return strcmp(x->name, y->name);
}

static size_t names_of(const struct hc_night *night, enum hc_cube_dimension dimension)
{
    return dimension == HC_CUBE_RUN ? night->runs.n : night->cube.names[dimension].n;
}

static const char *name_of(const struct hc_night *night, enum hc_cube_dimension dimension,
                           size_t code, const struct hc_night_names *names)
{
    return dimension == HC_CUBE_RUN ? names->run_name((int32_t)code, names->context)
                                    : night->cube.names[dimension].text[code];
}

/* Sums of a dimension by name over the days that are reported; the caller's to free. */
static struct group_sums *sum_groups(const struct hc_night_result *result,
                                     enum hc_cube_dimension dimension, struct hc_error *err)
{
    const struct hc_account_cube *cube = &result->night->cube;
    struct group_sums *sums = hc_new_array(names_of(result->night, dimension), sizeof *sums, err);
    for (size_t i = 0; i < cube->of_key.n && sums; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(cube, i, &place, &cell);
        if (place.dimension == dimension && is_in(&result->range, 0, place.day))
            sums[place.name].ns[column_of(cell.what)] += gpu_ns;
    }
    return sums;
}

static enum hc_status make_groups(struct hc_night_result *result, enum hc_cube_dimension dimension,
                                  const struct hc_night_names *names, struct hc_error *err)
{
    struct hc_group_rows *rows = &result->by[dimension];
    size_t n = names_of(result->night, dimension);
    struct group_sums *sums = sum_groups(result, dimension, err);
    rows->rows = sums ? hc_new_array(n, sizeof *rows->rows, err) : NULL;
    for (size_t i = 0; i < n && rows->rows; i++) {
        show_group(&rows->rows[rows->n], name_of(result->night, dimension, i, names), &sums[i],
                   result->gpu_hours);
        rows->n += rows->rows[rows->n].gpu_hours > 0;
    }
    free(sums);
    if (rows->n)
        qsort(rows->rows, rows->n, sizeof *rows->rows, compare_groups);
    return rows->rows ? HC_OK : err->status;
}

/* ---- days ---- */

static enum hc_status make_days(struct hc_night_result *result, const struct hc_night_names *names,
                                struct hc_error *err)
{
    const struct hc_night_days *days = &result->night->days;
    const struct hc_account_cube *cube = &result->night->cube;
    struct group_sums *sums = hc_new_array(days->n, sizeof *sums, err);
    result->days = sums ? hc_new_array(days->n, sizeof *result->days, err) : NULL;
    for (size_t i = 0; i < cube->of_key.n && result->days; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(cube, i, &place, &cell);
        if (place.dimension == HC_CUBE_ALL)
            sums[place.day].ns[column_of(cell.what)] += gpu_ns;
    }
    for (size_t i = 0; i < days->n && result->days; i++) {
        struct hc_day_row *row = &result->days[result->n_days++];
        *row = (struct hc_day_row){.day = days->names[i],
                                   .hours =
                                       (double)(days->edges_ns[i + 1] - days->edges_ns[i]) / 3.6e12,
                                   .is_provisional = days->edges_ns[i + 1] > names->final_until_ns};
        show_group(&row->all, days->names[i], &sums[i], NAN);
    }
    free(sums);
    return result->days ? HC_OK : err->status;
}

/* ---- runs and incidents ---- */

static int compare_runs(const void *a, const void *b)
{
    const struct hc_run_row *x = a, *y = b;
    if (x->day_gpu_hours != y->day_gpu_hours)
        return x->day_gpu_hours > y->day_gpu_hours ? -1 : 1;
    return strcmp(x->name, y->name);
}

static enum hc_status make_runs(struct hc_night_result *result, const struct hc_night_names *names,
                                struct hc_error *err)
{
    const struct hc_night_runs *runs = &result->night->runs;
    struct group_sums *sums = sum_groups(result, HC_CUBE_RUN, err);
    result->runs = sums ? hc_new_array(runs->n, sizeof *result->runs, err) : NULL;
    for (size_t i = 0; i < runs->n && result->runs; i++) {
        const struct hc_night_run *run = &runs->list[i];
        struct hc_group_row group;
        hc_gpu_ns all = 0;
        for (int what = 0; what < HC_WHAT_COUNT; what++)
            all += run->gpu_ns[what];
        show_group(&group, "", &sums[i], NAN);
        if (group.gpu_hours > 0)
            result->runs[result->n_runs++] =
                (struct hc_run_row){.name = names->run_name((int32_t)i, names->context),
                                    .user = names->run_user((int32_t)i, names->context),
                                    .run = run,
                                    .gpu_hours = hc_gpu_hours(all),
                                    .day_gpu_hours = group.gpu_hours,
                                    .day_productive_share = group.productive_share,
                                    .lost_gpu_hours = hc_gpu_hours(run->gpu_ns[HC_WHAT_LOST_WORK] +
                                                                   run->gpu_ns[HC_WHAT_ABANDONED])};
    }
    free(sums);
    if (result->n_runs)
        qsort(result->runs, result->n_runs, sizeof *result->runs, compare_runs);
    return result->runs ? HC_OK : err->status;
}

static int compare_incidents(const void *a, const void *b)
{
    const struct hc_incident_row *x = a, *y = b;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    if (x->failure->side != y->failure->side)
        return x->failure->side < y->failure->side ? -1 : 1;
    if (x->failure->end_ns != y->failure->end_ns)
        return x->failure->end_ns < y->failure->end_ns ? -1 : 1;
    return (x->failure > y->failure) - (x->failure < y->failure);
}

static struct hc_incident_row show_incident(const struct hc_night_cost *cost,
                                            const struct hc_night_names *names)
{
    hc_gpu_ns startup = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        startup += column_of((enum hc_what)what) == STARTUP ? cost->gpu_ns[what] : 0;
    const struct hc_failure *failure = &names->failures->failures[cost->failure];
    return (struct hc_incident_row){
        .failure = failure,
        .node = hc_failure_node(names->failures, failure),
        .user = failure->user == INT32_MIN ? NULL : names->failures->texts.text[failure->user],
        .run = cost->run < 0 ? NULL : names->run_name(cost->run, names->context),
        .cause = names->cause(cost->failure, names->context),
        .gpu_hours = hc_gpu_hours(cost->total_gpu_ns),
        .lost = hc_gpu_hours(cost->gpu_ns[HC_WHAT_LOST_WORK] + cost->gpu_ns[HC_WHAT_ABANDONED] +
                             cost->gpu_ns[HC_WHAT_STARTUP_FAILED]),
        .detection = hc_gpu_hours(cost->gpu_ns[HC_WHAT_DETECTION]),
        .recovery =
            hc_gpu_hours(cost->gpu_ns[HC_WHAT_LOCALISATION] + cost->gpu_ns[HC_WHAT_RECOVERY]),
        .startup = hc_gpu_hours(startup),
        .uncertain = hc_gpu_hours(cost->uncertain_gpu_ns)};
}

static enum hc_status make_incidents(struct hc_night_result *result,
                                     const struct hc_night_names *names, struct hc_error *err)
{
    const struct hc_night *night = result->night;
    int64_t from_ns = night->days.edges_ns[result->range.first];
    int64_t to_ns = night->days.edges_ns[result->range.last + 1];
    const struct hc_failures *failures = names->failures;
    result->incidents = hc_new_array(night->n_costs + failures->n, sizeof *result->incidents, err);
    if (!result->incidents)
        return err->status;
    for (size_t i = 0; i < night->n_costs; i++) {
        struct hc_incident_row row = show_incident(&night->costs[i], names);
        row.is_in_days = row.failure->end_ns >= from_ns && row.failure->end_ns < to_ns;
        if (row.is_in_days)
            result->incidents[result->n_incidents++] = row;
    }
    for (size_t i = 0; i < failures->n; i++) { /* without a log nothing says what they cost */
        const struct hc_failure *f = &failures->failures[i];
        const struct hc_night_cost none = {.failure = (int32_t)i, .run = -1};
        if (f->gpus <= 0 || f->end_ns < from_ns || f->end_ns >= to_ns ||
            hc_int_map_find(&night->cost_of, i) >= 0)
            continue;
        struct hc_incident_row row = show_incident(&none, names);
        row.is_in_days = row.is_unknown = true;
        result->n_unknown_incidents++;
        result->incidents[result->n_incidents++] = row;
    }
    if (result->n_incidents)
        qsort(result->incidents, result->n_incidents, sizeof *result->incidents, compare_incidents);
    return HC_OK;
}

/* ---- all of it ---- */

/* Whether all leaves of the window sum to what the attempts held in it. */
static bool adds_up(const struct hc_night *night)
{
    hc_gpu_ns sums[HC_CUBE_SIZE + 1] = {0}, of_nodes = 0;
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        if (place.dimension <= HC_CUBE_SIZE)
            sums[place.dimension] += gpu_ns;
        of_nodes += place.dimension == HC_CUBE_NODE ? gpu_ns : 0;
    }
    for (int d = 0; d <= HC_CUBE_SIZE; d++)
        if (sums[d] != night->held_gpu_ns)
            return false;
    return of_nodes == night->held_gpu_ns;
}

/* The sum of the days of a range; by_day may be NULL. */
static hc_gpu_ns sum_of_days(const hc_gpu_ns *by_day, const struct hc_night_range *range)
{
    hc_gpu_ns sum = 0;
    for (size_t day = range->first; by_day && day <= range->last; day++)
        sum += by_day[day];
    return sum;
}

enum hc_status hc_night_result_make(struct hc_night_result *result, struct hc_night *night,
                                    const struct hc_night_range *range,
                                    const struct hc_night_names *names, struct hc_error *err)
{
    *result = (struct hc_night_result){.night = night, .range = *range};
    hc_night_runs_end(&night->runs);
    result->held_gpu_hours = hc_gpu_hours(night->held_gpu_ns);
    result->uncertain_gpu_hours = hc_gpu_hours(sum_of_days(night->uncertain_gpu_ns, range));
    result->excess_bound_gpu_hours = hc_gpu_hours(sum_of_days(night->excess_bound_gpu_ns, range));
    result->adds_up = adds_up(night);
    if (make_leaves(result, err) || make_days(result, names, err) ||
        make_runs(result, names, err) || make_incidents(result, names, err))
        return err->status;
    for (int d = HC_CUBE_USER; d < HC_N_CUBE_DIMENSIONS; d++)
        if (make_groups(result, (enum hc_cube_dimension)d, names, err))
            return err->status;
    return HC_OK;
}

void hc_night_result_fini(struct hc_night_result *result)
{
    free(result->leaves);
    free(result->goodput);
    free(result->days);
    free(result->runs);
    free(result->incidents);
    for (int d = 0; d < HC_N_CUBE_DIMENSIONS; d++)
        free(result->by[d].rows);
    *result = (struct hc_night_result){0};
}

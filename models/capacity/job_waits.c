#include "models/capacity/job_waits.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/select.h"
#include "models/capacity/installed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S   1e9
#define MILLIONTHS 1e6

/* An attempt, with a code of each of its names; group 0 has no name. */
struct hc_wait_row {
    int64_t wait_ns, run_ns; /* run_ns -1: it has not ended */
    int32_t group[HC_N_WAIT_GROUPINGS];
};

/* What is summed of a group whatever becomes of its rows. */
struct hc_wait_sums {
    int64_t n, n_ended;
    hc_capacity_ns gpu_wait_ns;
    /* In millionths, so that sums do not depend on the order of the attempts. */
    hc_capacity_ns sum[HC_N_WAIT_MEASURES];
    int64_t count[HC_N_WAIT_MEASURES];
};

const char *hc_wait_grouping_name(enum hc_wait_grouping by)
{
    static const char *const names[HC_N_WAIT_GROUPINGS] = {[HC_WAITS_OF_ALL] = "all",
                                                           [HC_WAITS_BY_SIZE] = "size",
                                                           [HC_WAITS_BY_PARTITION] = "partition",
                                                           [HC_WAITS_BY_USER] = "user"};
    return names[by];
}

/* ---- values ---- */

/* Whether an attempt has a value. */
static bool has_measure(const struct hc_wait_row *row, int measure)
{
    return measure == HC_WAIT_S ||
           (row->run_ns >= 0 && (measure != HC_SLOWDOWN || row->run_ns > 0));
}

static double measure_of(const struct hc_wait_row *row, int measure)
{
    double wait_s = (double)row->wait_ns / NS_PER_S, run_s = (double)row->run_ns / NS_PER_S;
    switch (measure) {
    case HC_WAIT_S:
        return wait_s;
    case HC_RUN_S:
        return run_s;
    case HC_SLOWDOWN:
        return (wait_s + run_s) / run_s;
    default:
        return fmax((wait_s + run_s) / fmax(run_s, HC_SLOWDOWN_BOUND_S), 1);
    }
}

/* ---- bins ---- */

#define SUB_BITS 5
#define UNIT     1e3 /* bins count thousandths: milliseconds, thousandths of slowdowns */

/* Exact up to 63 units, then 32 bins between two powers of two. */
static uint64_t bin_of(double value)
{
    uint64_t units = value < 9e15 ? (uint64_t)(value * UNIT) : (uint64_t)9e18;
    if (units < 2U << SUB_BITS)
        return units;
    unsigned shift = 63U - (unsigned)__builtin_clzll(units) - SUB_BITS;
    return ((uint64_t)shift << SUB_BITS) + (units >> shift);
}

static double middle_of(uint64_t bin)
{
    if (bin < 2U << SUB_BITS)
        return (double)bin / UNIT;
    unsigned shift = (unsigned)(bin >> SUB_BITS) - 1;
    uint64_t low = ((bin & ((1U << SUB_BITS) - 1)) | 1U << SUB_BITS) << shift;
    return ((double)low + (double)((uint64_t)1 << shift) / 2) / UNIT;
}

/* Grouping, measure, group and bin in one number, so that the entries of a group lie together in
 * its order. */
static uint64_t key_of(int by, int measure, int32_t group, uint64_t bin)
{
    return (uint64_t)by << 60 | (uint64_t)measure << 56 | (uint64_t)(uint32_t)group << 16 | bin;
}

static enum hc_status count_row(struct hc_job_waits *waits, const struct hc_wait_row *row,
                                struct hc_error *err)
{
    for (int by = 0; by < HC_N_WAIT_GROUPINGS; by++)
        for (int measure = 0; measure < HC_N_WAIT_MEASURES; measure++) {
            size_t entry;
            if (!has_measure(row, measure))
                continue;
            uint64_t key = key_of(by, measure, row->group[by], bin_of(measure_of(row, measure)));
            if (hc_int_map_insert(&waits->bins, key, 0, &entry, err))
                return err->status;
            if (waits->bins.values[entry] < INT32_MAX)
                waits->bins.values[entry]++;
        }
    return HC_OK;
}

/* There are too many attempts to keep each. */
static enum hc_status count_rows(struct hc_job_waits *waits, struct hc_error *err)
{
    for (size_t i = 0; i < waits->n_rows; i++)
        if (count_row(waits, &waits->rows[i], err))
            return err->status;
    free(waits->rows);
    waits->rows = NULL;
    waits->n_rows = waits->room = 0;
    waits->is_binned = true;
    return HC_OK;
}

/* ---- attempts ---- */

static enum hc_status find_groups(struct hc_job_waits *waits, const struct hc_job_wait *job,
                                  struct hc_wait_row *row, struct hc_error *err)
{
    for (int by = 0; by < HC_N_WAIT_GROUPINGS; by++) {
        const char *name = by == HC_WAITS_OF_ALL ? NULL : job->name[by];
        struct hc_text_set *names = &waits->names[by];
        int32_t code = -1;
        size_t had = waits->sums[by] ? names->n + 1 : 0;
        if ((name && hc_text_set_add(names, name, strlen(name), &code, err)) ||
            hc_reserve(&waits->sums[by], &waits->sums_room[by], names->n + 1,
                       sizeof *waits->sums[by], err))
            return err->status;
        for (size_t i = had; i <= names->n; i++)
            waits->sums[by][i] = (struct hc_wait_sums){0};
        row->group[by] = code + 1;
    }
    return HC_OK;
}

static void add_sums(struct hc_job_waits *waits, const struct hc_wait_row *row, int64_t gpus)
{
    for (int by = 0; by < HC_N_WAIT_GROUPINGS; by++) {
        struct hc_wait_sums *sums = &waits->sums[by][row->group[by]];
        sums->n++;
        sums->n_ended += row->run_ns >= 0;
        sums->gpu_wait_ns += (hc_capacity_ns)row->wait_ns * (hc_capacity_ns)gpus;
        for (int measure = 0; measure < HC_N_WAIT_MEASURES; measure++) {
            if (!has_measure(row, measure))
                continue;
            sums->sum[measure] +=
                (hc_capacity_ns)llround(fmin(measure_of(row, measure), 1e12) * MILLIONTHS);
            sums->count[measure]++;
        }
    }
}

enum hc_status hc_job_waits_add(struct hc_job_waits *waits, const struct hc_job_wait *job,
                                struct hc_error *err)
{
    struct hc_wait_row row = {.wait_ns = job->wait_ns > 0 ? job->wait_ns : 0,
                              .run_ns = job->run_ns == HC_MISSING_I64 ? -1
                                        : job->run_ns > 0             ? job->run_ns
                                                                      : 0};
    size_t most = waits->most_rows ? waits->most_rows : HC_WAITS_EXACT;
    if (find_groups(waits, job, &row, err))
        return err->status;
    add_sums(waits, &row, job->gpus);
    if (!waits->is_binned && waits->n_rows == most && count_rows(waits, err))
        return err->status;
    if (waits->is_binned)
        return count_row(waits, &row, err);
    if (hc_reserve(&waits->rows, &waits->room, waits->n_rows + 1, sizeof *waits->rows, err))
        return err->status;
    waits->rows[waits->n_rows++] = row;
    return HC_OK;
}

void hc_job_waits_fini(struct hc_job_waits *waits)
{
    for (int by = 0; by < HC_N_WAIT_GROUPINGS; by++) {
        hc_text_set_fini(&waits->names[by]);
        free(waits->sums[by]);
    }
    hc_int_map_fini(&waits->bins);
    free(waits->rows);
    free(waits->groups);
    *waits = (struct hc_job_waits){0};
}

/* ---- quantiles ---- */

static const double shares[] = {0.5, 0.9, 0.99};

static void put_quantile(struct hc_wait_spread *spread, int which, double value)
{
    *(which == 0 ? &spread->median : which == 1 ? &spread->p90 : &spread->p99) = value;
}

/* From 0: the least value that the share of all n are at or below. */
static size_t rank_of(size_t n, double share)
{
    size_t rank = (size_t)ceil(share * (double)n);
    return rank ? rank - 1 : 0;
}

static void take_exact(struct hc_wait_spread *spread, double *values, size_t n)
{
    for (int which = 0; which < 3 && n; which++)
        put_quantile(spread, which, hc_select(values, n, rank_of(n, shares[which])));
}

/* Entries of bins of one group and measure, by bin. */
struct bin_entry {
    uint64_t key;
    int32_t count;
};

static int compare_bins(const void *a, const void *b)
{
    const struct bin_entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void take_bins(struct hc_wait_spread *spread, const struct bin_entry *bins, size_t n_bins)
{
    size_t n = 0, before = 0, bin = 0;
    for (size_t i = 0; i < n_bins; i++)
        n += (size_t)bins[i].count;
    for (int which = 0; which < 3 && n; which++) {
        size_t rank = rank_of(n, shares[which]);
        while (before + (size_t)bins[bin].count <= rank)
            before += (size_t)bins[bin++].count;
        put_quantile(spread, which, middle_of(bins[bin].key & 0xFFFF));
    }
}

static enum hc_status take_all_bins(struct hc_job_waits *waits,
                                    struct hc_wait_group *const group_of[HC_N_WAIT_GROUPINGS],
                                    struct hc_error *err)
{
    size_t n = waits->bins.n;
    struct bin_entry *entries = hc_new_array(n, sizeof *entries, err);
    if (!entries)
        return err->status;
    for (size_t i = 0; i < n; i++)
        entries[i] = (struct bin_entry){waits->bins.keys[i], waits->bins.values[i]};
    if (n)
        qsort(entries, n, sizeof *entries, compare_bins);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t of = entries[i].key >> 16;
        for (end = i + 1; end < n && entries[end].key >> 16 == of;)
            end++;
        struct hc_wait_group *group = &group_of[of >> 44][of & 0xFFFFFFFF];
        take_bins(&group->of[of >> 40 & 0xF], &entries[i], end - i);
    }
    free(entries);
    return HC_OK;
}

/* Rows of one grouping, those of a group together: places[g] is where those of group g begin. */
static enum hc_status take_all_exact(struct hc_job_waits *waits, int by,
                                     struct hc_wait_group *groups, struct hc_error *err)
{
    size_t n_groups = waits->names[by].n + 1, n = waits->n_rows;
    size_t *place = hc_new_array(n_groups + 1, sizeof *place, err);
    uint32_t *order = place ? hc_new_array(n, sizeof *order, err) : NULL;
    double *values = order ? hc_new_array(n, sizeof *values, err) : NULL;
    for (size_t i = 0; values && i < n; i++)
        place[waits->rows[i].group[by] + 1]++;
    for (size_t g = 0; values && g < n_groups; g++)
        place[g + 1] += place[g];
    for (size_t i = 0; values && i < n; i++)
        order[place[waits->rows[i].group[by]]++] = (uint32_t)i;
    for (size_t g = 0, from = 0; values && g < n_groups; from = place[g++])
        for (int measure = 0; measure < HC_N_WAIT_MEASURES; measure++) {
            size_t n_values = 0;
            for (size_t i = from; i < place[g]; i++)
                if (has_measure(&waits->rows[order[i]], measure))
                    values[n_values++] = measure_of(&waits->rows[order[i]], measure);
            take_exact(&groups[g].of[measure], values, n_values);
        }
    enum hc_status status = values ? HC_OK : err->status;
    free(place);
    free(order);
    free(values);
    return status;
}

/* ---- groups ---- */

static int compare_groups(const void *a, const void *b)
{
    const struct hc_wait_group *x = a, *y = b;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static void begin_group(const struct hc_job_waits *waits, int by, size_t g,
                        struct hc_wait_group *group)
{
    const struct hc_wait_sums *sums = &waits->sums[by][g];
    *group = (struct hc_wait_group){.by = (enum hc_wait_grouping)by,
                                    .name = g ? waits->names[by].text[g - 1] : NULL,
                                    .n = sums->n,
                                    .n_ended = sums->n_ended,
                                    .gpu_wait_hours = (double)sums->gpu_wait_ns / 3600 / NS_PER_S};
    for (int measure = 0; measure < HC_N_WAIT_MEASURES; measure++) {
        group->of[measure] = (struct hc_wait_spread){NAN, NAN, NAN, NAN};
        if (sums->count[measure])
            group->of[measure].mean =
                (double)sums->sum[measure] / MILLIONTHS / (double)sums->count[measure];
    }
}

enum hc_status hc_job_waits_end(struct hc_job_waits *waits, struct hc_error *err)
{
    struct hc_wait_group *group_of[HC_N_WAIT_GROUPINGS];
    size_t n = 0;
    enum hc_status status = HC_OK;
    for (int by = 0; by < HC_N_WAIT_GROUPINGS; by++)
        n += waits->sums[by] ? waits->names[by].n + 1 : 0;
    waits->groups = hc_new_array(n, sizeof *waits->groups, err);
    if (!waits->groups)
        return err->status;
    for (int by = 0; by < HC_N_WAIT_GROUPINGS && n; by++) {
        group_of[by] = waits->groups + waits->n_groups;
        for (size_t g = 0; g <= waits->names[by].n; g++)
            begin_group(waits, by, g, &waits->groups[waits->n_groups++]);
    }
    if (n && waits->is_binned)
        status = take_all_bins(waits, group_of, err);
    for (int by = 0; by < HC_N_WAIT_GROUPINGS && n && !waits->is_binned && !status; by++)
        status = take_all_exact(waits, by, group_of[by], err);
    size_t kept = 0;
    for (size_t i = 0; i < waits->n_groups; i++)
        if (waits->groups[i].n)
            waits->groups[kept++] = waits->groups[i];
    waits->n_groups = kept;
    if (kept)
        qsort(waits->groups, kept, sizeof *waits->groups, compare_groups);
    return status;
}

#include "reports/profiles/profile_figures.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MOST_ROWS        64  /* of a figure: beyond, those of the first ranks */
#define MOST_COLLECTIVES 128 /* columns of the arrivals: beyond, those of the first */
#define NAME_SIZE        48

enum { COMPUTE, EXPOSED_COMM, COPIES, IDLE, N_PARTS };

static const struct hc_figure_part parts[N_PARTS] = {
    [COMPUTE] = {"compute", HC_BLUE},
    [EXPOSED_COMM] = {"communication alone", HC_VERMILLION},
    [COPIES] = {"copies alone", HC_YELLOW},
    [IDLE] = {"idle", HC_PALE_GREY},
};

/* Names and values of the rows of a figure. */
struct rows {
    char (*name)[NAME_SIZE];
    const char **names;
    double *values; /* n * n_values */
    char (*text)[HC_NUMBER_TEXT];
    struct hc_figure_row *bars;
};

static enum hc_status rows_make(struct rows *rows, size_t n, size_t n_values, struct hc_error *err)
{
    rows->name = hc_new_array(n, sizeof *rows->name, err);
    rows->names = rows->name ? hc_new_array(n, sizeof *rows->names, err) : NULL;
    rows->values = rows->names ? hc_new_array(n, n_values * sizeof *rows->values, err) : NULL;
    rows->text = rows->values ? hc_new_array(n, sizeof *rows->text, err) : NULL;
    rows->bars = rows->text ? hc_new_array(n, sizeof *rows->bars, err) : NULL;
    return rows->bars ? HC_OK : err->status;
}

static void rows_fini(struct rows *rows)
{
    free(rows->name);
    free(rows->names);
    free(rows->values);
    free(rows->text);
    free(rows->bars);
}

/* ---- what the GPUs did ---- */

static void fill_breakdown(struct rows *rows, const struct hc_breakdown_rows *breakdown, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_breakdown_row *row = &breakdown->rows[i];
        const struct hc_breakdown *b = &row->breakdown;
        double *ms = rows->values + i * N_PARTS;
        if (row->step == HC_MISSING_I64)
            snprintf(rows->name[i], NAME_SIZE, "rank %" PRId32, row->rank);
        else
            snprintf(rows->name[i], NAME_SIZE, "rank %" PRId32 ", step %" PRId64, row->rank,
                     row->step);
        rows->names[i] = rows->name[i];
        ms[COMPUTE] = (double)b->compute_ns * 1e-6;
        ms[EXPOSED_COMM] = (double)b->exposed_comm_ns * 1e-6;
        ms[COPIES] = (double)b->exposed_memcpy_ns * 1e-6;
        ms[IDLE] = (double)b->idle_ns * 1e-6;
    }
}

static enum hc_status put_breakdown(const struct hc_figure_sink *sink,
                                    const struct hc_breakdown_rows *breakdown, struct hc_error *err)
{
    size_t n = breakdown->n < MOST_ROWS ? breakdown->n : MOST_ROWS;
    struct rows rows = {0};
    enum hc_status status = rows_make(&rows, n, N_PARTS, err);
    if (status == HC_OK && n > 0) {
        fill_breakdown(&rows, breakdown, n);
        const struct hc_figure figure = {
            .kind = HC_FIGURE_STACK,
            .name = "breakdown",
            .title = "What the GPUs did",
            .note = breakdown->n > n ? "Only the first rows; the table has more." : NULL,
            .is_wide = true,
            .x = {.title = "window", .unit = "ms"},
            .n_rows = n,
            .row_names = rows.names,
            .n_parts = N_PARTS,
            .parts = parts,
            .part_values = rows.values,
        };
        status = hc_figure_put(sink, &figure, err);
    }
    rows_fini(&rows);
    return status;
}

/* ---- a bar a rank ---- */

static int64_t caused_wait_ns(const struct hc_profile_report *report, size_t rank_index)
{
    return report->collectives->clocks[rank_index].caused_wait_ns;
}

static int64_t cost_ns(const struct hc_profile_report *report, size_t rank_index)
{
    return report->whatif->ranks[rank_index].cost_ns;
}

static enum hc_status put_bars(const struct hc_figure_sink *sink, struct hc_figure figure,
                               const struct hc_profile_report *report,
                               int64_t (*value)(const struct hc_profile_report *report, size_t r),
                               struct hc_error *err)
{
    size_t n_ranks = report->profile->n_ranks, n = n_ranks < MOST_ROWS ? n_ranks : MOST_ROWS;
    struct rows rows = {0};
    enum hc_status status = rows_make(&rows, n, 1, err);
    for (size_t r = 0; status == HC_OK && r < n; r++) {
        double seconds = (double)value(report, r) * 1e-9;
        snprintf(rows.name[r], NAME_SIZE, "rank %" PRId32, report->profile->ranks[r].rank);
        rows.bars[r] = (struct hc_figure_row){.name = rows.name[r],
                                              .text = hc_format_seconds(seconds, rows.text[r]),
                                              .value = seconds * 1e3,
                                              .color = HC_VERMILLION};
    }
    figure.kind = HC_FIGURE_BARS;
    figure.n_rows = n;
    figure.rows = rows.bars;
    figure.note = n_ranks > n ? "Only the first ranks; the table has more." : NULL;
    if (status == HC_OK)
        status = hc_figure_put(sink, &figure, err);
    rows_fini(&rows);
    return status;
}

/* ---- arrivals: a column a collective, a row a rank ---- */

/* Cells of one collective; the longest wait is kept in most_ms. */
static void fill_arrivals(struct hc_figure_matrix *matrix, size_t x, double *values, bool *is_last,
                          const struct hc_profile_report *report)
{
    const struct hc_collectives *c = report->collectives;
    const struct hc_collective *collective = &c->collectives[x];
    for (size_t y = 0; y < matrix->n_y; y++)
        values[x * matrix->n_y + y] = NAN;
    if (collective->last_rank == HC_MISSING_I32)
        return;
    for (size_t k = collective->first; k < collective->first + collective->n; k++) {
        size_t y = c->kernels[c->member_kernels[k]].rank_index;
        double wait_ms = (double)c->wait_ns[k] * 1e-6;
        if (y >= matrix->n_y)
            continue;
        values[x * matrix->n_y + y] = wait_ms;
        is_last[x * matrix->n_y + y] = report->profile->ranks[y].rank == collective->last_rank;
        matrix->high = wait_ms > matrix->high ? wait_ms : matrix->high;
    }
}

static enum hc_status put_matrix(const struct hc_figure_sink *sink, struct hc_figure figure,
                                 const struct hc_profile_report *report, struct hc_error *err)
{
    struct hc_figure_matrix *matrix = &figure.matrix;
    size_t n_cells = matrix->n_x * matrix->n_y;
    double *values = hc_new_array(n_cells, sizeof *values, err);
    bool *is_last = values ? hc_new_array(n_cells, sizeof *is_last, err) : NULL;
    int32_t *ids = is_last ? hc_new_array(matrix->n_y, sizeof *ids, err) : NULL;
    enum hc_status status = ids ? HC_OK : err->status;
    if (status == HC_OK) {
        for (size_t y = 0; y < matrix->n_y; y++)
            ids[y] = report->profile->ranks[y].rank;
        for (size_t x = 0; x < matrix->n_x; x++)
            fill_arrivals(matrix, x, values, is_last, report);
        if (matrix->high <= 0)
            matrix->high = 1; /* nobody waits: all cells are of the first shade */
        matrix->values = values;
        matrix->is_marked = is_last;
        matrix->y_ids = ids;
        status = hc_figure_put(sink, &figure, err);
    }
    free(values);
    free(is_last);
    free(ids);
    return status;
}

static enum hc_status put_arrivals(const struct hc_figure_sink *sink,
                                   const struct hc_profile_report *report, struct hc_error *err)
{
    size_t n = report->collectives->n, n_ranks = report->profile->n_ranks;
    bool is_cut = n > MOST_COLLECTIVES || n_ranks > MOST_ROWS;
    const struct hc_figure figure = {
        .kind = HC_FIGURE_MATRIX,
        .name = "arrivals",
        .title = "How long each rank waits for the last one",
        .says = "how long each rank waits in each collective, in order of time; the rank that "
                "arrives last is framed",
        .note = is_cut
                    ? "Milliseconds, collectives in order of time; the rank that arrives last is "
                      "framed. Only the first collectives and ranks; --csv DIR has all waits."
                    : "Milliseconds, collectives in order of time; the rank that arrives last "
                      "is framed.",
        .is_wide = true,
        .matrix = {.n_x = n < MOST_COLLECTIVES ? n : MOST_COLLECTIVES,
                   .n_y = n_ranks < MOST_ROWS ? n_ranks : MOST_ROWS,
                   .value = "wait",
                   .unit = "ms",
                   .x_name = "collective",
                   .y_name = "rank",
                   .is_whole_range = true,
                   .has_decimals = true,
                   .decimals = 3},
    };
    return n ? put_matrix(sink, figure, report, err) : HC_OK;
}

enum hc_status hc_profile_put_figures(const struct hc_figure_sink *sink,
                                      const struct hc_profile_report *report, struct hc_error *err)
{
    static const struct hc_figure waits = {.name = "caused-waits",
                                           .title = "Whom the others wait for",
                                           .x = {.title = "wait of all others", .unit = "ms"}};
    static const struct hc_figure costs = {
        .name = "costs", .title = "What each rank costs", .x = {.title = "T", .unit = "ms"}};
    if (report->collectives && report->profile->n_ranks > 1 &&
        put_bars(sink, waits, report, caused_wait_ns, err))
        return err->status;
    if (report->whatif && report->whatif->ranks && report->profile->n_ranks > 1 &&
        put_bars(sink, costs, report, cost_ns, err))
        return err->status;
    if (report->collectives && report->profile->n_ranks > 1 && put_arrivals(sink, report, err))
        return err->status;
    return report->breakdown ? put_breakdown(sink, report->breakdown, err) : HC_OK;
}

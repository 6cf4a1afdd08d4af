#include "sim/fleet/fleet_summary.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "models/stats/binomial_interval.h"
#include "sim/fleet/fleet_summary_tables.h"

#include <math.h>
#include <stdlib.h>

/* ---- the funnel ---- */

/* Stages discard in the order of the fates, HC_FLEET_ANALYSED being what passes them all. */
static void find_funnel(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    struct hc_fleet_stage *all = &summary->funnel[HC_FLEET_ANALYSED];
    for (int fate = 0; fate < HC_N_FLEET_FATES; fate++) {
        struct hc_fleet_stage *stage = &summary->funnel[fate];
        for (size_t i = 0; i < rows->n; i++) {
            enum hc_fleet_fate end = rows->row[i].fate;
            if (fate == HC_FLEET_ANALYSED || end == HC_FLEET_ANALYSED || (int)end >= fate)
                hc_fleet_part_add(&stage->part, &rows->row[i], (int)end == fate);
        }
        hc_fleet_part_close(&stage->part);
        stage->share_of_all = hc_fleet_ratio((double)stage->part.n, (double)all->part.of);
        stage->hours_share_of_all = hc_fleet_ratio(stage->part.hours, all->part.of_hours);
    }
}

/* ---- the headline ---- */

static void find_headline(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    double sum = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        hc_fleet_part_add(&summary->lacking, row, hc_fleet_is_lacking(row->fate));
        if (!hc_fleet_is_analysed(row))
            continue;
        bool is_known = !isnan(hc_fleet_row_hours(row));
        summary->n_analysed++;
        summary->n_hours_unknown += !is_known;
        summary->hours_traced += is_known ? row->gpu_hours_traced : 0;
        summary->hours_lost += is_known ? row->gpu_hours_lost : 0;
        sum += hc_fleet_is_straggling(row) ? row->slowdown : 0;
        hc_fleet_part_add(&summary->straggling, row, hc_fleet_is_straggling(row));
        bool is_late = hc_fleet_row_is_late(row);
        hc_fleet_part_add(&summary->late, row, is_late);
        if (!is_late)
            hc_fleet_part_add(&summary->straggling_in_time, row, hc_fleet_is_straggling(row));
        if (is_late && is_known)
            summary->late_hours_lost +=
                row->gpu_hours_traced * (1 - row->mean_replayed_s / row->mean_traced_s);
    }
    hc_fleet_part_close(&summary->late);
    hc_fleet_part_close(&summary->straggling_in_time);
    hc_fleet_part_close(&summary->lacking);
    hc_fleet_part_close(&summary->straggling);
    summary->n_straggling = summary->straggling.n;
    summary->lost_share = hc_fleet_ratio(summary->hours_lost, summary->hours_traced);
    summary->mean_straggling_slowdown = hc_fleet_ratio(sum, (double)summary->n_straggling);
    hc_binomial_interval(summary->straggling.n, summary->straggling.of, HC_FLEET_LEVEL,
                         &summary->straggling_interval.low, &summary->straggling_interval.high);
}

/* ---- metrics ---- */

static double metric_of(const struct hc_fleet_row *row, enum hc_fleet_metric_id id)
{
    switch (id) {
    case HC_METRIC_M_W:
        return row->m_w;
    case HC_METRIC_M_S: /* the paper counts a job with one stage as one that fails its test */
        return row->pp_size == 1 ? 0 : row->m_s;
    default:
        return row->correlation;
    }
}

static void find_metric(struct hc_fleet_summary *summary, enum hc_fleet_metric_id id,
                        const struct hc_fleet_rows *rows)
{
    static const double limits[HC_N_FLEET_METRICS] = {0.5, 0.5, 0.9};
    struct hc_fleet_metric *metric = &summary->metric[id];
    double sum = 0;
    metric->limit = limits[id];
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        double value = metric_of(row, id);
        if (!hc_fleet_is_straggling(row))
            continue;
        if (!isfinite(value)) {
            metric->n_unknown++;
            continue;
        }
        bool passes = id == HC_METRIC_M_W ? value > metric->limit : value >= metric->limit;
        sum += passes ? row->slowdown : 0;
        hc_fleet_part_add(&metric->passed, row, passes);
    }
    hc_fleet_part_close(&metric->passed);
    metric->mean_slowdown = hc_fleet_ratio(sum, (double)metric->passed.n);
}

static void find_without_pp(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (!hc_fleet_is_analysed(row) || row->pp_size == HC_MISSING_I32)
            continue;
        hc_fleet_part_add(&summary->without_pp, row, row->pp_size == 1);
        if (hc_fleet_is_straggling(row))
            hc_fleet_part_add(&summary->straggling_without_pp, row, row->pp_size == 1);
    }
    hc_fleet_part_close(&summary->without_pp);
    hc_fleet_part_close(&summary->straggling_without_pp);
}

/* ---- all of it ---- */

static enum hc_status check_rows(const struct hc_fleet_row *rows, size_t n_rows,
                                 struct hc_error *err)
{
    for (size_t i = 0; i < n_rows; i++) {
        const struct hc_fleet_row *row = &rows[i];
        const char *id = row->job_id ? row->job_id : "";
        if ((unsigned)row->fate >= HC_N_FLEET_FATES)
            return hc_fail(err, HC_BAD_INPUT, "job '%s': no fate has the number %d", id, row->fate);
        if ((unsigned)row->cause >= HC_N_STRAGGLER_CAUSES)
            return hc_fail(err, HC_BAD_INPUT, "job '%s': no cause has the number %d", id,
                           row->cause);
        if (row->n_types > HC_FLEET_MAX_TYPES || row->n_sampled > HC_FLEET_SAMPLED_STEPS ||
            row->n_hosts > HC_FLEET_MAX_HOSTS)
            return hc_fail(err, HC_BAD_INPUT,
                           "job '%s': more op types, steps or hosts than a row holds", id);
    }
    return HC_OK;
}

static enum hc_status find_all(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows,
                               struct hc_error *err)
{
    summary->n_jobs = rows->n;
    find_funnel(summary, rows);
    find_headline(summary, rows);
    hc_fleet_find_cdfs(summary, rows);
    for (int id = 0; id < HC_N_FLEET_METRICS; id++)
        find_metric(summary, id, rows);
    find_without_pp(summary, rows);
    hc_fleet_find_causes(summary, rows);
    if (hc_fleet_find_sizes(summary, rows, err) || hc_fleet_find_types(summary, rows, err) ||
        hc_fleet_find_hosts(summary, rows, err))
        return err->status;
    return hc_fleet_find_ranking(summary, rows, err);
}

enum hc_status hc_fleet_summarise(struct hc_fleet_summary *summary, const struct hc_fleet_row *rows,
                                  size_t n_rows, struct hc_error *err)
{
    enum hc_status status = check_rows(rows, n_rows, err);
    if (status != HC_OK)
        return status;
    struct hc_fleet_rows all = {.row = rows, .n = n_rows};
    all.scratch = hc_new_array(n_rows, HC_FLEET_SAMPLED_STEPS * sizeof *all.scratch, err);
    if (!all.scratch)
        return err->status;
    *summary = (struct hc_fleet_summary){.n_jobs = n_rows};
    status = find_all(summary, &all, err);
    if (status != HC_OK)
        hc_fleet_summary_fini(summary);
    free(all.scratch);
    return status;
}

void hc_fleet_summary_fini(struct hc_fleet_summary *summary)
{
    free(summary->types);
    free(summary->sized[0]);
    free(summary->sized[1]);
    free(summary->hosts);
    free(summary->ranked);
    free(summary->unranked);
    *summary = (struct hc_fleet_summary){.types = NULL};
}

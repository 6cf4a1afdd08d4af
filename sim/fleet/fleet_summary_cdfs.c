#include "sim/fleet/fleet_summary_tables.h"

#include <math.h>

/* ---- what a value weighs ---- */

static double weigh_job(const struct hc_fleet_row *row)
{
    (void)row;
    return 1;
}

static double weigh_waste(const struct hc_fleet_row *row)
{
    return row->waste;
}

/* ---- values ---- */

static double value_waste(const struct hc_fleet_row *row)
{
    return row->waste;
}

static double value_slowdown(const struct hc_fleet_row *row)
{
    return row->slowdown;
}

static double value_launch(const struct hc_fleet_row *row)
{
    return row->launch_slowdown;
}

static double value_discrepancy(const struct hc_fleet_row *row)
{
    return row->discrepancy;
}

static double value_m_w(const struct hc_fleet_row *row)
{
    return row->m_w;
}

static double value_m_s(const struct hc_fleet_row *row)
{
    return row->m_s;
}

static double value_r(const struct hc_fleet_row *row)
{
    return row->correlation;
}

/* ---- whose ---- */

static bool was_replayed(const struct hc_fleet_row *row)
{
    return hc_fleet_is_analysed(row) || row->fate == HC_FLEET_DISCREPANCY;
}

static const struct cdf_rule {
    const char *figure, *weight_key;
    bool (*has)(const struct hc_fleet_row *row);
    double (*value)(const struct hc_fleet_row *row); /* NULL: the sampled steps */
    double (*weight)(const struct hc_fleet_row *row);
} rules[HC_N_FLEET_CDFS] = {
    [HC_CDF_WASTE_BY_JOBS] = {"waste", "jobs", hc_fleet_is_analysed, value_waste, weigh_job},
    [HC_CDF_WASTE_BY_HOURS] = {"waste", "gpu_hours", hc_fleet_is_analysed, value_waste,
                               hc_fleet_row_hours},
    [HC_CDF_SLOWDOWN_BY_JOBS] = {"slowdown", "jobs", hc_fleet_is_analysed, value_slowdown,
                                 weigh_job},
    [HC_CDF_SLOWDOWN_BY_HOURS] = {"slowdown", "gpu_hours", hc_fleet_is_analysed, value_slowdown,
                                  hc_fleet_row_hours},
    [HC_CDF_LAUNCH_BY_JOBS] = {"launch_slowdown", "jobs", hc_fleet_is_analysed, value_launch,
                               weigh_job},
    [HC_CDF_DISCREPANCY_BY_JOBS] = {"discrepancy", "jobs", was_replayed, value_discrepancy,
                                    weigh_job},
    [HC_CDF_STEPS] = {"step_slowdown", "steps", hc_fleet_is_straggling, NULL, weigh_job},
    [HC_CDF_M_W_BY_JOBS] = {"m_w", "jobs", hc_fleet_is_straggling, value_m_w, weigh_job},
    [HC_CDF_M_W_BY_HOURS] = {"m_w", "gpu_hours", hc_fleet_is_straggling, value_m_w,
                             hc_fleet_row_hours},
    [HC_CDF_M_W_BY_WASTE] = {"m_w", "waste", hc_fleet_is_straggling, value_m_w, weigh_waste},
    [HC_CDF_M_S_BY_JOBS] = {"m_s", "jobs", hc_fleet_is_straggling, value_m_s, weigh_job},
    [HC_CDF_M_S_BY_HOURS] = {"m_s", "gpu_hours", hc_fleet_is_straggling, value_m_s,
                             hc_fleet_row_hours},
    [HC_CDF_M_S_BY_WASTE] = {"m_s", "waste", hc_fleet_is_straggling, value_m_s, weigh_waste},
    [HC_CDF_R_BY_JOBS] = {"correlation", "jobs", hc_fleet_is_straggling, value_r, weigh_job},
    [HC_CDF_R_BY_HOURS] = {"correlation", "gpu_hours", hc_fleet_is_straggling, value_r,
                           hc_fleet_row_hours},
    [HC_CDF_R_BY_WASTE] = {"correlation", "waste", hc_fleet_is_straggling, value_r, weigh_waste},
};

const char *hc_fleet_cdf_figure(enum hc_fleet_cdf_id id)
{
    return rules[id].figure;
}

const char *hc_fleet_cdf_weight(enum hc_fleet_cdf_id id)
{
    return rules[id].weight_key;
}

/* Add a value at the end of points unless it is not known, or weighs nothing. */
static size_t add(struct hc_weighted *points, size_t n, double value, double weight)
{
    if (!isfinite(value) || !isfinite(weight) || !(weight > 0))
        return n;
    points[n] = (struct hc_weighted){value, weight};
    return n + 1;
}

static void find_cdf(struct hc_fleet_cdf *cdf, const struct cdf_rule *rule,
                     const struct hc_fleet_rows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (!rule->has(row))
            continue;
        double weight = rule->weight(row);
        for (size_t s = 0; !rule->value && s < row->n_sampled; s++)
            n = add(rows->scratch, n, row->sampled[s], weight);
        if (rule->value)
            n = add(rows->scratch, n, rule->value(row), weight);
    }
    hc_fleet_cdf_build(cdf, rows->scratch, n);
}

void hc_fleet_find_cdfs(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    for (int id = 0; id < HC_N_FLEET_CDFS; id++)
        find_cdf(&summary->cdf[id], &rules[id], rows);
}

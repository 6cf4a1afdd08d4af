#include "cli/commands/night/night_findings.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* At which the bound on false findings is said: one subject of a hundred changes in a week, and
 * nine changes of ten are found. */
#define PREVALENCE 0.01
#define POWER      0.9

/* What the site file says of a finding. */
static void ask_site(struct hc_shown_finding *row, const struct hc_site *site, const char *day)
{
    for (size_t i = 0; site && i < site->n_owners; i++)
        if (strcmp(site->owners[i].kind, hc_finding_kind_name(row->finding->kind)) == 0)
            row->owner = site->owners[i].owner;
    for (size_t i = 0; site && i < site->n_acknowledged; i++)
        if (strcmp(site->acknowledged[i].id, row->finding->id) == 0 &&
            strcmp(site->acknowledged[i].until, day) >= 0)
            row->acknowledged_until = site->acknowledged[i].until;
}

enum hc_status hc_night_findings_make(struct hc_night_findings *findings,
                                      const struct hc_night_data *data, const struct hc_site *site,
                                      struct hc_error *err)
{
    const struct hc_findings_options options = hc_findings_defaults();
    const struct hc_night_days *days = &data->series.days;
    if (hc_findings_run(&findings->found, &data->series.input, &options, err))
        return err->status;
    findings->rows = hc_new_array(findings->found.n, sizeof *findings->rows, err);
    if (!findings->rows)
        return err->status;
    for (size_t i = 0; i < findings->found.n; i++) {
        findings->rows[i].finding = &findings->found.rows[i];
        ask_site(&findings->rows[i], site, days->names[days->n - 1]);
    }
    int64_t n_unacknowledged = 0;
    for (size_t i = 0; i < findings->found.n; i++)
        n_unacknowledged += !findings->rows[i].acknowledged_until;
    size_t n_series[HC_N_FINDING_KINDS];
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++)
        n_series[kind] = findings->found.counts[kind].n_tested;
    const struct hc_findings_bound bound =
        hc_findings_expected(&options, n_series, PREVALENCE, POWER);
    findings->view = (struct hc_findings_view){.found = &findings->found,
                                               .n = findings->found.n,
                                               .rows = findings->rows,
                                               .n_unacknowledged = n_unacknowledged,
                                               .false_per_week = options.false_per_week,
                                               .prevalence = PREVALENCE,
                                               .power = POWER,
                                               .false_share = bound.false_share};
    return HC_OK;
}

void hc_night_findings_fini(struct hc_night_findings *findings)
{
    hc_findings_fini(&findings->found);
    free(findings->rows);
}

/* The figures of the reports on the days of a cluster, for --fail-on. */
#include "cli/options/fail_on.h"
#include "models/account/ettr/ettr_result.h"
#include "models/account/night/night_result.h"
#include "models/account/startup/startup_result.h"
#include "models/account/subject/subject.h"
#include "models/account/top/leaf_top.h"
#include "reports/night/findings_report.h"

#include <math.h>

static struct hc_condition_value plain(double value)
{
    return (struct hc_condition_value){value, NAN, NAN};
}

#define N(list) (sizeof(list) / sizeof *(list))

/* ---- report nightly ---- */

static const struct hc_condition_figure night_figures[] = {
    {"totals.gpu_hours", "GPU-hours", false, false},
    {"totals.productive_share", "share", false, false},
    {"totals.unknown_share", "share", false, false},
};

static struct hc_condition_value night_value(const void *report, size_t i)
{
    const struct hc_night_result *r = report;
    return plain(i == 0 ? r->gpu_hours : i == 1 ? r->productive_share : r->unknown_share);
}

const struct hc_report_figures hc_night_figures = {night_figures, N(night_figures), night_value,
                                                   NULL};

/* ---- report findings ---- */

static const struct hc_condition_figure finding_figures[] = {
    {"findings.unacknowledged", "", false, false},
};

static struct hc_condition_value finding_value(const void *report, size_t i)
{
    const struct hc_findings_view *view = report;
    (void)i;
    return plain((double)view->n_unacknowledged);
}

const struct hc_report_figures hc_finding_figures = {finding_figures, N(finding_figures),
                                                     finding_value, NULL};

/* ---- report ettr ---- */

static const struct hc_condition_figure ettr_figures[HC_N_ETTRS] = {
    [HC_ETTR_META] = {"fleet.ratios.meta.value", "share", false, false},
    [HC_ETTR_BYTEROBUST] = {"fleet.ratios.byterobust.value", "share", false, false},
    [HC_ETTR_GOODPUT] = {"fleet.ratios.goodput.value", "share", false, false},
    [HC_ETTR_NOMINAL] = {"fleet.ratios.nominal.value", "share", false, false},
};

static struct hc_condition_value ettr_value(const void *report, size_t i)
{
    return plain(((const struct hc_ettr_result *)report)->fleet.ratio[i].value);
}

const struct hc_report_figures hc_ettr_figures = {ettr_figures, N(ettr_figures), ettr_value, NULL};

/* ---- report startup ---- */

static const struct hc_condition_figure startup_figures[] = {
    {"totals.startup", "GPU-hours", false, false},
    {"totals.share", "share", false, false},
    {"totals.avoidable", "GPU-hours", false, false},
};

static struct hc_condition_value startup_value(const void *report, size_t i)
{
    const struct hc_startup_result *r = report;
    return plain(i == 0 ? r->startup : i == 1 ? r->share : r->avoidable);
}

const struct hc_report_figures hc_startup_figures = {startup_figures, N(startup_figures),
                                                     startup_value, NULL};

/* ---- top lost; report run, job, node ---- */

static const struct hc_condition_figure top_figures[] = {
    {"total.gpu_hours", "GPU-hours", false, false},
    {"total.share_of_held", "share", false, false},
};

static struct hc_condition_value top_value(const void *report, size_t i)
{
    const struct hc_top *top = report;
    return plain(i == 0 ? top->total.gpu_hours : top->total.share_of_held);
}

const struct hc_report_figures hc_top_figures = {top_figures, N(top_figures), top_value, NULL};

static const struct hc_condition_figure subject_figures[] = {
    {"gpu_hours", "GPU-hours", false, false},
};

static struct hc_condition_value subject_value(const void *report, size_t i)
{
    (void)i;
    return plain(((const struct hc_subject *)report)->hours);
}

const struct hc_report_figures hc_subject_figures = {subject_figures, N(subject_figures),
                                                     subject_value, NULL};

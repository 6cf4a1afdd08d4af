#include "cli/commands/night/reliability_of_records.h"

#include "cli/frame/output.h"
#include "cli/options/report_output.h"
#include "pipeline/night/night_input.h"
#include "pipeline/night/rates_input.h"
#include "reports/rates/rates_report.h"

#define DAY_NS         ((int64_t)86400 * 1000000000)
#define MOST_INCIDENTS 20 /* of text */

HC_TABLE_WRITERS(hc_rates, "hindcast-reliability-records");

static enum hc_status check(const struct hc_reliability_records *records, struct hc_error *err)
{
    const struct hc_moment *days[] = {records->from, records->to};
    for (int i = 0; i < 2; i++)
        if (days[i]->is_given && (days[i]->is_relative || days[i]->ns % DAY_NS))
            return hc_fail(err, HC_USAGE,
                           "with --records, --from and --to are days, as 2026-03-30");
    if (records->report->fail_on.n > 0)
        return hc_fail(err, HC_USAGE, "--fail-on is of lists of incidents, not of --records");
    return hc_report_options_check(records->report, records->common, err);
}

static enum hc_status load_and_report(const struct hc_reliability_records *records,
                                      const struct hc_night_inputs *inputs, struct hc_error *err)
{
    const struct hc_moment *from = records->from, *to = records->to;
    struct hc_rates_data data = {.n_spans = 0};
    const struct hc_rates_source source = {
        .walk = {.archive = inputs->archive,
                 .cluster = records->night->cluster,
                 .site = inputs->site_or_null,
                 .from_ns =
                     from->is_given ? hc_night_day_ns(&inputs->zone, from->ns / DAY_NS) : INT64_MIN,
                 .to_ns =
                     to->is_given ? hc_night_day_ns(&inputs->zone, to->ns / DAY_NS) : INT64_MAX,
                 .as_of_ns = inputs->as_of_ns},
        .zone = &inputs->zone,
        .nodes = records->nodes};
    enum hc_status status = hc_rates_load(&data, &source, err);
    struct hc_rates_report report = {.rates = &data.rates,
                                     .days = &data.days,
                                     .archive = inputs->archive->path,
                                     .cluster = records->night->cluster,
                                     .zone = inputs->zone_name,
                                     .n_installed = data.n_installed,
                                     .is_installed_given = records->nodes > 0,
                                     .top = MOST_INCIDENTS};
    const struct hc_report_output output = {&writers, &report, &report.run_id, records->report,
                                            records->common};
    if (!status)
        status = hc_report_output_write(&output, false, err);
    hc_rates_data_fini(&data);
    return status;
}

enum hc_status hc_reliability_records_run(const struct hc_reliability_records *records,
                                          struct hc_error *err)
{
    struct hc_night_inputs inputs = {0};
    if (check(records, err))
        return err->status;
    enum hc_status status = hc_night_inputs_open(&inputs, records->night, records->archive, err);
    if (!status)
        status = load_and_report(records, &inputs, err);
    hc_night_inputs_close(&inputs);
    return status;
}

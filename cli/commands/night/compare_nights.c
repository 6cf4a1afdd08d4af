#include "cli/commands/night/compare_nights.h"

#include "cli/frame/output.h"
#include "cli/options/report_output.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "pipeline/night/night_document.h"
#include "pipeline/night/night_input.h"
#include "pipeline/night/run_pair.h"
#include "reports/days/days_report.h"

#include <stdlib.h>
#include <string.h>

#define DAY_NS     ((int64_t)86400 * 1000000000)
#define OTHER_DAYS 28 /* before the first side, that tell how much shares change */
#define MOST_DAYS  3660
#define LAG_DAYS   7 /* a day is provisional for so long */

HC_PAGE_WRITERS(hc_days, ((const struct hc_days_report *)report)->runs ? "hindcast-compare-runs"
                                                                       : "hindcast-compare-nights");

/* ---- sides ---- */

static bool read_day(const char *text, size_t length, int64_t *day)
{
    char full[64];
    int64_t ns;
    snprintf(full, sizeof full, "%.*sT00:00:00Z", length == 10 ? 10 : 0, text);
    if (length != 10 || !hc_parse_iso8601(full, strlen(full), &ns))
        return false;
    *day = ns / DAY_NS;
    return true;
}

/* "2026-03-01" or "2026-03-01..2026-03-07"; false: it is neither. */
static bool read_days(const char *text, struct hc_compared_side *side)
{
    const char *dots = strstr(text, "..");
    if (!dots)
        return read_day(text, strlen(text), &side->first_day) &&
               read_day(text, strlen(text), &side->last_day);
    return read_day(text, (size_t)(dots - text), &side->first_day) &&
           read_day(dots + 2, strlen(dots + 2), &side->last_day);
}

bool hc_compare_is_days(const char *text)
{
    struct hc_compared_side side;
    return read_days(text, &side);
}

static enum hc_status check_days(const struct hc_compare_nights *compare,
                                 const struct hc_compared_side side[2], struct hc_error *err)
{
    int64_t first = side[0].first_day < side[1].first_day ? side[0].first_day : side[1].first_day;
    int64_t last = side[0].last_day > side[1].last_day ? side[0].last_day : side[1].last_day;
    for (int s = 0; s < 2; s++)
        if (side[s].first_day > side[s].last_day)
            return hc_fail(err, HC_USAGE, "'%s' ends before it begins", compare->sides[s]);
    if (side[0].first_day <= side[1].last_day && side[1].first_day <= side[0].last_day)
        return hc_fail(err, HC_USAGE, "'%s' and '%s' have days in common: compare others",
                       compare->sides[0], compare->sides[1]);
    if (last - first >= MOST_DAYS)
        return hc_fail(err, HC_USAGE, "A and B lie more than %d days apart", MOST_DAYS);
    return HC_OK;
}

static enum hc_status write_report(const struct hc_compare_nights *compare,
                                   struct hc_days_report *report, struct hc_error *err)
{
    const struct hc_report_output output = {&writers, report, &report->run_id, compare->report,
                                            compare->common};
    report->names[0] = compare->sides[0];
    report->names[1] = compare->sides[1];
    return hc_report_output_write(&output, false, err);
}

/* ---- days of an archive ---- */

static enum hc_status compare_days(const struct hc_compare_nights *compare,
                                   const struct hc_night_inputs *inputs,
                                   const struct hc_night_data *data, int64_t first_day,
                                   struct hc_day_compare *result, struct hc_error *err)
{
    struct hc_compared_day *days = hc_compared_days(&data->night, first_day, err);
    if (!days)
        return err->status;
    hc_compared_days_assign(days, data->night.days.n, result->side);
    for (int s = 0; s < 2; s++) {
        struct hc_compared_side *side = &result->side[s];
        hc_compared_side_sum(side, s ? HC_COMPARED_B : HC_COMPARED_A, days, data->night.days.n);
        side->is_provisional =
            hc_night_day_ns(&inputs->zone, side->last_day + 1) > data->names.final_until_ns;
    }
    hc_day_compare_make(result, days, data->night.days.n);
    free(days);
    return write_report(compare,
                        &(struct hc_days_report){.result = result,
                                                 .archive = inputs->archive->path,
                                                 .cluster = compare->night->cluster,
                                                 .zone = inputs->zone_name},
                        err);
}

static enum hc_status compare_in_archive(const struct hc_compare_nights *compare,
                                         struct hc_day_compare *result, struct hc_error *err)
{
    const struct hc_compared_side *a = &result->side[0], *b = &result->side[1];
    struct hc_night_inputs inputs = {0};
    struct hc_night_data data = {.n_causes = 0};
    if (check_days(compare, result->side, err))
        return err->status;
    int64_t first_day = (a->first_day < b->first_day ? a->first_day : b->first_day) - OTHER_DAYS;
    int64_t last_day = a->last_day > b->last_day ? a->last_day : b->last_day;
    enum hc_status status = hc_night_inputs_open(&inputs, compare->night, compare->archive, err);
    if (!status)
        status = hc_night_load(&data,
                               &(struct hc_night_choice){.archive = inputs.archive,
                                                         .cluster = compare->night->cluster,
                                                         .site = inputs.site_or_null,
                                                         .zone = &inputs.zone,
                                                         .first_day = first_day,
                                                         .last_day = last_day,
                                                         .as_of_ns = inputs.as_of_ns,
                                                         .series_day = INT64_MAX},
                               err);
    if (!status)
        status = compare_days(compare, &inputs, &data, first_day, result, err);
    hc_night_data_fini(&data);
    hc_night_inputs_close(&inputs);
    return status;
}

/* ---- documents ---- */

static int compare_by_day(const void *a, const void *b)
{
    int64_t x = ((const struct hc_compared_day *)a)->day;
    int64_t y = ((const struct hc_compared_day *)b)->day;
    return (x > y) - (x < y);
}

/* The days of both, each once: those of B where both have one. */
static struct hc_compared_day *unite_days(const struct hc_night_document documents[2], size_t *n,
                                          struct hc_error *err)
{
    size_t n_all = documents[0].n_days + documents[1].n_days, n_b = documents[1].n_days;
    struct hc_compared_day *days = hc_new_array(n_all, sizeof *days, err);
    *n = n_b;
    if (!days)
        return NULL;
    if (n_b)
        memcpy(days, documents[1].days, n_b * sizeof *days);
    for (size_t i = 0; i < documents[0].n_days; i++) {
        bool is_there = false;
        for (size_t k = 0; k < n_b; k++)
            is_there |= days[k].day == documents[0].days[i].day;
        if (!is_there)
            days[(*n)++] = documents[0].days[i];
    }
    if (*n)
        qsort(days, *n, sizeof *days, compare_by_day);
    return days;
}

static enum hc_status compare_documents(const struct hc_compare_nights *compare,
                                        struct hc_day_compare *result, struct hc_error *err)
{
    struct hc_night_document documents[2] = {{.n_days = 0}, {.n_days = 0}};
    struct hc_compared_day *days = NULL;
    size_t n_days = 0;
    enum hc_status status = hc_night_document_load(&documents[0], compare->sides[0], err);
    if (!status)
        status = hc_night_document_load(&documents[1], compare->sides[1], err);
    if (!status)
        status = hc_night_documents_check(documents, err);
    if (!status) {
        result->side[0] = documents[0].side;
        result->side[1] = documents[1].side;
        status = check_days(compare, result->side, err);
    }
    if (!status) {
        days = unite_days(documents, &n_days, err);
        status = days ? HC_OK : err->status;
    }
    if (!status) {
        hc_compared_days_assign(days, n_days, result->side);
        hc_day_compare_make(result, days, n_days);
        bool has_other_site = strcmp(documents[0].site_sha256, documents[1].site_sha256) != 0;
        status = write_report(
            compare, &(struct hc_days_report){.result = result, .has_other_site = has_other_site},
            err);
    }
    free(days);
    hc_night_document_fini(&documents[0]);
    hc_night_document_fini(&documents[1]);
    return status;
}

enum hc_status hc_compare_nights_run(const struct hc_compare_nights *compare, struct hc_error *err)
{
    struct hc_day_compare result = {.n = 0};
    bool is_day[2] = {read_days(compare->sides[0], &result.side[0]),
                      read_days(compare->sides[1], &result.side[1])};
    if (is_day[0] && is_day[1])
        return compare_in_archive(compare, &result, err);
    if (is_day[0] || is_day[1])
        return hc_fail(err, HC_USAGE,
                       "'%s' is no day, as 2026-03-01, and no days, as 2026-03-01..2026-03-07; "
                       "documents are compared with documents",
                       compare->sides[is_day[0] ? 1 : 0]);
    return compare_documents(compare, &result, err);
}

/* ---- runs ---- */

static bool is_document(const char *text)
{
    size_t length = strlen(text);
    return length > 5 && strcmp(text + length - 5, ".json") == 0;
}

static enum hc_status compare_run_documents(const struct hc_compare_nights *compare,
                                            struct hc_error *err)
{
    struct hc_night_document documents[2] = {{.n_days = 0}, {.n_days = 0}};
    struct hc_day_compare result = {.n = 0};
    enum hc_status status = hc_run_document_load(&documents[0], compare->sides[0], err);
    if (!status)
        status = hc_run_document_load(&documents[1], compare->sides[1], err);
    if (!status)
        status = hc_night_documents_check(documents, err);
    if (!status) {
        const struct hc_compared_run runs[2] = {documents[0].run, documents[1].run};
        result.side[0] = documents[0].side;
        result.side[1] = documents[1].side;
        hc_day_compare_make(&result, NULL, 0);
        status =
            write_report(compare, &(struct hc_days_report){.result = &result, .runs = runs}, err);
    }
    hc_night_document_fini(&documents[0]);
    hc_night_document_fini(&documents[1]);
    return status;
}

static enum hc_status compare_runs_in_archive(const struct hc_compare_nights *compare,
                                              const struct hc_night_inputs *inputs,
                                              struct hc_error *err)
{
    const struct hc_walk_choice walk = {.archive = inputs->archive,
                                        .cluster = compare->night->cluster,
                                        .site = inputs->site_or_null,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .as_of_ns = inputs->as_of_ns};
    struct hc_run_pair pair;
    enum hc_status status = hc_run_pair_load(&pair, &walk, &inputs->zone, compare->sides, err);
    if (!status) {
        struct hc_day_compare result = {.side = {pair.side[0], pair.side[1]}};
        hc_day_compare_make(&result, pair.days, pair.n_days);
        status = write_report(compare,
                              &(struct hc_days_report){.result = &result,
                                                       .runs = pair.runs,
                                                       .archive = inputs->archive->path,
                                                       .cluster = compare->night->cluster,
                                                       .zone = inputs->zone_name},
                              err);
    }
    hc_run_pair_fini(&pair);
    return status;
}

enum hc_status hc_compare_runs_run(const struct hc_compare_nights *compare, struct hc_error *err)
{
    const char *const *sides = compare->sides;
    struct hc_night_inputs inputs = {0};
    if (strcmp(sides[0], sides[1]) == 0)
        return hc_fail(err, HC_USAGE, "A and B are one: name another than '%s'", sides[0]);
    if (is_document(sides[0]) != is_document(sides[1]))
        return hc_fail(
            err, HC_USAGE,
            "'%s' is a document, and '%s' is none: documents are compared with documents",
            sides[is_document(sides[0]) ? 0 : 1], sides[is_document(sides[0]) ? 1 : 0]);
    if (is_document(sides[0]))
        return compare_run_documents(compare, err);
    enum hc_status status = hc_night_inputs_open(&inputs, compare->night, compare->archive, err);
    if (!status)
        status = compare_runs_in_archive(compare, &inputs, err);
    hc_night_inputs_close(&inputs);
    return status;
}

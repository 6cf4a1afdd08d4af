#include "cli/ingest_report.h"

#include "core/tables/json_records.h"
#include "core/text/number_format.h"

#include <inttypes.h>

#define MAX_LISTED 10 /* steps left out that the text lists; JSON has them all */

void hc_ingest_report_start(struct hc_ingest_report *report, const struct hc_output *output,
                            bool is_json, const char *archive)
{
    report->stream = output->stream;
    report->is_json = is_json;
    if (!is_json)
        return;
    hc_output_json_start(&report->json, output, "hindcast-ingest");
    hc_json_text(&report->json, "archive", archive);
    hc_json_array(&report->json, "traces");
}

/* A step that no analysis will use, for now or with other options. */
static bool is_left_out(const struct hc_census_step *step)
{
    return step->n_bad || step->n_duplicate || step->n_absent || step->structure < 0;
}

static size_t count_left_out(const struct hc_census *census)
{
    const struct hc_census_step *steps = hc_census_steps(census);
    size_t n = 0;
    for (size_t i = 0; i < hc_census_n_steps(census); i++)
        n += is_left_out(&steps[i]);
    return n;
}

/* ---- text ---- */

static void print_skipped(FILE *stream, const struct hc_row_report *rows)
{
    char count[HC_NUMBER_TEXT];
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        if (rows->count[reason])
            hc_output_line(
                stream, "  %s %s, %s; first: %s", hc_format_count(rows->count[reason], count),
                hc_bad_reason_outcome(reason), hc_bad_reason_text(reason), rows->example[reason]);
    if (rows->rows_ignored)
        hc_output_line(stream, "  %s ignored, rows of op types that the metadata says to ignore",
                       hc_format_count(rows->rows_ignored, count));
}

static void print_left_out(FILE *stream, const struct hc_census *census)
{
    const struct hc_census_step *steps = hc_census_steps(census);
    size_t n = count_left_out(census), n_listed = 0;
    if (n == 0)
        return;
    hc_output_line(stream, "  %zu of %zu steps will be left out of analyses:", n,
                   hc_census_n_steps(census));
    for (size_t i = 0; i < hc_census_n_steps(census) && n_listed < MAX_LISTED; i++) {
        if (!is_left_out(&steps[i]))
            continue;
        n_listed++;
        hc_output_line(stream, "    step %" PRId32 ": %s", steps[i].step,
                       steps[i].detail[0] ? steps[i].detail : "rows could not be read");
    }
    if (n > n_listed)
        hc_output_line(stream, "    and %zu more, which --json lists", n - n_listed);
}

static void print_read(FILE *stream, const struct hc_source_input *input,
                       const struct hc_census *census, bool replaced)
{
    char read[HC_NUMBER_TEXT], kept[HC_NUMBER_TEXT], steps[HC_NUMBER_TEXT];
    size_t n_steps = hc_census_n_steps(census);
    hc_output_line(stream, "%s/%s: %s '%s' (%s), %s of %s rows in %s step%s", input->job.cluster,
                   input->job.id, replaced ? "replaced by" : "ingested", input->source.name,
                   input->format->name, hc_format_count(hc_census_n_rows(census), kept),
                   hc_format_count(input->report.rows_read, read),
                   hc_format_count((int64_t)n_steps, steps), n_steps == 1 ? "" : "s");
    print_skipped(stream, &input->report);
    print_left_out(stream, census);
    fflush(stream);
}

/* ---- JSON ---- */

static void write_source(struct hc_json_writer *json, const struct hc_source_input *input,
                         const char *outcome)
{
    hc_json_object(json, NULL);
    hc_json_text(json, "path", input->source.name);
    hc_json_text(json, "outcome", outcome);
    hc_json_text(json, "cluster", input->job.cluster);
    hc_json_text(json, "id", input->job.id);
    hc_json_i32(json, "attempt", input->job.attempt);
    hc_json_text(json, "format", input->format->name);
    hc_json_text(json, "sha256", input->source.sha256);
    hc_json_text(json, "metadata_path", input->job.meta_path);
}

static void write_left_out(struct hc_json_writer *json, const struct hc_census *census)
{
    const struct hc_census_step *steps = hc_census_steps(census);
    hc_json_array(json, "steps_left_out");
    for (size_t i = 0; i < hc_census_n_steps(census); i++) {
        if (!is_left_out(&steps[i]))
            continue;
        hc_json_object(json, NULL);
        hc_json_i32(json, "step", steps[i].step);
        hc_json_i64(json, "bad_rows", steps[i].n_bad);
        hc_json_i64(json, "duplicate_rows", steps[i].n_duplicate);
        hc_json_i64(json, "absent_rows", steps[i].n_absent);
        hc_json_text(json, "detail", steps[i].detail);
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* ---- both ---- */

void hc_ingest_report_read(struct hc_ingest_report *report, const struct hc_source_input *input,
                           const struct hc_census *census, bool replaced)
{
    if (!report->is_json) {
        print_read(report->stream, input, census, replaced);
        return;
    }
    write_source(&report->json, input, replaced ? "replaced" : "ingested");
    hc_json_i64(&report->json, "ops", hc_census_n_rows(census));
    hc_json_i64(&report->json, "steps", (int64_t)hc_census_n_steps(census));
    hc_json_row_report(&report->json, &input->report);
    write_left_out(&report->json, census);
    hc_json_end(&report->json);
}

void hc_ingest_report_incidents(struct hc_ingest_report *report,
                                const struct hc_source_input *input, int64_t n_incidents,
                                bool replaced)
{
    char read[HC_NUMBER_TEXT], kept[HC_NUMBER_TEXT];
    if (report->is_json) {
        write_source(&report->json, input, replaced ? "replaced" : "ingested");
        hc_json_i64(&report->json, "incidents", n_incidents);
        hc_json_row_report(&report->json, &input->report);
        hc_json_end(&report->json);
        return;
    }
    hc_output_line(report->stream, "%s/%s: %s '%s' (%s), %s rows of incidents from %s records",
                   input->job.cluster, input->job.id, replaced ? "replaced by" : "ingested",
                   input->source.name, input->format->name, hc_format_count(n_incidents, kept),
                   hc_format_count(input->report.rows_read, read));
    print_skipped(report->stream, &input->report);
    fflush(report->stream);
}

void hc_ingest_report_unchanged(struct hc_ingest_report *report,
                                const struct hc_source_input *input)
{
    if (report->is_json) {
        write_source(&report->json, input, "unchanged");
        hc_json_end(&report->json);
        return;
    }
    hc_output_line(report->stream, "%s/%s: unchanged, the archive holds '%s' already",
                   input->job.cluster, input->job.id, input->source.name);
    fflush(report->stream);
}

void hc_ingest_report_failed(struct hc_ingest_report *report, const char *path,
                             const struct hc_error *failure)
{
    if (!report->is_json)
        return;
    hc_json_object(&report->json, NULL);
    hc_json_text(&report->json, "path", path);
    hc_json_text(&report->json, "outcome", "failed");
    hc_json_text(&report->json, "error", failure->message);
    hc_json_end(&report->json);
}

enum hc_status hc_ingest_report_end(struct hc_ingest_report *report, const struct hc_output *output,
                                    struct hc_error *err)
{
    if (!report->is_json)
        return HC_OK;
    hc_json_end(&report->json);
    return hc_output_json_end(&report->json, output, err);
}

#include "cli/commands/ingest_report.h"

#include "core/tables/json_records.h"
#include "core/text/number_format.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/records/archive_records.h"
#include "pipeline/records/listing_records.h"

void hc_ingest_report_start(struct hc_ingest_report *report, const struct hc_output *output,
                            const struct hc_common_options *common, const char *archive)
{
    *report = (struct hc_ingest_report){.stream = output->stream,
                                        .is_json = common->json,
                                        .is_quiet = common->quiet && !common->json &&
                                                    !hc_output_is_asked(common)};
    if (!report->is_json)
        return;
    hc_output_json_start(&report->json, output, "hindcast-ingest");
    hc_json_archive(&report->json, archive);
    hc_json_array(&report->json, "traces");
}

/* ---- text ---- */

/* What the rows are that were passed over. */
static const char *ignored_rows(const struct hc_source_input *input)
{
    return input->options->map ? "rows that 'only' of the map leaves out"
                               : hc_kind_ignored(input->format->table->name);
}

static void print_skipped(FILE *stream, const struct hc_source_input *input)
{
    const struct hc_row_report *rows = &input->report;
    char count[HC_NUMBER_TEXT];
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        if (rows->count[reason])
            hc_output_line(
                stream, "  %s %s, %s; first: %s", hc_format_count(rows->count[reason], count),
                hc_bad_reason_outcome(reason), hc_bad_reason_text(reason), rows->example[reason]);
    if (rows->rows_ignored)
        hc_output_line(stream, "  %s ignored, %s", hc_format_count(rows->rows_ignored, count),
                       ignored_rows(input));
}

static void print_flawed(FILE *stream, const struct hc_rows_account *account)
{
    if (account->n_flawed == 0)
        return;
    hc_output_line(stream, "  %s:", account->heading);
    for (size_t i = 0; i < account->flawed.n; i++)
        hc_output_line(stream, "    %s: %s", account->flawed.list[i].label,
                       account->flawed.list[i].text);
    if (account->n_flawed > account->flawed.n)
        hc_output_line(stream, "    and %zu more, which --json lists",
                       account->n_flawed - account->flawed.n);
}

/* "59,280 of 59,280 rows in 15 steps", "6 rows of incidents from 6 records" */
static void describe_rows(const struct hc_ingested *ingested, char *text, size_t size)
{
    char read[HC_NUMBER_TEXT], kept[HC_NUMBER_TEXT];
    const char *table = ingested->input->format->table->name;
    hc_format_count(hc_table_counts_rows(&ingested->tables, table), kept);
    hc_format_count(ingested->input->report.rows_read, read);
    if (ingested->account.extent[0])
        snprintf(text, size, "%s of %s rows %s", kept, read, ingested->account.extent);
    else
        snprintf(text, size, "%s rows of %s from %s records", kept, table, read);
}

static void print_done(FILE *stream, const struct hc_ingested *ingested)
{
    const struct hc_source_input *input = ingested->input;
    char rows[256];
    describe_rows(ingested, rows, sizeof rows);
    hc_output_line(stream, "%s/%s: %s '%s' (%s), %s", input->job.cluster, input->job.id,
                   ingested->replaced ? "replaced by" : "ingested", input->source.name,
                   input->format->name, rows);
    print_skipped(stream, input);
    print_flawed(stream, &ingested->account);
}

/* ---- JSON ---- */

/* The rows that are kept of a source, and what was read. */
static void write_rows(struct hc_json_writer *json, const struct hc_ingested *ingested)
{
    const struct hc_kind *kind = ingested->input->kind;
    const struct hc_table_def *const *def = kind->tables;
    for (; *def; def++)
        hc_json_i64(json, (*def)->name, hc_table_counts_rows(&ingested->tables, (*def)->name));
    hc_record_members(json, &hc_ingested_rows_record, &(struct hc_item){.record = ingested});
    if (ingested->account.record)
        hc_record_members(json, kind->guard->account_record,
                          &(struct hc_item){.record = ingested->account.record});
}

static void write_done(struct hc_json_writer *json, const struct hc_ingested *ingested)
{
    hc_json_object(json, NULL);
    hc_record_members(json, &hc_ingested_record, &(struct hc_item){.record = ingested});
    if (!ingested->was_there)
        write_rows(json, ingested);
    hc_json_end(json);
}

/* ---- the sum ---- */

static void count_done(struct hc_ingest_report *report, const struct hc_ingested *ingested)
{
    report->n_unchanged += ingested->was_there;
    report->n_replaced += !ingested->was_there && ingested->replaced;
    report->n_ingested += !ingested->was_there && !ingested->replaced;
    if (!ingested->was_there)
        report->n_rows +=
            hc_table_counts_rows(&ingested->tables, ingested->input->format->table->name);
}

static void print_sum(const struct hc_ingest_report *report)
{
    char count[5][HC_NUMBER_TEXT];
    int64_t n = report->n_ingested + report->n_replaced + report->n_unchanged + report->n_failed;
    if (report->is_quiet || n < 2)
        return;
    hc_output_line(report->stream,
                   "%s sources: %s new, %s replaced, %s as they were, %lld failed; %s row%s",
                   hc_format_count(n, count[0]), hc_format_count(report->n_ingested, count[1]),
                   hc_format_count(report->n_replaced, count[2]),
                   hc_format_count(report->n_unchanged, count[3]), (long long)report->n_failed,
                   hc_format_count(report->n_rows, count[4]), report->n_rows == 1 ? "" : "s");
}

/* ---- both ---- */

/* Whether rows of a source that was read were left out, for whatever reason. */
static bool has_problem(const struct hc_ingested *ingested)
{
    const struct hc_row_report *rows = &ingested->input->report;
    int64_t n = ingested->account.n_flawed > 0;
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        n += rows->count[reason];
    return !ingested->was_there && n > 0;
}

void hc_ingest_report_done(struct hc_ingest_report *report, const struct hc_ingested *ingested)
{
    const struct hc_source_input *input = ingested->input;
    count_done(report, ingested);
    if (report->is_quiet && !has_problem(ingested))
        return;
    if (report->is_json) {
        write_done(&report->json, ingested);
    } else if (ingested->was_there && input->kind && input->kind->records) {
        hc_output_line(report->stream, "%s/%s: unchanged, '%s' adds nothing", input->job.cluster,
                       input->job.id, input->source.name);
    } else if (ingested->was_there) {
        hc_output_line(report->stream, "%s/%s: unchanged, the archive holds '%s' already",
                       input->job.cluster, input->job.id, input->source.name);
    } else {
        print_done(report->stream, ingested);
    }
    if (!report->is_json)
        fflush(report->stream);
}

void hc_ingest_report_failed(struct hc_ingest_report *report, const char *path,
                             const struct hc_error *failure)
{
    report->n_failed++;
    if (!report->is_json)
        return;
    const struct hc_failed_source source = {path, failure->message};
    hc_record_json(&report->json, NULL, &hc_failed_source_record,
                   &(struct hc_item){.record = &source});
}

void hc_ingest_report_site(struct hc_ingest_report *report, const struct hc_site_counts *counts)
{
    report->site = counts;
    if (report->is_json || (report->is_quiet && !counts->n_lost))
        return;
    hc_output_line(report->stream,
                   "site: %lld files, %lld of them as they were (%lld under another name), %lld "
                   "empty, %lld with an end that waits, %lld shorter than before",
                   (long long)counts->n_files, (long long)counts->n_unchanged,
                   (long long)counts->n_renamed, (long long)counts->n_empty,
                   (long long)counts->n_waiting, (long long)counts->n_shorter);
    if (counts->n_resumed)
        hc_output_line(
            report->stream,
            "site: %lld files were read on from where reading had come, %lld bytes of them "
            "passed over",
            (long long)counts->n_resumed, (long long)counts->n_passed);
    if (counts->n_ended || counts->n_lost)
        hc_output_line(report->stream,
                       "site: %lld files were cut, replaced or removed while their end waited, of "
                       "which %lld are lost",
                       (long long)(counts->n_ended + counts->n_lost), (long long)counts->n_lost);
}

enum hc_status hc_ingest_report_end(struct hc_ingest_report *report, const struct hc_output *output,
                                    struct hc_error *err)
{
    if (!report->is_json) {
        print_sum(report);
        return HC_OK;
    }
    hc_json_end(&report->json);
    if (report->site)
        hc_record_json(&report->json, "site", &hc_site_counts_record,
                       &(struct hc_item){.record = report->site});
    return hc_output_json_end(&report->json, output, err);
}

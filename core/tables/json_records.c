#include "core/tables/json_records.h"

#include "core/process/made_by.h"

/* ---- the head ---- */

static const char *tool_version_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    (void)at;
    (void)room;
    return HC_VERSION;
}

HC_GIVES_TEXT(commit_of, hc_made_by().commit)
HC_GIVES_TEXT(libraries_of, hc_made_by_libraries())
HC_GIVES_TEXT(command_of, hc_made_by().command)

HC_GIVES(bool, is_result, !HC_OF(struct hc_document_head, at)->is_view)
HC_GIVES(bool, has_run_id, HC_OF(struct hc_document_head, at)->run_id != NULL)

#define HEAD(...) HC_FIELD(struct hc_document_head, __VA_ARGS__)
static const struct hc_field head_fields[] = {
    HEAD("schema", schema, "", "`hindcast-` and the command"),
    HEAD("schema_major", major, "", "a newer one changes what keys mean, or leaves some out"),
    HEAD("schema_minor", minor, "", "a newer one only adds keys"),
    HC_TEXT_OF("tool_version", tool_version_of, "of hindcast"),
    HC_TEXT_OF("commit", commit_of,
               "of its sources, with `-changed` where they were; empty outside git",
               .has = is_result, .rules = HC_LEFT_OUT),
    HC_TEXT_OF("libraries", libraries_of, "that it uses, with their versions", .has = is_result,
               .rules = HC_LEFT_OUT),
    HC_TEXT_OF(
        "command", command_of,
        "the command line that gives this, without what changes no byte of it: archive, threads, "
        "outputs, shards",
        .has = is_result, .rules = HC_LEFT_OUT),
    HEAD("run_id", run_id, "", "of a document that is one of several files of its command",
         .has = has_run_id, .rules = HC_LEFT_OUT),
};
const struct hc_record_def hc_document_head_record = HC_RECORD(NULL, head_fields);

/* ---- a job ---- */

#define JOB(...) HC_FIELD(struct hc_job, __VA_ARGS__)
static const struct hc_field key_fields[] = {
    JOB("cluster", cluster, "", "of the job"),
    JOB("id", id, "", "of the job"),
    JOB("attempt", attempt, "", "of the job"),
};
const struct hc_record_def hc_job_key_record = HC_RECORD(NULL, key_fields);

static const struct hc_field size_fields[] = {
    JOB("dp_size", dp_size, "", "data-parallel ranks"),
    JOB("pp_size", pp_size, "", "stages"),
    JOB("tp_size", tp_size, "", "tensor-parallel ranks"),
    JOB("dsp_size", dsp_size, "", "sequence-parallel ranks"),
    JOB("vpp_size", vpp_size, "", "model chunks of a stage"),
    JOB("world_size", world_size, "", "ranks in all"),
};
const struct hc_record_def hc_job_sizes_record = HC_RECORD(NULL, size_fields);

void hc_json_job_sizes(struct hc_json_writer *json, const struct hc_job *job)
{
    hc_record_members(json, &hc_job_sizes_record, &(struct hc_item){.record = job});
}

/* ---- rows of a source ---- */

HC_GIVES(int64_t, skipped_of, hc_row_report_total_bad(at->record))
HC_GIVES(size_t, count_reasons, HC_N_BAD_REASONS)

/* An item is the report itself at the place of a reason. */
static const void *reason_at(const struct hc_item *at, size_t reason)
{
    const struct hc_row_report *rows = at->record;
    bool is_there = rows->count[reason] > 0 && hc_bad_reason_is_skipped((enum hc_bad_reason)reason);
    return is_there ? rows : NULL;
}

HC_GIVES_TEXT(reason_of, hc_bad_reason_key((enum hc_bad_reason)at->index))
HC_GIVES(int64_t, rows_of, HC_OF(struct hc_row_report, at)->count[at->index])
HC_GIVES_TEXT(first_of, HC_OF(struct hc_row_report, at)->example[at->index])

static const struct hc_field reason_fields[] = {
    HC_TEXT_OF("reason", reason_of, "`fields`, `number`, `range`, `text`, `null`, `duplicate`"),
    HC_INTEGER_OF("rows", rows_of, "", "so many"),
    HC_TEXT_OF("first", first_of, "place, field and value of the first one, where it is known",
               .rules = HC_NULL_IF_EMPTY),
};
static const struct hc_record_def reason = HC_RECORD(NULL, reason_fields);

#define ROWS(...) HC_FIELD(struct hc_row_report, __VA_ARGS__)
static const struct hc_field rows_fields[] = {
    ROWS("read", rows_read, "", "rows of the source, good and bad"),
    ROWS("ignored", rows_ignored, "", "rows of op types that the metadata declares `ignored`"),
    HC_INTEGER_OF("skipped", skipped_of, "",
                  "rows that could not be used; what `--max-bad` limits"),
    ROWS("skipped_without_step", bad_without_step, "",
         "those of them whose step could not be read either"),
    ROWS("absent", count[HC_BAD_ABSENT], "",
         "rows that other dp ranks of their step have; they were never read"),
    ROWS("clipped", count[HC_BAD_CLIPPED], "",
         "rows that are kept with a duration of 0 for one between −10 ms and 0 "
         "([step-chrome](formats/step-chrome.md))"),
    HC_LIST_OF("skipped_by_reason", count_reasons, reason_at, &reason, ""),
};
const struct hc_record_def hc_row_report_record = HC_RECORD("rows of a source", rows_fields);

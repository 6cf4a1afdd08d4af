#include "pipeline/records/archive_records.h"

#include "core/tables/json_records.h"

/* ---- rows of tables ---- */

#define COUNT(...) HC_FIELD(struct hc_table_count, __VA_ARGS__)
static const struct hc_field count_fields[] = {
    COUNT("table", table, "", "of a kind"),
    COUNT("rows", n_rows, "", "that are kept of it"),
};
static const struct hc_record_def count = HC_RECORD(NULL, count_fields);

/* A member that is a struct hc_table_counts. */
#define TABLES(S, member, ...)                                                                     \
    {                                                                                              \
        .name = "tables", .type = HC_AS_MAP, .offset = offsetof(S, member.list),                   \
        .size = sizeof(struct hc_table_count), .n_offset = offsetof(S, member.n),                  \
        .record = &count, .sentence = __VA_ARGS__                                                  \
    }

/* ---- ls ---- */

HC_GIVES(bool, entry_has_day, HC_OF(struct hc_manifest_entry, at)->day[0])
HC_GIVES(bool, entry_has_rank, HC_OF(struct hc_manifest_entry, at)->of_rank != HC_MISSING_I32)
HC_GIVES_TEXT(kind_of_entry, hc_kind_name(HC_OF(struct hc_manifest_entry, at)->table))

#define ENTRY(...) HC_FIELD(struct hc_manifest_entry, __VA_ARGS__)
static const struct hc_field entry_fields[] = {
    ENTRY("cluster", cluster, "", "of the job"),
    ENTRY("id", job_id, "", "of the job, or the source of a day"),
    ENTRY("attempt", attempt, "", "of the job"),
    ENTRY("day", day, "", "of which a source tells; left out of a job", .has = entry_has_day,
          .rules = HC_LEFT_OUT),
    ENTRY("rank", of_rank, "", "that alone recorded it; left out of a job as a whole",
          .has = entry_has_rank, .rules = HC_LEFT_OUT),
    HC_TEXT_OF("kind", kind_of_entry,
               "of what is kept: `steps`, `incidents`; of a kind that this hindcast does not know, "
               "the name of its main table"),
    TABLES(struct hc_manifest_entry, tables,
           "number of rows of each, by name; null where an archive of 0.1 does not say it"),
    ENTRY("size_bytes", size, "B", "of the segment"),
    ENTRY("format", format, "", "that the source was read as"),
    ENTRY("format_version", format_version, "", "of its reader"),
    ENTRY("source_path", source_path, "", "absolute, or `standard input`"),
    ENTRY("source_sha256", source_sha256, "", "of its bytes"),
    ENTRY("segment", file, "", "its file, relative to the archive"),
};
const struct hc_record_def hc_archive_entry_record = HC_RECORD(NULL, entry_fields);

/* ---- show: whose segment it is ---- */

static const struct hc_shown_segment *shown(const struct hc_item *at)
{
    return at->record;
}

HC_GIVES_TEXT(archive_of, shown(at)->archive->path)
HC_GIVES(bool, job_has_rank, HC_OF(struct hc_job, at)->of_rank != HC_MISSING_I32)
HC_GIVES(bool, job_lacks_ops, HC_OF(struct hc_job, at)->absent_ops != 0)
HC_GIVES(bool, job_has_day, HC_OF(struct hc_job, at)->day[0])

#define JOB(...) HC_FIELD(struct hc_job, __VA_ARGS__)
static const struct hc_field job_fields[] = {
    HC_SAME_PART(&hc_job_key_record),
    JOB("day", day, "", "of which a source tells; left out of a job", .has = job_has_day,
        .rules = HC_LEFT_OUT),
    JOB("rank", of_rank, "", "that alone recorded it; left out of a job as a whole",
        .has = job_has_rank, .rules = HC_LEFT_OUT),
    HC_NAMES(struct hc_job, "absent_ops", absent_ops, hc_op_type_name, HC_N_OP_TYPES,
             "op types that its metadata declares as not there; left out where there are none",
             .has = job_lacks_ops, .rules = HC_LEFT_OUT),
};
static const struct hc_record_def job = HC_RECORD(NULL, job_fields);

#define SHOWN(...) HC_FIELD(struct hc_shown_segment, __VA_ARGS__)
static const struct hc_field owner_fields[] = {
    HC_TEXT_OF("archive", archive_of, "its path"),
    HC_OBJECT_BEHIND(struct hc_shown_segment, "job", job, &job, ""),
};
const struct hc_record_def hc_segment_owner_record = HC_RECORD(NULL, owner_fields);

/* ---- what is in it ---- */

HC_GIVES_TEXT(kind_of_segment, hc_kind_name(shown(at)->entry->table))
HC_GIVES(size_t, count_tables, shown(at)->tables->n)
HC_GIVES_ITEM(table_at, &shown(at)->tables->list[i])

static const struct hc_field tables_fields[] = {
    HC_TEXT_OF("kind", kind_of_segment, "of another kind than step timelines, in place of `trace`"),
    {.name = "tables",
     .type = HC_AS_MAP,
     .list = &(const struct hc_list_source){count_tables, table_at},
     .record = &count,
     .sentence = "with it: number of rows of each table, by name"},
};
const struct hc_record_def hc_segment_tables_record = HC_RECORD(NULL, tables_fields);

/* ---- where it is from ---- */

static const struct hc_field node_fields[] = {
    HC_FIELD(struct hc_rank_node, "rank", rank, "", "of the job"),
    HC_FIELD(struct hc_rank_node, "node", node, "", "that it ran on"),
};
static const struct hc_record_def node = HC_RECORD(NULL, node_fields);

HC_GIVES_TEXT(switch_of, ((const struct hc_job *)at->parent->record)
                             ->switches[HC_OF(struct hc_switched_node, at)->switch_code])

static const struct hc_field switched_fields[] = {
    HC_FIELD(struct hc_switched_node, "node", node, "", ""),
    HC_TEXT_OF("switch", switch_of, "that it is at"),
};
static const struct hc_record_def switched = HC_RECORD(NULL, switched_fields);

static const struct hc_field metadata_fields[] = {
    JOB("path", meta_path, "", "of the metadata, where there is any"),
    JOB("sha256", meta_sha256, "", "of its file", .rules = HC_NULL_IF_EMPTY),
    HC_SAME_PART(&hc_job_sizes_record),
    JOB("start_unix_ns", start_unix_ns, "ns", "start of the job since 1970"),
    HC_LIST(struct hc_job, "nodes", nodes, n_nodes, &node, "where they are known",
            .rules = HC_LINE),
    HC_LIST(struct hc_job, "switches", switched, n_switched, &switched, "where they are known",
            .rules = HC_LINE),
};
static const struct hc_record_def metadata = HC_RECORD(NULL, metadata_fields);

#define FROM(...) HC_FIELD(struct hc_provenance, __VA_ARGS__)
static const struct hc_field input_fields[] = {
    FROM("path", source_path, "", "absolute, or `standard input`"),
    FROM("sha256", source_sha256, "", "of its bytes"),
    FROM("size_bytes", source_size, "B", "of the source"),
    FROM("format", format, "", "that it was read as"),
    FROM("format_version", format_version, "", "of the reader"),
    FROM("options", options, "", "of the reading; empty: all default"),
    FROM("ingested_by", tool_version, "", "hindcast, with its version"),
};
static const struct hc_record_def input = HC_RECORD(NULL, input_fields);

HC_GIVES_ITEM(entry_of, shown(at)->entry)

static const struct hc_field file_fields[] = {
    ENTRY("file", file, "", "relative to the archive"),
    ENTRY("sha256", sha256, "", "of the file"),
    ENTRY("size_bytes", size, "B", "of the file"),
};
static const struct hc_record_def file = HC_RECORD(NULL, file_fields);

static const struct hc_field segment_fields[] = {
    HC_PART_OF(entry_of, &file),
    SHOWN("stored_bytes", stored_bytes, "B", "of all columns, compressed"),
    SHOWN("raw_bytes", raw_bytes, "B", "of all columns, not compressed"),
};
static const struct hc_record_def segment = HC_RECORD(NULL, segment_fields);

static const struct hc_field origin_fields[] = {
    HC_OBJECT_BEHIND(struct hc_shown_segment, "metadata", job, &metadata, ""),
    HC_OBJECT_BEHIND(struct hc_shown_segment, "input", provenance, &input, ""),
    HC_OBJECT(struct hc_shown_segment, "rows", rows, &hc_row_report_record, ""),
    HC_GROUP("segment", &segment, ""),
};
const struct hc_record_def hc_segment_origin_record = HC_RECORD(NULL, origin_fields);

/* ---- ingest ---- */

static const struct hc_source_input *input_of(const struct hc_item *at)
{
    return HC_OF(struct hc_ingested, at)->input;
}

HC_GIVES_TEXT(path_of, input_of(at)->source.name)

static const char *outcome_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_ingested *ingested = at->record;
    (void)room;
    return ingested->was_there ? "unchanged" : ingested->replaced ? "replaced" : "ingested";
}

HC_GIVES_ITEM(job_of, &input_of(at)->job)
HC_GIVES_TEXT(format_of, input_of(at)->format->name)
HC_GIVES_TEXT(sha256_of, input_of(at)->source.sha256)
HC_GIVES_TEXT(metadata_path_of, input_of(at)->job.meta_path)

static const struct hc_field ingested_fields[] = {
    HC_TEXT_OF("path", path_of, "as given"),
    HC_TEXT_OF("outcome", outcome_of,
               "`ingested`, `replaced`, `unchanged` or `failed`, after which only `error` follows"),
    HC_PART_OF(job_of, &hc_job_key_record),
    HC_TEXT_OF("format", format_of, "that it was read as"),
    HC_TEXT_OF("sha256", sha256_of, "of its bytes"),
    HC_TEXT_OF("metadata_path", metadata_path_of, "of its metadata, where there is any"),
};
const struct hc_record_def hc_ingested_record = HC_RECORD(NULL, ingested_fields);

HC_GIVES_ITEM(rows_of, &input_of(at)->report)

static const struct hc_field ingested_rows_fields[] = {
    HC_OBJECT_OF("rows", rows_of, &hc_row_report_record, ""),
};
const struct hc_record_def hc_ingested_rows_record = HC_RECORD(NULL, ingested_rows_fields);

static const char *failed(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    (void)at;
    (void)room;
    return "failed";
}

#define FAILED(...) HC_FIELD(struct hc_failed_source, __VA_ARGS__)
static const struct hc_field failed_fields[] = {
    FAILED("path", path, "", "as given"),
    HC_TEXT_OF("outcome", failed, "`failed`"),
    FAILED("error", error, "", "why a source failed"),
};
const struct hc_record_def hc_failed_source_record = HC_RECORD(NULL, failed_fields);

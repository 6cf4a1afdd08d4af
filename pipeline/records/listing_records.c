#include "pipeline/records/listing_records.h"

#include "parsers/io/format.h"
#include "study/grammar/presets.h"

static const struct hc_field archive_fields[] = {
    HC_FIELD(struct hc_named_archive, "archive", path, "", "its path"),
};
const struct hc_record_def hc_named_archive_record = HC_RECORD(NULL, archive_fields);

/* ---- formats and presets ---- */

#define FORMAT(...) HC_FIELD(struct hc_format, __VA_ARGS__)
static const struct hc_field format_fields[] = {
    FORMAT("name", name, "", "of the format"),
    FORMAT("version", version, "",
           "of the reader: higher when it reads the same bytes differently"),
    FORMAT("description", description, "", "in a line"),
};
const struct hc_record_def hc_format_record = HC_RECORD(NULL, format_fields);

HC_GIVES(bool, is_text_asked, at->parent &&*(const bool *)at->parent->record)

#define PRESET(...) HC_FIELD(struct hc_preset, __VA_ARGS__)
static const struct hc_field preset_fields[] = {
    PRESET("name", name, "", "of the preset"),
    PRESET("version", version, "", "counted from 1; the highest is what the name alone stands for"),
    PRESET("title", title, "", "what it is, in a line"),
    PRESET("source", source, "", "where its figures are from"),
    PRESET("cite", cite, "", "the source as BibTeX"),
    PRESET("scenario", text, "", "the file as text, where one is asked for by name",
           .has = is_text_asked),
};
const struct hc_record_def hc_preset_record = HC_RECORD(NULL, preset_fields);

/* ---- findings ---- */

const char *hc_finding_name(enum hc_check_kind kind)
{
    static const char *const names[HC_N_CHECK_KINDS] = {
        [HC_CHECK_OK] = "ok",
        [HC_CHECK_DAMAGED] = "damaged",
        [HC_CHECK_UNREADABLE] = "unreadable",
        [HC_CHECK_UNPUBLISHED] = "unpublished",
        [HC_CHECK_LEFTOVER] = "leftover",
        [HC_CHECK_FOREIGN] = "foreign",
        [HC_CHECK_STALE] = "stale",
    };
    return names[kind];
}

static const char *name_of(int value)
{
    return hc_finding_name((enum hc_check_kind)value);
}

static const char *message_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const char *message = HC_OF(struct hc_check_finding, at)->message;
    (void)room;
    return message ? message : "";
}

#define FINDING(...) HC_FIELD(struct hc_check_finding, __VA_ARGS__)
static const struct hc_field finding_fields[] = {
    FINDING("file", file, "", "relative to the archive"),
    HC_NAME(struct hc_check_finding, "finding", kind, name_of, HC_N_CHECK_KINDS,
            "one of those of `counts` ([what they mean](formats/archive.md)); `ok` only with "
            "`--verbose`"),
    HC_TEXT_OF("message", message_of, "what was found"),
};
const struct hc_record_def hc_finding_record = HC_RECORD(NULL, finding_fields);

static const struct hc_field gc_finding_fields[] = {
    FINDING("file", file, "", "relative to the archive"),
    HC_TEXT_OF("message", message_of, "why"),
};
const struct hc_record_def hc_gc_finding_record = HC_RECORD(NULL, gc_finding_fields);

HC_GIVES(size_t, count_kinds, HC_N_CHECK_KINDS)
HC_GIVES_ITEM(count_at, (const int64_t *)at->record + i)
HC_GIVES_TEXT(name_at, hc_finding_name((enum hc_check_kind)at->index))
HC_GIVES(int64_t, count_of, *(const int64_t *)at->record)

static const struct hc_field count_fields[] = {
    HC_TEXT_OF("finding", name_at, "its name"),
    HC_INTEGER_OF("files", count_of, "", "so many"),
};
static const struct hc_record_def count = HC_RECORD(NULL, count_fields);
static const struct hc_field counts_fields[] = {
    {.name = "counts",
     .type = HC_AS_MAP,
     .list = &(const struct hc_list_source){count_kinds, count_at},
     .record = &count,
     .sentence = "files of each finding: `ok`, `damaged`, `unreadable`, `unpublished`, `leftover`, "
                 "`foreign`, `stale`"},
};
const struct hc_record_def hc_finding_counts_record = HC_RECORD(NULL, counts_fields);

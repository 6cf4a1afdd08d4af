/* cmd_show.c - `hindcast show`. */
#include "cli/frame/columns.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "core/base/memory.h"
#include "core/process/threads.h"
#include "core/text/number_format.h"
#include "pipeline/daily/history_input.h"
#include "pipeline/fleet/fleet_kept.h"
#include "pipeline/inputs/segment_input.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/records/archive_records.h"
#include "reports/joins/history_report.h"
#include "sim/whatif/whatif.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct show_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_choice_options choice;
    const char *table; /* NULL: any */
};

/* One of several that are shown: a name, or an entry that a pattern or the options chose. */
struct item {
    const char *name;
    const struct hc_manifest_entry *entry; /* NULL: by its name */
};

/* A run of the command. */
struct session {
    const struct show_settings *settings;
    const struct hc_archive *archive;
    struct hc_output output;
    size_t n_items, capacity, n_written;
    struct item *items;
};

/* The sizes that metadata may give. */
#define N_SIZES 6
struct sizes {
    const char *name[N_SIZES];
    int32_t value[N_SIZES];
};

static struct sizes declared_sizes(const struct hc_job *job)
{
    return (struct sizes){
        .name = {"dp", "pp", "vpp", "tp", "dsp", "world"},
        .value = {job->dp_size, job->pp_size, job->vpp_size, job->tp_size, job->dsp_size,
                  job->world_size},
    };
}

/* ---- text ---- */

#define LABEL "%-13s"

static void print_metadata(FILE *stream, const struct hc_shown_segment *subject)
{
    char text[256] = "";
    size_t length = 0;
    struct sizes sizes = declared_sizes(subject->job);
    for (size_t i = 0; i < N_SIZES; i++)
        if (sizes.value[i] != HC_MISSING_I32)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %" PRId32,
                                       length ? ", " : "", sizes.name[i], sizes.value[i]);
    if (subject->job->meta_path)
        hc_output_line(stream, LABEL "%s", "metadata", subject->job->meta_path);
    else
        hc_output_line(stream, LABEL "none", "metadata");
    if (length)
        hc_output_line(stream, LABEL "%s", "declared", text);
    if (subject->job->n_nodes)
        hc_output_line(stream, LABEL "of %zu ranks known", "nodes", subject->job->n_nodes);
}

static void print_facts(FILE *stream, const struct hc_facts *facts)
{
    for (size_t i = 0; i < facts->n; i++)
        hc_output_line(stream, LABEL "%s", facts->list[i].label, facts->list[i].text);
}

static void print_sizes(FILE *stream, const struct hc_shown_segment *subject)
{
    char file[HC_NUMBER_TEXT], stored[HC_NUMBER_TEXT], raw[HC_NUMBER_TEXT], ratio[HC_NUMBER_TEXT];
    hc_output_line(
        stream, LABEL "%s: columns of %s in %s, %s to 1", "on disk",
        hc_format_bytes(subject->entry->size, file), hc_format_bytes(subject->raw_bytes, raw),
        hc_format_bytes(subject->stored_bytes, stored),
        hc_format_fixed((double)subject->raw_bytes / (double)subject->stored_bytes, 1, ratio));
    hc_output_line(stream, LABEL "%s", "segment", subject->entry->file);
}

static void print_provenance(FILE *stream, const struct hc_shown_segment *subject)
{
    const struct hc_provenance *from = subject->provenance;
    char text[HC_NUMBER_TEXT];
    hc_output_line(stream, LABEL "%s (%s)", "source", from->source_path,
                   hc_format_bytes(from->source_size, text));
    hc_output_line(stream, LABEL "%s", "sha256", from->source_sha256);
    hc_output_line(stream, LABEL "%s version %" PRId32 "%s%s, by %s", "read as", from->format,
                   from->format_version, from->options[0] ? ", " : "", from->options,
                   from->tool_version);
    hc_output_line(stream, LABEL "%s", "rows read", hc_format_count(from->rows_read, text));
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        if (from->bad[reason])
            hc_output_line(stream, LABEL "%s, %s", hc_bad_reason_outcome(reason),
                           hc_format_count(from->bad[reason], text), hc_bad_reason_text(reason));
    if (from->rows_ignored)
        hc_output_line(stream, LABEL "%s, %s", "ignored", hc_format_count(from->rows_ignored, text),
                       hc_kind_ignored(from->table));
}

/* Facts as aligned columns, the numbers to the right. */
static enum hc_status print_parts(FILE *stream, const struct hc_facts *parts, struct hc_error *err)
{
    struct hc_columns columns = {.n_columns = 2, .right = 2};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < parts->n && status == HC_OK; i++) {
        status = hc_columns_add(&columns, parts->list[i].label, err);
        if (status == HC_OK)
            status = hc_columns_add(&columns, parts->list[i].text, err);
    }
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 2);
    hc_columns_fini(&columns);
    return status;
}

/* "incidents: 6 rows of incidents, 1 of inventory", the main table first. */
static void print_tables(FILE *stream, const struct hc_shown_segment *subject)
{
    const char *main_table = subject->entry->table;
    char text[512] = "", count[HC_NUMBER_TEXT];
    size_t length = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < subject->tables->n && length < sizeof text; i++) {
            const struct hc_table_count *table = &subject->tables->list[i];
            if ((strcmp(table->table, main_table) == 0) == (pass == 0))
                length += (size_t)snprintf(
                    text + length, sizeof text - length, "%s%s%s of %s", length ? ", " : "",
                    hc_format_count(table->n_rows, count), length ? "" : " rows", table->table);
        }
    hc_output_line(stream, LABEL "%s: %s", "kind", hc_kind_name(main_table), text);
}

/* What the columns mean, by the definitions of the kind; nothing of a kind that is not known here.
 */
static enum hc_status print_columns(FILE *stream, const struct hc_shown_segment *subject,
                                    struct hc_error *err)
{
    const struct hc_kind *kind = subject->kind;
    struct hc_columns columns = {.n_columns = 3};
    enum hc_status status = HC_OK;
    for (const struct hc_table_def *const *def = kind ? kind->tables : NULL; def && *def; def++)
        for (size_t c = 0; c < (*def)->n_columns && status == HC_OK; c++) {
            const struct hc_column_def *column = &(*def)->columns[c];
            char *name = hc_new_text(err, "%s/%s", (*def)->name, column->name);
            if (!name || hc_columns_add(&columns, name, err) ||
                hc_columns_add(&columns, column->unit[0] ? column->unit : NULL, err) ||
                hc_columns_add(&columns, column->description, err))
                status = err->status;
            free(name);
        }
    if (status == HC_OK && columns.n_cells)
        hc_output_line(stream, "columns");
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 2);
    hc_columns_fini(&columns);
    return status;
}

/* Whether the kind says in its own words what is there; else its tables say it. */
static bool is_described(const struct hc_shown_segment *subject)
{
    return subject->kind && subject->kind->describe;
}

static enum hc_status write_text(FILE *stream, const struct hc_shown_segment *subject,
                                 struct hc_error *err)
{
    const struct hc_description *description = &subject->description;
    const struct hc_job *job = subject->job;
    if (job->day[0])
        hc_output_line(stream, LABEL "%s/%s, day %s", "source", job->cluster, job->id, job->day);
    else
        hc_output_line(stream, LABEL "%s/%s, attempt %" PRId32, "job", job->cluster, job->id,
                       job->attempt);
    if (!is_described(subject))
        print_tables(stream, subject);
    print_facts(stream, &description->shape);
    print_metadata(stream, subject);
    print_facts(stream, &description->extent);
    print_sizes(stream, subject);
    print_provenance(stream, subject);
    if (!is_described(subject))
        return print_columns(stream, subject, err);
    print_facts(stream, &description->contents);
    return print_parts(stream, &description->parts, err);
}

/* ---- JSON ---- */

static enum hc_status write_json(const struct hc_output *output,
                                 const struct hc_shown_segment *subject, struct hc_error *err)
{
    struct hc_json_writer json;
    const struct hc_kind *kind = subject->kind;
    const struct hc_item item = {.record = subject};
    hc_output_json_start(&json, output, "hindcast-show");
    hc_record_members(&json, &hc_segment_owner_record, &item);
    if (is_described(subject))
        hc_record_json(&json, kind->description_name, kind->description_record,
                       &(struct hc_item){.record = subject->description.record});
    else
        hc_record_members(&json, &hc_segment_tables_record, &item);
    hc_record_members(&json, &hc_segment_origin_record, &item);
    return hc_output_json_end(&json, output, err);
}

/* ---- the command ---- */

/* What the segment says of the rows of its source, those that its census counted among them. */
static enum hc_status read_rows(struct hc_segment *segment, struct hc_row_report *rows,
                                struct hc_error *err)
{
    const struct hc_provenance *provenance = hc_segment_provenance(segment);
    enum hc_status status = hc_segment_row_report(segment, rows, err);
    rows->count[HC_BAD_DUPLICATE] = provenance->bad[HC_BAD_DUPLICATE];
    rows->count[HC_BAD_ABSENT] = provenance->bad[HC_BAD_ABSENT];
    return status;
}

static enum hc_status measure(struct hc_segment *segment, struct hc_shown_segment *subject,
                              struct hc_error *err)
{
    subject->tables = hc_segment_tables(segment);
    for (size_t i = 0; i < subject->tables->n; i++) {
        const struct hc_table_def named = {.name = subject->tables->list[i].table};
        int64_t stored = 0, raw = 0;
        if (hc_segment_sizes(segment, &named, &stored, &raw, err))
            return err->status;
        subject->stored_bytes += stored;
        subject->raw_bytes += raw;
    }
    return HC_OK;
}

/* Text one after the other; JSON as an array when there is more than one to show. */
static void begin_item(struct session *session)
{
    bool is_first = session->n_written++ == 0;
    FILE *stream = session->output.stream;
    if (session->settings->common.json && session->n_items > 1)
        fputs(is_first ? "[\n" : ",\n", stream);
    else if (!is_first)
        fputc('\n', stream);
}

static enum hc_status show(struct session *session, struct hc_shown_segment *subject,
                           struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    if (hc_table_counts_rows(&subject->entry->tables, subject->entry->table) >=
        HC_LEAST_SHARED_ROWS)
        hc_threads_raise(1);
    enum hc_status status =
        hc_archive_open_segment(subject->archive, subject->entry, &segment, err);
    if (status == HC_OK)
        status = measure(segment, subject, err);
    if (status == HC_OK && is_described(subject))
        status = subject->kind->describe(segment, &subject->description, err);
    if (status == HC_OK)
        status = read_rows(segment, &subject->rows, err);
    if (status == HC_OK) {
        subject->job = hc_segment_job(segment);
        subject->provenance = hc_segment_provenance(segment);
        begin_item(session);
        status = session->settings->common.json ? write_json(&session->output, subject, err)
                                                : write_text(session->output.stream, subject, err);
    }
    hc_row_report_fini(&subject->rows);
    hc_description_fini(&subject->description);
    hc_segment_close(segment);
    return status;
}

/* ---- what records tell of a job of the scheduler, a run, a node ---- */

static enum hc_status write_history(struct session *session, const struct hc_history_report *report,
                                    struct hc_error *err)
{
    struct hc_json_writer json;
    begin_item(session);
    if (!session->settings->common.json)
        return hc_history_write_text(report, session->output.stream, err);
    hc_output_json_start(&json, &session->output, "hindcast-history");
    hc_history_write_json(report, &json);
    return hc_output_json_end(&json, &session->output, err);
}

/* *is_shown: whether the records know the name, or jobs in which a node of that name is slow. */
static enum hc_status show_history(struct session *session, const char *name, bool *is_shown,
                                   struct hc_error *err)
{
    hc_threads_raise(1);
    static const char *const words[] = {"nothing", "job", "run", "node"};
    struct hc_history history = {0};
    enum hc_history_subject subject;
    enum hc_status status = hc_history_load(&history, &subject, session->archive, name, err);
    if (!status && (subject == HC_HISTORY_NODE || subject == HC_HISTORY_NOTHING))
        status = hc_fleet_kept_history(&history, session->archive, name, err);
    if (subject == HC_HISTORY_NOTHING && history.n > 0)
        subject = HC_HISTORY_NODE;
    *is_shown = !status && subject != HC_HISTORY_NOTHING;
    if (*is_shown)
        status = write_history(session,
                               &(struct hc_history_report){.history = &history,
                                                           .archive = session->archive->path,
                                                           .what = words[subject],
                                                           .name = name},
                               err);
    hc_history_fini(&history);
    return status;
}

static bool has_jobs(const struct hc_archive *archive)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strcmp(archive->entries[i].table, "jobs") == 0)
            return true;
    return false;
}

/* What the name means: of the table that is asked for, else of the first kind, else of any. */
static enum hc_status find(const struct hc_archive *archive, const char *table, const char *name,
                           const struct hc_manifest_entry **entry, struct hc_error *err)
{
    struct hc_error ignored;
    const char *first = hc_kind_rows[0]->tables[0]->name;
    if (!table && hc_archive_find(archive, name, first, entry, &ignored) == HC_OK)
        return HC_OK;
    return hc_archive_find(archive, name, table, entry, err);
}

static enum hc_status show_segment(struct session *session, const struct hc_manifest_entry *entry,
                                   struct hc_error *err)
{
    struct hc_shown_segment subject = {
        .archive = session->archive, .entry = entry, .kind = hc_kind_find(entry->table)};
    return show(session, &subject, err);
}

/* A number is a job of the scheduler first, any other name a source or timeline. */
static enum hc_status show_name(struct session *session, const char *name, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    const char *table = session->settings->table;
    struct hc_error other = {0};
    bool is_shown = false, is_number = isdigit((unsigned char)name[0]);
    bool has_history = !table && has_jobs(session->archive);
    if (has_history && is_number && (show_history(session, name, &is_shown, err) || is_shown))
        return err->status;
    enum hc_status status = find(session->archive, table, name, &entry, &other);
    if (status == HC_OK)
        return show_segment(session, entry, err);
    if (!table && !is_number && (show_history(session, name, &is_shown, err) || is_shown))
        return err->status;
    *err = other;
    return status;
}

/* ---- which ---- */

static enum hc_status add_item(struct session *session, struct item item, struct hc_error *err)
{
    if (hc_reserve(&session->items, &session->capacity, session->n_items + 1,
                   sizeof *session->items, err))
        return err->status;
    session->items[session->n_items++] = item;
    return HC_OK;
}

/* The segments that a pattern, or a name with the options, means; of many ranks, the first. */
static enum hc_status add_chosen(struct session *session, const char *name, struct hc_error *err)
{
    const struct hc_archive *archive = session->archive;
    const struct hc_words names = {.n = 1, .word = &name};
    bool *is_chosen = NULL;
    enum hc_status status = hc_choice_entries(&is_chosen, archive, &session->settings->choice,
                                              session->settings->table, &names, err);
    for (size_t i = 0; i < archive->n_entries && !status;) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (is_chosen[i])
            status = add_item(session, (struct item){.name = name, .entry = entry}, err);
        i += hc_archive_n_ranks(archive, entry);
    }
    free(is_chosen);
    return status;
}

static enum hc_status list_items(struct session *session, const struct hc_words *words,
                                 struct hc_error *err)
{
    bool is_chosen = hc_choice_is_given(&session->settings->choice);
    for (size_t i = 0; i < words->n; i++) {
        const char *name = words->word[i];
        if (is_chosen || hc_is_job_pattern(name)
                ? add_chosen(session, name, err)
                : add_item(session, (struct item){.name = name}, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status show_items(struct session *session, struct hc_error *err)
{
    enum hc_status status =
        hc_output_open(&session->output, &session->settings->common, session->n_items > 1, err);
    if (status)
        return status;
    for (size_t i = 0; i < session->n_items && !status; i++) {
        const struct item *item = &session->items[i];
        status = item->entry ? show_segment(session, item->entry, err)
                             : show_name(session, item->name, err);
    }
    if (!status && session->settings->common.json && session->n_items > 1)
        fputs("]\n", session->output.stream);
    return hc_output_end(&session->output, status, err);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct show_settings *options = settings;
    struct hc_archive *archive = NULL;
    if (hc_archive_open(&archive, hc_archive_path(&options->archive), false, err))
        return err->status;
    struct session session = {.settings = options, .archive = archive};
    enum hc_status status = list_items(&session, words, err);
    if (!status)
        status = show_items(&session, err);
    free(session.items);
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    {.name = "table",
     .kind = HC_OPTION_TEXT,
     .argument = "TABLE",
     .target = offsetof(struct show_settings, table),
     .unset = "a step timeline, else any",
     .help = "of several kinds that are kept of the job, the one with this main table, as ops or "
             "incidents"},
    HC_OPTION_GROUP(struct show_settings, choice, hc_choice_options),
    HC_OPTION_GROUP(struct show_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct show_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"NAME",
     "a number of the scheduler's (1234, 1234_7 a task), a run, a node; or of what an archive "
     "keeps "
     "cluster/id, id, or an unambiguous start of either; id#2 is attempt 2, id#2026-03-01 a day; a "
     "pattern, as 'llama-*', is all that match it",
     1, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_show = {
    .name = "show",
    .summary = "say what is known of a job, a run, a node, or a source",
    .description = "Prints parallelism, steps, time span, sizes, where the job came from and what "
                   "was skipped on the way, and its ops by type. Of another kind than a step "
                   "timeline, its tables and what their columns mean. Where the archive has the "
                   "accounting of a scheduler: of one of its jobs, a training run or a node, all "
                   "that accounting, logs, kernels, states of nodes and phases tell, in order of "
                   "time, with the file and line of each fact; of a node also the jobs in which it "
                   "is slow by itself, of those that 'whatif --all' or 'report nightly' analysed.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast show -a nightly AR", "hindcast show 'llama-*'",
                                      "hindcast show -a nightly 104233", NULL},
    .threads_later = true,
    .settings_size = sizeof(struct show_settings),
    .run = run,
};

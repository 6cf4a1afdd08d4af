#include "pipeline/inputs/source_input.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"
#include "parsers/io/line_reader.h"
#include "parsers/io/log_name.h"
#include "parsers/registry/format_registry.h"
#include "parsers/tabular/table_map.h"
#include "pipeline/inputs/source_input_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH_ROWS 32768 /* 1.7 MB of columns */
/* Of records that are merged by day: the fewer batches, the fewer days are written twice. */
#define RECORD_BATCH_ROWS 262144
#define MIXED_RECORD_ROWS 32768 /* of each of several tables */

/* To be asked when the rows were read, with what came of it: HC_IO instead when the source was
 * changed meanwhile, since neither its rows nor its damage are those of the digest. */
static enum hc_status verify_unchanged(const struct hc_source_input *input, enum hc_status status,
                                       struct hc_error *err)
{
    struct hc_error changed = {0};
    if (status != HC_OK && status != HC_BAD_INPUT)
        return status;
    if (!(input->ranks ? hc_rank_source_verify(input->ranks, &changed)
                       : hc_source_verify(&input->source, &changed)))
        return status;
    *err = changed;
    return changed.status;
}

static enum hc_status find_kind(struct hc_source_input *input, struct hc_error *err)
{
    const char *table = input->format->table->name;
    input->kind = hc_kind_find(table);
    if (!input->kind)
        return hc_fail(err, HC_INTERNAL, "format '%s' yields '%s', which is of no kind",
                       input->format->name, table);
    return hc_kind_start_names(input->kind, true, &input->names, err);
}

/* What follows the last line feed may be half a line, and waits. */
static enum hc_status leave_last_line(struct hc_source_input *input, struct hc_error *err)
{
    if (hc_lines_end_source(&input->source, &input->n_waiting, err) || input->source.size)
        return err->status;
    return hc_fail(err, HC_BAD_INPUT, "'%s' has no whole line yet", input->source.name);
}

/* Of an open source: format, kind, metadata. The format decides whose metadata it is, but a mistake
 * in the metadata is told first. */
static enum hc_status prepare(struct hc_source_input *input, const char *path,
                              const struct hc_rank_set *set, struct hc_error *err)
{
    struct hc_error no_format = {0};
    if (set || input->options->format)
        input->format = hc_format_find(set ? "step-csv" : input->options->format);
    else
        hc_format_detect(&input->format, &input->source, &no_format);
    enum hc_status status = input->format ? find_kind(input, err) : HC_OK;
    input->is_of_rank = !set && input->kind && input->kind->rank_table && strcmp(path, "-") != 0;
    if (status == HC_OK)
        status = hc_source_read_metadata(input, path, err);
    if (status == HC_OK && set)
        status = hc_rank_set_check_sizes(set, &input->job, err);
    const struct hc_table_map *map = input->options->map;
    bool is_document = map && map->layout == HC_LAYOUT_JSON;
    if (status == HC_OK && input->options->lines_wait && input->format && input->format->is_lines &&
        !is_document)
        status = leave_last_line(input, err);
    if (status == HC_OK && no_format.status) {
        *err = no_format;
        status = verify_unchanged(input, err->status, err);
    }
    if (status != HC_OK)
        hc_source_input_close(input);
    return status;
}

/* ---- files that grow ---- */

static enum hc_status look_whether_packed(const struct hc_source *source, bool *is_packed,
                                          struct hc_error *err)
{
    unsigned char head[64];
    size_t length = source->size < (int64_t)sizeof head ? (size_t)source->size : sizeof head;
    if (hc_source_read_at(source, 0, head, length, err))
        return err->status;
    *is_packed = hc_is_packed(head, length);
    return HC_OK;
}

/* Which of the watermarks of a trial fits the open source, whose cuts the trial has. */
static enum hc_status choose_watermark(struct hc_source_input *input,
                                       struct hc_watermark_trial *trial, struct hc_error *err)
{
    bool is_packed = false;
    struct hc_error damaged = {0};
    if (!input->format->mark)
        return HC_OK;
    if (look_whether_packed(&input->source, &is_packed, err))
        return err->status;
    if (!is_packed) {
        input->last_line = trial->cuts.last_line;
    } else if (hc_watermark_trial_unpack(trial, &input->source, &damaged)) {
        if (damaged.status == HC_BAD_INPUT) /* reading it will tell */
            return HC_OK;
        *err = damaged;
        return err->status;
    }
    input->went_on = hc_watermark_trial_find(trial, input->format);
    for (size_t i = 0; i < trial->n; i++)
        if (hc_watermark_trial_fits(trial, i, input->format))
            input->fits[input->n_fits++] = trial->watermark[i];
    return HC_OK;
}

/* ---- files that are gone ---- */

static enum hc_status read_nothing(void *context, void *buffer, size_t capacity, size_t *length,
                                   struct hc_error *err)
{
    (void)context, (void)buffer, (void)capacity, (void)err;
    *length = 0;
    return HC_OK;
}

/* A source of as many bytes as were read, all before the place where reading goes on: what they are
 * does not matter. */
static enum hc_status open_ended(struct hc_source_input *input, const char *path,
                                 struct hc_error *err)
{
    const struct hc_ended_source *ended = input->options->ended;
    int64_t size = ended->watermark->mark.offset;
    if (hc_source_spool(&input->source, path, read_nothing, NULL, err))
        return err->status;
    if (ftruncate(input->source.fd, size))
        hc_fail_errno(err, "cannot make a temporary file for", path);
    input->source.size = size;
    input->source.state.info.st_mtim =
        (struct timespec){ended->written_ns / 1000000000, ended->written_ns % 1000000000};
    memcpy(input->source.sha256, ended->watermark->sha256, HC_DIGEST_TEXT);
    input->format = ended->watermark->format;
    input->went_on = ended->watermark;
    enum hc_status status = err->status ? err->status : find_kind(input, err);
    if (!status)
        status = hc_job_init(&input->job, "ended", err);
    if (status)
        hc_source_input_close(input);
    return status;
}

enum hc_status hc_source_input_open(struct hc_source_input *input, const char *path,
                                    const struct hc_trace_options *options, struct hc_error *err)
{
    memset(input, 0, sizeof *input);
    input->options = options;
    if (options->ended)
        return open_ended(input, path, err);
    const struct hc_rank_set *set = hc_rank_sets_find(options->sets, path);
    struct hc_watermark_trial trial;
    hc_watermark_trial_start(&trial, options->lines_wait ? options->watermarks : NULL, path);
    if (set ? hc_rank_source_open(&input->ranks, &input->source, set, err)
            : hc_source_open_cuts(&input->source, path, &trial.cuts, err)) {
        memset(&input->source, 0, sizeof input->source);
        return err->status;
    }
    if (prepare(input, path, set, err) || set || !options->watermarks)
        return err->status;
    if (choose_watermark(input, &trial, err))
        hc_source_input_close(input);
    return err->status;
}

enum hc_status hc_source_input_take(struct hc_source_input *input, struct hc_source *source,
                                    const struct hc_trace_options *options, struct hc_error *err)
{
    *input = (struct hc_source_input){.options = options, .source = *source};
    memset(source, 0, sizeof *source);
    source->fd = -1;
    return prepare(input, input->source.name, NULL, err);
}

/* Between batches: whether the rows so far are too many for the bytes of the source. */
static enum hc_status check_row_budget(const struct hc_source_input *input, struct hc_error *err)
{
    return hc_source_check_rows(&input->source, input->report.rows_read,
                                input->options->max_rows_per_byte, err);
}

enum hc_status hc_source_input_check_bad(const struct hc_source_input *input, int64_t n_duplicates,
                                         struct hc_error *err)
{
    if (input->n_rows < 0)
        return HC_OK;
    return hc_row_report_limit_early(&input->report, n_duplicates, input->n_rows,
                                     input->options->max_bad, err);
}

enum hc_status hc_source_input_expect(const struct hc_source_input *input,
                                      const struct hc_table_def *def, struct hc_error *err)
{
    const struct hc_kind *given = input->kind, *wanted = hc_kind_find(def->name);
    if (given->tables[0] == def)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "'%s' is %s (%s), not %s%s%s%s%s%s", input->source.name,
                   given->phrase, input->format->name, wanted ? wanted->phrase : def->name,
                   wanted && wanted->lack ? ": " : "", wanted && wanted->lack ? wanted->lack : "",
                   given->command ? "; see '" : "", given->command ? given->command : "",
                   given->command ? "'" : "");
}

/* The tables of the kind that the batches do not hold, where the parser makes them. */
static enum hc_status read_further(struct hc_source_input *input, void *parser, hc_table_sink *sink,
                                   void *context, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    const struct hc_table_def *const *defs = input->kind->tables + 1;
    for (; *defs && input->format->further && !status; defs++) {
        struct hc_table table = {0};
        status = input->format->further(parser, *defs, &table, err);
        if (!status)
            status = sink(&table, context, err);
        hc_table_fini(&table);
    }
    return status;
}

/* One batch: room for rows of each table of the kind that the batches hold, the main one first. */
struct batch {
    size_t n_tables;
    struct hc_table table[HC_KIND_MOST_TABLES];
};

static void batch_fini(struct batch *batch)
{
    for (size_t i = 0; i < batch->n_tables; i++)
        hc_table_fini(&batch->table[i]);
}

static enum hc_status batch_init(struct batch *batch, const struct hc_source_input *input,
                                 struct hc_error *err)
{
    const struct hc_kind *kind = input->kind;
    const struct hc_table_def *const *defs = kind->yields ? kind->yields : kind->tables;
    bool is_mixed = input->format->next_tables;
    size_t room = !kind->records ? BATCH_ROWS : is_mixed ? MIXED_RECORD_ROWS : RECORD_BATCH_ROWS;
    memset(batch, 0, sizeof *batch);
    for (; defs[batch->n_tables] && (is_mixed || batch->n_tables == 0); batch->n_tables++) {
        if (batch->n_tables == HC_KIND_MOST_TABLES)
            return hc_fail(err, HC_INTERNAL, "kind '%s' has more than %d tables", input->kind->name,
                           HC_KIND_MOST_TABLES);
        if (hc_table_init(&batch->table[batch->n_tables], defs[batch->n_tables], room, err))
            return err->status;
    }
    return HC_OK;
}

/* Fill the emptied batch; *n_rows of all tables, 0 at the end. */
static enum hc_status next_batch(struct hc_source_input *input, void *parser, struct batch *batch,
                                 size_t *n_rows, struct hc_error *err)
{
    const struct hc_format *format = input->format;
    *n_rows = 0;
    for (size_t i = 0; i < batch->n_tables; i++)
        batch->table[i].n_rows = 0;
    if ((format->next_tables ? format->next_tables : format->next_batch)(parser, batch->table,
                                                                         &input->report, err))
        return err->status;
    for (size_t i = 0; i < batch->n_tables; i++)
        *n_rows += batch->table[i].n_rows;
    return HC_OK;
}

static enum hc_status pass_on(const struct hc_source_input *input, const struct batch *batch,
                              hc_table_sink *sink, void *context, struct hc_error *err)
{
    for (size_t i = 0; i < batch->n_tables; i++)
        if (batch->table[i].n_rows && sink(&batch->table[i], context, err))
            return hc_context(err, "'%s'", input->source.name);
    return HC_OK;
}

/* The texts of a batch of records are in its segments: of the next one they are others. */
static enum hc_status forget_names(struct hc_source_input *input, struct hc_error *err)
{
    hc_table_names_fini(&input->names);
    return hc_kind_start_names(input->kind, true, &input->names, err);
}

static enum hc_status read_batches(struct hc_source_input *input, void *parser, struct batch *batch,
                                   hc_table_sink *sink, void *context, struct hc_error *err)
{
    struct hc_progress progress;
    size_t n_all = 0, n_rows = 1;
    hc_progress_start(&progress, input->source.name, "B", input->source.size);
    enum hc_status status = HC_OK;
    while (status == HC_OK) {
        status = next_batch(input, parser, batch, &n_rows, err);
        if (status != HC_OK || n_rows == 0)
            break;
        n_all += n_rows;
        status = check_row_budget(input, err);
        if (!status)
            status = pass_on(input, batch, sink, context, err);
        if (!status && input->kind->records)
            status = forget_names(input, err);
        hc_progress_update(&progress, input->format->position(parser));
    }
    hc_progress_end(&progress);
    if (status == HC_OK && hc_row_report_limit(&input->report, input->options->max_bad, err))
        return hc_context(err, "'%s'", input->source.name);
    if (status == HC_OK && n_all == 0 && input->kind->empty)
        return hc_fail(err, HC_BAD_INPUT, "'%s' %s", input->source.name, input->kind->empty);
    return status ? status : read_further(input, parser, sink, context, err);
}

/* What is read of one file, and where it goes. */
struct reading {
    struct hc_source_input *input;
    struct hc_parse_options options;
    struct batch batch;
    hc_table_sink *sink;
    void *context;
};

/* Where rotation gave the log that was read a name by which it would be another ("a.log" became
 * "a.1.log"), it stays the log that it was. */
static enum hc_status name_log(struct reading *reading, const struct hc_source *source,
                               struct hc_error *err)
{
    struct hc_log_name now, before;
    const char *log = reading->input->went_on->log;
    if (!log)
        return HC_OK;
    if (hc_log_name_read(&now, source->name, err) || hc_log_name_read(&before, log, err))
        return err->status;
    reading->options.log = now.id == before.id ? NULL : log;
    return HC_OK;
}

/* Open it where it was read to, or, where the parser cannot go on there, at its start. */
static enum hc_status open_parser(struct reading *reading, const struct hc_source *source,
                                  void **parser, struct hc_error *err)
{
    struct hc_source_input *input = reading->input;
    struct hc_error why = {0};
    if (input->went_on) {
        const struct hc_read_mark *mark = &input->went_on->mark;
        reading->options.go_on = mark;
        if (name_log(reading, source, err))
            return err->status;
        input->report.rows_before = mark->rows_read;
        input->report.bad_before = mark->rows_bad;
        if (input->format->open(parser, source, &reading->options, &why) == HC_OK)
            return HC_OK;
        if (input->options->ended) {
            *err = why;
            return err->status;
        }
        reading->options.go_on = NULL;
        reading->options.log = NULL;
        input->went_on = NULL;
        input->report.rows_before = input->report.bad_before = 0;
    }
    return input->format->open(parser, source, &reading->options, err);
}

/* The digest of the bytes before a place in the file. */
static enum hc_status digest_before(const struct hc_source_input *input, int64_t offset,
                                    char sha256[HC_DIGEST_TEXT], struct hc_error *err)
{
    char whole[HC_DIGEST_TEXT];
    struct hc_digest_cut cut = {.offset = offset};
    struct hc_digest_cuts cuts = {.n = 1, .cut = &cut};
    if (offset == input->last_line.offset) {
        memcpy(sha256, input->last_line.text, HC_DIGEST_TEXT);
        return HC_OK;
    }
    if (hc_digest_fd_cuts(input->source.fd, input->source.name, &cuts, whole, err))
        return err->status;
    memcpy(sha256, cut.text, HC_DIGEST_TEXT);
    return HC_OK;
}

/* After the last batch: how far the source was read. A place that was not passed stays the last
 * one; of compressed files, which do not grow, none is kept. */
static enum hc_status keep_watermark(struct hc_source_input *input, const void *parser,
                                     struct hc_error *err)
{
    const struct hc_format *format = input->format;
    struct hc_watermark *watermark = &input->watermark;
    if (!format->mark || !input->last_line.offset)
        return HC_OK;
    watermark->format = format;
    if (format->state_size && !(watermark->mark.state = hc_new_array(1, format->state_size, err)))
        return err->status;
    format->mark(parser, &watermark->mark);
    const char *log = input->went_on ? input->went_on->log : NULL;
    watermark->waits =
        input->report.rows_waiting > 0 && watermark->mark.offset == input->last_line.offset;
    watermark->log =
        log ? hc_copy_text(log, err) : hc_source_absolute_path(input->source.name, err);
    if (!watermark->log)
        return err->status;
    if (watermark->mark.offset)
        return digest_before(input, watermark->mark.offset, watermark->sha256, err);
    hc_watermark_fini(watermark);
    return input->went_on ? hc_watermark_copy(watermark, input->went_on, err) : HC_OK;
}

static enum hc_status read_source(struct reading *reading, const struct hc_source *source,
                                  struct hc_error *err)
{
    struct hc_source_input *input = reading->input;
    void *parser = NULL;
    enum hc_status status = open_parser(reading, source, &parser, err);
    input->n_rows = !status && input->format->n_rows ? input->format->n_rows(parser) : -1;
    if (status == HC_OK)
        status = read_batches(input, parser, &reading->batch, reading->sink, reading->context, err);
    if (status == HC_OK)
        status = keep_watermark(input, parser, err);
    input->format->close(parser);
    return status;
}

/* The files of a set one after the other, all on the clock of the first. */
static enum hc_status read_ranks(struct reading *reading, struct hc_error *err)
{
    struct hc_rank_source *ranks = reading->input->ranks;
    enum hc_status status =
        hc_rank_source_survey(ranks, reading->input->format, &reading->options, err);
    struct hc_rank_sink shift = {ranks, 0, reading->sink, reading->context};
    reading->sink = hc_rank_sink_take;
    reading->context = &shift;
    for (size_t i = 0; i < hc_rank_source_n(ranks) && !status; i++) {
        shift.file = i;
        status = read_source(reading, hc_rank_source_file(ranks, i), err);
    }
    return status;
}

enum hc_status hc_source_input_read(struct hc_source_input *input, hc_table_sink *sink,
                                    void *context, struct hc_error *err)
{
    struct reading reading = {.input = input, .sink = sink, .context = context};
    reading.options = (struct hc_parse_options){
        .job = &input->job,
        .float32_times = input->options->float32,
        .max_rows_per_byte = input->options->max_rows_per_byte,
        .max_bad = input->options->max_bad,
        .may_grow = input->options->lines_wait && !input->source.state.is_at_rest,
        .zone = input->options->zone,
        .map = input->options->map,
        .path = input->options->path,
        .names = &input->names,
        .patterns = input->options->patterns};
    enum hc_status status = batch_init(&reading.batch, input, err);
    if (status == HC_OK)
        status =
            input->ranks ? read_ranks(&reading, err) : read_source(&reading, &input->source, err);
    batch_fini(&reading.batch);
    return verify_unchanged(input, status, err);
}

/* Of a set that was given file by file, that of its first file. */
static char *provenance_path(const struct hc_source_input *input, struct hc_error *err)
{
    size_t n = input->ranks ? hc_rank_source_n(input->ranks) : 0;
    struct stat info;
    if (n < 2 || stat(input->source.name, &info) == 0)
        return hc_source_absolute_path(input->source.name, err);
    char *first = hc_source_absolute_path(hc_rank_source_file(input->ranks, 0)->name, err);
    char *path = first ? hc_new_text(err, "%s and %zu more", first, n - 1) : NULL;
    free(first);
    return path;
}

enum hc_status hc_source_input_provenance(const struct hc_source_input *input,
                                          struct hc_provenance *provenance, struct hc_error *err)
{
    memset(provenance, 0, sizeof *provenance);
    provenance->source_size = input->source.size;
    memcpy(provenance->source_sha256, input->source.sha256, sizeof provenance->source_sha256);
    provenance->format_version = input->format->version;
    provenance->rows_read = input->report.rows_read;
    provenance->rows_ignored = input->report.rows_ignored;
    memcpy(provenance->bad, input->report.count, sizeof provenance->bad);
    provenance->table = hc_copy_text(input->format->table->name, err);
    provenance->source_path = provenance_path(input, err);
    provenance->format = hc_copy_text(input->format->name, err);
    provenance->options = hc_copy_text(input->options->float32 ? "float32" : "", err);
    provenance->tool_version = hc_copy_text("hindcast " HC_VERSION, err);
    if (provenance->table && provenance->source_path && provenance->format && provenance->options &&
        provenance->tool_version)
        return HC_OK;
    hc_provenance_fini(provenance);
    return err->status;
}

void hc_source_input_let_go(struct hc_source_input *input)
{
    if (input->source.fd >= 0)
        close(input->source.fd);
    input->source.fd = -1;
    hc_table_names_fini(&input->names);
}

void hc_source_input_close(struct hc_source_input *input)
{
    if (!input->source.name)
        return;
    hc_source_close(&input->source);
    hc_rank_source_close(input->ranks);
    hc_watermark_fini(&input->watermark);
    hc_job_fini(&input->job);
    hc_row_report_fini(&input->report);
    hc_table_names_fini(&input->names);
    memset(input, 0, sizeof *input);
}

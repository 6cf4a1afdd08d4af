#include "pipeline/site/site_ingest.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/tables/table.h"
#include "parsers/io/log_name.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/site/site_ledger.h"
#include "pipeline/sources/rank_sets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct run {
    struct hc_archive *archive;
    const struct hc_site *site;
    const struct hc_ingest_observer *observer;
    struct hc_site_counts *counts;
    struct hc_site_ledger ledger;
    struct hc_site_ledger before; /* as it was at first: rotation gives names to other files */
    struct hc_error first;        /* failure of a source */
    bool keeps_before; /* an end that waited could not be told: the ledger stays as it was */

    /* Of the source that is read now. */
    struct hc_trace_options options;
    struct hc_zone zone;
    char *how;
    const char **paths; /* to be read */
    struct hc_site_mark *marks;
    size_t n, next; /* next: where the file that is read next is looked for first */
    bool is_unsure; /* a file of it could not be read now: it may have what another had before */
};

#define COUNT(...) HC_FIELD(struct hc_site_counts, __VA_ARGS__)
static const struct hc_field count_fields[] = {
    COUNT("files", n_files, "", "that the patterns of the site file name"),
    COUNT("unchanged", n_unchanged, "", "of them, read before and as they were"),
    COUNT("renamed", n_renamed, "", "of those, under another name"),
    COUNT("empty", n_empty, "", "without a byte"),
    COUNT("waiting", n_waiting, "", "whose end is not finished, and waits"),
    COUNT("shorter", n_shorter, "", "that were cut since they were read"),
    COUNT("resumed", n_resumed, "", "that grew, and were read on from where reading had come"),
    COUNT("passed_over", n_passed, "B", "of these, unpacked, that were not read again"),
    COUNT("ended", n_ended, "",
          "that were cut, replaced or removed while their end waited, which was told then"),
    COUNT("lost_ends", n_lost, "", "of which that end was not known any more"),
};
const struct hc_record_def hc_site_counts_record = HC_RECORD(NULL, count_fields);

/* ---- the files of a source ---- */

static bool is_of_source(const struct hc_site_files *files, const char *path)
{
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->path[i], path) == 0)
            return true;
    return false;
}

static enum hc_status add_files(const struct hc_site_source *source, struct hc_site_files *files,
                                struct hc_error *err)
{
    for (size_t i = 0; i < source->n_patterns; i++)
        if (hc_site_glob_add(files, source->patterns[i], err))
            return hc_context(err, "source '%s'", source->name);
    hc_site_files_sort(files, 0);
    return HC_OK;
}

enum hc_status hc_site_source_files(const struct hc_site *site, size_t index,
                                    struct hc_site_files *files, size_t *n_twice,
                                    struct hc_error *err)
{
    struct hc_site_files earlier = {0};
    size_t n = 0;
    *n_twice = 0;
    enum hc_status status = add_files(&site->sources[index], files, err);
    for (size_t i = 0; i < index && !status; i++)
        status = add_files(&site->sources[i], &earlier, err);
    for (size_t i = 0; i < files->n && !status; i++) {
        if (is_of_source(&earlier, files->path[i])) {
            free(files->path[i]);
            ++*n_twice;
        } else {
            files->path[n++] = files->path[i];
        }
    }
    files->n = status ? files->n : n;
    hc_site_files_fini(&earlier);
    return status;
}

/* ---- which of them are new ---- */

/* What decides how bytes are read: another way means that they are read once more. */
static char *how_read(const struct hc_site_source *source, const struct hc_trace_options *options,
                      struct hc_error *err)
{
    char formats[HC_DIGEST_TEXT] = "";
    FILE *stream = hc_digest_stream(formats, err);
    if (!stream)
        return NULL;
    size_t n;
    const struct hc_format *const *format = hc_formats(&n);
    for (size_t i = 0; i < n; i++)
        fprintf(stream, "%s %d\n", format[i]->name, format[i]->version);
    if (options->patterns.text)
        fputs(options->patterns.text, stream);
    fclose(stream);
    return hc_new_text(err, "%s|%s|%s|%.16s%s%.16s%s%s", source->format ? source->format : "",
                       source->cluster ? source->cluster : "", source->zone ? source->zone : "",
                       formats, source->map ? "|" : "", source->map ? source->map->sha256 : "",
                       source->path ? "|" : "", source->path_text ? source->path_text : "");
}

/* What files of these bytes had when they were read is there, at path. */
static void settle_content(struct run *run, const char *sha256, const char *path)
{
    for (size_t i = 0; i < run->before.n; i++) {
        struct hc_site_mark *mark = &run->before.marks[i];
        if (!mark->waits || strcmp(mark->sha256, sha256) != 0)
            continue;
        mark->is_settled = true;
        mark->is_unchanged |= path && strcmp(mark->path, path) == 0;
    }
}

/* The same of a file that goes on from there. */
static void settle_watermark(struct run *run, const struct hc_watermark *watermark)
{
    for (size_t i = 0; watermark->waits && i < run->before.n; i++)
        if (&run->before.marks[i].watermark == watermark)
            run->before.marks[i].is_settled = true;
}

/* Whether the file was read under this or another name. */
static enum hc_status was_read(struct run *run, struct hc_site_mark *mark, bool *was,
                               struct hc_error *err)
{
    const struct hc_site_mark *found = NULL;
    *was = hc_site_ledger_has(&run->ledger, mark);
    run->counts->n_unchanged += *was;
    if (*was)
        settle_content(run, hc_site_ledger_find(&run->ledger, mark->path)->sha256, mark->path);
    if (*was || hc_site_ledger_find_content(&run->ledger, mark, &found, err))
        return err->status;
    *was = found != NULL;
    run->counts->n_unchanged += *was;
    if (found)
        settle_content(run, found->sha256, mark->path);
    if (found && strcmp(found->path, mark->path) != 0) {
        run->counts->n_renamed++;
        hc_note("'%s' has what was read as '%s'", mark->path, found->path);
    }
    mark->waits = found && found->waits;
    /* What is known at its end is of the log of its name: two logs may begin alike. */
    bool is_same_log = found && hc_log_path_key(found->path) == hc_log_path_key(mark->path);
    if (is_same_log && hc_watermark_copy(&mark->watermark, &found->watermark, err))
        return err->status;
    return found ? hc_site_ledger_put(&run->ledger, mark, err) : HC_OK;
}

static void note_shorter(struct run *run, const struct hc_site_mark *mark)
{
    const struct hc_site_mark *held = hc_site_ledger_find(&run->ledger, mark->path);
    if (!held || held->size <= mark->size)
        return;
    run->counts->n_shorter++;
    hc_note("'%s' had %lld bytes and has %lld now: it was cut or is another file; what it told "
            "before stays",
            mark->path, (long long)held->size, (long long)mark->size);
}

/* Look at a file: it is passed over, or among those to be read. */
static enum hc_status look_at(struct run *run, const char *path, struct hc_error *err)
{
    bool was = false;
    struct hc_site_mark mark;
    enum hc_status status = hc_site_mark_take(&mark, path, run->how, err);
    struct hc_site_mark *before = status ? NULL : hc_site_ledger_find(&run->before, mark.path);
    if (before)
        before->is_listed = true;
    bool is_empty = !status && mark.size == 0;
    run->counts->n_empty += is_empty;
    if (!status && !is_empty)
        status = was_read(run, &mark, &was, err);
    if (status || is_empty || was) {
        hc_site_mark_fini(&mark);
        return status;
    }
    note_shorter(run, &mark);
    run->paths[run->n] = path;
    run->marks[run->n++] = mark;
    return HC_OK;
}

/* A file that cannot be looked at does not keep the others from being read. */
static enum hc_status choose(struct run *run, const struct hc_site_files *files,
                             struct hc_error *err)
{
    run->n = run->next = 0;
    run->paths = hc_new_array(files->n, sizeof *run->paths, err);
    run->marks = run->paths ? hc_new_array(files->n, sizeof *run->marks, err) : NULL;
    if (!run->marks)
        return err->status;
    for (size_t i = 0; i < files->n; i++) {
        struct hc_error failure = {0};
        if (look_at(run, files->path[i], &failure) == HC_OK)
            continue;
        hc_warn("%s", failure.message);
        run->is_unsure = true;
        if (run->first.status == HC_OK)
            run->first = failure;
    }
    return HC_OK;
}

/* ---- reading ---- */

/* What was read is known from now on, unless the file was written to since it was looked at. */
static void keep_mark(struct run *run, const struct hc_source_input *input)
{
    const struct hc_source *source = &input->source;
    struct hc_error ignored = {0}; /* the file is read once more */
    for (size_t n = 0; n < run->n; n++, run->next++) {
        struct hc_site_mark *mark = &run->marks[run->next % run->n];
        if (strcmp(run->paths[run->next % run->n], source->name) != 0)
            continue;
        if (!mark->path || mark->size != source->state.info.st_size)
            return;
        memcpy(mark->sha256, source->sha256, sizeof mark->sha256);
        mark->waits = input->report.rows_waiting > 0;
        hc_watermark_copy(&mark->watermark, &input->watermark, &ignored);
        hc_site_ledger_put(&run->ledger, mark, &ignored);
        return;
    }
}

static void note_done(const struct hc_ingested *ingested, void *context)
{
    struct run *run = context;
    const struct hc_source_input *input = ingested->input;
    run->counts->n_waiting += input->n_waiting || input->report.rows_waiting;
    if (input->report.rows_waiting)
        hc_note(
            "'%s': %lld of its last rows have no time or no end yet, and wait for further lines, "
            "or until nothing was written to it for ten minutes",
            input->source.name, (long long)input->report.rows_waiting);
    if (input->n_waiting) {
        hc_note("'%s': its last line is not finished, and waits for the next ingest",
                input->source.name);
    }
    if (input->went_on) {
        run->counts->n_resumed++;
        run->counts->n_passed += input->went_on->mark.offset;
    }
    settle_content(run, input->source.sha256, NULL);
    for (size_t i = 0; i < input->n_fits; i++)
        settle_watermark(run, input->fits[i]);
    if (!input->ranks)
        keep_mark(run, input);
    run->observer->done(ingested, run->observer->context);
}

static void note_failed(const char *path, const struct hc_error *failure, void *context)
{
    struct run *run = context;
    run->is_unsure |= failure->status != HC_BAD_INPUT;
    run->observer->failed(path, failure, run->observer->context);
}

static enum hc_status read_new(struct run *run, struct hc_error *err)
{
    struct hc_rank_sets sets = {0};
    struct hc_watermarks watermarks = {0};
    const struct hc_ingest_observer observer = {note_done, note_failed, run};
    if (hc_site_ledger_watermarks(&run->before, run->how, &watermarks, err) ||
        hc_rank_sets_gather(&sets, run->paths, run->n, run->options.format, err)) {
        hc_watermarks_fini(&watermarks);
        return err->status;
    }
    run->options.sets = &sets;
    run->options.watermarks = &watermarks;
    struct hc_ingest_inputs inputs = {
        .options = &run->options, .paths = sets.inputs, .n = sets.n_inputs};
    if (!hc_ingest_plan_make(&inputs.plan, sets.inputs, sets.n_inputs, &run->options, err))
        hc_ingest_all(run->archive, &inputs, &observer, err);
    hc_ingest_plan_fini(&inputs.plan);
    hc_rank_sets_fini(&sets);
    hc_watermarks_fini(&watermarks);
    run->options.sets = NULL;
    run->options.watermarks = NULL;
    return err->status;
}

static enum hc_status read_files(struct run *run, const struct hc_site_files *files,
                                 struct hc_error *err)
{
    enum hc_status status = choose(run, files, err);
    if (!status && run->n)
        status = read_new(run, err);
    for (size_t i = 0; i < run->n; i++)
        hc_site_mark_fini(&run->marks[i]);
    free(run->marks);
    free(run->paths);
    run->marks = NULL;
    run->paths = NULL;
    return status;
}

/* ---- ends that waited ---- */

/* Whether the rows that waited at the end of a file have to be told now: no file goes on from it.
 */
static bool has_ended(const struct run *run, const struct hc_site_mark *before)
{
    struct stat info;
    if (!before->waits || before->is_settled || strcmp(before->how, run->how) != 0)
        return false;
    /* One that is there under its name, and is not among the files any more, may go on. */
    return before->is_listed || stat(before->path, &info) != 0;
}

static void note_told(const struct hc_ingested *ingested, void *context)
{
    struct run *run = context;
    run->counts->n_ended++;
    hc_note("'%s' was cut, replaced or removed: what waited at its end is told as it was",
            ingested->input->source.name);
    run->observer->done(ingested, run->observer->context);
}

static enum hc_status tell_end(struct run *run, const struct hc_site_mark *before,
                               struct hc_error *err)
{
    const struct hc_ended_source ended = {&before->watermark, before->written_ns};
    const struct hc_ingest_observer observer = {note_told, note_failed, run};
    struct hc_trace_options options = run->options;
    const char *path = before->path;
    options.ended = &ended;
    options.format = before->watermark.format->name;
    options.lines_wait = false;
    const struct hc_ingest_inputs inputs = {.options = &options, .paths = &path, .n = 1};
    return hc_ingest_all(run->archive, &inputs, &observer, err);
}

static void say_lost(struct run *run, const struct hc_site_mark *before)
{
    run->counts->n_lost++;
    hc_warn(
        "'%s' was cut, replaced or removed within ten minutes after it was written: rows at its "
        "end that waited for further lines are lost",
        before->path);
}

/* A file that could not be read now may go on from it. */
static void keep_before(struct run *run, const struct hc_site_mark *before)
{
    if (!run->keeps_before)
        hc_note(
            "what was read now is read once more next time: until then, what waits at the end of "
            "'%s', which is gone, cannot be told",
            before->path);
    run->keeps_before = true;
}

/* After all files of a source were looked at. */
static enum hc_status tell_ends(struct run *run, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < run->before.n && !status; i++) {
        struct hc_site_mark *before = &run->before.marks[i];
        bool was_told = false;
        if (has_ended(run, before)) {
            if (run->is_unsure) {
                keep_before(run, before);
                continue;
            }
            was_told = true;
            if (before->watermark.waits)
                status = tell_end(run, before, err);
            else
                say_lost(run, before);
            run->keeps_before |= status != HC_OK;
        }
        struct hc_site_mark *now = hc_site_ledger_find(&run->ledger, before->path);
        if (!now || !now->waits || before->is_unchanged || strcmp(now->sha256, before->sha256) != 0)
            continue;
        if (was_told)
            now->waits = now->watermark.waits = false;
        else if (before->is_settled) /* under another name it waits still, or goes on */
            hc_site_ledger_drop(&run->ledger, now);
    }
    return status;
}

/* ---- a source ---- */

/* Files that could not be looked at are not read, which is no success. */
static void note_refused(struct run *run, const char *name, const struct hc_site_files *files)
{
    if (files->n_refused > 1)
        hc_warn("source '%s': %s, and %zu more such: files there are not read", name,
                files->refused.message, files->n_refused - 1);
    else
        hc_warn("source '%s': %s: files there are not read", name, files->refused.message);
    run->is_unsure = true;
    if (run->first.status == HC_OK)
        run->first = files->refused;
}

static enum hc_status read_listed(struct run *run, size_t index, struct hc_error *err)
{
    struct hc_site_files files = {0};
    size_t n_twice;
    const char *name = run->site->sources[index].name;
    enum hc_status status = hc_site_source_files(run->site, index, &files, &n_twice, err);
    if (!status && files.n_refused)
        note_refused(run, name, &files);
    if (!status && files.n == 0 && n_twice == 0)
        hc_warn("source '%s': no file has a name as its patterns say", name);
    if (n_twice)
        hc_warn("source '%s': %zu of its files are of an earlier source, too, and read as that "
                "says",
                name, n_twice);
    run->counts->n_files += (int64_t)files.n;
    if (!status && files.n)
        status = read_files(run, &files, err);
    if (status != HC_INTERNAL) {
        struct hc_error late = {0};
        run->is_unsure |= status == HC_IO;
        if (tell_ends(run, &late) && !status) {
            *err = late;
            status = late.status;
        }
    }
    hc_site_files_fini(&files);
    return status;
}

static enum hc_status read_source(struct run *run, size_t index,
                                  const struct hc_trace_options *options, struct hc_error *err)
{
    const struct hc_site_source *source = &run->site->sources[index];
    run->options = *options;
    run->options.format = source->format;
    run->options.map = source->map ? &source->map->map : NULL;
    run->options.path = source->path;
    run->options.cluster = source->cluster;
    run->options.zone = &run->zone;
    run->options.lines_wait = true;
    if (!options->patterns.text)
        run->options.patterns = run->site->patterns;
    run->how = how_read(source, &run->options, err);
    if (!run->how)
        return err->status;
    run->is_unsure = false;
    enum hc_status status = source->zone ? hc_zone_init(&run->zone, source->zone, err) : HC_OK;
    if (!status)
        status = read_listed(run, index, err);
    hc_zone_fini(&run->zone);
    run->zone = (struct hc_zone){0};
    free(run->how);
    run->how = NULL;
    return status;
}

enum hc_status hc_site_ingest(struct hc_archive *archive, const struct hc_site *site,
                              const struct hc_trace_options *options,
                              const struct hc_ingest_observer *observer,
                              struct hc_site_counts *counts, struct hc_error *err)
{
    struct run run = {.archive = archive, .site = site, .observer = observer, .counts = counts};
    *counts = (struct hc_site_counts){0};
    enum hc_status status = hc_site_ledger_load(&run.ledger, archive->path, err);
    if (!status) {
        hc_log_hush(true); /* it was said */
        status = hc_site_ledger_load(&run.before, archive->path, err);
        hc_log_hush(false);
    }
    run.keeps_before = run.ledger.is_unreadable || run.before.is_unreadable;
    for (size_t i = 0; i < site->n_sources && status != HC_INTERNAL; i++) {
        struct hc_error failure = {0};
        status = read_source(&run, i, options, &failure);
        if (status && run.first.status == HC_OK)
            run.first = failure;
        if (status)
            hc_warn("source '%s': %s", site->sources[i].name, failure.message);
        if (run.keeps_before)
            continue;
        if (hc_site_ledger_save(&run.ledger, archive->path, &failure) && !status)
            hc_warn("%s; the files are read once more next time", failure.message);
    }
    hc_site_ledger_fini(&run.ledger);
    hc_site_ledger_fini(&run.before);
    if (run.first.status)
        *err = run.first;
    return err->status;
}

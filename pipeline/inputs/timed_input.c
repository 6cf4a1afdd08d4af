#include "pipeline/inputs/timed_input.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/tables/collectives/timed_tables.h"
#include "core/tables/profile_tables.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/sources/source_list.h"
#include "pipeline/sources/tar_sources.h"
#include "store/segment/segment_each.h"

#include <stdlib.h>
#include <string.h>

void hc_timed_input_fini(struct hc_timed_input *input)
{
    for (size_t i = 0; i < input->n_sources; i++) {
        free(input->sources[i].path);
        free(input->sources[i].segment);
    }
    free(input->sources);
    free(input->label);
    hc_job_fini(&input->job);
    hc_timed_set_fini(&input->set);
    memset(input, 0, sizeof *input);
}

static enum hc_status add_source(struct hc_timed_input *input, const char *path,
                                 struct hc_timed_source **source, struct hc_error *err)
{
    if (hc_reserve(&input->sources, &input->capacity, input->n_sources + 1, sizeof *input->sources,
                   err))
        return err->status;
    *source = &input->sources[input->n_sources++];
    **source = (struct hc_timed_source){.path = hc_copy_text(path, err)};
    return (*source)->path ? HC_OK : err->status;
}

static enum hc_status take_rows(const struct hc_table *rows, void *context, struct hc_error *err)
{
    return hc_timed_set_add(context, rows, err);
}

/* ---- files ---- */

static bool is_twin(const struct hc_timed_input *input, const struct hc_source_input *source)
{
    for (size_t i = 0; i < input->n_sources; i++)
        if (strcmp(input->sources[i].sha256, source->source.sha256) == 0)
            return true;
    return false;
}

static enum hc_status read_source(struct hc_timed_input *input, struct hc_source_input *source,
                                  struct hc_error *err)
{
    struct hc_timed_source *to = NULL;
    struct hc_timed_set *set = &input->set;
    if (hc_timed_set_begin(set, &source->names, err) ||
        hc_source_input_read(source, take_rows, set, err) ||
        add_source(input, source->source.name, &to, err))
        return err->status;
    hc_timed_set_end(set);
    memcpy(to->sha256, source->source.sha256, sizeof to->sha256);
    to->size = source->source.size;
    to->n_records = source->report.rows_read;
    to->n_dropped = hc_row_report_total_bad(&source->report);
    for (int reason = 0; reason < HC_N_BAD_REASONS && to->n_dropped; reason++)
        if (source->report.count[reason])
            hc_warn("'%s': %lld of %lld records dropped (%s); first: %s", to->path,
                    (long long)source->report.count[reason], (long long)to->n_records,
                    hc_bad_reason_text((enum hc_bad_reason)reason), source->report.example[reason]);
    return HC_OK;
}

/* Takes an input that is open, and closes it. */
static enum hc_status load_opened(struct hc_timed_input *input, struct hc_source_input *source,
                                  struct hc_error *err)
{
    enum hc_status status = hc_source_input_expect(source, &hc_timed_def, err);
    if (status == HC_OK && is_twin(input, source)) {
        input->n_twins++;
    } else if (status == HC_OK) {
        status = read_source(input, source, err);
        if (status == HC_OK && input->n_sources == 1) {
            input->job = source->job;
            memset(&source->job, 0, sizeof source->job);
        }
    }
    hc_source_input_close(source);
    return status;
}

static bool is_log_format(const struct hc_format *format)
{
    return format && format->table == &hc_timed_def;
}

static enum hc_status load_listed(struct hc_timed_input *input,
                                  const struct hc_listed_source *listed,
                                  const struct hc_trace_options *options, struct hc_error *err)
{
    struct hc_source_input source;
    const struct hc_format *format = NULL;
    bool looks = listed->is_member && !options->format;
    if (looks && hc_format_of_path(&format, listed->path, err))
        return err->status;
    if (looks && !is_log_format(format)) {
        input->n_left_out++;
        return HC_OK;
    }
    return hc_source_input_open(&source, listed->path, options, err)
               ? err->status
               : load_opened(input, &source, err);
}

struct members {
    struct hc_timed_input *input;
    const struct hc_trace_options *options;
};

/* A member of a tar archive that no format knows, or that is no log, is left out. */
static enum hc_status load_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct members *members = context;
    struct hc_source_input source;
    enum hc_status status = hc_source_input_take(&source, member, members->options, err);
    bool is_log = status == HC_OK && is_log_format(source.format);
    if (is_log)
        return load_opened(members->input, &source, err);
    if (status == HC_OK)
        hc_source_input_close(&source);
    if (status != HC_OK && status != HC_BAD_INPUT)
        return status;
    *err = (struct hc_error){0};
    members->input->n_left_out++;
    return HC_OK;
}

static enum hc_status load_files(struct hc_timed_input *input, const struct hc_source_list *list,
                                 const struct hc_trace_options *options, struct hc_error *err)
{
    struct members members = {input, options};
    for (size_t i = 0; i < list->n; i++)
        if (hc_is_tar(list->sources[i].path)
                ? hc_tar_each(list->sources[i].path, load_member, &members, err)
                : load_listed(input, &list->sources[i], options, err))
            return err->status;
    return input->n_sources
               ? HC_OK
               : hc_fail(err, HC_BAD_INPUT, "no file is a log of timed collectives, such as '%s'",
                         list->sources[0].path);
}

static enum hc_status load_arguments(struct hc_timed_input *input,
                                     const struct hc_trace_loader *loader,
                                     const char *const *arguments, size_t n, struct hc_error *err)
{
    struct hc_source_list list = {0};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && status == HC_OK; i++)
        status = hc_source_list_add(&list, arguments[i], err);
    if (status == HC_OK)
        status = load_files(input, &list, loader->trace_options, err);
    hc_source_list_fini(&list);
    if (status == HC_OK && !(input->label = hc_new_text(err, "'%s'", arguments[0])))
        status = err->status;
    return status;
}

/* ---- a job of the archive ---- */

static enum hc_status read_segment(struct hc_timed_set *set, struct hc_segment *segment,
                                   struct hc_table_names *names, struct hc_error *err)
{
    if (hc_table_names_init(names, hc_timed_tables, err))
        return err->status;
    for (size_t d = 0; d < names->n; d++)
        if (hc_segment_names(segment, names->dictionary[d], &names->set[d], err))
            return err->status;
    if (hc_timed_set_begin(set, names, err))
        return err->status;
    for (int t = 0; t < HC_TIMED_N_TABLES; t++) {
        const struct hc_table_def *def = hc_timed_tables[t];
        if (hc_segment_each(segment, def, (1U << def->n_columns) - 1, take_rows, set, err))
            return err->status;
    }
    hc_timed_set_end(set);
    return HC_OK;
}

static enum hc_status load_segment(struct hc_timed_input *input, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct hc_table_names names = {0};
    struct hc_timed_source *to = NULL;
    if (hc_archive_open_segment(archive, entry, &segment, err))
        return err->status;
    const struct hc_provenance *provenance = hc_segment_provenance(segment);
    enum hc_status status = read_segment(&input->set, segment, &names, err);
    if (status == HC_OK)
        status = add_source(input, provenance->source_path, &to, err);
    if (status == HC_OK) {
        memcpy(to->sha256, provenance->source_sha256, sizeof to->sha256);
        to->size = provenance->source_size;
        to->n_records = provenance->rows_read;
        for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
            to->n_dropped += provenance->bad[reason];
        to->segment = hc_copy_text(entry->file, err);
        status = to->segment ? HC_OK : err->status;
    }
    if (status == HC_OK && input->n_sources == 1)
        status = hc_job_copy(&input->job, hc_segment_job(segment), err);
    hc_table_names_fini(&names);
    hc_segment_close(segment);
    return status ? hc_context(err, "'%s/%s'", archive->path, entry->file) : HC_OK;
}

static enum hc_status open_archive(struct hc_trace_loader *loader, struct hc_error *err)
{
    return loader->archive ? HC_OK
                           : hc_archive_open(&loader->archive, loader->archive_path, false, err);
}

static enum hc_status load_job(struct hc_timed_input *input, struct hc_trace_loader *loader,
                               const char *name, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    if (open_archive(loader, err) ||
        hc_archive_find(loader->archive, name, hc_timed_def.name, &entry, err))
        return err->status;
    size_t n = hc_archive_n_ranks(loader->archive, entry);
    for (size_t i = 0; i < n; i++)
        if (load_segment(input, loader->archive, &entry[i], err))
            return err->status;
    input->archive = loader->archive->path;
    input->label = hc_new_text(err, "job '%s/%s'", entry->cluster, entry->job_id);
    return input->label ? HC_OK : err->status;
}

/* ---- either ---- */

enum hc_status hc_timed_load(struct hc_timed_input *input, struct hc_trace_loader *loader,
                             const char *const *arguments, size_t n, struct hc_error *err)
{
    bool are_files = true;
    memset(input, 0, sizeof *input);
    for (size_t i = 0; i < n; i++)
        are_files &= hc_is_trace_file(arguments[i]) || hc_is_directory(arguments[i]);
    enum hc_status status = HC_OK;
    if (are_files)
        status = load_arguments(input, loader, arguments, n, err);
    else if (n == 1)
        status = load_job(input, loader, arguments[0], err);
    else
        status = hc_fail(err, HC_USAGE, "name the files of one job, or one job of the archive");
    if (status)
        hc_timed_input_fini(input);
    return status;
}

/* Ends the walk at the first member whose format is known. */
static enum hc_status look_at_member(struct hc_source *member, void *context, struct hc_error *err)
{
    const struct hc_format **format = context;
    struct hc_error ignored;
    hc_format_detect(format, member, &ignored);
    hc_source_close(member);
    return *format ? hc_fail(err, HC_FINDING, "found") : HC_OK;
}

static const struct hc_format *format_of(const char *path)
{
    const struct hc_format *format = NULL;
    struct hc_error ignored;
    if (!hc_is_tar(path))
        hc_format_of_path(&format, path, &ignored);
    else
        hc_tar_each(path, look_at_member, &format, &ignored);
    return format;
}

/* The first format that a file of a directory has. */
static const struct hc_format *format_in(const char *directory)
{
    struct hc_source_list list = {0};
    struct hc_error ignored;
    const struct hc_format *format = NULL;
    enum hc_status status = hc_source_list_add(&list, directory, &ignored);
    for (size_t i = 0; i < list.n && status == HC_OK && !format; i++)
        format = format_of(list.sources[i].path);
    hc_source_list_fini(&list);
    return format;
}

bool hc_is_timed(struct hc_trace_loader *loader, const char *argument)
{
    const struct hc_manifest_entry *entry = NULL;
    struct hc_error none = {0};
    if (hc_is_directory(argument))
        return is_log_format(format_in(argument));
    if (hc_is_trace_file(argument))
        return is_log_format(loader->trace_options->format
                                 ? hc_format_find(loader->trace_options->format)
                                 : format_of(argument));
    return open_archive(loader, &none) == HC_OK &&
           hc_archive_find(loader->archive, argument, hc_gpu_def.name, &entry, &none) &&
           hc_archive_find(loader->archive, argument, hc_timed_def.name, &entry, &none) == HC_OK;
}

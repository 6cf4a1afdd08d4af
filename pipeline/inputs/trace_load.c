#include "pipeline/inputs/trace_load.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/near_file.h"
#include "core/process/threads.h"
#include "core/tables/op_table.h"
#include "pipeline/inputs/segment_input.h"
#include "pipeline/kinds/kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool hc_is_trace_file(const char *argument)
{
    struct stat info;
    return strcmp(argument, "-") == 0 || (stat(argument, &info) == 0 && !S_ISDIR(info.st_mode));
}

void hc_loaded_trace_release(struct hc_loaded_trace *loaded)
{
    hc_step_trace_free(loaded->trace);
    hc_source_input_close(&loaded->input);
    hc_segment_close(loaded->segment);
    free(loaded->label);
    memset(loaded, 0, sizeof *loaded);
}

/* ---- traces from files ---- */

static enum hc_status take_batch(const struct hc_table *ops, void *context, struct hc_error *err)
{
    struct hc_loaded_trace *loaded = context;
    if (hc_step_trace_add(loaded->trace, ops, err))
        return err->status;
    return hc_source_input_check_bad(&loaded->input, hc_census_n_duplicates(loaded->trace->census),
                                     err);
}

static enum hc_status read_input(struct hc_loaded_trace *loaded, struct hc_error *err)
{
    struct hc_source_input *input = &loaded->input;
    if (hc_source_input_expect(input, &hc_ops_def, err) ||
        hc_step_trace_new(&loaded->trace, &input->job, err))
        return err->status;
    hc_census_limit_ops(loaded->trace->census, input->options->max_step_ops);
    if (hc_source_input_read(input, take_batch, loaded, err))
        return err->status;
    loaded->trace->hides_waiting = input->format->hides_waiting;
    hc_step_trace_set_report(loaded->trace, &input->report);
    loaded->label = hc_new_text(err, "'%s'", input->source.name);
    loaded->max_bad = input->options->max_bad;
    loaded->origin = (struct hc_trace_origin){
        .source_path = input->source.name,
        .source_sha256 = input->source.sha256,
        .source_size = input->source.size,
        .format = input->format->name,
        .format_version = input->format->version,
    };
    return loaded->label ? HC_OK : err->status;
}

static enum hc_status load_file(struct hc_loaded_trace *loaded, const char *path,
                                const struct hc_trace_options *options, struct hc_error *err)
{
    memset(loaded, 0, sizeof *loaded);
    if (hc_source_input_open(&loaded->input, path, options, err))
        return err->status;
    enum hc_status status = read_input(loaded, err);
    if (status)
        hc_loaded_trace_release(loaded);
    else if (hc_census_n_rows(loaded->trace->census) >= HC_LEAST_SHARED_ROWS)
        hc_threads_raise(1);
    return status;
}

/* ---- jobs of the archive ---- */

static enum hc_status read_segment(struct hc_loaded_trace *loaded, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err)
{
    const struct hc_provenance *provenance = hc_segment_provenance(loaded->segment);
    loaded->origin = (struct hc_trace_origin){
        .source_path = provenance->source_path,
        .source_sha256 = provenance->source_sha256,
        .source_size = provenance->source_size,
        .format = provenance->format,
        .format_version = provenance->format_version,
        .archive = archive->path,
        .segment = entry->file,
    };
    loaded->max_bad = 1;
    loaded->label = hc_new_text(err, "job '%s/%s'", entry->cluster, entry->job_id);
    if (!loaded->label || hc_step_trace_new(&loaded->trace, hc_segment_job(loaded->segment), err) ||
        hc_segment_load(loaded->segment, loaded->trace, err))
        return err->status;
    return HC_OK;
}

enum hc_status hc_trace_load_entry(struct hc_loaded_trace *loaded, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err)
{
    memset(loaded, 0, sizeof *loaded);
    enum hc_status status = hc_archive_open_segment(archive, entry, &loaded->segment, err);
    if (status == HC_OK)
        status = read_segment(loaded, archive, entry, err);
    if (status)
        hc_loaded_trace_release(loaded);
    return status;
}

/* Whether it holds something, but no step timeline. */
static bool has_no_ops(const struct hc_archive *archive)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (hc_manifest_entry_is(&archive->entries[i], &hc_ops_def))
            return false;
    return archive->n_entries > 0;
}

static enum hc_status fail_other_kind(const struct hc_archive *archive, const char *name,
                                      struct hc_error *err)
{
    const char *table = archive->entries[0].table;
    const struct hc_kind *kind = hc_kind_find(table);
    return hc_fail(err, HC_USAGE, "no job '%.200s': archive '%s' has %s only (see '%s')", name,
                   archive->path, hc_kind_name(table),
                   kind && kind->command ? kind->command : "hindcast ls");
}

static enum hc_status load_job(struct hc_loaded_trace *loaded, struct hc_trace_loader *loader,
                               const char *name, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    if (!loader->archive && hc_archive_open(&loader->archive, loader->archive_path, false, err)) {
        errno = ENOENT;
        return hc_looks_like_file(name) ? hc_fail_open(err, name)
                                        : hc_context(err, "'%s' is no file, and as a job", name);
    }
    if (has_no_ops(loader->archive))
        return fail_other_kind(loader->archive, name, err);
    if (hc_archive_find(loader->archive, name, hc_ops_def.name, &entry, err))
        return err->status;
    if (hc_manifest_entry_rows(entry, &hc_ops_def) >= HC_LEAST_SHARED_ROWS)
        hc_threads_raise(1);
    return hc_trace_load_entry(loaded, loader->archive, entry, err);
}

/* ---- either ---- */

bool hc_is_trace_input(const struct hc_trace_options *options, const char *argument)
{
    return hc_rank_sets_find(options->sets, argument) || hc_is_trace_file(argument);
}

enum hc_status hc_trace_load(struct hc_loaded_trace *loaded, struct hc_trace_loader *loader,
                             const char *argument, struct hc_error *err)
{
    return hc_is_trace_input(loader->trace_options, argument)
               ? load_file(loaded, argument, loader->trace_options, err)
               : load_job(loaded, loader, argument, err);
}

static bool has_step(const struct hc_step_lists *lists, const int32_t range[2])
{
    for (size_t s = 0; s < lists->n_steps; s++)
        if (hc_step_range_includes(range, lists->steps[s]))
            return true;
    for (size_t s = 0; s < lists->n_left_out; s++)
        if (hc_step_range_includes(range, lists->left_out[s].step))
            return true;
    return false;
}

void hc_warn_absent_steps(const struct hc_step_ranges *ranges, const char *job_id,
                          const struct hc_step_lists *lists)
{
    size_t n_absent = 0, first = 0;
    for (size_t i = 0; i < ranges->n; i++)
        if (!has_step(lists, ranges->range[i]) && n_absent++ == 0)
            first = i;
    if (n_absent)
        hc_warn("job '%s' has no step from %d to %d, which was asked for, nor for %zu others of "
                "its list",
                job_id, ranges->range[first][0], ranges->range[first][1], n_absent - 1);
}

void hc_trace_loader_close(struct hc_trace_loader *loader)
{
    hc_archive_close(loader->archive);
    loader->archive = NULL;
}

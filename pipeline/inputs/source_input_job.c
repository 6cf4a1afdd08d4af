/* source_input_job.c - of which job a source is: by its name, by the directory or tar archive that
 * it lies in, and by its metadata. */
#include "pipeline/inputs/source_input_job.h"

#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "parsers/registry/format_registry.h"
#include "parsers/steps/metadata.h"
#include "pipeline/sources/rank_sets.h"
#include "pipeline/sources/tar_sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *hc_source_absolute_path(const char *name, struct hc_error *err)
{
    char *path = realpath(name, NULL);
    if (path)
        return path;
    if (errno == ENOENT || errno == ENOTDIR)
        return hc_copy_text(name, err);
    hc_fail_errno(err, "cannot look up", name);
    return NULL;
}

bool hc_source_is_of_rank(const char *path, const struct hc_trace_options *options)
{
    if (hc_rank_sets_find(options->sets, path))
        return false;
    const struct hc_format *format = NULL;
    struct hc_error ignored; /* opening it tells */
    if (options->format)
        format = hc_format_find(options->format);
    else
        hc_format_of_path(&format, path, &ignored);
    const struct hc_kind *kind = format ? hc_kind_find(format->table->name) : NULL;
    return kind && kind->rank_table && strcmp(path, "-") != 0;
}

/* The ranks of a job are files of one directory, or of one tar archive, which is named after the
 * job; "meta.yaml" beside them is its metadata. */
static enum hc_status name_by_directory(const char *path, char **id, char **beside,
                                        struct hc_error *err)
{
    const char *end = hc_tar_name_end(path);
    char *name = end ? strndup(path, (size_t)(end - path)) : NULL;
    char *whole = hc_source_absolute_path(name ? name : path, err);
    char *border = whole ? strrchr(whole, '/') : NULL;
    free(name);
    if (!whole)
        return err->status;
    *beside = hc_new_text(err, "%.*s/meta.yaml", border ? (int)(border - whole) : 1,
                          border ? whole : ".");
    if (border && !end)
        *border = '\0';
    const char *job = strrchr(whole, '/');
    *id = hc_copy_text(job && job[1] ? job + 1 : "ranks", err);
    if (*id && end)
        (*id)[strcspn(*id, ".")] = '\0'; /* "run-7.tar.gz" holds run-7 */
    free(whole);
    enum hc_file_kind kind = HC_FILE_NONE;
    if (!*id || !*beside || hc_look_at_file(*beside, &kind, err))
        return err->status;
    if (kind == HC_FILE_NONE) {
        free(*beside);
        *beside = NULL;
    }
    return HC_OK;
}

enum hc_status hc_source_read_metadata(struct hc_source_input *input, const char *path,
                                       struct hc_error *err)
{
    const char *meta = input->options->meta;
    const struct hc_rank_set *set = hc_rank_sets_find(input->options->sets, path);
    char *id = NULL, *beside = NULL;
    enum hc_status status = HC_OK;
    if (set)
        status = (id = hc_copy_text(set->files[0].head.job, err)) ? HC_OK : err->status;
    else
        status = input->is_of_rank ? name_by_directory(path, &id, &beside, err)
                                   : hc_job_id_of_path(path, &id, err);
    if (status == HC_OK && !meta && set)
        status = hc_rank_set_metadata(set, &beside, err);
    else if (status == HC_OK && !meta && !input->is_of_rank && strcmp(path, "-") != 0)
        status = hc_metadata_beside(path, &beside, err);
    if (meta && strcmp(meta, "none") != 0)
        status = status ? status : hc_metadata_read(&input->job, meta, id, err);
    else if (beside)
        status = status ? status : hc_metadata_read(&input->job, beside, id, err);
    else
        status = status ? status : hc_job_init(&input->job, id, err);
    free(id);
    free(beside);
    if (status != HC_OK || !input->job.meta_path)
        return status;
    char *absolute = hc_source_absolute_path(input->job.meta_path, err);
    free(input->job.meta_path);
    input->job.meta_path = absolute;
    return absolute ? HC_OK : err->status;
}

enum hc_status hc_source_input_job(struct hc_job *job, const char *path,
                                   const struct hc_trace_options *options, struct hc_error *err)
{
    struct hc_source_input input = {.options = options,
                                    .is_of_rank = hc_source_is_of_rank(path, options)};
    enum hc_status status = hc_source_read_metadata(&input, path, err);
    if (status)
        hc_job_fini(&input.job);
    *job = input.job;
    return status;
}

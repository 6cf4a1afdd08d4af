#include "pipeline/inputs/profile_load.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/process/threads.h"
#include "models/profiles/profile_fill.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/sources/tar_sources.h"
#include "store/segment/segment_each.h"

#include <stdlib.h>
#include <string.h>

/* A rank on its way into the profile. */
struct loading {
    struct hc_profile_rank rank;
    struct hc_table_names names;
    struct hc_profile_source source;
    struct hc_job job;
    struct hc_error failure; /* HC_OK: it is there */
    struct hc_log_lines said;
    bool is_other; /* a file of a directory that is no profiler trace */
};

static void source_fini(struct hc_profile_source *source)
{
    free(source->path);
    free(source->format);
    free(source->segment);
    memset(source, 0, sizeof *source);
}

static void loading_fini(struct loading *loading)
{
    hc_profile_rank_fini(&loading->rank);
    hc_table_names_fini(&loading->names);
    hc_job_fini(&loading->job);
    source_fini(&loading->source);
    hc_log_print(&loading->said);
}

static enum hc_status take_rows(const struct hc_table *rows, void *context, struct hc_error *err)
{
    return hc_profile_rank_add(context, rows, err);
}

/* As soon as its rows are there, a rank gives back what is not read any more. */
static enum hc_status settle(struct loading *loading, enum hc_steps_by by, struct hc_error *err)
{
    if (hc_profile_rank_settle(&loading->rank, &loading->names, by, err))
        return hc_context(err, "'%s'", loading->rank.name);
    return HC_OK;
}

/* ---- a rank from a file ---- */

static enum hc_status describe_input(struct loading *loading, const struct hc_source_input *input,
                                     struct hc_error *err)
{
    struct hc_profile_source *source = &loading->source;
    const struct hc_row_report *report = &input->report;
    memcpy(source->sha256, input->source.sha256, sizeof source->sha256);
    source->size = input->source.size;
    source->rows_read = report->rows_read;
    source->n_bad = hc_row_report_total_bad(report);
    for (int reason = HC_N_BAD_REASONS - 1; reason >= 0; reason--)
        if (report->count[reason])
            memcpy(source->first_bad, report->example[reason], sizeof source->first_bad);
    free(source->path);
    source->path = hc_copy_text(input->source.name, err);
    source->format = hc_copy_text(input->format->name, err);
    return source->path && source->format ? HC_OK : err->status;
}

/* Closes the input. */
static enum hc_status read_input(struct loading *loading, struct hc_source_input *input,
                                 enum hc_steps_by by, struct hc_error *err)
{
    enum hc_status status = hc_source_input_expect(input, &hc_gpu_def, err);
    if (status == HC_OK)
        status = hc_profile_rank_init(&loading->rank, input->source.name, err);
    if (status == HC_OK)
        status = hc_source_input_read(input, take_rows, &loading->rank, err);
    if (status == HC_OK)
        status = describe_input(loading, input, err);
    if (status == HC_OK) { /* names and job are the rank's from now on */
        loading->names = input->names;
        loading->job = input->job;
        memset(&input->names, 0, sizeof input->names);
        memset(&input->job, 0, sizeof input->job);
        status = settle(loading, by, err);
    }
    hc_source_input_close(input);
    return status;
}

/* How files are read. */
struct reading {
    const struct hc_trace_options *options;
    enum hc_steps_by by;
};

static enum hc_status read_rank(struct loading *loading, const char *path,
                                const struct reading *reading, struct hc_error *err)
{
    struct hc_source_input input;
    return hc_source_input_open(&input, path, reading->options, err)
               ? err->status
               : read_input(loading, &input, reading->by, err);
}

static bool is_profile_format(const struct hc_format *format)
{
    return format && format->table == &hc_gpu_def;
}

/* What is to be said is kept until its turn. */
static void load_listed(struct loading *loading, const struct hc_listed_source *listed,
                        const struct reading *reading)
{
    const struct hc_format *format = NULL;
    bool looks = listed->is_member && !reading->options->format;
    hc_log_keep(&loading->said);
    if (!looks || hc_format_of_path(&format, listed->path, &loading->failure) == HC_OK)
        loading->is_other = looks && !is_profile_format(format);
    if (!loading->is_other && !loading->failure.status)
        read_rank(loading, listed->path, reading, &loading->failure);
    hc_log_keep(NULL);
}

/* ---- a rank from the archive ---- */

static enum hc_status read_names(struct hc_segment *segment, struct hc_table_names *names,
                                 struct hc_error *err)
{
    if (hc_table_names_init(names, hc_profile_tables, err))
        return err->status;
    for (size_t d = 0; d < names->n; d++)
        if (hc_segment_names(segment, names->dictionary[d], &names->set[d], err))
            return err->status;
    return HC_OK;
}

static enum hc_status read_tables(struct hc_segment *segment, struct hc_profile_rank *rank,
                                  struct hc_error *err)
{
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++) {
        const struct hc_table_def *def = hc_profile_tables[t];
        if (hc_table_reserve(&rank->table[t], (size_t)hc_segment_n_rows(segment, def), err) ||
            hc_segment_each(segment, def, (1U << def->n_columns) - 1, take_rows, rank, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status describe_segment(struct hc_profile_source *source,
                                       const struct hc_manifest_entry *entry,
                                       const struct hc_provenance *provenance, struct hc_error *err)
{
    memcpy(source->sha256, provenance->source_sha256, sizeof source->sha256);
    source->size = provenance->source_size;
    source->rows_read = provenance->rows_read;
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        source->n_bad += provenance->bad[reason];
    source->path = hc_copy_text(provenance->source_path, err);
    source->format = hc_copy_text(provenance->format, err);
    source->segment = hc_copy_text(entry->file, err);
    return source->path && source->format && source->segment ? HC_OK : err->status;
}

static enum hc_status load_segment(struct loading *loading, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, enum hc_steps_by by,
                                   struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    if (hc_archive_open_segment(archive, entry, &segment, err))
        return err->status;
    const struct hc_provenance *provenance = hc_segment_provenance(segment);
    enum hc_status status = hc_profile_rank_init(&loading->rank, provenance->source_path, err) ||
                                    describe_segment(&loading->source, entry, provenance, err) ||
                                    read_names(segment, &loading->names, err) ||
                                    read_tables(segment, &loading->rank, err)
                                ? err->status
                                : HC_OK;
    if (status == HC_OK)
        status = hc_job_copy(&loading->job, hc_segment_job(segment), err);
    hc_segment_close(segment);
    return status ? status : settle(loading, by, err);
}

/* ---- the ranks into one profile ---- */

static enum hc_status leave_out(struct hc_loaded_profile *loaded, const char *path,
                                struct hc_error *err)
{
    if (loaded->n_left_out++ == 0)
        loaded->left_out = hc_copy_text(path, err);
    return loaded->left_out ? HC_OK : err->status;
}

static enum hc_status join_ranks(struct hc_loaded_profile *loaded, struct loading *loadings,
                                 size_t n, struct hc_error *err)
{
    struct hc_profile *profile = &loaded->profile;
    loaded->sources = hc_new_array(n, sizeof *loaded->sources, err);
    if (!loaded->sources || hc_profile_init(profile, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        struct hc_profile_source *source = &loaded->sources[loaded->n_sources];
        if (loadings[i].is_other)
            continue;
        if (hc_profile_take(profile, &loadings[i].rank, &loadings[i].names, err))
            return err->status;
        *source = loadings[i].source;
        memset(&loadings[i].source, 0, sizeof loadings[i].source);
        loaded->n_sources++;
    }
    return hc_profile_link(profile, loaded->by, err);
}

/* ---- files ---- */

/* Ranks as they are read, of files and of members of tar archives. */
struct loadings {
    size_t n, capacity;
    struct loading *list;
    struct reading reading;
};

static void loadings_fini(struct loadings *loadings)
{
    for (size_t i = 0; i < loadings->n; i++)
        loading_fini(&loadings->list[i]);
    free(loadings->list);
}

static void load_all(struct loadings *loadings, const struct hc_source_list *list)
{
    hc_progress_hold(list->n > 1);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < list->n; i++)
        if (!hc_is_tar(list->sources[i].path))
            load_listed(&loadings->list[i], &list->sources[i], &loadings->reading);
        else
            loadings->list[i].is_other = true;
    hc_progress_hold(false);
}

/* Whether a source is no profiler trace by its format is known only when it is open. */
static enum hc_status load_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct loadings *loadings = context;
    struct hc_source_input input;
    if (hc_reserve(&loadings->list, &loadings->capacity, loadings->n + 1, sizeof *loadings->list,
                   err))
        return err->status;
    struct loading *loading = &loadings->list[loadings->n++];
    memset(loading, 0, sizeof *loading);
    if (!(loading->source.path = hc_copy_text(member->name, err)))
        return err->status;
    if (hc_source_input_take(&input, member, loadings->reading.options, &loading->failure)) {
        loading->is_other = loading->failure.status == HC_BAD_INPUT;
        return HC_OK;
    }
    read_input(loading, &input, loadings->reading.by, &loading->failure);
    return HC_OK;
}

static enum hc_status load_tars(struct loadings *loadings, const struct hc_source_list *list,
                                struct hc_error *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (hc_is_tar(list->sources[i].path) &&
            hc_tar_each(list->sources[i].path, load_member, loadings, err))
            return err->status;
    return HC_OK;
}

/* What --max-bad let through is said. */
static void warn_bad(const struct hc_profile_source *source)
{
    if (source->n_bad)
        hc_warn("'%s': %lld of %lld events dropped; first: %s", source->path,
                (long long)source->n_bad, (long long)source->rows_read, source->first_bad);
}

static enum hc_status join_files(struct hc_loaded_profile *loaded, struct loadings *loadings,
                                 const struct hc_source_list *list, struct hc_error *err)
{
    size_t n_ranks = 0;
    for (size_t i = 0; i < loadings->n; i++) {
        struct loading *loading = &loadings->list[i];
        hc_log_print(&loading->said);
        if (loading->is_other) {
            const char *path = loading->source.path; /* of a member of a tar archive */
            if (i < list->n)
                path = hc_is_tar(list->sources[i].path) ? NULL : list->sources[i].path;
            if (path && leave_out(loaded, path, err))
                return err->status;
            continue;
        }
        if (loading->failure.status) {
            *err = loading->failure;
            return err->status;
        }
        if (n_ranks++ == 0) {
            loaded->job = loading->job;
            memset(&loading->job, 0, sizeof loading->job);
        }
    }
    if (n_ranks == 0) {
        const struct hc_format *format = NULL;
        if (hc_format_of_path(&format, list->sources[0].path, err))
            return err->status;
        return hc_fail(err, HC_BAD_INPUT, "no file is a profiler trace, such as '%s' (%s)",
                       list->sources[0].path, format ? format->name : "in no format known here");
    }
    if (join_ranks(loaded, loadings->list, loadings->n, err))
        return err->status;
    for (size_t i = 0; i < loaded->n_sources; i++)
        warn_bad(&loaded->sources[i]);
    return HC_OK;
}

static enum hc_status load_files(struct hc_loaded_profile *loaded,
                                 const struct hc_source_list *list,
                                 const struct hc_trace_options *options, struct hc_error *err)
{
    struct loadings loadings = {
        .n = list->n, .capacity = list->n, .reading = {options, loaded->by}};
    loadings.list = hc_new_array(list->n, sizeof *loadings.list, err);
    if (!loadings.list)
        return err->status;
    load_all(&loadings, list);
    enum hc_status status = load_tars(&loadings, list, err);
    if (status == HC_OK)
        status = join_files(loaded, &loadings, list, err);
    loadings_fini(&loadings);
    return status;
}

static enum hc_status load_arguments(struct hc_loaded_profile *loaded,
                                     const struct hc_trace_loader *loader,
                                     const struct hc_profile_choice *choice, struct hc_error *err)
{
    struct hc_source_list list = {0};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < choice->n && status == HC_OK; i++)
        status = hc_source_list_add(&list, choice->arguments[i], err);
    if (status == HC_OK)
        status = load_files(loaded, &list, loader->trace_options, err);
    if (status == HC_OK) {
        loaded->label = hc_new_text(err, "'%s'", choice->arguments[0]);
        status = loaded->label ? HC_OK : err->status;
    }
    hc_source_list_fini(&list);
    return status;
}

/* ---- a job of the archive ---- */

static enum hc_status open_archive(struct hc_trace_loader *loader, struct hc_error *err)
{
    return loader->archive ? HC_OK
                           : hc_archive_open(&loader->archive, loader->archive_path, false, err);
}

/* The ranks of a job, from their segments; the error is that of the lowest that failed. */
static enum hc_status load_segments(struct hc_loaded_profile *loaded, struct loading *loadings,
                                    const struct hc_archive *archive,
                                    const struct hc_manifest_entry *entry, struct hc_error *err)
{
    size_t n = hc_archive_n_ranks(archive, entry);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++)
        load_segment(&loadings[i], archive, &entry[i], loaded->by, &loadings[i].failure);
    for (size_t i = 0; i < n; i++)
        if (loadings[i].failure.status) {
            *err = loadings[i].failure;
            return err->status;
        }
    loaded->job = loadings[0].job;
    memset(&loadings[0].job, 0, sizeof loadings[0].job);
    return join_ranks(loaded, loadings, n, err);
}

static enum hc_status load_job(struct hc_loaded_profile *loaded, struct hc_trace_loader *loader,
                               const char *name, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    if (open_archive(loader, err) ||
        hc_archive_find(loader->archive, name, hc_gpu_def.name, &entry, err))
        return err->status;
    size_t n = hc_archive_n_ranks(loader->archive, entry);
    struct loading *loadings = hc_new_array(n, sizeof *loadings, err);
    if (!loadings)
        return err->status;
    enum hc_status status = load_segments(loaded, loadings, loader->archive, entry, err);
    if (status == HC_OK) {
        loaded->archive = loader->archive->path;
        loaded->label = hc_new_text(err, "job '%s/%s'", entry->cluster, entry->job_id);
        status = loaded->label ? HC_OK : err->status;
    }
    for (size_t i = 0; i < n; i++)
        loading_fini(&loadings[i]);
    free(loadings);
    return status;
}

/* ---- either ---- */

/* A directory wins over a job of its name, which is not what everybody expects. */
static void note_job_of_name(struct hc_trace_loader *loader, const char *directory)
{
    const struct hc_manifest_entry *entry = NULL;
    struct hc_error ignored;
    if (hc_is_directory(directory) && open_archive(loader, &ignored) == HC_OK &&
        hc_archive_find(loader->archive, directory, hc_gpu_def.name, &entry, &ignored) == HC_OK &&
        strcmp(entry->job_id, directory) == 0)
        hc_note("'%s' is a directory here, which is read, and a job of archive '%s', which is not: "
                "name that '%s/%s'",
                directory, loader->archive->path, entry->cluster, entry->job_id);
}

static bool is_in_files(const char *const *arguments, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!hc_is_trace_file(arguments[i]) && !hc_is_directory(arguments[i]))
            return false;
    return true;
}

enum hc_status hc_profile_load(struct hc_loaded_profile *loaded, struct hc_trace_loader *loader,
                               const struct hc_profile_choice *choice, struct hc_error *err)
{
    *loaded = (struct hc_loaded_profile){.by = choice->by};
    enum hc_status status = HC_OK;
    hc_threads_raise(1);
    if (choice->is_job) {
        status = load_job(loaded, loader, choice->arguments[0], err);
    } else if (is_in_files(choice->arguments, choice->n)) {
        if (choice->n == 1)
            note_job_of_name(loader, choice->arguments[0]);
        status = load_arguments(loaded, loader, choice, err);
    } else if (choice->n == 1) {
        status = load_job(loaded, loader, choice->arguments[0], err);
    } else {
        status = hc_fail(err, HC_USAGE, "name the files of one job, or one job of the archive");
    }
    if (status)
        hc_loaded_profile_fini(loaded);
    return status;
}

void hc_loaded_profile_fini(struct hc_loaded_profile *loaded)
{
    for (size_t i = 0; i < loaded->n_sources; i++)
        source_fini(&loaded->sources[i]);
    free(loaded->sources);
    hc_profile_fini(&loaded->profile);
    hc_job_fini(&loaded->job);
    free(loaded->label);
    free(loaded->left_out);
    memset(loaded, 0, sizeof *loaded);
}

struct first_format {
    const struct hc_format *format;
};

/* Ends the walk at the first member whose format is known. */
static enum hc_status look_at_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct first_format *first = context;
    struct hc_error ignored;
    hc_format_detect(&first->format, member, &ignored);
    hc_source_close(member);
    return first->format ? hc_fail(err, HC_FINDING, "found") : HC_OK;
}

/* Of a file; of a tar archive, of its first member whose format is known. */
static const struct hc_format *format_of(const char *path)
{
    struct first_format first = {NULL};
    struct hc_error ignored;
    if (hc_is_tar(path))
        hc_tar_each(path, look_at_member, &first, &ignored);
    else
        hc_format_of_path(&first.format, path, &ignored);
    return first.format;
}

/* The format of the first file that has one. */
static enum hc_status format_in(const char *directory, const struct hc_format **format,
                                struct hc_error *err)
{
    struct hc_source_list list = {0};
    *format = NULL;
    enum hc_status status = hc_source_list_add(&list, directory, err);
    for (size_t i = 0; i < list.n && status == HC_OK && !*format; i++)
        *format = format_of(list.sources[i].path);
    hc_source_list_fini(&list);
    return status;
}

bool hc_is_profile_job(struct hc_trace_loader *loader, const char *name)
{
    const struct hc_manifest_entry *entry = NULL;
    struct hc_error none;
    return open_archive(loader, &none) == HC_OK &&
           hc_archive_find(loader->archive, name, hc_ops_def.name, &entry, &none) &&
           hc_archive_find(loader->archive, name, hc_gpu_def.name, &entry, &none) == HC_OK;
}

enum hc_status hc_is_profile(struct hc_trace_loader *loader, const char *argument, bool *is,
                             struct hc_error *err)
{
    const struct hc_format *format = NULL;
    struct hc_error none;
    *is = false;
    if (hc_is_directory(argument)) {
        /* A directory in which nothing can be read may be the name of a job. */
        if (format_in(argument, &format, &none) == HC_INTERNAL)
            return (*err = none).status;
    } else if (hc_is_trace_file(argument)) {
        format = loader->trace_options->format ? hc_format_find(loader->trace_options->format)
                                               : format_of(argument);
    } else {
        *is = hc_is_profile_job(loader, argument);
        return HC_OK;
    }
    *is = is_profile_format(format);
    return HC_OK;
}

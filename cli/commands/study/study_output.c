#include "cli/commands/study/study_output.h"

#include "core/base/memory.h"
#include "core/files/outset.h"
#include "reports/study/study_engine_views.h"
#include "reports/study/study_html.h"
#include "reports/study/study_views.h"

#include <stdlib.h>

typedef enum hc_status file_writer(struct hc_output *output, const struct hc_study_result *result,
                                   struct hc_error *err);

enum hc_status hc_study_output_json(struct hc_output *output, const struct hc_study_result *result,
                                    struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-simulate");
    hc_study_write_json(result, &json);
    return hc_output_json_end(&json, output, err);
}

static enum hc_status write_summary(struct hc_output *output, const struct hc_study_result *result,
                                    struct hc_error *err)
{
    return hc_study_write_text(result, output->stream, err);
}

static enum hc_status write_page(struct hc_output *output, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    return hc_study_html_write(output->stream, result, err);
}

/* Views of every study. A view that is added is a line here; files of one engine stand in its row
 * (struct hc_study_engine_views). */
struct view {
    const char *name;
    file_writer *write;
};
static const struct view first[] = {{"summary.txt", write_summary}, {"report.html", write_page}};
static const struct view last[] = {{"result.json", hc_study_output_json}};

static enum hc_status write_record(const struct hc_output *output, const void *result,
                                   struct hc_error *err)
{
    struct hc_output record = *output;
    return hc_study_output_json(&record, result, err);
}

enum hc_status hc_study_output_run_id(const struct hc_study_result *result, char run_id[HC_RUN_ID],
                                      struct hc_error *err)
{
    return hc_output_run_id(run_id, write_record, result, err);
}

/* ---- the files of a directory ---- */

struct folder {
    struct hc_outset *set;
    const char *directory;
    const struct hc_study_result *result;
};

/* Write what `what` points to: a row of one of the tables of files, or the number of a section. */
typedef enum hc_status file_filler(struct hc_output *output, const void *what,
                                   const struct hc_study_result *result, struct hc_error *err);

static enum hc_status fill_table(struct hc_output *output, const void *what,
                                 const struct hc_study_result *result, struct hc_error *err)
{
    (void)err;
    hc_study_write_table(result, what, output->stream);
    return HC_OK;
}

static enum hc_status fill_section(struct hc_output *output, const void *what,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    (void)err;
    hc_study_write_section_csv(result, *(const size_t *)what, output->stream);
    return HC_OK;
}

static enum hc_status fill_view(struct hc_output *output, const void *what,
                                const struct hc_study_result *result, struct hc_error *err)
{
    return ((const struct view *)what)->write(output, result, err);
}

static enum hc_status fill_engine_file(struct hc_output *output, const void *what,
                                       const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_study_engine_file *file = what;
    return file->write(output->stream, output->path, result, err);
}

/* Open a file of the folder; is_table: it is not wanted without rows. */
static enum hc_status add_file(const struct folder *folder, const char *name, bool is_table,
                               file_filler *fill, const void *what, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", folder->directory, name);
    struct hc_output output = {.path = path};
    enum hc_status status = !path      ? err->status
                            : is_table ? hc_outset_add_table(folder->set, path, &output.stream, err)
                                       : hc_outset_add(folder->set, path, &output.stream, err);
    if (status == HC_OK) {
        status = fill(&output, what, folder->result, err);
        /* What has no room is named by its own writer, not by that of a later file. */
        if (status == HC_OK && (fflush(output.stream) || ferror(output.stream)))
            status = hc_fail_errno(err, "cannot write", path);
    }
    free(path);
    return status;
}

static enum hc_status add_csv(const struct folder *folder, const char *name, file_filler *fill,
                              const void *what, struct hc_error *err)
{
    char *file = hc_new_text(err, "%s.csv", name);
    enum hc_status status = file ? add_file(folder, file, true, fill, what, err) : err->status;
    free(file);
    return status;
}

static enum hc_status add_tables(const struct folder *folder, struct hc_error *err)
{
    const struct hc_study_csv *table = NULL;
    const struct hc_study_run *base = &folder->result->run[0];
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && (table = hc_study_nth_csv(folder->result, i)); i++)
        status = add_csv(folder, table->name, fill_table, table, err);
    for (size_t i = 0; status == HC_OK && i < base->n_sections; i++)
        status = add_csv(folder, base->section[i].name, fill_section, &i, err);
    return status;
}

static enum hc_status add_views(const struct folder *folder, struct hc_error *err)
{
    const struct hc_study_engine_views *engine = hc_study_views_find(folder->result);
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < sizeof first / sizeof *first; i++)
        status = add_file(folder, first[i].name, false, fill_view, &first[i], err);
    for (size_t i = 0; status == HC_OK && engine && i < engine->n_files; i++)
        if (engine->files[i].is_there(folder->result))
            status = add_file(folder, engine->files[i].name, false, fill_engine_file,
                              &engine->files[i], err);
    for (size_t i = 0; status == HC_OK && i < sizeof last / sizeof *last; i++)
        status = add_file(folder, last[i].name, false, fill_view, &last[i], err);
    return status;
}

static enum hc_status write_directory(struct hc_outset *set, const char *directory, bool all,
                                      const struct hc_study_result *result, struct hc_error *err)
{
    const struct folder folder = {set, directory, result};
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, result->run_id, err))
        return err->status;
    enum hc_status status = add_tables(&folder, err);
    if (status == HC_OK && all)
        status = add_views(&folder, err);
    hc_outset_index_end(set);
    return status;
}

enum hc_status hc_study_output_directory(struct hc_outset *set, const char *directory,
                                         const struct hc_study_result *result, struct hc_error *err)
{
    return write_directory(set, directory, true, result, err);
}

enum hc_status hc_study_output_tables(struct hc_outset *set, const char *directory,
                                      const struct hc_study_result *result, struct hc_error *err)
{
    return write_directory(set, directory, false, result, err);
}

enum hc_status hc_study_output_page(struct hc_outset *set, const char *path,
                                    const struct hc_study_result *result, struct hc_error *err)
{
    struct hc_output output = {.path = path};
    if (hc_outset_add_held(set, path, &output.stream, err))
        return err->status;
    return write_page(&output, result, err);
}

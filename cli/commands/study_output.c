#include "cli/commands/study_output.h"

#include "core/base/memory.h"
#include "core/files/outset.h"
#include "reports/export/life_perfetto.h"
#include "reports/study/study_html.h"
#include "reports/study/study_views.h"
#include "study/engines/lifetime/lifetime_result.h"

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
    (void)err;
    hc_study_write_text(result, output->stream);
    return HC_OK;
}

static enum hc_status write_life(struct hc_output *output, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    const struct hc_life_perfetto options = {.name = result->name,
                                             .output = output->path,
                                             .run_id = result->run_id,
                                             .replica = result->life_replica};
    const struct hc_life_detail *of = hc_life_of(&result->run[0]);
    return hc_life_perfetto_write(output->stream, of->life, of->config, &options, err);
}

static enum hc_status write_page(struct hc_output *output, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    return hc_study_html_write(output->stream, result, err);
}

static bool has_life(const struct hc_study_result *result)
{
    const struct hc_life_detail *of = hc_life_of(&result->run[0]);
    return of && of->life;
}

/* Besides the tables. A view that is added is a line here. */
static const struct {
    const char *name;
    file_writer *write;
    bool (*is_there)(const struct hc_study_result *result); /* NULL: always */
} files[] = {
    {"summary.txt", write_summary, NULL},
    {"report.html", write_page, NULL},
    {"life.perfetto.json", write_life, has_life},
    {"result.json", hc_study_output_json, NULL},
};

#define N_FILES (sizeof files / sizeof *files)

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

/* The files of a directory: the tables that every study has, those of its engine, and the others.
 */
enum kind { TABLE, SECTION, OTHER };
struct file {
    enum kind kind;
    size_t which;
    const char *name;
};

/* Whether there is an i-th file. */
static bool file_at(const struct hc_study_result *result, size_t i, struct file *file)
{
    size_t n_sections = result->run[0].n_sections;
    if (i < HC_STUDY_N_TABLES) {
        *file = (struct file){TABLE, i, hc_study_table_name((enum hc_study_table)i)};
        return true;
    }
    i -= HC_STUDY_N_TABLES;
    if (i < n_sections) {
        *file = (struct file){SECTION, i, result->run[0].section[i].name};
        return true;
    }
    i -= n_sections;
    if (i < N_FILES)
        *file = (struct file){OTHER, i, files[i].name};
    return i < N_FILES;
}

static enum hc_status write_file(struct hc_outset *set, const char *path, const struct file *file,
                                 const struct hc_study_result *result, struct hc_error *err)
{
    struct hc_output output = {.path = path};
    if (hc_outset_add(set, path, &output.stream, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (file->kind == TABLE)
        hc_study_write_csv(result, (enum hc_study_table)file->which, output.stream);
    else if (file->kind == SECTION)
        hc_study_write_section_csv(result, file->which, output.stream);
    else
        status = files[file->which].write(&output, result, err);
    /* What has no room is named by its own writer, not by that of a later file. */
    if (status == HC_OK && (fflush(output.stream) || ferror(output.stream)))
        status = hc_fail_errno(err, "cannot write", path);
    return status;
}

static enum hc_status write_directory(struct hc_outset *set, const char *directory, bool all,
                                      const struct hc_study_result *result, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, result->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    struct file file;
    for (size_t i = 0; status == HC_OK && file_at(result, i, &file); i++) {
        if (file.kind == OTHER &&
            (!all || (files[file.which].is_there && !files[file.which].is_there(result))))
            continue;
        char *path =
            hc_new_text(err, "%s/%s%s", directory, file.name, file.kind == OTHER ? "" : ".csv");
        status = path ? write_file(set, path, &file, result, err) : err->status;
        free(path);
    }
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

#include "cli/study_output.h"

#include "core/memory.h"
#include "core/temporary_files.h"
#include "reports/life_perfetto.h"
#include "reports/study_html.h"
#include "reports/study_views.h"

#include <stdlib.h>
#include <unistd.h>

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
    const struct hc_life_perfetto options = {
        .name = result->name, .output = output->file.path, .replica = result->life_replica};
    return hc_life_perfetto_write(output->stream, result->life, result->run[0].config, &options,
                                  err);
}

static enum hc_status write_page(struct hc_output *output, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    return hc_study_html_write(output->stream, result, err);
}

/* Besides the tables. A view that is added is a line here. */
static const struct {
    const char *name;
    file_writer *write;
} files[] = {
    {"summary.txt", write_summary},
    {"report.html", write_page},
    {"life.perfetto.json", write_life},
    {"result.json", hc_study_output_json},
};

#define N_FILES (HC_STUDY_N_TABLES + sizeof files / sizeof *files)

/* Written, but not in place yet. */
struct shelf {
    struct hc_output output[N_FILES];
    size_t n;
};

static enum hc_status write_file(struct shelf *shelf, const char *path, size_t which,
                                 const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_common_options common = {.output = path};
    struct hc_output *output = &shelf->output[shelf->n];
    enum hc_status status = hc_output_open(output, &common, false, err);
    if (status != HC_OK)
        return status;
    shelf->n++;
    if (which < HC_STUDY_N_TABLES)
        hc_study_write_csv(result, (enum hc_study_table)which, output->stream);
    else
        status = files[which - HC_STUDY_N_TABLES].write(output, result, err);
    if (status == HC_OK && (fflush(output->stream) || ferror(output->stream)))
        status = hc_fail_errno(err, "cannot write", path);
    return status;
}

static enum hc_status write_files(struct shelf *shelf, const char *directory,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < N_FILES && status == HC_OK; i++) {
        bool is_table = i < HC_STUDY_N_TABLES;
        char *path = hc_new_text(err, "%s/%s%s", directory,
                                 is_table ? hc_study_table_name((enum hc_study_table)i)
                                          : files[i - HC_STUDY_N_TABLES].name,
                                 is_table ? ".csv" : "");
        status = path ? write_file(shelf, path, i, result, err) : err->status;
        free(path);
    }
    return status;
}

enum hc_status hc_study_output_directory(const char *directory,
                                         const struct hc_study_result *result, struct hc_error *err)
{
    struct shelf shelf = {.n = 0};
    bool is_new = access(directory, F_OK) != 0;
    if (is_new)
        hc_temporary_add(directory);
    enum hc_status status = hc_make_directories(directory, err);
    if (status == HC_OK)
        status = write_files(&shelf, directory, result, err);
    for (size_t i = 0; i < shelf.n; i++) {
        if (status == HC_OK)
            status = hc_output_commit(&shelf.output[i], err);
        else
            hc_output_abort(&shelf.output[i]);
    }
    if (status != HC_OK && is_new)
        rmdir(directory); /* unless something is in it */
    hc_temporary_forget(directory);
    return status;
}

#include "cli/study_output.h"

#include "core/memory.h"
#include "reports/study_views.h"

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

/* Besides the tables. A view that is added is a line here. */
static const struct {
    const char *name;
    file_writer *write;
} files[] = {
    {"summary.txt", write_summary},
    {"result.json", hc_study_output_json},
};

static enum hc_status write_table(const char *path, const struct hc_study_result *result,
                                  enum hc_study_table table, struct hc_error *err)
{
    const struct hc_common_options common = {.output = path};
    struct hc_output output;
    if (hc_output_open(&output, &common, false, err))
        return err->status;
    hc_study_write_csv(result, table, output.stream);
    return hc_output_end(&output, HC_OK, err);
}

static enum hc_status write_file(const char *path, const struct hc_study_result *result,
                                 file_writer *write, struct hc_error *err)
{
    const struct hc_common_options common = {.output = path};
    struct hc_output output;
    if (hc_output_open(&output, &common, false, err))
        return err->status;
    return hc_output_end(&output, write(&output, result, err), err);
}

enum hc_status hc_study_output_directory(const char *directory,
                                         const struct hc_study_result *result, struct hc_error *err)
{
    enum hc_status status = hc_make_directories(directory, err);
    for (int table = 0; table < HC_STUDY_N_TABLES && status == HC_OK; table++) {
        char *path = hc_new_text(err, "%s/%s.csv", directory,
                                 hc_study_table_name((enum hc_study_table)table));
        status = path ? write_table(path, result, (enum hc_study_table)table, err) : err->status;
        free(path);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files && status == HC_OK; i++) {
        char *path = hc_new_text(err, "%s/%s", directory, files[i].name);
        status = path ? write_file(path, result, files[i].write, err) : err->status;
        free(path);
    }
    return status;
}

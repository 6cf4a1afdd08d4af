#include "cli/frame/output.h"

#include "core/base/digest.h"
#include "core/base/printable.h"
#include "core/base/text_layout.h"
#include "core/process/made_by.h"
#include "core/tables/json_records.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define JSON_INDENT 2
#define LINE_SIZE   2048

enum hc_status hc_output_open(struct hc_output *output, const struct hc_common_options *common,
                              bool hold, struct hc_error *err)
{
    *output = (struct hc_output){.path = common->output};
    if (hc_outset_open(&output->set, err))
        return err->status;
    enum hc_status status =
        hold ? hc_outset_add_held(output->set, output->path, &output->stream, err)
             : hc_outset_add(output->set, output->path, &output->stream, err);
    if (status)
        hc_output_abort(output);
    return status;
}

bool hc_output_is_asked(const struct hc_common_options *common)
{
    for (size_t i = 0; common->given && i < common->given->n; i++)
        if (strcmp(common->given->list[i].option->name, "output") == 0)
            return true;
    return false;
}

bool hc_output_floods_terminal(const struct hc_common_options *common)
{
    return strcmp(common->output, "-") == 0 && isatty(STDOUT_FILENO) && !hc_output_is_asked(common);
}

enum hc_status hc_output_commit(struct hc_output *output, struct hc_error *err)
{
    enum hc_status status = hc_outset_commit(output->set, err);
    hc_output_abort(output);
    return status;
}

void hc_output_abort(struct hc_output *output)
{
    hc_outset_close(output->set);
    memset(output, 0, sizeof *output);
}

enum hc_status hc_output_end(struct hc_output *output, enum hc_status status, struct hc_error *err)
{
    if (status != HC_OK && status != HC_FINDING) {
        hc_output_abort(output);
        return status;
    }
    enum hc_status committed = hc_output_commit(output, err);
    return committed == HC_OK ? status : committed;
}

enum hc_status hc_output_run_id(char run_id[HC_RUN_ID], hc_record_writer *write, const void *report,
                                struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    struct hc_output record = {.path = "the record of the run"};
    record.stream = hc_digest_stream(digest, err);
    if (!record.stream)
        return err->status;
    /* The same result has the same id, whichever build and command line gave it, and wherever the
     * files lie that it is of. */
    const struct hc_made_by made_by = hc_made_by();
    hc_made_by_set(&(struct hc_made_by){.names_no_file = true});
    enum hc_status status = write(&record, report, err);
    hc_made_by_set(&made_by);
    fclose(record.stream);
    hc_run_id(digest, run_id);
    return status;
}

void hc_output_line(FILE *stream, const char *format, ...)
{
    char line[LINE_SIZE], clean[HC_SHOWN_MOST * LINE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stream, "%s\n", hc_text_head(clean, sizeof clean, line, sizeof clean));
}

void hc_output_json_start(struct hc_json_writer *json, const struct hc_output *output,
                          const char *schema)
{
    hc_json_start(json, output->stream, JSON_INDENT);
    hc_json_object(json, NULL);
    hc_json_head(json, &(struct hc_document_head){.schema = schema, .major = 1});
}

enum hc_status hc_output_json_end(struct hc_json_writer *json, const struct hc_output *output,
                                  struct hc_error *err)
{
    hc_json_end(json);
    fputc('\n', output->stream);
    const char *path = output->path;
    return hc_json_finish(json, strcmp(path, "-") == 0 ? "standard output" : path, err);
}

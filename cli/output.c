#include "cli/output.h"

#include "cli/interrupt.h"
#include "core/printable.h"
#include "core/text_layout.h"

#include <stdarg.h>
#include <string.h>

#define JSON_INDENT 2
#define LINE_SIZE   2048

enum hc_status hc_output_open(struct hc_output *output, const struct hc_common_options *common,
                              bool hold, struct hc_error *err)
{
    memset(output, 0, sizeof *output);
    if (hc_outfile_open(&output->file, common->output, err))
        return err->status;
    output->stream = output->file.stream;
    if (output->file.temporary) {
        hc_interrupt_remove(output->file.temporary);
    } else if (hold) {
        output->stream = tmpfile();
        output->is_held = output->stream != NULL;
        if (!output->is_held) {
            hc_fail_errno(err, "cannot make", "a temporary file");
            hc_outfile_abort(&output->file);
            return err->status;
        }
    }
    return HC_OK;
}

static enum hc_status copy_held(struct hc_output *output, struct hc_error *err)
{
    char block[65536];
    rewind(output->stream);
    for (;;) {
        size_t length = fread(block, 1, sizeof block, output->stream);
        if (length == 0)
            break;
        fwrite(block, 1, length, output->file.stream);
    }
    bool failed = ferror(output->stream) != 0;
    return failed ? hc_fail_errno(err, "cannot read back", "a temporary file") : HC_OK;
}

static void release(struct hc_output *output, const char *temporary)
{
    if (output->is_held)
        fclose(output->stream);
    hc_interrupt_forget(temporary);
    memset(output, 0, sizeof *output);
}

enum hc_status hc_output_commit(struct hc_output *output, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    const char *temporary = output->file.temporary;
    if (output->is_held && (fflush(output->stream) || ferror(output->stream)))
        status = hc_fail_errno(err, "cannot write", "a temporary file");
    else if (output->is_held)
        status = copy_held(output, err);
    if (status == HC_OK)
        status = hc_outfile_commit(&output->file, err);
    else
        hc_outfile_abort(&output->file);
    release(output, temporary);
    return status;
}

void hc_output_abort(struct hc_output *output)
{
    const char *temporary = output->file.temporary;
    hc_outfile_abort(&output->file);
    release(output, temporary);
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
    hc_json_text(json, "schema", schema);
    hc_json_i32(json, "schema_major", 1);
    hc_json_i32(json, "schema_minor", 0);
    hc_json_text(json, "tool_version", HC_VERSION);
}

enum hc_status hc_output_json_end(struct hc_json_writer *json, const struct hc_output *output,
                                  struct hc_error *err)
{
    hc_json_end(json);
    fputc('\n', output->stream);
    const char *path = output->file.path;
    return hc_json_finish(json, strcmp(path, "-") == 0 ? "standard output" : path, err);
}

/* cmd_archive.c - `hindcast archive gc`. */
#include "cli/command.h"
#include "cli/output.h"
#include "store/archive.h"

#include <inttypes.h>

struct gc_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
};

struct removals {
    FILE *stream;
    struct hc_json_writer *json; /* NULL for text */
    int64_t n;
};

static void on_removed(const struct hc_check_finding *finding, void *context)
{
    struct removals *removals = context;
    const char *message = finding->message ? finding->message : "";
    removals->n++;
    if (removals->json) {
        hc_json_object(removals->json, NULL);
        hc_json_text(removals->json, "file", finding->file);
        hc_json_text(removals->json, "message", message);
        hc_json_end(removals->json);
        return;
    }
    hc_output_line(removals->stream, "%s%s%s", finding->file, *message ? ": " : "", message);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct gc_settings *gc = settings;
    const char *path = hc_archive_path(&gc->archive);
    struct hc_output output;
    struct hc_json_writer json;
    (void)words;
    if (hc_output_open(&output, &gc->common, gc->common.json, err))
        return err->status;
    struct removals removals = {.stream = output.stream, .json = gc->common.json ? &json : NULL};
    if (removals.json) {
        hc_output_json_start(&json, &output, "hindcast-archive-gc");
        hc_json_text(&json, "archive", path);
        hc_json_array(&json, "removed");
    }
    enum hc_status status = hc_archive_gc(path, on_removed, &removals, err);
    if (removals.json && status == HC_OK) {
        hc_json_end(&json);
        status = hc_output_json_end(&json, &output, err);
    } else if (status == HC_OK) {
        hc_output_line(output.stream, "%" PRId64 " removed", removals.n);
    }
    return hc_output_end(&output, status, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct gc_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct gc_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_archive_gc = {
    .name = "archive gc",
    .summary = "remove what an archive no longer needs",
    .description = "Removes segments that were replaced, and what ingests that were killed left "
                   "behind. Running ingests and readers that open a job afterwards are not "
                   "disturbed.",
    .options = options,
    .examples = (const char *const[]){"hindcast archive gc -a nightly", NULL},
    .settings_size = sizeof(struct gc_settings),
    .run = run,
};

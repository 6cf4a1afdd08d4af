/* cmd_archive.c - `hindcast archive gc`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/base/memory.h"
#include "pipeline/records/listing_records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct gc_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
};

/* A file that stays, and why. */
struct kept {
    enum hc_check_kind kind;
    char *file, *message;
};

/* Where findings go. What was removed is told as it is removed, what stays in the end. */
struct collection {
    FILE *stream;
    struct hc_json_writer *json; /* NULL for text */
    int64_t n_removed, n_unreadable;
    size_t n_kept, capacity;
    struct kept *kept;
    struct hc_error err; /* no memory to keep a finding */
};

static void write_finding(struct collection *collection, const char *file, const char *message)
{
    const struct hc_check_finding finding = {.file = file, .message = message};
    if (collection->json)
        hc_record_json(collection->json, NULL, &hc_gc_finding_record,
                       &(struct hc_item){.record = &finding});
    else
        hc_output_line(collection->stream, "%s: %s", file, message);
}

static void on_finding(const struct hc_check_finding *finding, void *context)
{
    struct collection *collection = context;
    if (finding->is_removed) {
        collection->n_removed++;
        write_finding(collection, finding->file, finding->message);
        return;
    }
    collection->n_unreadable += finding->kind == HC_CHECK_UNREADABLE;
    if (hc_reserve(&collection->kept, &collection->capacity, collection->n_kept + 1,
                   sizeof *collection->kept, &collection->err))
        return;
    struct kept *kept = &collection->kept[collection->n_kept++];
    *kept = (struct kept){.kind = finding->kind,
                          .file = hc_copy_text(finding->file, &collection->err),
                          .message = hc_copy_text(finding->message, &collection->err)};
    collection->n_kept -= collection->err.status != HC_OK;
}

static void write_kept(struct collection *collection)
{
    char line[HC_ERROR_SIZE + 16];
    if (collection->json) {
        hc_json_end(collection->json);
        hc_json_array(collection->json, "kept");
    }
    for (size_t i = 0; i < collection->n_kept; i++) {
        const struct kept *kept = &collection->kept[i];
        snprintf(line, sizeof line, collection->json ? "%s" : "kept: %s", kept->message);
        write_finding(collection, kept->file, line);
    }
    if (collection->json)
        hc_json_end(collection->json);
}

static enum hc_status collect(struct collection *collection, const char *path,
                              const struct hc_output *output, struct hc_error *err)
{
    struct hc_json_writer *json = collection->json;
    if (json) {
        hc_output_json_start(json, output, "hindcast-archive-gc");
        hc_json_archive(json, path);
        hc_json_array(json, "removed");
    }
    if (hc_archive_gc(path, on_finding, collection, err))
        return err->status;
    write_kept(collection);
    if (json)
        return hc_output_json_end(json, output, err);
    hc_output_line(output->stream, "%" PRId64 " removed", collection->n_removed);
    return HC_OK;
}

static void release(struct collection *collection)
{
    for (size_t i = 0; i < collection->n_kept; i++) {
        free(collection->kept[i].file);
        free(collection->kept[i].message);
    }
    free(collection->kept);
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
    struct collection collection = {.stream = output.stream,
                                    .json = gc->common.json ? &json : NULL};
    enum hc_status status = hc_output_end(&output, collect(&collection, path, &output, err), err);
    if (status == HC_OK && collection.err.status) {
        *err = collection.err;
        status = err->status;
    } else if (status == HC_OK && collection.n_unreadable) {
        status = hc_fail(err, HC_IO,
                         "%" PRId64 " of the files in archive '%s' could not be read or removed; "
                         "they stay",
                         collection.n_unreadable, path);
    }
    release(&collection);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct gc_settings, archive, hc_written_archive_options),
    HC_OPTION_GROUP(struct gc_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_archive_gc = {
    .name = "archive gc",
    .summary = "remove what an archive no longer needs",
    .description = "Removes segments in whose place a newer one stands that is whole, results kept "
                   "of segments that are gone, and what ingests that were killed left behind. All "
                   "else stays, and is listed with the reason: what could not be read (exit status "
                   "4), segments of jobs that the manifest does not name, damaged ones, files that "
                   "are no part of an archive. Nothing outside the archive is touched; links in it "
                   "are not followed. Running ingests and readers are not disturbed: what they "
                   "may still read stays.",
    .options = options,
    .examples = (const char *const[]){"hindcast archive gc -a nightly", NULL},
    .settings_size = sizeof(struct gc_settings),
    .run = run,
};

#include "pipeline/site/site_ledger.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/read_at.h"
#include "core/files/sealed_json.h"
#include "core/tables/table.h"
#include "core/text/json_writer.h"
#include "core/text/text_stream.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/records/record_read.h"
#include "store/archive/derived.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EDGE_BYTES ((size_t)4096)
#define SCHEMA     "hindcast-site-ledger"

static const struct hc_derived_key ledger_key = {
    .segment_sha256 = HC_DERIVED_OF_ARCHIVE, .kind = "site-ledger", .inputs = "1"};

/* ---- marks ---- */

static enum hc_status digest_edges(struct hc_site_mark *mark, int fd, struct hc_error *err)
{
    char edges[2 * EDGE_BYTES];
    size_t n = 0;
    const int64_t at[2] = {0, mark->size - (int64_t)EDGE_BYTES};
    for (int i = 0; i < 2; i++) {
        ssize_t length = hc_read_at(fd, edges + n, EDGE_BYTES, (off_t)(at[i] > 0 ? at[i] : 0));
        if (length < 0)
            return hc_fail_errno(err, "cannot read", mark->path);
        n += (size_t)length;
    }
    hc_digest_bytes(edges, n, mark->edges);
    return HC_OK;
}

static enum hc_status measure(struct hc_site_mark *mark, struct hc_error *err)
{
    struct hc_input_file file;
    struct hc_file_state state;
    if (hc_input_file_open(&file, mark->path, err))
        return err->status;
    enum hc_status status = hc_file_state_take(&state, file.fd, file.name, err);
    if (status == HC_OK) {
        const struct timespec *at = &state.info.st_mtim;
        mark->size = state.info.st_size;
        mark->written_ns = (int64_t)at->tv_sec * 1000000000 + at->tv_nsec;
        mark->changed_ns = state.is_recent ? HC_MISSING_I64 : mark->written_ns;
        mark->is_at_rest = state.is_at_rest;
        status = digest_edges(mark, file.fd, err);
    }
    hc_input_file_close(&file);
    return status;
}

enum hc_status hc_site_mark_take(struct hc_site_mark *mark, const char *path, const char *how,
                                 struct hc_error *err)
{
    *mark = (struct hc_site_mark){.how = hc_copy_text(how, err)};
    if (!mark->how)
        return err->status;
    mark->path = realpath(path, NULL);
    return mark->path ? measure(mark, err) : hc_fail_errno(err, "cannot look up", path);
}

void hc_site_mark_fini(struct hc_site_mark *mark)
{
    free(mark->path);
    free(mark->how);
    hc_watermark_fini(&mark->watermark);
    *mark = (struct hc_site_mark){0};
}

/* ---- looking up ---- */

/* The first mark whose path is not before this one. */
static size_t place_of(const struct hc_site_ledger *ledger, const char *path)
{
    size_t low = 0, high = ledger->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(ledger->marks[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct hc_site_mark *hc_site_ledger_find(const struct hc_site_ledger *ledger, const char *path)
{
    size_t at = place_of(ledger, path);
    return at < ledger->n && strcmp(ledger->marks[at].path, path) == 0 ? &ledger->marks[at] : NULL;
}

/* Whether b may have the bytes of a, which was read in the way of b and to its end. */
static bool are_alike(const struct hc_site_mark *a, const struct hc_site_mark *b)
{
    return !(a->waits && b->is_at_rest) && a->size == b->size && strcmp(a->edges, b->edges) == 0 &&
           strcmp(a->how, b->how) == 0;
}

bool hc_site_ledger_has(const struct hc_site_ledger *ledger, const struct hc_site_mark *mark)
{
    const struct hc_site_mark *held = hc_site_ledger_find(ledger, mark->path);
    return held && mark->changed_ns != HC_MISSING_I64 && held->changed_ns == mark->changed_ns &&
           are_alike(held, mark);
}

enum hc_status hc_site_ledger_find_content(const struct hc_site_ledger *ledger,
                                           struct hc_site_mark *mark,
                                           const struct hc_site_mark **found, struct hc_error *err)
{
    *found = NULL;
    for (size_t i = 0; i < ledger->n && !*found; i++) {
        const struct hc_site_mark *held = &ledger->marks[i];
        if (!are_alike(held, mark))
            continue;
        if (!*mark->sha256 && hc_input_file_digest(mark->path, mark->sha256, err))
            return err->status;
        *found = strcmp(held->sha256, mark->sha256) == 0 ? held : NULL;
    }
    return HC_OK;
}

enum hc_status hc_site_ledger_watermarks(const struct hc_site_ledger *ledger, const char *how,
                                         struct hc_watermarks *set, struct hc_error *err)
{
    for (size_t i = 0; i < ledger->n; i++) {
        const struct hc_site_mark *mark = &ledger->marks[i];
        if (mark->watermark.format && strcmp(mark->how, how) == 0 &&
            hc_watermarks_add(set, mark->path, &mark->watermark, err))
            return err->status;
    }
    hc_watermarks_sort(set);
    return HC_OK;
}

enum hc_status hc_site_ledger_put(struct hc_site_ledger *ledger, struct hc_site_mark *mark,
                                  struct hc_error *err)
{
    size_t at = place_of(ledger, mark->path);
    bool is_there = at < ledger->n && strcmp(ledger->marks[at].path, mark->path) == 0;
    if (is_there) {
        hc_site_mark_fini(&ledger->marks[at]);
    } else {
        if (hc_reserve(&ledger->marks, &ledger->capacity, ledger->n + 1, sizeof *mark, err))
            return err->status;
        memmove(ledger->marks + at + 1, ledger->marks + at, (ledger->n - at) * sizeof *mark);
        ledger->n++;
    }
    ledger->marks[at] = *mark;
    *mark = (struct hc_site_mark){0};
    return HC_OK;
}

void hc_site_ledger_drop(struct hc_site_ledger *ledger, struct hc_site_mark *mark)
{
    size_t at = (size_t)(mark - ledger->marks);
    hc_site_mark_fini(mark);
    memmove(mark, mark + 1, (ledger->n - at - 1) * sizeof *mark);
    ledger->n--;
}

/* ---- the file ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* What is kept of a watermark beside its state, which is of the format. */
struct kept_watermark {
    char format[64], sha256[HC_DIGEST_TEXT], log[PATH_MAX];
    bool waits;
    int64_t offset, line, rows_read, rows_bad;
};
#define KEPT(...) HC_FIELD(struct kept_watermark, __VA_ARGS__)
static const struct hc_field kept_fields[] = {
    KEPT("format", format, "", "that read it"), KEPT("offset", offset, "B", "before it, unpacked"),
    KEPT("line", line, "", "lines before it"),  KEPT("rows_read", rows_read, "", "rows before it"),
    KEPT("rows_bad", rows_bad, "", "of them"),  KEPT("sha256", sha256, "", "of what is before it"),
    KEPT("log", log, "", "path of its log"),    KEPT("waits", waits, "", "rows wait in its state"),
};
static const struct hc_record_def kept_record = HC_RECORD(NULL, kept_fields);

static enum hc_status load_state(struct hc_watermark *watermark, const json_t *state,
                                 struct hc_error *err)
{
    const struct hc_format *format = watermark->format;
    if (!format->state_size)
        return HC_OK;
    watermark->mark.state = hc_new_array(1, format->state_size, err);
    if (!watermark->mark.state)
        return err->status;
    return hc_record_read(format->state_record, state, watermark->mark.state, err);
}

/* One that cannot be read is none: its file is read from the start once it has grown. */
static enum hc_status load_watermark(struct hc_watermark *watermark, const json_t *object,
                                     struct hc_error *err)
{
    struct kept_watermark kept = {.offset = 0};
    struct hc_error damaged = {0};
    if (!object || hc_record_read(&kept_record, object, &kept, &damaged))
        return HC_OK;
    const struct hc_format *format = hc_format_find(kept.format);
    if (!format || !format->mark || kept.offset <= 0 || kept.line < 0)
        return HC_OK;
    *watermark = (struct hc_watermark){
        .format = format, .mark = {kept.offset, kept.line, kept.rows_read, kept.rows_bad, NULL}};
    memcpy(watermark->sha256, kept.sha256, HC_DIGEST_TEXT);
    watermark->waits = kept.waits;
    watermark->log = hc_copy_text(kept.log, err);
    if (!watermark->log) {
        hc_watermark_fini(watermark);
        return err->status;
    }
    if (!load_state(watermark, json_object_get(object, "state"), &damaged))
        return HC_OK;
    hc_watermark_fini(watermark);
    if (damaged.status == HC_INTERNAL)
        *err = damaged;
    return err->status;
}

static void write_watermark(struct hc_json_writer *json, const struct hc_watermark *watermark)
{
    const struct hc_read_mark *mark = &watermark->mark;
    struct kept_watermark kept = {.offset = mark->offset,
                                  .line = mark->line,
                                  .rows_read = mark->rows_read,
                                  .rows_bad = mark->rows_bad,
                                  .waits = watermark->waits};
    if (!watermark->format)
        return;
    snprintf(kept.format, sizeof kept.format, "%s", watermark->format->name);
    snprintf(kept.log, sizeof kept.log, "%s", watermark->log);
    memcpy(kept.sha256, watermark->sha256, HC_DIGEST_TEXT);
    hc_json_object(json, "watermark");
    hc_record_store(json, &kept_record, &(struct hc_item){.record = &kept});
    if (watermark->format->state_record) {
        hc_json_object(json, "state");
        hc_record_store(json, watermark->format->state_record,
                        &(struct hc_item){.record = mark->state});
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* What is no mark is left out: its file is read once more. */
static enum hc_status load_mark(struct hc_site_ledger *ledger, const json_t *object,
                                struct hc_error *err)
{
    const json_t *changed = json_object_get(object, "changed_ns");
    struct hc_site_mark mark = {.size = json_integer_value(json_object_get(object, "size")),
                                .changed_ns = json_is_integer(changed) ? json_integer_value(changed)
                                                                       : HC_MISSING_I64};
    mark.written_ns = json_integer_value(json_object_get(object, "written_ns"));
    mark.waits = json_is_true(json_object_get(object, "waits"));
    const char *edges = text_of(object, "edges"), *sha256 = text_of(object, "sha256");
    if (strlen(edges) != HC_DIGEST_TEXT - 1 || strlen(sha256) != HC_DIGEST_TEXT - 1)
        return HC_OK;
    memcpy(mark.edges, edges, HC_DIGEST_TEXT);
    memcpy(mark.sha256, sha256, HC_DIGEST_TEXT);
    mark.path = hc_copy_text(text_of(object, "path"), err);
    mark.how = mark.path ? hc_copy_text(text_of(object, "how"), err) : NULL;
    if (mark.how && !load_watermark(&mark.watermark, json_object_get(object, "watermark"), err))
        hc_site_ledger_put(ledger, &mark, err);
    hc_site_mark_fini(&mark);
    return err->status;
}

static enum hc_status load_marks(struct hc_site_ledger *ledger, const char *text, size_t length,
                                 struct hc_error *err)
{
    json_t *root = json_loadb(text, length, 0, NULL), *mark;
    size_t i;
    if (!root || strcmp(text_of(root, "schema"), SCHEMA) != 0)
        hc_warn(
            "the ledger of files that were read is none of this hindcast: every file is read from "
            "its start, and the ledger written anew");
    else
        json_array_foreach(json_object_get(root, "files"), i,
                           mark) if (load_mark(ledger, mark, err)) break;
    json_decref(root);
    return err->status;
}

enum hc_status hc_site_ledger_load(struct hc_site_ledger *ledger, const char *archive,
                                   struct hc_error *err)
{
    char *text = NULL;
    size_t length = 0;
    struct hc_error why = {0};
    *ledger = (struct hc_site_ledger){0};
    switch (hc_derived_look(archive, &ledger_key, &text, &length, &why)) {
    case HC_DERIVED_WHOLE:
        load_marks(ledger, text, length, err);
        break;
    case HC_DERIVED_DAMAGED:
        hc_warn("%s: every file is read from its start, and the ledger written anew", why.message);
        break;
    case HC_DERIVED_UNREADABLE:
        hc_warn(
            "the ledger of files that were read cannot be read: %s; every file is read from its "
            "start, and the ledger left as it is",
            why.message);
        ledger->is_unreadable = true;
        break;
    case HC_DERIVED_ABSENT:
        break;
    }
    free(text);
    return err->status;
}

static enum hc_status write_ledger(const struct hc_site_ledger *ledger, FILE *stream,
                                   struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_text(&json, "schema", SCHEMA);
    hc_json_array(&json, "files");
    for (size_t i = 0; i < ledger->n; i++) {
        const struct hc_site_mark *mark = &ledger->marks[i];
        hc_json_object(&json, NULL);
        hc_json_text(&json, "path", mark->path);
        hc_json_text(&json, "how", mark->how);
        hc_json_i64(&json, "size", mark->size);
        hc_json_i64(&json, "changed_ns", mark->changed_ns);
        hc_json_i64(&json, "written_ns", mark->written_ns);
        hc_json_text(&json, "edges", mark->edges);
        hc_json_text(&json, "sha256", mark->sha256);
        if (mark->waits)
            hc_json_bool(&json, "waits", true);
        write_watermark(&json, &mark->watermark);
        hc_json_end(&json);
    }
    hc_json_end(&json);
    hc_json_end(&json);
    return hc_json_finish(&json, "the ledger of files", err);
}

enum hc_status hc_site_ledger_save(const struct hc_site_ledger *ledger, const char *archive,
                                   struct hc_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = hc_text_stream(&text, &length, err);
    if (!stream)
        return err->status;
    enum hc_status status =
        hc_text_stream_end(stream, &text, write_ledger(ledger, stream, err), err);
    char *sealed = status ? NULL : hc_sealed_json(text, err);
    if (sealed)
        status = hc_derived_put(archive, &ledger_key, sealed, err);
    else
        status = err->status;
    free(sealed);
    free(text);
    return status;
}

void hc_site_ledger_fini(struct hc_site_ledger *ledger)
{
    for (size_t i = 0; i < ledger->n; i++)
        hc_site_mark_fini(&ledger->marks[i]);
    free(ledger->marks);
    *ledger = (struct hc_site_ledger){0};
}

#include "pipeline/packs/record_part.h"

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/text/json_writer.h"
#include "core/text/text_stream.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/packs/pack_month.h"
#include "store/segment/segment_each.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void hc_record_part_fini(struct hc_record_part *part)
{
    for (size_t i = 0; i < part->n_arguments; i++)
        free(part->arguments[i]);
    free(part->arguments);
    free(part->command);
    free(part->archive);
    memset(part, 0, sizeof *part);
}

enum hc_status hc_records_digest(const struct hc_archive *archive, char digest[HC_DIGEST_TEXT],
                                 struct hc_error *err)
{
    FILE *stream = hc_digest_stream(digest, err);
    if (!stream)
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        fprintf(stream, "%s%c%s%c%d%c%s%c%s\n", entry->cluster, 0, entry->job_id, 0,
                (int)entry->attempt, 0, entry->day, 0, entry->sha256);
    }
    return fclose(stream) ? hc_fail_memory(err, 0) : HC_OK;
}

/* ---- what a part says of itself ---- */

/* NULL with err filled without memory; the caller frees it. */
static char *describe(const struct hc_record_part *part, struct hc_error *err)
{
    struct hc_json_writer json;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = hc_text_stream(&text, &length, err);
    if (!stream)
        return NULL;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_text(&json, "schema", HC_RECORD_PART_SCHEMA);
    hc_json_i32(&json, "major", HC_RECORD_PART_MAJOR);
    hc_json_text(&json, "hindcast", HC_VERSION);
    hc_json_text(&json, "command", part->command);
    hc_json_array(&json, "arguments");
    for (size_t i = 0; i < part->n_arguments; i++)
        hc_json_text(&json, NULL, part->arguments[i]);
    hc_json_end(&json);
    hc_json_text(&json, "archive", part->archive);
    hc_json_text(&json, "segments_sha256", part->segments_sha256);
    hc_json_i32(&json, "shard", part->shard.index);
    hc_json_i32(&json, "shards", part->shard.n);
    hc_json_end(&json);
    hc_text_stream_end(stream, &text, hc_json_finish(&json, "a part", err), err);
    return text;
}

static enum hc_status take_text(char **to, const json_t *value, const char *key,
                                struct hc_error *err)
{
    const char *text = json_string_value(value);
    if (!text)
        return hc_fail(err, HC_BAD_INPUT, "its '%s' is missing, or no text", key);
    *to = hc_copy_text(text, err);
    return *to ? HC_OK : err->status;
}

static enum hc_status take_version(const json_t *root, struct hc_error *err)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const char *version = json_string_value(json_object_get(root, "hindcast"));
    if (!schema || strcmp(schema, HC_RECORD_PART_SCHEMA) != 0 || !version)
        return hc_fail(err, HC_BAD_INPUT, "it is a pack, but no part of '--shard'");
    if (json_integer_value(json_object_get(root, "major")) != HC_RECORD_PART_MAJOR ||
        strcmp(version, HC_VERSION) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "hindcast %.40s made it, and this is " HC_VERSION
                       ": make it again, or use the hindcast that made it",
                       version);
    return HC_OK;
}

static enum hc_status take_fields(struct hc_record_part *part, const json_t *root,
                                  struct hc_error *err)
{
    const json_t *arguments = json_object_get(root, "arguments");
    char *digest = NULL;
    size_t n = json_array_size(arguments);
    if (take_version(root, err) ||
        take_text(&part->command, json_object_get(root, "command"), "command", err) ||
        take_text(&part->archive, json_object_get(root, "archive"), "archive", err) ||
        take_text(&digest, json_object_get(root, "segments_sha256"), "segments_sha256", err))
        return err->status;
    snprintf(part->segments_sha256, sizeof part->segments_sha256, "%s", digest);
    free(digest);
    json_int_t index = json_integer_value(json_object_get(root, "shard"));
    json_int_t n_shards = json_integer_value(json_object_get(root, "shards"));
    if (index < 1 || n_shards > INT32_MAX || index > n_shards)
        return hc_fail(err, HC_BAD_INPUT, "it does not say which shard it is");
    part->shard = (struct hc_shard){(int32_t)index, (int32_t)n_shards};
    if (!(part->arguments = hc_new_array(n, sizeof *part->arguments, err)))
        return err->status;
    for (; part->n_arguments < n; part->n_arguments++)
        if (take_text(&part->arguments[part->n_arguments],
                      json_array_get(arguments, part->n_arguments), "arguments", err))
            return err->status;
    return HC_OK;
}

static enum hc_status read_about(struct hc_record_part *part, const struct hc_pack *pack,
                                 struct hc_error *err)
{
    json_t *root = json_loads(hc_pack_about(pack), JSON_REJECT_DUPLICATES, NULL);
    if (!root)
        return hc_fail(err, HC_BAD_INPUT, "it is a pack, but no part of '--shard'");
    enum hc_status status = take_fields(part, root, err);
    json_decref(root);
    return status;
}

/* ---- writing ---- */

/* The table of an entry that a part has: that of records of days. */
static const struct hc_table_def *table_of(const struct hc_manifest_entry *entry)
{
    const struct hc_kind *kind = hc_kind_find(entry->table);
    return kind && kind->records && hc_has_pack(entry) && hc_pack_can_hold(kind->tables[0])
               ? kind->tables[0]
               : NULL;
}

struct putting {
    struct hc_pack_writer *writer;
};

static enum hc_status put_rows(const struct hc_table *table, void *context, struct hc_error *err)
{
    struct putting *putting = context;
    return hc_pack_writer_rows(putting->writer, table, err);
}

static enum hc_status put_segment(struct hc_pack_writer *writer, const struct hc_archive *archive,
                                  const struct hc_manifest_entry *entry,
                                  const struct hc_table_def *def, struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {def, NULL};
    struct hc_table_names names = {0};
    struct hc_segment *segment = NULL;
    struct putting putting = {writer};
    if (hc_archive_open_segment(archive, entry, &segment, err))
        return err->status;
    enum hc_status status = hc_table_names_init(&names, tables, err);
    for (size_t i = 0; i < names.n && !status; i++)
        status = hc_segment_names(segment, names.dictionary[i], &names.set[i], err);
    bool fits = hc_segment_chunk_rows(segment, def) <= HC_PACK_MOST_CHUNK_ROWS;
    if (!status && fits)
        status = hc_pack_writer_entry(writer, entry->sha256, def, &names, err);
    if (!status && fits)
        status = hc_segment_each(segment, def, UINT64_MAX, put_rows, &putting, err);
    hc_table_names_fini(&names);
    hc_segment_close(segment);
    return status;
}

__extension__ typedef __int128 wide;

/* Whether a segment with `before` of all rows before its own is one of the shard: where the middle
 * of its rows lies decides. */
static bool is_dealt(struct hc_shard shard, int64_t before, int64_t rows, int64_t all)
{
    const wide place = ((wide)before * 2 + rows) * shard.n / ((wide)all * 2);
    return place == shard.index - 1;
}

/* The segments that share a pack: what of them is kept is copied. */
static enum hc_status put_month(struct hc_pack_writer *writer, const struct hc_archive *archive,
                                const struct hc_table_def *def,
                                const struct hc_manifest_entry *entries, const bool *is_mine,
                                size_t n, struct hc_error *err)
{
    struct hc_pack_month month;
    struct hc_error why;
    enum hc_status status = HC_OK;
    hc_pack_month_open(&month, archive, def, entries, n);
    for (size_t i = 0; i < n && !status; i++) {
        struct hc_packed_rows found;
        if (!is_mine[i])
            continue;
        if (hc_pack_month_find(&month, i, &found) &&
            hc_pack_writer_copy(writer, found.pack, found.entry, def, &why) == HC_OK)
            continue;
        status = put_segment(writer, archive, &entries[i], def, err);
    }
    hc_pack_month_close(&month, false);
    return status;
}

/* Mark the segments of a shard; NULL with err filled without memory. */
static bool *deal(const struct hc_archive *archive, struct hc_shard shard, struct hc_error *err)
{
    bool *is_mine = hc_new_array(archive->n_entries, sizeof *is_mine, err);
    int64_t all = 0, before = 0;
    for (size_t i = 0; is_mine && i < archive->n_entries; i++) {
        const struct hc_table_def *def = table_of(&archive->entries[i]);
        all += def ? hc_manifest_entry_rows(&archive->entries[i], def) : 0;
    }
    for (size_t i = 0; is_mine && i < archive->n_entries; i++) {
        const struct hc_table_def *def = table_of(&archive->entries[i]);
        int64_t rows = def ? hc_manifest_entry_rows(&archive->entries[i], def) : 0;
        is_mine[i] = rows > 0 && is_dealt(shard, before, rows, all);
        before += rows;
    }
    return is_mine;
}

static enum hc_status put_archive(struct hc_pack_writer *writer, const struct hc_archive *archive,
                                  const bool *is_mine, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0, n; i < archive->n_entries && !status; i += n) {
        const struct hc_table_def *def = table_of(&archive->entries[i]);
        size_t n_mine = 0;
        n = hc_pack_month_length(&archive->entries[i], archive->n_entries - i);
        for (size_t k = i; k < i + n; k++)
            n_mine += is_mine[k];
        if (n_mine)
            status = put_month(writer, archive, def, &archive->entries[i], is_mine + i, n, err);
    }
    return status;
}

enum hc_status hc_record_part_write(const struct hc_record_part *part,
                                    const struct hc_archive *archive, FILE *stream,
                                    struct hc_error *err)
{
    struct hc_pack_writer *writer = NULL;
    char *about = describe(part, err);
    bool *is_mine = about ? deal(archive, part->shard, err) : NULL;
    enum hc_status status =
        is_mine ? hc_pack_writer_open(&writer, stream, about, err) : err->status;
    if (!status)
        status = put_archive(writer, archive, is_mine, err);
    if (!status) {
        status = hc_pack_writer_close(writer, err);
        writer = NULL;
    }
    hc_pack_writer_abort(writer);
    free(is_mine);
    free(about);
    return status;
}

/* ---- reading ---- */

static enum hc_status open_pack(struct hc_pack **pack, const char *path, struct hc_error *err)
{
    struct hc_input_file file;
    if (hc_input_file_open(&file, path, err))
        return err->status;
    return hc_pack_open(pack, file.fd, path, err) || hc_pack_verify(*pack, err) ? err->status
                                                                                : HC_OK;
}

bool hc_record_part_is_done(const struct hc_record_part *part, const char *path)
{
    struct hc_error why;
    struct hc_pack *pack = NULL;
    char *about = describe(part, &why);
    bool done =
        about && open_pack(&pack, path, &why) == HC_OK && strcmp(hc_pack_about(pack), about) == 0;
    hc_pack_close(pack);
    free(about);
    return done;
}

static enum hc_status open_part(struct hc_record_parts *parts, const char *path,
                                struct hc_error *err)
{
    if (open_pack(&parts->packs[parts->n], path, err))
        return err->status;
    return read_about(&parts->parts[parts->n], parts->packs[parts->n], err)
               ? hc_context(err, "'%s'", path)
               : HC_OK;
}

static bool is_same_report(const struct hc_record_part *a, const struct hc_record_part *b)
{
    bool same = strcmp(a->command, b->command) == 0 && a->n_arguments == b->n_arguments;
    for (size_t i = 0; same && i < a->n_arguments; i++)
        same = strcmp(a->arguments[i], b->arguments[i]) == 0;
    return same;
}

/* What keeps two parts from belonging to one report; NULL: nothing. */
static const char *find_difference(const struct hc_record_part *a, const struct hc_record_part *b)
{
    return a->shard.n != b->shard.n                                  ? "numbers of shards"
           : strcmp(a->segments_sha256, b->segments_sha256) != 0     ? "archives"
           : !is_same_report(a, b) && strcmp(a->command, b->command) ? "reports"
           : !is_same_report(a, b)                                   ? "options"
                                                                     : NULL;
}

static enum hc_status check_belonging(const struct hc_record_parts *parts, const char *const *paths,
                                      struct hc_error *err)
{
    for (size_t i = 1; i < parts->n; i++) {
        const char *difference = find_difference(&parts->parts[0], &parts->parts[i]);
        if (difference)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s' and '%s' do not belong together: they are of different %s",
                           paths[0], paths[i], difference);
    }
    return HC_OK;
}

static enum hc_status check_shards(const struct hc_record_parts *parts, const char *const *paths,
                                   struct hc_error *err)
{
    struct hc_shard *shards = hc_new_array(parts->n, sizeof *shards, err);
    if (!shards)
        return err->status;
    for (size_t i = 0; i < parts->n; i++)
        shards[i] = parts->parts[i].shard;
    enum hc_status status = hc_shards_check(shards, paths, parts->n, err);
    free(shards);
    return status;
}

/* The archive must be what it was: what the parts lack is read from it. */
static enum hc_status check_archive(const struct hc_record_part *part, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    char digest[HC_DIGEST_TEXT];
    if (hc_archive_open(&archive, part->archive, false, err))
        return hc_context(err, "the report needs the archive of its shards");
    enum hc_status status = hc_records_digest(archive, digest, err);
    if (!status && strcmp(digest, part->segments_sha256) != 0)
        status = hc_fail(err, HC_BAD_INPUT,
                         "archive '%s' was added to, or is another, since its shards were made: "
                         "make them again",
                         part->archive);
    hc_archive_close(archive);
    return status;
}

enum hc_status hc_record_parts_open(struct hc_record_parts *parts, const char *const *paths,
                                    size_t n, struct hc_error *err)
{
    *parts = (struct hc_record_parts){.n = 0};
    parts->packs = hc_new_array(n, sizeof *parts->packs, err);
    parts->parts = hc_new_array(n, sizeof *parts->parts, err);
    if (!parts->packs || !parts->parts)
        return err->status;
    enum hc_status status = HC_OK;
    for (; parts->n < n && !status; parts->n++)
        status = open_part(parts, paths[parts->n], err);
    if (status || check_belonging(parts, paths, err) || check_shards(parts, paths, err))
        return err->status;
    for (size_t i = 0; i < n; i++)
        if (parts->parts[i].shard.index == 1)
            parts->first = &parts->parts[i];
    return check_archive(parts->first, err);
}

void hc_record_parts_close(struct hc_record_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        hc_pack_close(parts->packs[i]);
        hc_record_part_fini(&parts->parts[i]);
    }
    free(parts->packs);
    free(parts->parts);
    *parts = (struct hc_record_parts){.n = 0};
}

#include "store/archive/manifest.h"

#include "core/base/memory.h"
#include "store/archive/segment_name.h"
#include "store/folder/locked_temporary.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "hindcast-archive"
#define MAJOR  2
#define MINOR  0

/* What hindcast 0.1 wrote, which is read and replaced by 2.0 with the next publication: 1.0, or 1.1
 * where there are incidents. */
#define OLD_MAJOR 1
#define OLD_MINOR 1

/* The keys of an entry, in the order in which they are written. Besides these there is "tables", an
 * object of their rows, and "day" where the segment is not of a job. */
enum field_kind { FILE_NAME, TEXT, DIGEST, OPTIONAL_DIGEST, INT32, INT64 };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
};

#define ENTRY(member, kind)                                                                        \
    {                                                                                              \
#member, kind, offsetof(struct hc_manifest_entry, member)                                  \
    }

static const struct field fields[] = {
    ENTRY(cluster, TEXT),
    ENTRY(job_id, TEXT),
    ENTRY(attempt, INT32),
    ENTRY(file, FILE_NAME),
    ENTRY(size, INT64),
    ENTRY(sha256, DIGEST),
    ENTRY(table, TEXT),
    ENTRY(source_path, TEXT),
    ENTRY(source_sha256, DIGEST),
    ENTRY(format, TEXT),
    ENTRY(format_version, INT32),
    ENTRY(options, TEXT),
    ENTRY(meta_sha256, OPTIONAL_DIGEST),
};

#define N_FIELDS (sizeof fields / sizeof *fields)

const struct hc_temporary_kind hc_temporary_manifest = {HC_MANIFEST_FILE ".tmp-", "",
                                                        hc_begins_as_document};

#define DAY_KEY    "day"
#define TABLE_KEY  "table"
#define TABLES_KEY "tables"

static bool is_text(enum field_kind kind)
{
    return kind == FILE_NAME || kind == TEXT;
}

/* ---- entries ---- */

void hc_manifest_entry_fini(struct hc_manifest_entry *entry)
{
    free(entry->file);
    free(entry->cluster);
    free(entry->job_id);
    free(entry->table);
    hc_table_counts_fini(&entry->tables);
    free(entry->source_path);
    free(entry->format);
    free(entry->options);
    memset(entry, 0, sizeof *entry);
}

enum hc_status hc_manifest_entry_init(struct hc_manifest_entry *entry, const struct hc_job *job,
                                      const struct hc_provenance *provenance,
                                      const struct hc_table_counts *tables, struct hc_error *err)
{
    memset(entry, 0, sizeof *entry);
    entry->attempt = job->attempt;
    memcpy(entry->day, job->day, sizeof entry->day);
    entry->format_version = provenance->format_version;
    memcpy(entry->source_sha256, provenance->source_sha256, HC_DIGEST_TEXT);
    memcpy(entry->meta_sha256, job->meta_sha256, HC_DIGEST_TEXT);
    const char *source = provenance->source_path ? provenance->source_path : "";
    const char *table = provenance->table     ? provenance->table
                        : tables && tables->n ? tables->list[0].table
                                              : "";
    if (!(entry->cluster = hc_utf8_text(job->cluster, err)) ||
        !(entry->table = hc_utf8_text(table, err)) ||
        (tables && hc_table_counts_copy(&entry->tables, tables, err)) ||
        !(entry->job_id = hc_utf8_text(job->id, err)) ||
        !(entry->source_path = hc_utf8_text(source, err)) ||
        !(entry->format = hc_utf8_text(provenance->format ? provenance->format : "", err)) ||
        !(entry->options = hc_utf8_text(provenance->options ? provenance->options : "", err)) ||
        !(entry->file = hc_segment_file_name(entry, err))) {
        hc_manifest_entry_fini(entry);
        return err->status;
    }
    return HC_OK;
}

enum hc_status hc_manifest_entry_copy(struct hc_manifest_entry *copy,
                                      const struct hc_manifest_entry *entry, struct hc_error *err)
{
    *copy = *entry;
    copy->file = hc_copy_text(entry->file, err);
    copy->cluster = hc_copy_text(entry->cluster, err);
    copy->job_id = hc_copy_text(entry->job_id, err);
    copy->table = hc_copy_text(entry->table, err);
    bool is_short = hc_table_counts_copy(&copy->tables, &entry->tables, err) != HC_OK;
    copy->source_path = hc_copy_text(entry->source_path, err);
    copy->format = hc_copy_text(entry->format, err);
    copy->options = hc_copy_text(entry->options, err);
    if (!is_short && copy->file && copy->cluster && copy->job_id && copy->table &&
        copy->source_path && copy->format && copy->options)
        return HC_OK;
    hc_manifest_entry_fini(copy);
    return err->status;
}

/* Order of the manifest. */
static int compare_entries(const void *first, const void *second)
{
    const struct hc_manifest_entry *a = first, *b = second;
    int order = strcmp(a->cluster, b->cluster);
    if (order == 0)
        order = strcmp(a->job_id, b->job_id);
    if (order == 0)
        order = (a->attempt > b->attempt) - (a->attempt < b->attempt);
    if (order == 0)
        order = strcmp(a->day, b->day);
    return order ? order : strcmp(a->table, b->table);
}

bool hc_manifest_same(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return compare_entries(a, b) == 0 && strcmp(a->source_sha256, b->source_sha256) == 0 &&
           strcmp(a->meta_sha256, b->meta_sha256) == 0 && strcmp(a->format, b->format) == 0 &&
           a->format_version == b->format_version && strcmp(a->options, b->options) == 0;
}

static bool differs(const struct field *field, const struct hc_manifest_entry *a,
                    const struct hc_manifest_entry *b)
{
    const char *x = (const char *)a + field->offset, *y = (const char *)b + field->offset;
    if (field->kind == INT32 || field->kind == INT64)
        return memcmp(x, y, field->kind == INT32 ? sizeof(int32_t) : sizeof(int64_t)) != 0;
    if (!is_text(field->kind))
        return strcmp(x, y) != 0;
    const char *texts[2];
    memcpy(&texts[0], x, sizeof texts[0]);
    memcpy(&texts[1], y, sizeof texts[1]);
    return strcmp(texts[0], texts[1]) != 0;
}

const char *hc_manifest_difference(const struct hc_manifest_entry *a,
                                   const struct hc_manifest_entry *b)
{
    if (strcmp(a->day, b->day) != 0)
        return DAY_KEY;
    for (size_t i = 0; i < N_FIELDS; i++)
        if (fields[i].kind != FILE_NAME && differs(&fields[i], a, b))
            return fields[i].key;
    return hc_table_counts_agree(&a->tables, &b->tables) ? NULL : TABLES_KEY;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct hc_manifest_entry *hc_manifest_find(const struct hc_archive *archive,
                                           const struct hc_manifest_entry *like)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (compare_entries(&archive->entries[i], like) == 0)
            return &archive->entries[i];
    return NULL;
}

enum hc_status hc_manifest_put(struct hc_archive *archive, const struct hc_manifest_entry *entry,
                               struct hc_error *err)
{
    struct hc_manifest_entry *old = hc_manifest_find(archive, entry);
    if (old) {
        hc_manifest_entry_fini(old);
        *old = *entry;
        return HC_OK;
    }
    size_t capacity = archive->n_entries;
    if (hc_reserve(&archive->entries, &capacity, archive->n_entries + 1, sizeof *entry, err))
        return err->status;
    size_t at = archive->n_entries++;
    for (; at > 0 && compare_entries(&archive->entries[at - 1], entry) > 0; at--)
        archive->entries[at] = archive->entries[at - 1];
    archive->entries[at] = *entry;
    return HC_OK;
}

void hc_manifest_clear(struct hc_archive *archive)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        hc_manifest_entry_fini(&archive->entries[i]);
    free(archive->entries);
    archive->entries = NULL;
    archive->n_entries = 0;
}

/* ---- reading ---- */

struct version {
    bool is_old;   /* as hindcast 0.1 wrote it */
    bool is_newer; /* than this hindcast writes: it may have keys that are not known here */
};

static struct version version_of(json_int_t major, json_int_t minor)
{
    return (struct version){
        .is_old = major == OLD_MAJOR,
        .is_newer = major > MAJOR || minor > (major == MAJOR ? MINOR : OLD_MINOR),
    };
}

static enum hc_status read_text(const struct field *field, const json_t *value, char *base,
                                struct hc_error *err)
{
    const char *text = json_string_value(value);
    if (!text)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a string", field->key);
    if (field->kind == FILE_NAME && !hc_is_segment_file(text))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is '%.200s', which is not a file in %s/",
                       field->key, text, HC_SEGMENT_DIRECTORY);
    if (is_text(field->kind)) {
        char *copy = hc_copy_text(text, err);
        memcpy(base + field->offset, &copy, sizeof copy);
        return copy ? HC_OK : err->status;
    }
    size_t length = strspn(text, "0123456789abcdef");
    bool absent = field->kind == OPTIONAL_DIGEST && length == 0;
    if (text[length] || (length != HC_DIGEST_TEXT - 1 && !absent))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a SHA-256", field->key);
    memcpy(base + field->offset, text, length + 1);
    return HC_OK;
}

static enum hc_status read_number(const struct field *field, const json_t *value, char *base,
                                  struct hc_error *err)
{
    json_int_t number = json_integer_value(value);
    bool counted = field->kind == INT64; /* sizes and counts are not negative */
    if (!json_is_integer(value) || (counted && number < 0) ||
        (field->kind == INT32 && (number < INT32_MIN || number > INT32_MAX)))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not an integer, or out of range", field->key);
    if (field->kind == INT64)
        memcpy(base + field->offset, &(int64_t){number}, sizeof(int64_t));
    else
        memcpy(base + field->offset, &(int32_t){(int32_t)number}, sizeof(int32_t));
    return HC_OK;
}

/* Refuse keys that are not in the list, unless a newer minor version may have added them. */
static enum hc_status check_keys(json_t *object, const char *const *known, size_t n_known,
                                 bool newer, struct hc_error *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        bool found = newer;
        for (size_t i = 0; i < n_known && !found; i++)
            found = strcmp(known[i], key) == 0;
        if (!found)
            return hc_fail(err, HC_BAD_INPUT, "unknown key '%.100s'", key);
    }
    return HC_OK;
}

static enum hc_status read_count(const char *key, const json_t *value, int64_t *count,
                                 struct hc_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return hc_fail(err, HC_BAD_INPUT, "'%.100s' is not an integer, or out of range", key);
    *count = json_integer_value(value);
    return HC_OK;
}

/* null is a number of rows that is not known. */
static enum hc_status read_tables(json_t *object, struct hc_manifest_entry *entry,
                                  struct hc_error *err)
{
    json_t *tables = json_object_get(object, TABLES_KEY), *value = NULL;
    const char *table = NULL;
    bool has_main = json_object_size(tables) == 0;
    if (!json_is_object(tables))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not an object", TABLES_KEY);
    json_object_foreach(tables, table, value)
    {
        int64_t n_rows = HC_MISSING_I64;
        if ((!json_is_null(value) && read_count(table, value, &n_rows, err)) ||
            hc_table_counts_set(&entry->tables, table, n_rows, err))
            return err->status;
        has_main |= strcmp(table, entry->table) == 0;
    }
    if (!has_main)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is '%.100s', which is not in '%s'", TABLE_KEY,
                       entry->table, TABLES_KEY);
    return HC_OK;
}

static enum hc_status read_day(json_t *object, struct hc_manifest_entry *entry,
                               struct hc_error *err)
{
    const json_t *day = json_object_get(object, DAY_KEY);
    const char *text = json_string_value(day);
    if (day && (!text || !hc_is_day(text)))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a day", DAY_KEY);
    if (day)
        memcpy(entry->day, text, sizeof entry->day);
    return HC_OK;
}

static enum hc_status read_fields(json_t *object, bool is_old, struct hc_manifest_entry *entry,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        const json_t *value = json_object_get(object, fields[i].key);
        bool number = fields[i].kind == INT32 || fields[i].kind == INT64;
        if (is_old && strcmp(fields[i].key, TABLE_KEY) == 0)
            continue;
        if (!value)
            return hc_fail(err, HC_BAD_INPUT, "'%s' is missing", fields[i].key);
        if (number ? read_number(&fields[i], value, (char *)entry, err)
                   : read_text(&fields[i], value, (char *)entry, err))
            return err->status;
    }
    return HC_OK;
}

/* What hindcast 0.1 said of tables: a kind, or nothing of step timelines, and their numbers of rows
 * under keys of their own; of the inventory of incidents, none. */
static enum hc_status read_old_tables(json_t *object, struct hc_manifest_entry *entry,
                                      struct hc_error *err)
{
    static const char *const keys[] = {"n_ops", "n_steps", "n_incidents"};
    static const char *const tables[] = {"ops", "steps", "incidents"};
    const json_t *kind = json_object_get(object, "kind");
    const char *word = json_string_value(kind);
    size_t first = kind ? 2 : 0, end = kind ? 3 : 2;
    if (kind && (!word || strcmp(word, "incidents") != 0))
        return hc_fail(err, HC_BAD_INPUT, "'kind' is not 'incidents'");
    entry->table = hc_copy_text(tables[first], err);
    if (!entry->table)
        return err->status;
    for (size_t i = first; i < end; i++) {
        int64_t n_rows = 0;
        const json_t *value = json_object_get(object, keys[i]);
        if (!value)
            return hc_fail(err, HC_BAD_INPUT, "'%s' is missing", keys[i]);
        if (read_count(keys[i], value, &n_rows, err) ||
            hc_table_counts_set(&entry->tables, tables[i], n_rows, err))
            return err->status;
    }
    return kind ? hc_table_counts_set(&entry->tables, "inventory", HC_MISSING_I64, err) : HC_OK;
}

static enum hc_status read_entry(json_t *object, const struct version *version,
                                 struct hc_manifest_entry *entry, struct hc_error *err)
{
    static const char *const old[] = {"n_ops", "n_steps", "kind", "n_incidents"};
    static const char *const new[] = {TABLES_KEY, DAY_KEY};
    const char *keys[N_FIELDS + 4];
    size_t n_keys = 0;
    if (!json_is_object(object))
        return hc_fail(err, HC_BAD_INPUT, "it is not an object");
    for (; n_keys < N_FIELDS; n_keys++)
        keys[n_keys] = fields[n_keys].key;
    for (size_t i = 0; i < (version->is_old ? 4 : 2); i++)
        keys[n_keys++] = version->is_old ? old[i] : new[i];
    if (check_keys(object, keys, n_keys, version->is_newer, err) ||
        read_fields(object, version->is_old, entry, err))
        return err->status;
    if (version->is_old)
        return read_old_tables(object, entry, err);
    return read_tables(object, entry, err) ? err->status : read_day(object, entry, err);
}

/* Two entries for one job, or for one file, would be two answers to one question. */
static enum hc_status check_unique(const struct hc_archive *archive, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 1; i < archive->n_entries; i++)
        if (compare_entries(&archive->entries[i - 1], &archive->entries[i]) == 0)
            return hc_fail(err, HC_BAD_INPUT, "job '%s/%s' attempt %d is there twice",
                           archive->entries[i].cluster, archive->entries[i].job_id,
                           (int)archive->entries[i].attempt);
    const char **files = hc_new_array(archive->n_entries, sizeof *files, err);
    if (!files)
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++)
        files[i] = archive->entries[i].file;
    qsort(files, archive->n_entries, sizeof *files, compare_files);
    for (size_t i = 1; !status && i < archive->n_entries; i++)
        if (strcmp(files[i - 1], files[i]) == 0)
            status = hc_fail(err, HC_BAD_INPUT, "file '%s' is there twice", files[i]);
    free(files);
    return status;
}

static enum hc_status read_entries(json_t *segments, const struct version *version,
                                   struct hc_archive *archive, struct hc_error *err)
{
    size_t n = json_array_size(segments);
    if (!json_is_array(segments))
        return hc_fail(err, HC_BAD_INPUT, "'segments' is not an array");
    archive->entries = hc_new_array(n, sizeof *archive->entries, err);
    if (!archive->entries)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        archive->n_entries++;
        if (read_entry(json_array_get(segments, i), version, &archive->entries[i], err))
            return hc_context(err, "segment %zu", i);
    }
    qsort(archive->entries, n, sizeof *archive->entries, compare_entries);
    return check_unique(archive, err);
}

static enum hc_status read_document(json_t *root, struct hc_archive *archive, struct hc_error *err)
{
    static const char *const keys[] = {"schema", "major", "minor", "generation", "segments"};
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_t *major = json_object_get(root, "major"), *minor = json_object_get(root, "minor");
    json_t *generation = json_object_get(root, "generation");
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return hc_fail(err, HC_BAD_INPUT, "'schema' is not '%s': not the manifest of an archive",
                       SCHEMA);
    if (!json_is_integer(major) || !json_is_integer(minor) || json_integer_value(minor) < 0)
        return hc_fail(err, HC_BAD_INPUT, "'major' or 'minor' is not a version number");
    const struct version version = version_of(json_integer_value(major), json_integer_value(minor));
    archive->newer = version.is_newer;
    if (json_integer_value(major) > MAJOR || json_integer_value(major) < OLD_MAJOR)
        return hc_fail(err, HC_BAD_INPUT,
                       "version %" JSON_INTEGER_FORMAT ".%" JSON_INTEGER_FORMAT
                       ", but this hindcast reads version %d; use a newer hindcast",
                       json_integer_value(major), json_integer_value(minor), MAJOR);
    if (!json_is_integer(generation) || json_integer_value(generation) < 0)
        return hc_fail(err, HC_BAD_INPUT, "'generation' is not a count");
    archive->generation = json_integer_value(generation);
    if (check_keys(root, keys, sizeof keys / sizeof *keys, version.is_newer, err))
        return err->status;
    return read_entries(json_object_get(root, "segments"), &version, archive, err);
}

/* Jansson reads from memory, so that a disk that cannot be read is not taken for a text that ends
 * too early. */
static enum hc_status parse(const char *text, size_t length, struct hc_archive *archive,
                            struct hc_error *err)
{
    json_error_t why;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    enum hc_status status = HC_OK;
    /* Where Jansson finds no memory for its first buffer, it says nothing at all. */
    if (!root && (json_error_code(&why) == json_error_out_of_memory || !*why.text))
        status = hc_fail_memory(err, length);
    else if (!root)
        status = hc_fail(err, HC_BAD_INPUT, "'%s/%s':%d:%d: %s; 'check --repair' rebuilds it",
                         archive->path, HC_MANIFEST_FILE, why.line, why.column, why.text);
    else if (read_document(root, archive, err))
        status = hc_context(err, "'%s/%s'", archive->path, HC_MANIFEST_FILE);
    json_decref(root);
    return status;
}

static enum hc_status read_file(const char *path, char **text, size_t *length, struct hc_error *err)
{
    struct hc_folder folder;
    *text = NULL;
    if (hc_folder_open(&folder, path, err))
        return err->status;
    enum hc_status status =
        folder.fd < 0 ? HC_OK : hc_folder_read(&folder, HC_MANIFEST_FILE, text, length, err);
    hc_folder_close(&folder);
    if (!status && !*text)
        status = hc_fail(err, HC_IO, "archive '%s' has no %s", path, HC_MANIFEST_FILE);
    return status;
}

enum hc_status hc_manifest_read(struct hc_archive *archive, struct hc_error *err)
{
    struct hc_archive new = {
        .path = archive->path, .created = archive->created, .swept = archive->swept};
    char *text = NULL;
    size_t length = 0;
    if (read_file(archive->path, &text, &length, err))
        return err->status;
    enum hc_status status = parse(text, length, &new, err);
    free(text);
    if (status) {
        archive->newer = new.newer;
        hc_manifest_clear(&new);
        return status;
    }
    hc_manifest_clear(archive);
    *archive = new;
    return HC_OK;
}

/* ---- writing ---- */

/* Not 0 on failure. */
static int set_tables(json_t *object, const struct hc_manifest_entry *entry)
{
    json_t *tables = json_object();
    int failed = json_object_set_new(object, TABLES_KEY, tables);
    for (size_t i = 0; i < entry->tables.n; i++) {
        const struct hc_table_count *count = &entry->tables.list[i];
        bool is_known = count->n_rows != HC_MISSING_I64;
        failed |= json_object_set_new(tables, count->table,
                                      is_known ? json_integer(count->n_rows) : json_null());
    }
    return failed;
}

static json_t *entry_object(const struct hc_manifest_entry *entry)
{
    const char *base = (const char *)entry;
    json_t *object = json_object();
    for (size_t i = 0; object && i < N_FIELDS; i++) {
        const struct field *field = &fields[i];
        char *text = NULL;
        int32_t i32 = 0;
        int64_t i64 = 0;
        json_t *value = NULL;
        if (is_text(field->kind)) {
            memcpy(&text, base + field->offset, sizeof text);
            value = json_string(text);
        } else if (field->kind == INT32) {
            memcpy(&i32, base + field->offset, sizeof i32);
            value = json_integer(i32);
        } else if (field->kind == INT64) {
            memcpy(&i64, base + field->offset, sizeof i64);
            value = json_integer(i64);
        } else {
            value = json_string(base + field->offset);
        }
        if (json_object_set_new(object, field->key, value)) {
            json_decref(object);
            return NULL;
        }
    }
    if (object &&
        (set_tables(object, entry) ||
         (entry->day[0] && json_object_set_new(object, DAY_KEY, json_string(entry->day))))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static enum hc_status write_entry(FILE *stream, const struct hc_manifest_entry *entry, bool last,
                                  struct hc_error *err)
{
    json_t *object = entry_object(entry);
    char *line = object ? json_dumps(object, JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    if (!line)
        return hc_fail(err, HC_INTERNAL, "the entry of job '%s/%s' cannot be written as JSON",
                       entry->cluster, entry->job_id);
    fprintf(stream, "    %s%s\n", line, last ? "" : ",");
    free(line);
    return HC_OK;
}

static enum hc_status write_text(FILE *stream, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    enum hc_status status = HC_OK;
    fprintf(stream,
            "{\n  \"schema\": \"%s\",\n  \"major\": %d,\n  \"minor\": %d,\n"
            "  \"generation\": %" PRId64 ",\n  \"segments\": [\n",
            SCHEMA, MAJOR, MINOR, archive->generation);
    for (size_t i = 0; !status && i < archive->n_entries; i++)
        status = write_entry(stream, &archive->entries[i], i + 1 == archive->n_entries, err);
    fprintf(stream, "  ]\n}\n");
    return status;
}

enum hc_status hc_manifest_write(const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_folder folder = {.fd = -1};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return hc_fail_memory(err, 0);
    enum hc_status status = write_text(stream, archive, err);
    bool failed = ferror(stream) != 0;
    if ((fclose(stream) || failed) && !status)
        status = hc_fail_memory(err, length);
    if (!status)
        status = hc_folder_open(&folder, archive->path, err);
    if (!status && folder.fd < 0)
        status = hc_fail(err, HC_IO, "archive '%s' does not exist any more", archive->path);
    if (!status)
        status = hc_folder_replace(&folder, HC_MANIFEST_FILE, &hc_temporary_manifest, text, length,
                                   true, err);
    hc_folder_close(&folder);
    free(text);
    return status;
}

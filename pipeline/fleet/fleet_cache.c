#include "pipeline/fleet/fleet_cache.h"

#include "core/base/memory.h"
#include "pipeline/fleet/fleet_row_json.h"
#include "pipeline/records/sealed_record.h"
#include "reports/fleet/fleet_records.h"
#include "store/archive/derived.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA "hindcast-fleet-row"
#define KIND   "fleet-row"

/* ---- the segment ---- */

/* The number of the device is not in it: it may differ on each machine of a cluster. */
static void stamp(struct hc_segment_look *look, const struct stat *info)
{
    snprintf(look->stamp, sizeof look->stamp,
             "inode %" PRIu64 ", size %" PRId64 ", modified %" PRId64 ".%09ld, changed %" PRId64
             ".%09ld",
             (uint64_t)info->st_ino, (int64_t)info->st_size, (int64_t)info->st_mtim.tv_sec,
             info->st_mtim.tv_nsec, (int64_t)info->st_ctim.tv_sec, info->st_ctim.tv_nsec);
}

enum hc_status hc_segment_look_begin(struct hc_segment_look *look, const struct hc_archive *archive,
                                     const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct stat info;
    *look = (struct hc_segment_look){.fd = -1};
    if (hc_archive_open_file(archive, entry, &look->fd, err))
        return err->status;
    if (fstat(look->fd, &info))
        return hc_fail_errno(err, "cannot open", entry->file);
    if (info.st_size != entry->size)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s/%s' has %" PRId64 " bytes, and the manifest says %" PRId64,
                       archive->path, entry->file, (int64_t)info.st_size, entry->size);
    stamp(look, &info);
    return HC_OK;
}

void hc_segment_look_end(struct hc_segment_look *look)
{
    if (look->fd >= 0)
        close(look->fd);
    look->fd = -1;
}

/* ---- the rows ---- */

static struct hc_derived_key key_of(const struct hc_fleet_analysis *analysis,
                                    const struct hc_fleet_job *job)
{
    return (struct hc_derived_key){
        .segment_sha256 = job->entry->sha256, .kind = KIND, .inputs = analysis->inputs};
}

/* What is kept: the row, and what it was made from. */
struct kept {
    const char *schema, *inputs, *segment;
    const struct hc_fleet_row *row;
};

static const struct hc_field kept_fields[] = {
    HC_FIELD(struct kept, "schema", schema, "", "`" SCHEMA "`"),
    HC_FIELD(struct kept, "inputs", inputs, "", "method and options that change figures"),
    HC_FIELD(struct kept, "segment", segment, "", "what the file system says of it"),
    HC_OBJECT_BEHIND(struct kept, "row", row, &hc_fleet_row_record, ""),
};
static const struct hc_record_def kept_record = HC_RECORD(NULL, kept_fields);

static bool has_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, text) == 0;
}

/* A row is believed when its seal holds and it says that it is of this segment, job and inputs. */
static bool take_document(struct hc_fleet_row *row, json_t *root,
                          const struct hc_fleet_analysis *analysis)
{
    struct hc_error why;
    struct hc_fleet_row kept;
    if (!has_text(root, "schema", SCHEMA) || !has_text(root, "inputs", analysis->inputs) ||
        hc_fleet_row_read(&kept, json_object_get(root, "row"), &why))
        return false;
    if (hc_fleet_row_compare(&kept, row) != 0 || hc_fleet_is_lacking(kept.fate) ||
        strcmp(kept.segment_sha256, row->segment_sha256) != 0) {
        hc_fleet_row_fini(&kept);
        return false;
    }
    hc_fleet_row_fini(row);
    *row = kept;
    return true;
}

bool hc_fleet_cache_get(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                        const struct hc_fleet_job *job, const struct hc_segment_look *look,
                        bool *is_new)
{
    struct hc_derived_key key = key_of(analysis, job);
    char *text = NULL;
    size_t length = 0;
    if (!hc_derived_get(analysis->archive->path, &key, &text, &length))
        return false;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    *is_new = root && !has_text(root, "segment", look->stamp);
    bool taken = root && take_document(row, root, analysis);
    json_decref(root);
    free(text);
    return taken;
}

enum hc_status hc_fleet_cache_put(const struct hc_fleet_row *row,
                                  const struct hc_fleet_analysis *analysis,
                                  const struct hc_fleet_job *job,
                                  const struct hc_segment_look *look, struct hc_error *err)
{
    struct hc_derived_key key = key_of(analysis, job);
    const struct kept kept = {SCHEMA, analysis->inputs, look->stamp, row};
    char *text = hc_sealed_record(&kept_record, &kept, err);
    enum hc_status status =
        text ? hc_derived_put(analysis->archive->path, &key, text, err) : err->status;
    free(text);
    return status;
}

#include "store/archive/derived_pack.h"

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/memory.h"
#include "store/archive/derived.h"
#include "store/archive/manifest.h"
#include "store/pack/pack.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX       "records."
#define SUFFIX       ".pack"
#define MONTH_LENGTH 7 /* "2026-03" */
#define KEY_DIGITS   16
#define NAME_SIZE    (sizeof PREFIX + MONTH_LENGTH + 1 + KEY_DIGITS + sizeof SUFFIX)

static const struct hc_temporary_kind temporary_kind = {".tmp-", SUFFIX, hc_begins_as_pack,
                                                        HC_OUTER_MANIFEST};

bool hc_has_pack(const struct hc_manifest_entry *entry)
{
    return strlen(entry->day) >= MONTH_LENGTH &&
           strspn(entry->day, "0123456789-") == strlen(entry->day);
}

bool hc_is_same_pack(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && strcmp(a->job_id, b->job_id) == 0 &&
           strcmp(a->table, b->table) == 0 && strncmp(a->day, b->day, MONTH_LENGTH) == 0;
}

static enum hc_status name_of(const struct hc_manifest_entry *entry, char name[NAME_SIZE],
                              struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    char *key = hc_new_text(err, "%zu %s%zu %s%zu %s%.*s", strlen(entry->cluster), entry->cluster,
                            strlen(entry->job_id), entry->job_id, strlen(entry->table),
                            entry->table, MONTH_LENGTH, entry->day);
    if (!key)
        return err->status;
    hc_digest_bytes(key, strlen(key), digest);
    snprintf(name, NAME_SIZE, PREFIX "%.*s.%.*s" SUFFIX, MONTH_LENGTH, entry->day, KEY_DIGITS,
             digest);
    free(key);
    return HC_OK;
}

static bool is_pack_name(const char *name)
{
    size_t prefix = strlen(PREFIX);
    const char *month = name + prefix, *key = month + MONTH_LENGTH + 1;
    return strlen(name) == NAME_SIZE - 2 && strncmp(name, PREFIX, prefix) == 0 &&
           strspn(month, "0123456789-") == MONTH_LENGTH && month[MONTH_LENGTH] == '.' &&
           strspn(key, "0123456789abcdef") == KEY_DIGITS && strcmp(key + KEY_DIGITS, SUFFIX) == 0;
}

enum hc_status hc_derived_pack_open(const char *archive, const struct hc_manifest_entry *entry,
                                    int *fd, struct hc_error *err)
{
    char name[NAME_SIZE];
    struct hc_folder folder = {.fd = -1};
    *fd = -1;
    if (name_of(entry, name, err) ||
        hc_folder_open_part(&folder, archive, HC_DERIVED_DIRECTORY, err))
        return err->status;
    enum hc_status status =
        folder.fd >= 0 ? hc_folder_open_file(&folder, name, O_RDONLY, fd, err) : HC_OK;
    hc_folder_close(&folder);
    return status;
}

/* ---- writing ---- */

static enum hc_status open_for_writing(struct hc_folder *folder, const char *archive,
                                       struct hc_error *err)
{
    static atomic_flag swept = ATOMIC_FLAG_INIT;
    struct hc_folder outer;
    if (hc_folder_open(&outer, archive, err))
        return err->status;
    enum hc_status status = hc_folder_make(&outer, HC_DERIVED_DIRECTORY, HC_MANIFEST_FILE, err);
    if (!status)
        status = hc_folder_open_inner(folder, &outer, HC_DERIVED_DIRECTORY, err);
    hc_folder_close(&outer);
    if (!status && !atomic_flag_test_and_set(&swept))
        hc_leftovers_sweep(folder, &temporary_kind);
    return status;
}

static enum hc_status refuse_oddity(const struct hc_derived_pack *pack, struct hc_error *err)
{
    const char *odd = hc_folder_oddity(&pack->folder, pack->name, S_IFREG);
    return odd ? hc_fail(err, HC_IO, "'%s/%s' is %s and no file, so it is not replaced",
                         pack->folder.path, pack->name, odd)
               : HC_OK;
}

enum hc_status hc_derived_pack_begin(struct hc_derived_pack *pack, const char *archive,
                                     const struct hc_manifest_entry *entry, struct hc_error *err)
{
    char name[NAME_SIZE];
    *pack = (struct hc_derived_pack){.folder = {.fd = -1}};
    if (name_of(entry, name, err) || !(pack->name = hc_copy_text(name, err)) ||
        open_for_writing(&pack->folder, archive, err) || refuse_oddity(pack, err) ||
        hc_locked_temporary_make(&pack->temporary, &pack->folder, &temporary_kind, false, err))
        return err->status;
    int fd = fcntl(pack->temporary.fd, F_DUPFD_CLOEXEC, 0);
    pack->stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (!pack->stream) {
        hc_fail_errno(err, "cannot write", pack->temporary.path);
        if (fd >= 0)
            close(fd);
        return err->status;
    }
    return HC_OK;
}

enum hc_status hc_derived_pack_commit(struct hc_derived_pack *pack, struct hc_error *err)
{
    int failed = fclose(pack->stream);
    pack->stream = NULL;
    return failed ? hc_fail_errno(err, "cannot write", pack->temporary.path)
                  : hc_locked_temporary_rename(&pack->temporary, pack->name, err);
}

void hc_derived_pack_end(struct hc_derived_pack *pack)
{
    if (pack->stream)
        fclose(pack->stream);
    if (pack->temporary.path)
        hc_locked_temporary_release(&pack->temporary);
    hc_folder_close(&pack->folder);
    free(pack->name);
    *pack = (struct hc_derived_pack){.folder = {.fd = -1}};
}

enum hc_status hc_derived_pack_forget(const char *archive, const struct hc_manifest_entry *gone,
                                      size_t n, struct hc_error *err)
{
    char name[NAME_SIZE];
    struct hc_folder folder = {.fd = -1};
    enum hc_status status = hc_folder_open_part(&folder, archive, HC_DERIVED_DIRECTORY, err);
    for (size_t i = 0; i < n && !status && folder.fd >= 0; i++) {
        bool was_gone = false;
        if (!hc_has_pack(&gone[i]) || (i > 0 && hc_is_same_pack(&gone[i], &gone[i - 1])))
            continue;
        status = name_of(&gone[i], name, err);
        if (!status)
            status = hc_folder_remove(&folder, name, &was_gone, err);
    }
    hc_folder_close(&folder);
    return status;
}

/* ---- check and gc ---- */

static bool is_named(const struct hc_archive *archive, const char *name)
{
    char wanted[NAME_SIZE];
    struct hc_error why;
    const struct hc_manifest_entry *entries = archive->entries;
    for (size_t i = 0; i < archive->n_entries; i++) {
        if (!hc_has_pack(&entries[i]) || (i > 0 && hc_is_same_pack(&entries[i], &entries[i - 1])))
            continue;
        if (name_of(&entries[i], wanted, &why) || strcmp(wanted, name) == 0)
            return true;
    }
    return false;
}

bool hc_visit_derived_pack(const struct hc_reporter *reporter, const struct hc_archive *archive,
                           const struct hc_folder *folder, const char *name)
{
    char file[sizeof HC_DERIVED_DIRECTORY + 256];
    bool is_temporary = hc_is_temporary_name(name, &temporary_kind);
    if (!is_temporary && !is_pack_name(name))
        return false;
    snprintf(file, sizeof file, HC_DERIVED_DIRECTORY "/%s", name);
    if (is_temporary)
        hc_visit_leftover(reporter, folder, name, file, &temporary_kind);
    else if (!is_named(archive, name))
        hc_visit_stray(reporter, folder, name, file, &temporary_kind,
                       "not a pack that hindcast kept; left alone",
                       "a kept pack of segments that are gone; 'archive gc' removes it");
    return true;
}

#include "store/archive/derived.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/files/sealed_json.h"
#include "store/archive/derived_pack.h"
#include "store/archive/manifest.h"
#include "store/folder/directory_list.h"
#include "store/folder/locked_temporary.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_DIGITS    16
#define SHA256_DIGITS (HC_DIGEST_TEXT - 1)
#define HEX           "0123456789abcdef"
#define SUFFIX        ".json"

static const struct hc_temporary_kind temporary_kind = {".tmp-", "", hc_begins_as_document,
                                                        HC_OUTER_MANIFEST};

/* "<sha256 of the segment>.<kind>.<hash of the inputs>.json": gc needs the first part only. */
static char *name_of(const struct hc_derived_key *key, struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    hc_digest_bytes(key->inputs, strlen(key->inputs), digest);
    return hc_new_text(err, "%s.%s.%.*s" SUFFIX, key->segment_sha256, key->kind, KEY_DIGITS,
                       digest);
}

static bool is_derived_name(const char *name)
{
    size_t length = strlen(name), tail = 1 + KEY_DIGITS + strlen(SUFFIX);
    const char *key = name + length - tail;
    return length > SHA256_DIGITS + 1 + tail && strspn(name, HEX) == SHA256_DIGITS &&
           name[SHA256_DIGITS] == '.' && *key == '.' && strspn(key + 1, HEX) == KEY_DIGITS &&
           strcmp(key + 1 + KEY_DIGITS, SUFFIX) == 0;
}

static enum hc_status read_document(const char *archive, const char *name, char **text,
                                    size_t *length, struct hc_error *err)
{
    struct hc_folder folder = {.fd = -1};
    enum hc_status status = hc_folder_open_part(&folder, archive, HC_DERIVED_DIRECTORY, err);
    if (!status && folder.fd >= 0)
        status = hc_folder_read(&folder, name, text, length, err);
    hc_folder_close(&folder);
    return status;
}

enum hc_derived_state hc_derived_look(const char *archive, const struct hc_derived_key *key,
                                      char **text, size_t *length, struct hc_error *err)
{
    *text = NULL;
    *length = 0;
    char *name = name_of(key, err);
    enum hc_status status = name ? read_document(archive, name, text, length, err) : err->status;
    if (!status && *text && !hc_sealed_json_is_whole(*text, *length)) {
        hc_fail(err, HC_BAD_INPUT, "'%s/" HC_DERIVED_DIRECTORY "/%s' is cut off or was changed",
                archive, name);
        free(*text);
        *text = NULL;
    }
    free(name);
    if (err->status)
        return status ? HC_DERIVED_UNREADABLE : HC_DERIVED_DAMAGED;
    return *text ? HC_DERIVED_WHOLE : HC_DERIVED_ABSENT;
}

bool hc_derived_get(const char *archive, const struct hc_derived_key *key, char **text,
                    size_t *length)
{
    struct hc_error ignored = {0};
    return hc_derived_look(archive, key, text, length, &ignored) == HC_DERIVED_WHOLE;
}

static enum hc_status open_for_writing(struct hc_folder *folder, const char *archive,
                                       struct hc_error *err)
{
    struct hc_folder outer;
    if (hc_folder_open(&outer, archive, err))
        return err->status;
    enum hc_status status = hc_folder_make(&outer, HC_DERIVED_DIRECTORY, HC_MANIFEST_FILE, err);
    if (!status)
        status = hc_folder_open_inner(folder, &outer, HC_DERIVED_DIRECTORY, err);
    hc_folder_close(&outer);
    return status;
}

enum hc_status hc_derived_put(const char *archive, const struct hc_derived_key *key,
                              const char *text, struct hc_error *err)
{
    static atomic_flag swept = ATOMIC_FLAG_INIT;
    struct hc_folder folder = {.fd = -1};
    char *name = name_of(key, err);
    if (!name || open_for_writing(&folder, archive, err)) {
        free(name);
        return err->status;
    }
    if (!atomic_flag_test_and_set(&swept))
        hc_leftovers_sweep(&folder, &temporary_kind);
    enum hc_status status =
        hc_folder_replace(&folder, name, &temporary_kind, text, strlen(text), false, err);
    hc_folder_close(&folder);
    free(name);
    return status;
}

enum hc_status hc_derived_forget(const char *archive, size_t *n_removed, struct hc_error *err)
{
    struct hc_directory_list list = {0};
    struct hc_folder folder = {.fd = -1};
    *n_removed = 0;
    enum hc_status status = hc_folder_open_part(&folder, archive, HC_DERIVED_DIRECTORY, err);
    if (!status && folder.fd >= 0)
        status = hc_list_directory(&list, &folder, err);
    for (size_t i = 0; i < list.n && !status; i++) {
        bool gone = false;
        if (strncmp(list.names[i], HC_DERIVED_OF_ARCHIVE, SHA256_DIGITS) != 0)
            continue;
        status = hc_folder_remove(&folder, list.names[i], &gone, err);
        *n_removed += !status && !gone;
    }
    hc_directory_list_fini(&list);
    hc_folder_close(&folder);
    return status;
}

/* ---- check and gc ---- */

static bool is_named(const struct hc_archive *archive, const char *name)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strncmp(archive->entries[i].sha256, name, SHA256_DIGITS) == 0)
            return true;
    return strncmp(HC_DERIVED_OF_ARCHIVE, name, SHA256_DIGITS) == 0;
}

static enum hc_status visit(const struct hc_reporter *reporter, const struct hc_archive *archive,
                            const struct hc_folder *folder, const char *name, struct hc_error *err)
{
    struct hc_error none = {.status = HC_OK};
    char *file = hc_new_text(err, "%s/%s", HC_DERIVED_DIRECTORY, name);
    if (!file)
        return err->status;
    if (hc_folder_oddity(folder, name, S_IFREG))
        hc_report_refused(reporter, folder, name, file, &none);
    else if (hc_is_temporary_name(name, &temporary_kind))
        hc_visit_leftover(reporter, folder, name, file, &temporary_kind);
    else if (hc_visit_derived_pack(reporter, archive, folder, name))
        ; /* it was one of those */
    else if (!is_derived_name(name))
        hc_report(reporter, HC_CHECK_FOREIGN, file, "not a result that hindcast kept; left alone");
    else if (!is_named(archive, name))
        hc_visit_stray(reporter, folder, name, file, &temporary_kind,
                       "not a result that hindcast kept; left alone",
                       "a kept result of a segment that is gone; 'archive gc' removes it");
    free(file);
    return HC_OK;
}

/* A `derived` that is a link, or cannot be opened, is told, and what is behind it left alone. */
static enum hc_status open_for_visit(const struct hc_reporter *reporter, struct hc_folder *folder,
                                     struct hc_error *err)
{
    struct hc_error why;
    struct hc_folder outer;
    *folder = (struct hc_folder){.fd = -1};
    if (hc_folder_open(&outer, reporter->path, err))
        return err->status;
    if (hc_folder_open_inner(folder, &outer, HC_DERIVED_DIRECTORY, &why)) {
        bool is_odd = hc_folder_oddity(&outer, HC_DERIVED_DIRECTORY, S_IFDIR) != NULL;
        hc_report(reporter, is_odd ? HC_CHECK_FOREIGN : HC_CHECK_UNREADABLE, HC_DERIVED_DIRECTORY,
                  why.message);
    }
    hc_folder_close(&outer);
    return HC_OK;
}

enum hc_status hc_visit_derived(const struct hc_reporter *reporter,
                                const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_directory_list list;
    struct hc_folder folder;
    struct hc_error why;
    if (open_for_visit(reporter, &folder, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (hc_list_directory(&list, &folder, &why))
        hc_report(reporter, HC_CHECK_UNREADABLE, HC_DERIVED_DIRECTORY, why.message);
    for (size_t i = 0; !status && i < list.n; i++)
        status = visit(reporter, archive, &folder, list.names[i], err);
    hc_directory_list_fini(&list);
    hc_folder_close(&folder);
    return status;
}

#include "parsers/io/zip.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define END_SIZE     22 /* of the record at the end, without the comment behind it */
#define ENTRY_SIZE   46 /* of an entry of the directory, without its texts */
#define LOCAL_SIZE   30 /* of the header before a file, without its texts */
#define MOST_COMMENT 65535
#define MOST_NAME    65535
#define MOST_SIZE    UINT32_MAX /* which says that the size is elsewhere: zip64 */

enum method { STORED = 0, DEFLATED = 8 };

/* The directory: where it lies, and what of it was read. */
struct directory {
    const struct hc_source *source;
    int64_t at, end;
    uint32_t n_entries;
    uint32_t n_files; /* met so far */
    char name[MOST_NAME];
};

static uint32_t number(const unsigned char *bytes, size_t n)
{
    uint32_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

static bool is_signed(const unsigned char *bytes, const char *signature)
{
    return memcmp(bytes, signature, 4) == 0;
}

bool hc_is_zip(const unsigned char *head, size_t length)
{
    return length >= 4 && is_signed(head, "PK\3\4");
}

static enum hc_status damaged(const struct hc_source *source, int64_t byte, struct hc_error *err)
{
    return hc_fail(
        err, HC_BAD_INPUT,
        "'%s': byte %lld: the zip archive is cut off or damaged; fetch or write it again",
        source->name, (long long)byte);
}

/* The last record that says where the directory lies: nothing but a comment follows it. */
static enum hc_status find_directory(struct directory *directory, struct hc_error *err)
{
    const struct hc_source *source = directory->source;
    int64_t most = END_SIZE + MOST_COMMENT, n = source->size < most ? source->size : most;
    unsigned char *tail = hc_new_array((size_t)n + 1, 1, err);
    if (!tail || hc_source_read_at(source, source->size - n, tail, (size_t)n, err)) {
        free(tail);
        return err->status;
    }
    int64_t at = n - END_SIZE;
    while (at >= 0 &&
           !(is_signed(tail + at, "PK\5\6") && at + END_SIZE + number(tail + at + 20, 2) == n))
        at--;
    if (at >= 0) {
        directory->n_entries = number(tail + at + 10, 2);
        directory->at = number(tail + at + 16, 4);
        directory->end = source->size - n + at;
    }
    free(tail);
    return at < 0 || directory->at > directory->end ? damaged(source, source->size, err) : HC_OK;
}

static bool is_file(const char *name, size_t length)
{
    const char *slash = memrchr(name, '/', length);
    const char *last = slash ? slash + 1 : name;
    size_t n = length - (size_t)(last - name);
    return n && !(n >= 2 && memcmp(last, "._", 2) == 0) &&
           !(length >= 9 && memcmp(name, "__MACOSX/", 9) == 0);
}

static enum hc_status unreadable(const struct hc_source *source, const char *why,
                                 struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s': the file in this zip archive %s; unpack it first",
                   source->name, why);
}

/* The first file that the directory names; its start is that of its local header. */
static enum hc_status take_file(struct hc_zip_file *file, const struct hc_source *source,
                                const unsigned char *entry, struct hc_error *err)
{
    uint32_t method = number(entry + 10, 2), packed = number(entry + 20, 4);
    if (entry[8] & 1)
        return unreadable(source, "is encrypted", err);
    if (method != STORED && method != DEFLATED)
        return unreadable(source, "is packed by another method than deflate", err);
    *file = (struct hc_zip_file){.start = number(entry + 42, 4),
                                 .size = number(entry + 24, 4),
                                 .crc = number(entry + 16, 4),
                                 .is_deflated = method == DEFLATED};
    if (packed == MOST_SIZE || file->size == MOST_SIZE || file->start == MOST_SIZE)
        return unreadable(source, "has 4 GiB or more", err);
    file->end = packed; /* from its start on, which is not known yet */
    return HC_OK;
}

static enum hc_status next_entry(struct directory *directory, struct hc_zip_file *file,
                                 struct hc_error *err)
{
    const struct hc_source *source = directory->source;
    unsigned char entry[ENTRY_SIZE];
    if (directory->end - directory->at < ENTRY_SIZE)
        return damaged(source, directory->at, err);
    if (hc_source_read_at(source, directory->at, entry, sizeof entry, err))
        return err->status;
    size_t n = number(entry + 28, 2);
    int64_t length = ENTRY_SIZE + (int64_t)n + number(entry + 30, 2) + number(entry + 32, 2);
    if (!is_signed(entry, "PK\1\2") || directory->end - directory->at < length)
        return damaged(source, directory->at, err);
    if (hc_source_read_at(source, directory->at + ENTRY_SIZE, directory->name, n, err))
        return err->status;
    directory->at += length;
    if (!is_file(directory->name, n))
        return HC_OK;
    return directory->n_files++ ? HC_OK : take_file(file, source, entry, err);
}

/* Behind the local header and its texts, whose lengths the directory does not know. */
static enum hc_status find_start(struct hc_zip_file *file, const struct hc_source *source,
                                 struct hc_error *err)
{
    unsigned char local[LOCAL_SIZE];
    if (source->size - file->start < LOCAL_SIZE)
        return damaged(source, file->start, err);
    if (hc_source_read_at(source, file->start, local, sizeof local, err))
        return err->status;
    if (!is_signed(local, "PK\3\4"))
        return damaged(source, file->start, err);
    file->start += LOCAL_SIZE + (int64_t)number(local + 26, 2) + number(local + 28, 2);
    file->end += file->start;
    return file->end > source->size ? damaged(source, file->start, err) : HC_OK;
}

enum hc_status hc_zip_find(struct hc_zip_file *file, const struct hc_source *source,
                           struct hc_error *err)
{
    struct directory *directory = hc_new_array(1, sizeof *directory, err);
    if (!directory)
        return err->status;
    directory->source = source;
    enum hc_status status = find_directory(directory, err);
    for (uint32_t i = 0; i < directory->n_entries && !status; i++)
        status = next_entry(directory, file, err);
    uint32_t n_files = directory->n_files;
    free(directory);
    if (!status && n_files != 1)
        status = hc_fail(err, HC_BAD_INPUT,
                         "'%s': this zip archive holds %u files, not one; unpack it first",
                         source->name, (unsigned)n_files);
    return status ? status : find_start(file, source, err);
}

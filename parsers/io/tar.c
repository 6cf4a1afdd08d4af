#include "parsers/io/tar.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     512
#define MOST_META 65536 /* bytes of a long name or of pax records */

/* Fields of a header: offset and length. */
enum { NAME = 0, NAME_SIZE = 100, SIZE = 124, SIZE_SIZE = 12, SUM = 148, SUM_SIZE = 8, TYPE = 156 };
enum { MAGIC = 257, PREFIX = 345, PREFIX_SIZE = 155 };

struct hc_tar {
    const struct hc_source *source;
    struct hc_byte_reader *reader;
    int64_t byte;     /* of the unpacked text: where the reader is */
    int64_t left;     /* of the data of the current member */
    int64_t padding;  /* behind that, to the next block */
    char *long_name;  /* of the next member, or NULL */
    int64_t pax_size; /* of the next member, or -1 */
    int64_t n_twins;  /* AppleDouble files passed over */
};

/* ---- reading ---- */

static enum hc_status fail_cut(const struct hc_tar *tar, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': byte %" PRId64 " of the tar archive: it is cut off here; fetch or write "
                   "it again",
                   tar->source->name, tar->byte);
}

static enum hc_status fail_damaged(const struct hc_tar *tar, const char *what, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s': byte %" PRId64 " of the tar archive: %s",
                   tar->source->name, tar->byte, what);
}

/* Exactly length bytes. */
static enum hc_status read_all(struct hc_tar *tar, void *to, size_t length, struct hc_error *err)
{
    size_t n = 0;
    if (hc_byte_reader_read(tar->reader, to, length, &n, err))
        return err->status;
    tar->byte += (int64_t)n;
    return n == length ? HC_OK : fail_cut(tar, err);
}

static enum hc_status skip(struct hc_tar *tar, int64_t length, struct hc_error *err)
{
    char bytes[16 * BLOCK];
    for (; length > 0; length -= (int64_t)sizeof bytes) {
        size_t n = length < (int64_t)sizeof bytes ? (size_t)length : sizeof bytes;
        if (read_all(tar, bytes, n, err))
            return err->status;
    }
    return HC_OK;
}

/* As hc_source_read: the data of the current member. */
static enum hc_status read_data(void *context, void *buffer, size_t capacity, size_t *length,
                                struct hc_error *err)
{
    struct hc_tar *tar = context;
    *length = (int64_t)capacity < tar->left ? capacity : (size_t)tar->left;
    tar->left -= (int64_t)*length;
    return read_all(tar, buffer, *length, err);
}

/* ---- headers ---- */

/* Octal digits between blanks and a NUL or a blank, or GNU's big-endian number behind a byte of
 * 0x80; -1 for anything else. */
static int64_t number_of(const unsigned char *field, size_t length)
{
    int64_t number = 0;
    size_t i = 0;
    if (field[0] & 0x80) {
        for (i = 1; i < length; i++) {
            if (number >> 48)
                return -1;
            number = number << 8 | field[i];
        }
        return field[0] == 0x80 ? number : -1;
    }
    while (i < length && field[i] == ' ')
        i++;
    for (; i < length && field[i] >= '0' && field[i] <= '7'; i++)
        number = number << 3 | (field[i] - '0');
    return i == length || field[i] == '\0' || field[i] == ' ' ? number : -1;
}

/* The sum of all bytes with blanks in place of the sum itself. */
static bool has_right_sum(const unsigned char header[BLOCK])
{
    int64_t sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += i >= SUM && i < SUM + SUM_SIZE ? ' ' : header[i];
    return sum == number_of(header + SUM, SUM_SIZE);
}

static bool is_zero(const unsigned char header[BLOCK])
{
    for (int i = 0; i < BLOCK; i++)
        if (header[i])
            return false;
    return true;
}

/* The next header; *found is false at the end of the archive, by zeros or by the end of the text.
 */
static enum hc_status read_header(struct hc_tar *tar, unsigned char header[BLOCK], bool *found,
                                  struct hc_error *err)
{
    size_t n = 0;
    *found = false;
    if (hc_byte_reader_read(tar->reader, header, BLOCK, &n, err))
        return err->status;
    if (n == 0 || (n == BLOCK && is_zero(header)))
        return HC_OK;
    if (n < BLOCK)
        return fail_cut(tar, err);
    if (!has_right_sum(header))
        return fail_damaged(tar, "the checksum of a header is wrong", err);
    tar->byte += BLOCK;
    *found = true;
    return HC_OK;
}

static enum hc_status start_data(struct hc_tar *tar, const unsigned char header[BLOCK],
                                 struct hc_error *err)
{
    int64_t size = number_of(header + SIZE, SIZE_SIZE);
    bool is_member = !strchr("Lxg", header[TYPE]) || !header[TYPE];
    if (is_member && tar->pax_size >= 0)
        size = tar->pax_size;
    if (is_member)
        tar->pax_size = -1;
    if (size < 0)
        return fail_damaged(tar, "the size of a member is no number", err);
    tar->left = size;
    tar->padding = (BLOCK - size % BLOCK) % BLOCK;
    return HC_OK;
}

/* ---- names ---- */

/* The data of the current header as text. */
static enum hc_status read_text(struct hc_tar *tar, char **text, struct hc_error *err)
{
    *text = NULL;
    if (tar->left > MOST_META)
        return fail_damaged(tar, "a header is longer than any name", err);
    size_t length = (size_t)tar->left;
    char *bytes = hc_new_array(length + 1, 1, err);
    if (!bytes)
        return err->status;
    tar->left = 0;
    if (read_all(tar, bytes, length, err)) {
        free(bytes);
        return err->status;
    }
    *text = bytes;
    return HC_OK;
}

/* Records "<length> <key>=<value>\n" of pax: the path and the size of the next member. Text that
 * is no such record ends them. */
static enum hc_status take_records(struct hc_tar *tar, char *text, size_t length,
                                   struct hc_error *err)
{
    for (char *at = text, *end = text + length; at < end;) {
        char *key = NULL;
        unsigned long n = strtoul(at, &key, 10);
        if (key == at || *key != ' ' || n > (size_t)(end - at) || at + n < key + 2 ||
            at[n - 1] != '\n')
            return HC_OK;
        at[n - 1] = '\0';
        key++;
        if (strncmp(key, "path=", 5) == 0) {
            free(tar->long_name);
            tar->long_name = hc_copy_text(key + 5, err);
            if (!tar->long_name)
                return err->status;
        } else if (strncmp(key, "size=", 5) == 0) {
            tar->pax_size = strtoll(key + 5, NULL, 10);
        }
        at += n;
    }
    return HC_OK;
}

/* A header that says something of the next member. */
static enum hc_status take_extension(struct hc_tar *tar, char type, struct hc_error *err)
{
    char *text = NULL;
    size_t length = (size_t)tar->left;
    if (type == 'g')
        return HC_OK; /* of all members: never a name */
    if (read_text(tar, &text, err))
        return err->status;
    if (type == 'x') {
        enum hc_status status = take_records(tar, text, length, err);
        free(text);
        return status;
    }
    free(tar->long_name);
    tar->long_name = text;
    return HC_OK;
}

/* "x.tar:dir/file", the caller's to free. */
static char *name_of(struct hc_tar *tar, const unsigned char header[BLOCK], struct hc_error *err)
{
    char own[PREFIX_SIZE + NAME_SIZE + 2];
    const char *text = (const char *)header, *name = own;
    bool has_prefix = memcmp(text + MAGIC, "ustar", 6) == 0 && text[PREFIX];
    snprintf(own, sizeof own, "%.*s%s%.*s", has_prefix ? PREFIX_SIZE : 0, text + PREFIX,
             has_prefix ? "/" : "", NAME_SIZE, text + NAME);
    if (tar->long_name)
        name = tar->long_name;
    if (strncmp(name, "./", 2) == 0)
        name += 2;
    char *full = hc_new_text(err, "%s:%s", tar->source->name, name);
    free(tar->long_name);
    tar->long_name = NULL;
    return full;
}

static bool is_twin(const char *name)
{
    const char *slash = strrchr(name, '/'), *colon = strrchr(slash ? slash : name, ':');
    return strncmp(slash ? slash + 1 : colon + 1, "._", 2) == 0;
}

/* ---- members ---- */

/* Pass the member over, or spool it and be done. */
static enum hc_status take_member(struct hc_tar *tar, const unsigned char header[BLOCK],
                                  struct hc_source *member, bool *taken, struct hc_error *err)
{
    char type = (char)header[TYPE];
    char *name = name_of(tar, header, err);
    if (!name)
        return err->status;
    bool is_file = type == '0' || type == '\0' || type == '7';
    bool is_directory = type == '\0' && name[strlen(name) - 1] == '/';
    if (is_file && is_twin(name))
        tar->n_twins++;
    else
        *taken = is_file && !is_directory;
    enum hc_status status = HC_OK;
    if (*taken) /* what its header says is too much is not even begun */
        status =
            hc_source_check_unpacked(tar->source, tar->source->size, tar->byte + tar->left, err)
                ? err->status
                : hc_source_spool(member, name, read_data, tar, err);
    free(name);
    return status;
}

enum hc_status hc_tar_next(struct hc_tar *tar, struct hc_source *member, bool *found,
                           struct hc_error *err)
{
    unsigned char header[BLOCK];
    bool taken = false;
    while (!taken) {
        if (skip(tar, tar->left, err) || skip(tar, tar->padding, err))
            return err->status;
        tar->left = tar->padding = 0;
        if (read_header(tar, header, found, err))
            return err->status;
        if (!*found)
            return HC_OK;
        if (start_data(tar, header, err))
            return err->status;
        bool is_extension = header[TYPE] && strchr("Lxg", header[TYPE]);
        if (is_extension ? take_extension(tar, (char)header[TYPE], err)
                         : take_member(tar, header, member, &taken, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_tar_is(const struct hc_source *source, bool *is_tar, struct hc_error *err)
{
    unsigned char header[BLOCK];
    struct hc_byte_reader *reader = NULL;
    size_t n = 0;
    *is_tar = false;
    if (hc_byte_reader_open(&reader, source, err))
        return err->status;
    enum hc_status status = hc_byte_reader_read(reader, header, BLOCK, &n, err);
    hc_byte_reader_close(reader);
    *is_tar = !status && n == BLOCK && !is_zero(header) && has_right_sum(header);
    return status;
}

enum hc_status hc_tar_open(struct hc_tar **tar, const struct hc_source *source,
                           struct hc_error *err)
{
    *tar = hc_new_array(1, sizeof **tar, err);
    if (!*tar)
        return err->status;
    (*tar)->source = source;
    (*tar)->pax_size = -1;
    if (hc_byte_reader_open(&(*tar)->reader, source, err)) {
        hc_tar_close(*tar);
        *tar = NULL;
        return err->status;
    }
    return HC_OK;
}

void hc_tar_close(struct hc_tar *tar)
{
    if (!tar)
        return;
    if (tar->n_twins)
        hc_note("'%s': %" PRId64 " AppleDouble files ('._...') are passed over", tar->source->name,
                tar->n_twins);
    hc_byte_reader_close(tar->reader);
    free(tar->long_name);
    free(tar);
}

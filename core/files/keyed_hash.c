#include "core/files/keyed_hash.h"

#include "core/files/input_file.h"
#include "core/files/outfile.h"

#include <fcntl.h>
#include <nettle/hmac.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define KEY_TEXT ((size_t)2 * HC_KEY_BYTES)

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool parse_key(struct hc_key *key, const char *text, size_t n)
{
    while (n > KEY_TEXT && (text[n - 1] == '\n' || text[n - 1] == '\r'))
        n--;
    if (n != KEY_TEXT)
        return false;
    for (size_t i = 0; i < HC_KEY_BYTES; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        key->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static enum hc_status read_key(struct hc_key *key, struct hc_input_file *file, const char *path,
                               struct hc_error *err)
{
    char text[KEY_TEXT + 8];
    size_t n = 0, got = 1;
    for (; n < sizeof text && got > 0; n += got)
        if (hc_input_file_read(file, text + n, sizeof text - n, &got, err))
            return err->status;
    return parse_key(key, text, n)
               ? HC_OK
               : hc_fail(err, HC_BAD_INPUT,
                         "'%s' is no key file: it holds something else than 64 hexadecimal digits",
                         path);
}

static enum hc_status make_key(struct hc_key *key, const char *path, struct hc_error *err)
{
    char text[KEY_TEXT + 2];
    if (getrandom(key->bytes, sizeof key->bytes, 0) != (ssize_t)sizeof key->bytes)
        return hc_fail_errno(err, "cannot draw a key for", path);
    for (size_t i = 0; i < HC_KEY_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", key->bytes[i]);
    text[KEY_TEXT] = '\n';
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return hc_fail_errno(err, "cannot make key file", path);
    bool is_written = write(fd, text, KEY_TEXT + 1) == (ssize_t)(KEY_TEXT + 1) && fsync(fd) == 0;
    if (!is_written)
        hc_fail_errno(err, "cannot write key file", path);
    if (close(fd) && is_written) {
        hc_fail_errno(err, "cannot write key file", path);
        is_written = false;
    }
    if (!is_written) { /* half a key would be refused from now on */
        unlink(path);
        return err->status;
    }
    return HC_OK;
}

enum hc_status hc_key_load(struct hc_key *key, const char *path, struct hc_error *err)
{
    struct hc_input_file file;
    enum hc_file_kind kind;
    if (hc_look_at_file(path, &kind, err))
        return err->status;
    if (kind == HC_FILE_NONE)
        return make_key(key, path, err);
    if (hc_input_file_open(&file, path, err))
        return err->status;
    enum hc_status status = read_key(key, &file, path, err);
    hc_input_file_close(&file);
    return status;
}

uint64_t hc_keyed_hash(const struct hc_key *key, const char *domain, const void *bytes,
                       size_t length)
{
    struct hmac_sha256_ctx context;
    uint8_t digest[8];
    uint64_t hash = 0;
    hmac_sha256_set_key(&context, sizeof key->bytes, key->bytes);
    hmac_sha256_update(&context, strlen(domain) + 1, (const uint8_t *)domain);
    hmac_sha256_update(&context, length, bytes);
    hmac_sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        hash = hash << 8 | digest[i];
    return hash;
}

#include "core/files/sealed_json.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAD        ",\n  \"sha256\": \""
#define LEAD_LENGTH (sizeof LEAD - 1)
#define TAIL        "\"\n}\n"
#define TAIL_LENGTH (sizeof TAIL - 1)
#define HEX_LENGTH  (HC_DIGEST_TEXT - 1)
#define SEAL_LENGTH (LEAD_LENGTH + HEX_LENGTH + TAIL_LENGTH)
#define MAX_LENGTH  ((size_t)1 << 30) /* of a document with its seal */

static size_t without_newlines(const char *text, size_t length)
{
    while (length && text[length - 1] == '\n')
        length--;
    return length;
}

char *hc_sealed_json(const char *document, struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    size_t length = strlen(document);
    if (length > MAX_LENGTH - SEAL_LENGTH) {
        hc_fail(err, HC_BAD_INPUT, "a document of %zu bytes is too large to be sealed", length);
        return NULL;
    }
    length = without_newlines(document, length);
    if (length && document[length - 1] == '}')
        length = without_newlines(document, length - 1);
    hc_digest_bytes(document, length, digest);
    return hc_new_text(err, "%.*s" LEAD "%s" TAIL, (int)length, document, digest);
}

bool hc_sealed_json_is_whole(const char *text, size_t length)
{
    char digest[HC_DIGEST_TEXT];
    if (length < SEAL_LENGTH)
        return false;
    const char *seal = text + length - SEAL_LENGTH;
    if (memcmp(seal, LEAD, LEAD_LENGTH) != 0 ||
        memcmp(text + length - TAIL_LENGTH, TAIL, TAIL_LENGTH) != 0)
        return false;
    hc_digest_bytes(text, length - SEAL_LENGTH, digest);
    return memcmp(seal + LEAD_LENGTH, digest, HEX_LENGTH) == 0;
}

static enum hc_status fail_other(const char *path, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' is damaged or something else: it does not end in the SHA-256 of what is "
                   "before",
                   path);
}

/* What does not begin as a document does is not read further: it may be large, or endless. */
static enum hc_status read_document(struct hc_input_file *file, char **text, size_t *length,
                                    struct hc_error *err)
{
    size_t capacity = 0, n = 0;
    do {
        if (hc_reserve(text, &capacity, *length + 65536 + 1, 1, err) ||
            hc_input_file_read(file, *text + *length, capacity - *length - 1, &n, err))
            return err->status;
        *length += n;
        if (*length && **text != '{')
            return fail_other(file->name, err);
        if (*length > MAX_LENGTH)
            return hc_fail_too_large(err, file->name, MAX_LENGTH);
    } while (n);
    (*text)[*length] = '\0';
    return hc_sealed_json_is_whole(*text, *length) ? HC_OK : fail_other(file->name, err);
}

enum hc_status hc_sealed_json_read(const char *path, char **text, size_t *length,
                                   struct hc_error *err)
{
    struct hc_input_file file;
    *text = NULL;
    *length = 0;
    if (hc_input_file_open(&file, path, err))
        return err->status;
    enum hc_status status = read_document(&file, text, length, err);
    hc_input_file_close(&file);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

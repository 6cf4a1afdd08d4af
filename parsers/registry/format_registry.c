#include "parsers/registry/format_registry.h"

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/files/input_file.h"
#include "parsers/io/byte_reader.h"
#include "parsers/registry/format_advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_SIZE ((size_t)1 << 16)
/* Logs begin with whatever a site prints: where the head tells nothing, this much is looked at. */
#define DEEP_SIZE ((size_t)1 << 22)
#define SURE      30
#define BY_SHAPE  5 /* how sure a format is that knows nothing but the shape of the file */

const struct hc_format *const *hc_formats(size_t *n)
{
    for (*n = 0; hc_format_rows[*n]; (*n)++)
        ;
    return hc_format_rows;
}

const struct hc_format *hc_format_find(const char *name)
{
    for (size_t i = 0; hc_format_rows[i]; i++)
        if (strcmp(hc_format_rows[i]->name, name) == 0)
            return hc_format_rows[i];
    return NULL;
}

const char *hc_format_near(const char *name)
{
    const char *best = NULL;
    size_t length = strlen(name);
    for (size_t i = 0; hc_format_rows[i]; i++) {
        const char *const both[] = {best, hc_format_rows[i]->name};
        best = hc_nearest(name, length, both, 2);
    }
    for (size_t i = 0; hc_format_rows[i] && !best; i++)
        if (strncmp(hc_format_rows[i]->name, "step-", 5) == 0 &&
            strcmp(hc_format_rows[i]->name + 5, name) == 0)
            best = hc_format_rows[i]->name;
    return best;
}

/* The first bytes, as many as there are before damage; what that is stays in err. */
static enum hc_status read_head(const struct hc_source *source, unsigned char *head, size_t size,
                                size_t *length, struct hc_error *err)
{
    struct hc_byte_reader *reader = NULL;
    enum hc_status status = hc_byte_reader_open(&reader, source, err);
    for (size_t n = 1; n && status == HC_OK && *length < size; *length += n)
        status = hc_byte_reader_read(reader, head + *length, size - *length, &n, err);
    hc_byte_reader_close(reader);
    return status;
}

/* The format that is surest of the first `size` bytes. */
static enum hc_status look(const struct hc_format **format, int *surest, size_t *length,
                           const struct hc_source *source, size_t size, struct hc_error *err)
{
    unsigned char *head = hc_new_array(size, 1, err);
    if (!head)
        return err->status;
    *length = 0;
    enum hc_status status = read_head(source, head, size, length, err);
    if (status == HC_BAD_INPUT && *length) { /* damaged further on, which reading it will tell */
        *err = (struct hc_error){0};
        status = HC_OK;
    }
    for (size_t i = 0; hc_format_rows[i] && status == HC_OK; i++) {
        int confidence = hc_format_rows[i]->probe(head, *length, source->name);
        if (confidence > *surest) {
            *surest = confidence;
            *format = hc_format_rows[i];
        }
    }
    free(head);
    return status;
}

static enum hc_status not_recognised(const struct hc_source *source, struct hc_error *err)
{
    unsigned char *head = hc_new_array(HEAD_SIZE, 1, err);
    size_t length = 0;
    if (!head)
        return err->status;
    enum hc_status status = read_head(source, head, HEAD_SIZE, &length, err);
    if (status == HC_OK && length == 0)
        status =
            hc_fail(err, HC_BAD_INPUT, "'%s' is empty; nothing can be read from it", source->name);
    else if (status == HC_OK)
        status = hc_fail(err, HC_BAD_INPUT, "'%s' %s", source->name,
                         hc_format_advice(head, length, source->name));
    free(head);
    return status;
}

/* The format that is surer of a source than `least`. */
static enum hc_status detect(const struct hc_format **format, const struct hc_source *source,
                             int least, struct hc_error *err)
{
    *format = NULL;
    size_t length = 0;
    int surest = least;
    enum hc_status status = look(format, &surest, &length, source, HEAD_SIZE, err);
    if (!status && surest < SURE && length == HEAD_SIZE)
        status = look(format, &surest, &length, source, DEEP_SIZE, err);
    if (status == HC_OK && !*format)
        status = not_recognised(source, err);
    return status;
}

enum hc_status hc_format_detect(const struct hc_format **format, const struct hc_source *source,
                                struct hc_error *err)
{
    return detect(format, source, 0, err);
}

static enum hc_status of_path(const struct hc_format **format, const char *path, int least,
                              struct hc_error *err)
{
    struct hc_input_file file;
    struct hc_error why = {0};
    *format = NULL;
    if (strcmp(path, "-") == 0)
        return HC_OK;
    if (hc_input_file_open(&file, path, &why) == HC_OK) {
        char *name = hc_copy_text(path, &why);
        const struct hc_source source = {.name = name, .fd = file.fd, .size = file.info.st_size};
        if (name && S_ISREG(file.info.st_mode) && detect(format, &source, least, &why))
            *format = NULL;
        free(name);
        hc_input_file_close(&file);
    }
    if (why.status == HC_OK || why.status == HC_BAD_INPUT)
        return HC_OK;
    *err = why;
    return err->status;
}

enum hc_status hc_format_of_path(const struct hc_format **format, const char *path,
                                 struct hc_error *err)
{
    return of_path(format, path, 0, err);
}

enum hc_status hc_format_of_content(const struct hc_format **format, const char *path,
                                    struct hc_error *err)
{
    return of_path(format, path, BY_SHAPE, err);
}

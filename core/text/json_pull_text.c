/* json_pull_text.c - text in memory as an input of the JSON reader. */
#include "core/base/memory.h"
#include "core/text/json_pull.h"

#include <stdlib.h>
#include <string.h>

/* What is left of the text. */
struct rest {
    const char *bytes;
    size_t length;
};

static enum hc_status read_rest(void *context, void *buffer, size_t room, size_t *length,
                                struct hc_error *err)
{
    struct rest *rest = context;
    (void)err;
    *length = rest->length < room ? rest->length : room;
    if (*length)
        memcpy(buffer, rest->bytes, *length);
    rest->bytes += *length;
    rest->length -= *length;
    return HC_OK;
}

enum hc_status hc_pull_open_text(struct hc_json_pull **pull, const struct hc_pull_text *text,
                                 unsigned liberties, struct hc_error *err)
{
    struct rest *rest = hc_new_array(1, sizeof *rest, err);
    *pull = NULL;
    if (!rest)
        return err->status;
    *rest = (struct rest){text->bytes, text->length};
    const struct hc_pull_input input = {text->name, rest, read_rest, NULL, free};
    return hc_pull_open(pull, &input, liberties, err);
}

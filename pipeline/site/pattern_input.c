#include "pipeline/site/pattern_input.h"

#include "core/files/input_file.h"
#include "parsers/logs/pattern_check.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 20)

enum hc_status hc_pattern_input_load(struct hc_pattern_text *patterns, const char *path,
                                     struct hc_error *err)
{
    char *text = NULL;
    size_t length;
    *patterns = (struct hc_pattern_text){0};
    if (hc_input_file_load(path, MOST_BYTES, &text, &length, err))
        return err->status;
    const struct hc_pattern_text loaded = {path, text};
    if (strlen(text) != length)
        hc_fail(err, HC_BAD_INPUT, "'%s': byte %zu: a NUL, which no text file has", path,
                strlen(text));
    else
        hc_patterns_check(loaded, err);
    if (err->status)
        free(text);
    else
        *patterns = loaded;
    return err->status;
}

void hc_pattern_input_free(struct hc_pattern_text *patterns)
{
    free((char *)patterns->text);
    *patterns = (struct hc_pattern_text){0};
}

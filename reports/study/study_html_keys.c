/* The page names the keys of a scenario in words, "checkpoint every (s)": a title that is a JSON
 * pointer, "/checkpoint/every_s", is for who writes the file. The scenario itself, at the end of
 * the page, has the pointers. */
#include "core/base/memory.h"
#include "reports/study/study_sections.h"

#include <stdlib.h>
#include <string.h>

/* The end of a key that says its unit, "_s", where it does. */
static size_t without_unit(const char *path, const char *unit)
{
    size_t length = strlen(path), n = unit ? strlen(unit) : 0;
    bool has_unit = n > 0 && length > n + 1 && path[length - n - 1] == '_' &&
                    strcmp(path + length - n, unit) == 0;
    return has_unit ? length - n - 1 : length;
}

/* "/checkpoint/every_s" as "checkpoint every", with its unit as "checkpoint every (s)". What is no
 * JSON pointer is as it is. */
static const char *key_in_words(const char *path, const char *unit, bool has_unit,
                                char text[HC_STUDY_TEXT])
{
    if (path[0] != '/') {
        snprintf(text, HC_STUDY_TEXT, "%s", path);
        return text;
    }
    size_t length = without_unit(path, unit), used = 0;
    for (size_t i = 1; i < length && used + 1 < HC_STUDY_TEXT; i++)
        text[used++] = path[i] == '/' || path[i] == '_' ? ' ' : path[i];
    text[used] = '\0';
    if (has_unit && unit && unit[0])
        snprintf(text + used, HC_STUDY_TEXT - used, " (%s)", unit);
    return text;
}

enum hc_status hc_study_html_keys_init(struct hc_study_html_keys *keys,
                                       const struct hc_study_result *result, struct hc_error *err)
{
    *keys = (struct hc_study_html_keys){.result = *result};
    keys->axis = hc_new_array(result->n_axes, sizeof *keys->axis, err);
    keys->bar = hc_new_array(result->n_bars, sizeof *keys->bar, err);
    keys->text = hc_new_array(result->n_axes + result->n_bars + 1, sizeof *keys->text, err);
    if (!keys->axis || !keys->bar || !keys->text) {
        hc_study_html_keys_fini(keys);
        return err->status;
    }
    char(*next)[HC_STUDY_TEXT] = keys->text;
    for (size_t a = 0; a < result->n_axes; a++) {
        keys->axis[a] = result->axis[a];
        keys->axis[a].path =
            key_in_words(result->axis[a].path, result->axis[a].unit, true, *next++);
    }
    for (size_t i = 0; i < result->n_bars; i++) {
        keys->bar[i] = result->bar[i];
        keys->bar[i].path = key_in_words(result->bar[i].path, result->bar[i].unit, true, *next++);
    }
    struct hc_study_found *found = &keys->result.found;
    if (found->path)
        found->path = key_in_words(found->path, found->unit, false, *next);
    keys->result.axis = keys->axis;
    keys->result.bar = keys->bar;
    return HC_OK;
}

void hc_study_html_keys_fini(struct hc_study_html_keys *keys)
{
    free(keys->axis);
    free(keys->bar);
    free(keys->text);
    *keys = (struct hc_study_html_keys){.axis = NULL};
}

#include "parsers/logs/line_labels.h"

#include "core/base/memory.h"
#include "core/text/needle_set.h"

#include <stdlib.h>
#include <string.h>

struct hc_line_labels {
    size_t n;
    struct hc_needle label[HC_LINE_LABELS_MOST];
    struct hc_needle_set *set;
};

enum hc_status hc_line_labels_make(struct hc_line_labels **labels, const char *const *label,
                                   size_t n, struct hc_error *err)
{
    *labels = NULL;
    if (n > HC_LINE_LABELS_MOST)
        return hc_fail(err, HC_INTERNAL, "%zu labels of a line", n);
    struct hc_line_labels *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    made->n = n;
    for (size_t i = 0; i < n; i++)
        made->label[i] = (struct hc_needle){label[i], strlen(label[i])};
    if (hc_needle_set_make(&made->set, made->label, n, err)) {
        free(made);
        return err->status;
    }
    *labels = made;
    return HC_OK;
}

void hc_line_labels_free(struct hc_line_labels *labels)
{
    if (labels)
        hc_needle_set_free(labels->set);
    free(labels);
}

void hc_line_labels_find(const struct hc_line_labels *labels, const struct hc_line *line,
                         const char *behind[HC_LINE_LABELS_MOST])
{
    int32_t i;
    memset(behind, 0, labels->n * sizeof *behind);
    for (size_t at = 0; (i = hc_needle_set_find(labels->set, line->text, line->length, &at)) >= 0;)
        if (!behind[i]) /* `at` is one byte behind the beginning of the label */
            behind[i] = line->text + at - 1 + labels->label[i].length;
}

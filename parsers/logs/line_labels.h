/* line_labels.h - several labels looked for in one pass over a line: a line of an iteration has a
 * dozen of them, and to look for each from its beginning costs more than all else.
 * Private to this wing. */
#ifndef HC_PARSERS_LOGS_LINE_LABELS_H
#define HC_PARSERS_LOGS_LINE_LABELS_H

#include "core/base/status.h"
#include "parsers/io/line_reader.h"

#define HC_LINE_LABELS_MOST 16

struct hc_line_labels;

/* n labels of at least four bytes, none of them the beginning of another. */
enum hc_status hc_line_labels_make(struct hc_line_labels **labels, const char *const *label,
                                   size_t n, struct hc_error *err);
void hc_line_labels_free(struct hc_line_labels *labels);

/* behind[i]: what follows the first label i of the line, or NULL. */
void hc_line_labels_find(const struct hc_line_labels *labels, const struct hc_line *line,
                         const char *behind[HC_LINE_LABELS_MOST]);

#endif

/* dump_sizes.h - shapes and types of tensors in a dump: as texts, and how many elements they have.
 * Private to this wing. */
#ifndef HC_PARSERS_COLLECTIVES_DUMP_SIZES_H
#define HC_PARSERS_COLLECTIVES_DUMP_SIZES_H

#include "parsers/collectives/dump_value.h"

#include <stdbool.h>

/* A text of many tensors is cut at the last that fits, and ends in "...". */
struct hc_dump_sizes {
    size_t length;
    char text[512];
};

/* Of [[4096, 1, 5120], [16]]: "4096x1x5120;16". False where it is no list of lists of numbers. */
bool hc_dump_sizes_text(const struct hc_dump_value *sizes, struct hc_dump_sizes *text);

/* Of ["BFloat16", "Float"]: "BFloat16;Float". False where it is no list of texts. */
bool hc_dump_types_text(const struct hc_dump_value *types, struct hc_dump_sizes *text);

/* Elements over all tensors; missing where it is no list of shapes, or no number holds it. */
int64_t hc_dump_elements(const struct hc_dump_value *sizes);

#endif

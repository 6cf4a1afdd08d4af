/* columns.h - rows of cells, printed as aligned columns. */
#ifndef HC_CLI_FRAME_COLUMNS_H
#define HC_CLI_FRAME_COLUMNS_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdio.h>

struct hc_columns {
    size_t n_columns, n_cells, capacity;
    unsigned right; /* bit i: column i is aligned to the right */
    char **cell;    /* row by row */
};

/* A zeroed struct with n_columns (and right) set is empty. Cells are added row by row; control
 * bytes in text are replaced by '?', and NULL is "-". */
enum hc_status hc_columns_add(struct hc_columns *columns, const char *text, struct hc_error *err);
enum hc_status hc_columns_add_count(struct hc_columns *columns, long long count,
                                    struct hc_error *err);

/* Print all rows, indented, two spaces between columns, no spaces at the end of a line. */
void hc_columns_print(const struct hc_columns *columns, FILE *stream, int indent);

void hc_columns_fini(struct hc_columns *columns);

#endif

/* json_cells.h - the values of an object of JSON by the names of their places: "a", "a.b" within an
 * object, "a.0.b" within an array. Private to this wing. */
#ifndef HC_PARSERS_TABULAR_JSON_CELLS_H
#define HC_PARSERS_TABULAR_JSON_CELLS_H

#include "core/text/json_pull.h"
#include "parsers/tabular/cell_reader.h"

struct hc_json_cells {
    const char *const *names; /* that are wanted */
    size_t n;
    char *text; /* of the cells at hand */
    size_t length, capacity;
    size_t start[HC_MOST_CELLS]; /* in text */
    struct hc_cell *cells;       /* of the row at hand */
};

/* Read the rest of an object whose opening brace was given. The cells of names that it does not
 * have are not there. What is no JSON is HC_BAD_INPUT. */
enum hc_status hc_json_cells_read(struct hc_json_cells *cells, struct hc_json_pull *pull,
                                  struct hc_cell *to, struct hc_error *err);

void hc_json_cells_fini(struct hc_json_cells *cells);

#endif

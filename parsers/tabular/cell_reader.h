/* cell_reader.h - rows of a CSV, of JSON lines or of an array in a JSON document, as the texts of
 * the columns that are wanted. Private to this wing. */
#ifndef HC_PARSERS_TABULAR_CELL_READER_H
#define HC_PARSERS_TABULAR_CELL_READER_H

#include "parsers/io/csv_scanner.h"
#include "parsers/io/source.h"
#include "parsers/tabular/table_map.h"

#include <stdint.h>

#define HC_MOST_CELLS 128 /* columns that are wanted, or that an own form has */

/* Behind the text, HC_TEXT_PADDING bytes may be read. */
struct hc_cell {
    const char *text;
    size_t length;
    bool is_there; /* false: the row has no such column, or null */
};

struct hc_cell_row {
    struct hc_cell cell[HC_MOST_CELLS]; /* of each column that is wanted; until the next row */
    int64_t line;                       /* from 1; of a JSON document the number of the object */
    const char *wrong; /* why the row cannot be read, and cells are not valid; or NULL */
};

struct hc_cell_reader;

/* Open a source. Comments: lines of a CSV that begin with '#' are passed over. */
enum hc_status hc_cells_open(struct hc_cell_reader **reader, const struct hc_source *source,
                             const struct hc_table_map *map, bool has_comments,
                             struct hc_error *err);
void hc_cells_close(struct hc_cell_reader *reader);

/* The names of the columns of a CSV; *n 0 of JSON. Valid until close. */
const char *const *hc_cells_header(const struct hc_cell_reader *reader, size_t *n);

/* Name the columns that are wanted, before the first row. HC_BAD_INPUT: a CSV has no such column.
 * Names stay the caller's. */
enum hc_status hc_cells_want(struct hc_cell_reader *reader, const char *const *names, size_t n,
                             struct hc_error *err);

/* The next row; *is_over: there is none any more. */
enum hc_status hc_cells_next(struct hc_cell_reader *reader, struct hc_cell_row *row, bool *is_over,
                             struct hc_error *err);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_cells_position(const struct hc_cell_reader *reader);

#endif

/* node_lines.h - what readers of node states line by line share: the lines, the builder of rows,
 * and how they end. Private to this wing. */
#ifndef HC_PARSERS_NODES_NODE_LINES_H
#define HC_PARSERS_NODES_NODE_LINES_H

#include "parsers/nodes/node_rows.h"

#define HC_NODE_MOST_FIELDS 64

struct hc_node_lines {
    struct hc_node_builder builder;
    struct hc_line_reader *lines;
    bool at_end;
};

/* Open the source; on failure nothing is to be closed. */
enum hc_status hc_node_lines_open(struct hc_node_lines *nodes, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err);

/* The next line; at_end where there is none. A source cut off within packed data is an error. */
enum hc_status hc_node_lines_next(struct hc_node_lines *nodes, struct hc_line *line,
                                  struct hc_error *err);

/* Count a bad row. */
enum hc_status hc_node_bad(struct hc_row_report *report, int64_t line, const char *why,
                           struct hc_error *err);

/* The next word of a text, which is shortened by it; empty at its end. */
struct hc_span hc_node_word(struct hc_span *text);

/* Cut a line at each '|'. Returns how many fields there are, HC_NODE_MOST_FIELDS + 1 where there
 * are more than fit. */
size_t hc_node_split(struct hc_span line, struct hc_span *fields);

/* The same into n_columns fields; a '|' behind the last is no field. What is too much belongs to
 * the column `reason` (n_columns or more: to none). False: they are too few, or too many. */
bool hc_node_cut(struct hc_span line, struct hc_span *fields, size_t n_columns, size_t reason);

/* The first line of the first bytes of a file; behind which HC_TEXT_PADDING bytes may not be read.
 */
struct hc_span hc_node_first_line(const unsigned char *head, size_t length);

#endif

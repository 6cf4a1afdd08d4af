/* node_list.h - the nodes of a list as Slurm writes it: "cpn-f15-[06,08,11-12],x[001-004]".
 *
 * Names stand between commas. Brackets in a name hold numbers and ascending ranges of them; each
 * number is written with at least as many digits as the first of its range has ("[08-10]" is 08,
 * 09, 10). Several brackets in one name are all their combinations, the last the fastest:
 * "a[1-2]b[3-4]" is a1b3, a1b4, a2b3, a2b4 (Slurm's hostlist, multi-dimensional names).
 *
 * A list is checked and counted as a whole before its first name is given out, in time that grows
 * with its text and not with its nodes; names are made one by one, so that no memory grows.
 */
#ifndef HC_CORE_TEXT_NODE_LIST_H
#define HC_CORE_TEXT_NODE_LIST_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

#define HC_NODE_LIST_MOST       1000000 /* nodes of one list */
#define HC_NODE_LIST_DIMENSIONS 8       /* brackets of one name */
#define HC_NODE_NAME_MOST       255     /* bytes of a name */

/* One pair of brackets, and where in it the reader is. */
struct hc_node_brackets {
    size_t first;  /* byte behind the opening bracket */
    size_t end;    /* byte behind the range that is being given out: its comma or bracket */
    int64_t value; /* number that is next */
    int64_t last;  /* of the range */
    size_t width;  /* digits that a number has at least */
};

struct hc_node_list_reader {
    int64_t n_nodes; /* of the list, a node that it names twice counted twice */
    /* Private to node_list.c. */
    const char *text;
    size_t length;
    size_t start, end; /* bytes of the name, brackets included, that is being given out */
    size_t n_brackets;
    struct hc_node_brackets brackets[HC_NODE_LIST_DIMENSIONS];
    char name[HC_NODE_NAME_MOST + 1];
};

/* Check and count a list, and begin to read it out. The text is not terminated; it must stay until
 * the last name was read. HC_BAD_INPUT with the byte, from 1, and what is wrong there: an empty
 * name, a byte that no name has, brackets that do not match, no number or a range that descends in
 * them, or more nodes, brackets or bytes of a name than above. */
enum hc_status hc_node_list_open(struct hc_node_list_reader *reader, const char *text,
                                 size_t length, struct hc_error *err);

/* The next name, terminated and valid until the next call; NULL behind the last. */
const char *hc_node_list_next(struct hc_node_list_reader *reader);

/* Length of a node's name without its domain: lists of a scheduler have "gpu1", logs may have
 * "gpu1.site.org". An address of digits is whole. */
size_t hc_node_short_length(const char *node);

#endif

/* query_terms.h - a condition on rows as a tree of terms. Private to this wing. */
#ifndef HC_MODELS_QUERY_QUERY_TERMS_H
#define HC_MODELS_QUERY_QUERY_TERMS_H

#include "models/query/query_condition.h"

#define HC_QUERY_MOST_NODES (4 * HC_QUERY_MOST_TERMS)

enum hc_query_relation {
    HC_QUERY_EQUAL,
    HC_QUERY_UNEQUAL,
    HC_QUERY_AT_LEAST,
    HC_QUERY_AT_MOST,
    HC_QUERY_ABOVE,
    HC_QUERY_BELOW,
    HC_QUERY_LIKE,
    HC_QUERY_MISSING,
    HC_QUERY_PRESENT
};

struct hc_query_term {
    size_t column;
    enum hc_query_relation relation;
    char *text;    /* the value as written; NULL: none */
    bool is_whole; /* the value of a number is `whole` exactly */
    int64_t whole;
    double real;
};

enum hc_query_node_kind { HC_QUERY_TERM, HC_QUERY_AND, HC_QUERY_OR, HC_QUERY_NOT };

struct hc_query_node {
    enum hc_query_node_kind kind;
    int left, right; /* nodes, or -1 */
    size_t term;
};

struct hc_query_condition {
    size_t n_terms, n_nodes;
    struct hc_query_term terms[HC_QUERY_MOST_TERMS];
    struct hc_query_node nodes[HC_QUERY_MOST_NODES];
    int root;
    uint8_t *codes; /* of a term on texts: which codes it holds of; codes_room of them */
    size_t codes_room;
    uint8_t *masks; /* of nodes that are being evaluated, one behind the other */
    size_t masks_room;
};

#endif

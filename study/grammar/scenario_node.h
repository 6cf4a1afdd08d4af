/* scenario_node.h - a JSON document as a tree in which every value knows where it was written.
 *
 * Documents are merged, changed and copied, and complaints about a value must still name the file,
 * line and column it came from; so the place belongs to the value, not to the document. All nodes
 * and strings of a scenario live in one arena and are freed with it: nothing is freed before.
 */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_NODE_H
#define HC_STUDY_GRAMMAR_SCENARIO_NODE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- memory ---- */

struct hc_arena {
    struct hc_arena_block *blocks;
};

/* Zeroed and aligned for anything; NULL with err filled when there is no memory. */
void *hc_arena_new(struct hc_arena *arena, size_t size, struct hc_error *err);
/* length bytes of text and a NUL. */
char *hc_arena_text(struct hc_arena *arena, const char *text, size_t length, struct hc_error *err);
char *hc_arena_format(struct hc_arena *arena, struct hc_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hc_arena_fini(struct hc_arena *arena);

/* Free all that was taken since the mark: for what is made anew many times. */
struct hc_arena_mark {
    struct hc_arena_block *block;
    size_t used;
};
struct hc_arena_mark hc_arena_mark(const struct hc_arena *arena);
void hc_arena_release(struct hc_arena *arena, struct hc_arena_mark mark);
/* Bytes that were taken since the mark. */
size_t hc_arena_taken(const struct hc_arena *arena, struct hc_arena_mark mark);

/* ---- values ---- */

struct hc_place {
    const char *file; /* or the option that a value was given by */
    int line, column; /* from 1; column counts bytes. line 0: no text but an option */
};

enum hc_node_type {
    HC_NODE_NULL,
    HC_NODE_BOOL,
    HC_NODE_NUMBER,
    HC_NODE_TEXT,
    HC_NODE_ARRAY,
    HC_NODE_OBJECT
};

struct hc_data_source; /* study/grammar/data_provider.h */

struct hc_node {
    enum hc_node_type type;
    bool truth;
    double number;
    const char *text; /* of texts; of numbers, as written. Ends in a NUL and has no other */
    const char *key;  /* of members of an object, else NULL */
    struct hc_place place, key_place;
    /* Members or elements, in order. A number that has members is one with an interval. */
    struct hc_node *first, *last, *next;
    size_t n;
    struct hc_data_source *source; /* of texts that name recorded data, once these are read */
};

/* "a number", "an object", ... */
const char *hc_node_type_name(enum hc_node_type type);

/* {"mean": 3.3, "low": 1.2, "high": 7.3} is a number, 3.3, which is known to lie between the others
 * with a probability of 95 %. All that takes a number takes it for that; who asks how sure it is
 * finds the ends here: false where node is no such number. */
struct hc_node_interval {
    const struct hc_node *mean, *low, *high;
};
bool hc_node_interval(const struct hc_node *node, struct hc_node_interval *interval);

/* Make such a number of an object that has these three numbers and no more; all else stays. */
void hc_node_take_interval(struct hc_node *object);

/* The member of an object, or NULL (also when node is NULL or no object). */
struct hc_node *hc_node_member(const struct hc_node *node, const char *key);

/* Put child at the end of a container. Its key must be set and new. */
void hc_node_append(struct hc_node *parent, struct hc_node *child);

/* Put child in the place of the member with its key, or at the end. */
void hc_node_put(struct hc_node *parent, struct hc_node *child);

/* Take a member or element out; false when it is not there. */
bool hc_node_remove(struct hc_node *parent, const struct hc_node *child);

/* A deep copy, or NULL with err filled. */
struct hc_node *hc_node_copy(struct hc_arena *arena, const struct hc_node *node,
                             struct hc_error *err);

/* A copy whose members can be put and removed without a change to the original; what is within them
 * is shared, so it must be replaced by such a copy before it is changed. */
struct hc_node *hc_node_shallow(struct hc_arena *arena, const struct hc_node *node,
                                struct hc_error *err);

/* As JSON: on one line, or indented with a member a line and ending in a newline. */
void hc_node_write_line(FILE *stream, const struct hc_node *node);
void hc_node_write(FILE *stream, const struct hc_node *node);

/* ---- JSON pointers (RFC 6901) ---- */

#define HC_POINTER_SIZE  512 /* longest pointer, with its NUL */
#define HC_POINTER_DEPTH 32  /* most tokens */

struct hc_pointer {
    char text[HC_POINTER_SIZE];          /* the tokens, each ended by a NUL */
    const char *token[HC_POINTER_DEPTH]; /* escapes resolved */
    size_t n;
};

/* False when text is no pointer, or too long: "" is the whole document, else it starts with "/";
 * "~0" and "~1" stand for "~" and "/". pointer must not be moved afterwards. */
bool hc_pointer_parse(struct hc_pointer *pointer, const char *text);

/* The value that the first n tokens point at, or NULL. */
struct hc_node *hc_pointer_walk(const struct hc_pointer *pointer, size_t n, struct hc_node *root);

/* Where a walk over a document stands: a pointer that is built token by token. */
struct hc_path {
    char text[HC_POINTER_SIZE];
    size_t length;
};

/* Add a token; returns the length before, for hc_path_back. What does not fit is left out. */
size_t hc_path_add(struct hc_path *path, const char *token);
size_t hc_path_add_index(struct hc_path *path, size_t index);
void hc_path_back(struct hc_path *path, size_t length);

#endif

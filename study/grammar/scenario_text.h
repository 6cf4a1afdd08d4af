/* scenario_text.h - the text of a scenario file as a tree of values that know their place.
 *
 * JSON (RFC 8259, UTF-8) with two liberties: comments from two slashes to the end of the line, and
 * a comma before a closing bracket. Apart from these it is strict: no other comments, no NaN, no
 * numbers that a double cannot hold, no key twice in an object.
 *
 * Read by the pull reader (core/text/json_pull.h), which has these liberties as options. Not by
 * Jansson: it gives the place of syntax errors only, and every complaint of the checks behind this
 * one needs the place of a value. The tests hold this reader against Jansson.
 */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_TEXT_H
#define HC_STUDY_GRAMMAR_SCENARIO_TEXT_H

#include "core/base/digest.h"
#include "study/grammar/scenario_errors.h"
#include "study/grammar/scenario_node.h"

#define HC_SCENARIO_MAX_BYTES   ((size_t)4 << 20)
#define HC_SCENARIO_MAX_DEPTH   32
#define HC_SCENARIO_MAX_MEMBERS 4096 /* of one object */

/* The document that length bytes of text are, or NULL: then a complaint was added to errors, or err
 * is filled (HC_INTERNAL). file is for places and must stay. */
struct hc_node *hc_scenario_text(const char *file, const char *text, size_t length,
                                 struct hc_arena *arena, struct hc_scenario_errors *errors);

/* A file that was read. */
struct hc_scenario_input {
    const char *path; /* "-": standard input */
    char sha256[HC_DIGEST_TEXT];
};

/* The document in the file at input->path, whose digest is put beside it. HC_IO with err filled
 * when it cannot be read; *node is NULL when there was a complaint. */
enum hc_status hc_scenario_file(struct hc_scenario_input *input, struct hc_node **node,
                                struct hc_arena *arena, struct hc_scenario_errors *errors,
                                struct hc_error *err);

#endif

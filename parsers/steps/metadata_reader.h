/* metadata_reader.h - what the readers of single keys of metadata share. Private to this wing. */
#ifndef HC_PARSERS_STEPS_METADATA_READER_H
#define HC_PARSERS_STEPS_METADATA_READER_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "parsers/steps/metadata_yaml.h"

#include <stddef.h>
#include <stdint.h>

/* A node as it was read: where a rank is named twice, the message needs the line. */
struct hc_node_line {
    struct hc_rank_node node;
    int64_t line;
};

/* The same of a switch, and of a node at one: its code is the place of the switch among those read
 * so far. */
struct hc_switch_line {
    char *name;
    int32_t code;
    int64_t line;
};
struct hc_switched_line {
    struct hc_switched_node node;
    int64_t line;
};

struct hc_metadata_reader {
    struct hc_yaml *yaml;
    const char *path;
    struct hc_job *job;
    size_t n_nodes, nodes_capacity, aliases_capacity;
    struct hc_node_line *nodes;
    size_t n_switches, switches_capacity, n_switched, switched_capacity;
    struct hc_switch_line *switches;
    struct hc_switched_line *switched;
};

/* ---- one number, one text (metadata_values.c) ---- */

/* HC_BAD_INPUT: the value of key is not what is wanted. */
enum hc_status hc_metadata_wrong(const struct hc_metadata_reader *r,
                                 const struct hc_yaml_token *token, const char *key,
                                 const char *wanted, struct hc_error *err);

/* A whole number from least, which is 0 or 1. */
enum hc_status hc_metadata_read_i32(struct hc_metadata_reader *r, const char *key, int32_t least,
                                    int32_t *to, struct hc_error *err);

/* A text fit for names, instead of the one at to: not empty, not too long, no control characters. A
 * value left out in YAML ("key:", "~", "null") is no text. */
enum hc_status hc_metadata_take_text(struct hc_metadata_reader *r,
                                     const struct hc_yaml_token *token, const char *key, char **to,
                                     struct hc_error *err);
enum hc_status hc_metadata_read_text(struct hc_metadata_reader *r, const char *key, char **to,
                                     struct hc_error *err);

/* ---- nodes and switches (metadata_nodes.c) ---- */

enum hc_status hc_metadata_read_nodes(struct hc_metadata_reader *r, struct hc_error *err);
enum hc_status hc_metadata_read_switches(struct hc_metadata_reader *r, struct hc_error *err);

/* After the last key: sort what was read, check it, and hand it to the job. */
enum hc_status hc_metadata_settle_nodes(struct hc_metadata_reader *r, struct hc_error *err);
void hc_metadata_nodes_fini(struct hc_metadata_reader *r);

/* ---- ops (metadata_ops.c) ---- */

enum hc_status hc_metadata_read_op_types(struct hc_metadata_reader *r, struct hc_error *err);
enum hc_status hc_metadata_read_absent_ops(struct hc_metadata_reader *r, struct hc_error *err);

#endif

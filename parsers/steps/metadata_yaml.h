/* metadata_yaml.h - YAML as a stream of tokens: one document of scalars, lists and maps, without
 * anchors, aliases and deep nesting. Private to this wing. */
#ifndef HC_PARSERS_STEPS_METADATA_YAML_H
#define HC_PARSERS_STEPS_METADATA_YAML_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_YAML_MAX_DEPTH 16

enum hc_yaml_kind {
    HC_YAML_NOTHING, /* the file has no content */
    HC_YAML_SCALAR,
    HC_YAML_LIST, /* its values follow, then HC_YAML_END */
    HC_YAML_MAP,  /* its keys and values follow in turn, then HC_YAML_END */
    HC_YAML_END   /* of a list or map */
};

struct hc_yaml_token {
    enum hc_yaml_kind kind;
    int64_t line;     /* from 1 */
    const char *text; /* scalars: terminated, without NUL within; valid until the next call */
    size_t length;
    bool plain; /* a scalar without quotes */
};

/* What is parsed; name is for messages. */
struct hc_yaml_text {
    const char *name, *bytes;
    size_t length;
};

struct hc_yaml;

/* The text stays valid until close. */
enum hc_status hc_yaml_open(struct hc_yaml **yaml, const struct hc_yaml_text *text,
                            struct hc_error *err);
void hc_yaml_close(struct hc_yaml *yaml);

/* The next token. HC_BAD_INPUT naming file and line for malformed YAML, anchors, aliases, nesting
 * deeper than HC_YAML_MAX_DEPTH, and NUL in a scalar. */
enum hc_status hc_yaml_next(struct hc_yaml *yaml, struct hc_yaml_token *token,
                            struct hc_error *err);

/* Pass over the next value, with all that is in it. */
enum hc_status hc_yaml_skip_value(struct hc_yaml *yaml, struct hc_error *err);

/* Check that nothing follows the document. */
enum hc_status hc_yaml_finish(struct hc_yaml *yaml, struct hc_error *err);

/* "", "~" or "null" without quotes. */
bool hc_yaml_is_null(const struct hc_yaml_token *token);

#endif

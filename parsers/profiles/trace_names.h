/* trace_names.h - texts of a trace to codes of a dictionary.
 *
 * Escapes are resolved; what a text set or a terminal cannot hold (a NUL, bytes that are no UTF-8)
 * becomes U+FFFD, and a text is cut at HC_TRACE_NAME bytes. A dictionary holds HC_TRACE_NAMES_MOST
 * bytes, so that a trace whose every event has another name cannot fill memory: what is new then
 * has no code.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_TRACE_NAMES_H
#define HC_PARSERS_PROFILES_TRACE_NAMES_H

#include "core/text/text_set.h"
#include "parsers/profiles/trace_text.h"

#define HC_TRACE_NAME       4096
#define HC_TRACE_NAME_SLOTS 2048
#define HC_TRACE_NAMES_MOST ((size_t)1 << 25)

/* A set with a cache before it, since a trace repeats a few long names; zeroed with its set it is
 * ready. */
struct hc_trace_names {
    struct hc_text_set *set;
    size_t n_bytes; /* of its texts, as far as they are from here */
    struct hc_trace_name_slot {
        const char *text; /* of the set */
        size_t length;
        int32_t code;
    } slot[HC_TRACE_NAME_SLOTS];
};

/* The code of a string as it is written in the trace; HC_MISSING_I32 where the dictionary is full.
 */
enum hc_status hc_trace_name_code(struct hc_trace_names *names, const struct hc_trace_value *value,
                                  int32_t *code, struct hc_error *err);

#endif

/* pair_arrows.h - arrows of a timeline from each send to the receive of what it sends. A viewer
 * wants the start of an arrow before its end and both within slices, so the two are held until
 * their step is written. Private to this wing. */
#ifndef HC_REPORTS_EXPORT_PERFETTO_PAIR_ARROWS_H
#define HC_REPORTS_EXPORT_PERFETTO_PAIR_ARROWS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an arrow starts or ends: at the start of a slice that takes time. */
struct hc_arrow_end {
    int32_t pid;
    int64_t tid, at_ns;
    bool is_there;
};

struct hc_pair_arrow {
    bool is_pair; /* numbers of pairs have gaps: those of collectives */
    struct hc_arrow_end send, receive;
};

struct hc_pair_arrows {
    size_t n, capacity;
    struct hc_pair_arrow *arrows; /* [n] of the step at hand */
    int64_t n_written,
        n_without; /* pairs of which one takes no time, as a viewer finds no slice there */
};

/* Begin a step of at most n pairs, none of which is there yet. */
enum hc_status hc_pair_arrows_begin(struct hc_pair_arrows *arrows, size_t n, struct hc_error *err);
void hc_pair_arrows_fini(struct hc_pair_arrows *arrows);

/* Bytes that hc_pair_arrow_put writes at most. */
#define HC_LONGEST_ARROW 320

/* Puts the two events of pair i and returns where the next piece goes; only counts a pair that has
 * no arrow. */
char *hc_pair_arrow_put(struct hc_pair_arrows *arrows, size_t i, char *to);

#endif

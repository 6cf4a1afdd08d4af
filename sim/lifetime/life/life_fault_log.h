/* life_fault_log.h - notes what struck a life, and hands out each fault when no more can come of
 * it. Private to this wing.
 *
 * A fault has a note for each node that it took. The notes of a fault are a list, named by its
 * first; one of a node that is evicted leaves the list, and is found by the node until its repair
 * ends. A list that is closed is handed out.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_FAULT_LOG_H
#define HC_SIM_LIFETIME_LIFE_LIFE_FAULT_LOG_H

#include "sim/lifetime/compiled_lifetime.h"
#include "sim/lifetime/life_calendar.h"
#include "sim/lifetime/lifetime_faults.h"

struct hc_life_note {
    struct hc_drawn_fault fault;
    int32_t next; /* of the same fault, or of those that are free; -1: the last */
    bool is_used;
};

struct hc_life_fault_log {
    hc_drawn_fault_sink *sink;
    void *context;
    struct hc_life_end *end;
    struct hc_life_note *note;
    size_t n, capacity;
    int32_t free;     /* first that may be used again; -1: none */
    int32_t *note_of; /* of node that is away: its note; -1: none. NULL: nodes are not followed */
    int32_t n_faults; /* so far */
    int64_t next_ns;  /* when the next was to come, as steps last began */
    int32_t next_cause;
};

/* A life of this config begins. HC_INTERNAL: no memory. Release with _fini in any case. */
enum hc_status hc_fault_log_init(struct hc_life_fault_log *log,
                                 const struct hc_compiled_lifetime *compiled, struct hc_error *err);
void hc_fault_log_fini(struct hc_life_fault_log *log);

/* A fault took these slots, ascending. Returns the name of its list, -1 when that failed: then the
 * life has ended. */
int32_t hc_fault_log_open(struct hc_life_fault_log *log, int32_t cause, const int32_t *slot,
                          int32_t n, int64_t at_ns);
/* What became known of it; nothing where list is -1. */
void hc_fault_log_detected(struct hc_life_fault_log *log, int32_t list, int64_t at_ns);
void hc_fault_log_located(struct hc_life_fault_log *log, int32_t list, int64_t at_ns);
void hc_fault_log_recovered(struct hc_life_fault_log *log, int32_t list, int64_t at_ns);
/* Its node in this slot goes into repair: the note leaves the list. */
void hc_fault_log_evicted(struct hc_life_fault_log *log, int32_t *list, int32_t slot, int32_t node);
/* The repair of a node has ended; -1: it is given up. */
void hc_fault_log_repaired(struct hc_life_fault_log *log, int32_t node, int64_t at_ns);
/* No more comes of this fault. */
void hc_fault_log_close(struct hc_life_fault_log *log, int32_t list);
/* The life has ended: hand out all that is left. */
void hc_fault_log_end(struct hc_life_fault_log *log);
/* A fault that would have come, at a node that was not drawn. */
void hc_fault_log_beyond(struct hc_life_fault_log *log, int32_t cause, int64_t at_ns);

#endif

/* kineto_writer.h - the trace of a rank as the PyTorch profiler writes it (docs/formats/kineto.md).
 *
 *     hc_kineto_start(&writer, stream, &head);
 *     hc_kineto_write(&writer, events, n);   // as often as needed
 *     hc_kineto_end(&writer, name);
 *
 * Errors of the stream are the caller's to check.
 */
#ifndef HC_REPORTS_EXPORT_KINETO_WRITER_H
#define HC_REPORTS_EXPORT_KINETO_WRITER_H

#include "core/base/status.h"
#include "sim/synth/trace_event.h"

#include <stdbool.h>
#include <stdio.h>

struct hc_kineto_head {
    int32_t rank, world_size;
    int64_t base_ns; /* Unix time from which the events count */
    size_t n_groups;
    const struct hc_trace_group *groups;
};

struct hc_kineto_writer {
    FILE *stream, *packed; /* packed: the stream of gzip, or NULL */
    int32_t rank;
    bool has_events;
};

/* packs: as gzip. Nothing needs to be released but by hc_kineto_end. */
enum hc_status hc_kineto_start(struct hc_kineto_writer *writer, FILE *stream, bool packs,
                               const struct hc_kineto_head *head, struct hc_error *err);
void hc_kineto_write(struct hc_kineto_writer *writer, const struct hc_trace_event *events,
                     size_t n);
/* name: of the file. Also after a failure; a second call does nothing. HC_IO: could not be packed.
 */
enum hc_status hc_kineto_end(struct hc_kineto_writer *writer, const char *name,
                             struct hc_error *err);

#endif

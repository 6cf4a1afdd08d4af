/* perfetto_writer.h - a timeline as Chrome trace JSON, which Perfetto opens
 * (docs/formats/perfetto.md). It is written as it comes, step after step. */
#ifndef HC_REPORTS_EXPORT_PERFETTO_PERFETTO_WRITER_H
#define HC_REPORTS_EXPORT_PERFETTO_PERFETTO_WRITER_H

#include "core/base/status.h"
#include "sim/replay/timeline.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hc_perfetto;

struct hc_perfetto_counts {
    int64_t n_steps;          /* of the first timeline; of each, where all have the same */
    int64_t n_slices;         /* ops */
    int64_t n_moved;          /* slices that overlap another of their lane */
    int64_t n_further_tracks; /* which they were put on */
    int64_t n_backward;       /* ops that end before they start: shown without length */
    int64_t worst_ns; /* largest |span of a step - span as recorded|; traced timeline only */
};

/* Write to stream, which stays the caller's; name is the output, for messages. gzip: compressed. */
enum hc_status hc_perfetto_open(struct hc_perfetto **perfetto, FILE *stream, const char *name,
                                bool gzip, struct hc_error *err);

/* Several timelines side by side, each with processes of its own that bear its name: begin the next
 * one, whose steps start at 0 again. To be called before the first step of each, or never; they are
 * of one job. run_id: what all files of a run carry, or NULL. */
struct hc_perfetto_group {
    const char *name;
    const char *run_id;
};
enum hc_status hc_perfetto_begin_group(struct hc_perfetto *perfetto,
                                       const struct hc_perfetto_group *group, struct hc_error *err);

/* Append a step, after those before it. All of a group are of one timeline. A step of a further
 * group stands beside the same step of the first group, where the one before it has ended by then.
 */
enum hc_status hc_perfetto_step(struct hc_perfetto *perfetto, const struct hc_timeline_step *step,
                                struct hc_error *err);

/* A slice above the steps of the first group, from the start of one step to the end of another. */
struct hc_perfetto_mark {
    char track[224], name[240]; /* marks of one track follow each other, and do not overlap */
    int32_t first_step, last_step;
};
/* marks[n] must live until hc_perfetto_finish, which writes them. */
void hc_perfetto_set_marks(struct hc_perfetto *perfetto, const struct hc_perfetto_mark *marks,
                           size_t n);

/* Name the tracks and end the document; there was at least one step. */
enum hc_status hc_perfetto_finish(struct hc_perfetto *perfetto, struct hc_perfetto_counts *counts,
                                  struct hc_error *err);

/* Does nothing on NULL. */
void hc_perfetto_close(struct hc_perfetto *perfetto);

/* "traced", "replayed", "ideal" */
extern const char *const hc_timeline_names[HC_N_TIMELINES + 1];

#endif

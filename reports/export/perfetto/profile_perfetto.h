/* profile_perfetto.h - a timeline of profiler traces as Chrome trace JSON, which Perfetto opens
 * (docs/formats/perfetto.md): a process a rank, a track a stream and a thread, arrows from the last
 * to arrive at a collective to the others, and the critical path as a process of its own. It is
 * written as it comes; only the communication kernels are held until the end.
 */
#ifndef HC_REPORTS_EXPORT_PERFETTO_PROFILE_PERFETTO_H
#define HC_REPORTS_EXPORT_PERFETTO_PROFILE_PERFETTO_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "sim/profiles/profile_timeline.h"

#include <stdbool.h>
#include <stdio.h>

/* Of hc_profile_perfetto_finish, by enum hc_profile_timeline. */
extern const char *const hc_profile_timeline_words[];

struct hc_profile_perfetto;

struct hc_profile_perfetto_counts {
    int64_t n_slices, n_path, n_flows;
    int64_t n_moved;         /* slices that overlap another of their stream or thread */
    int64_t n_without_flows; /* members that end before the last of their collective arrives */
};

/* Write to stream, which stays the caller's; name is the output, for messages. */
enum hc_status hc_profile_perfetto_open(struct hc_profile_perfetto **perfetto, FILE *stream,
                                        const char *name, bool gzip, struct hc_error *err);

/* The slices that follow are of another timeline of the same job, which stands beside those before:
 * its processes have this name before theirs. */
enum hc_status hc_profile_perfetto_begin_group(struct hc_profile_perfetto *perfetto,
                                               const char *name, struct hc_error *err);

/* A hc_profile_slice_sink; context: the struct. */
enum hc_status hc_profile_perfetto_slice(const struct hc_profile_scene *scene,
                                         const struct hc_profile_slice *slice, void *context,
                                         struct hc_error *err);

/* Arrows, names, and what the document says of itself; timeline: what it shows, in a word. */
enum hc_status hc_profile_perfetto_finish(struct hc_profile_perfetto *perfetto,
                                          const struct hc_job *job, const char *timeline,
                                          struct hc_profile_perfetto_counts *counts,
                                          struct hc_error *err);

/* Does nothing on NULL. */
void hc_profile_perfetto_close(struct hc_profile_perfetto *perfetto);

#endif

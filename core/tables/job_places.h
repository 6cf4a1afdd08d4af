/* job_places.h - where the workers of a job ran: host, GPUs of the host, switch, by what its
 * metadata says (docs/formats/metadata.md: nodes, switches).
 *
 * A worker of a step timeline is one (dp rank, stage). With tensor or sequence parallelism it
 * stands for a group of tp_size x dsp_size GPUs, of which the trace has the first rank only. Ranks
 * of a group follow each other (as Megatron-LM numbers them) where the ranks of the trace leave
 * room for that; else it is not known which ranks the others are.
 */
#ifndef HC_CORE_TABLES_JOB_PLACES_H
#define HC_CORE_TABLES_JOB_PLACES_H

#include "core/base/status.h"
#include "core/tables/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_worker_place {
    int32_t host; /* index into hosts, of its first rank; -1: not known */
    /* GPUs of the host that the worker stands for, counted from 0 by ascending rank. Missing where
     * the metadata does not name the node of every rank, or of the first rank of every group, and
     * for a group that lies on several hosts. */
    int32_t first_gpu, last_gpu;
};

/* A node that at least one worker ran on. */
struct hc_host {
    const char *name;        /* owned by the job */
    int32_t switch_code;     /* index into hc_job.switches; -1: not known */
    const char *switch_name; /* of it, owned by the job; NULL: not known */
    size_t first, n;         /* its workers are members[first] to members[first + n - 1] */
};

/* Without nodes in the metadata no host is known: n_hosts is 0. */
struct hc_job_places {
    size_t n_workers;
    struct hc_worker_place *workers; /* [n_workers] */
    size_t n_hosts;
    struct hc_host *hosts; /* ascending by name */
    int32_t *members;      /* workers by host, then ascending */
    int32_t group_size;    /* ranks that a worker stands for: at least 1, which it is also where
                              nothing says the size */
    bool is_contiguous;    /* the ranks of a group follow each other */
};

/* Find the places of n_workers workers by their rank in the trace (HC_MISSING_I32: none). The
 * names of the job must outlive places. Fails only when memory is short. */
enum hc_status hc_job_places_find(struct hc_job_places *places, const struct hc_job *job,
                                  const int32_t *ranks, size_t n_workers, struct hc_error *err);
void hc_job_places_fini(struct hc_job_places *places);

/* The host of a worker, and its switch; NULL where they are not known. */
const char *hc_worker_host(const struct hc_job_places *places, size_t worker);
const char *hc_worker_switch(const struct hc_job_places *places, size_t worker);

/* Room for a host and its GPUs in a sentence: names of hosts that are longer than 64 bytes (they
 * have up to 255) are cut there, with "...". */
#define HC_PLACE_TEXT 104

/* "gpu-042, GPUs 0 to 3", "gpu-042, GPU 5", "gpu-042"; "" where the host is not known. */
void hc_worker_place_text(const struct hc_job_places *places, size_t worker,
                          char text[HC_PLACE_TEXT]);

#endif

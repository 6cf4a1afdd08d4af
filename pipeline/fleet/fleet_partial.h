/* fleet_partial.h - a fleet, or one shard of it: its rows and what they were made from and with; as
 * a file that merge reads (docs/formats/partial.md). */
#ifndef HC_PIPELINE_FLEET_FLEET_PARTIAL_H
#define HC_PIPELINE_FLEET_FLEET_PARTIAL_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "pipeline/fleet/fleet_jobs.h"
#include "sim/fleet/fleet_row.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Strings are owned. */
struct hc_fleet_partial {
    struct hc_shard shard; /* 1/1 without shards */
    char *archive;         /* as it was named */
    char segments_sha256[HC_DIGEST_TEXT];
    int64_t n_jobs; /* of the archive, in all shards together */
    char *inputs;   /* see hc_fleet_inputs */
    char *options;  /* of the analysis, for people */
    char *command;  /* the command line of the whole report (core/process/made_by.h) */
    struct hc_fleet_limits limits;
    size_t n_rows;
    struct hc_fleet_row *rows;
};

void hc_fleet_partial_fini(struct hc_fleet_partial *partial);

enum hc_status hc_fleet_partial_write(FILE *stream, const struct hc_fleet_partial *partial,
                                      struct hc_error *err);

/* Read a partial, which must be whole and of a version that we know. partial is filled on success
 * only. */
enum hc_status hc_fleet_partial_read(struct hc_fleet_partial *partial, const char *path,
                                     struct hc_error *err);

/* HC_BAD_INPUT, naming what differs, unless both are of the same fleet: archive, number of shards,
 * options, version. */
enum hc_status hc_fleet_partial_match(const struct hc_fleet_partial *a,
                                      const struct hc_fleet_partial *b, struct hc_error *err);

/* Whether a partial is what would be computed now: the same shard of the same fleet, and nothing
 * in it that another try could read or find memory for. */
bool hc_fleet_partial_is_done(const struct hc_fleet_partial *there,
                              const struct hc_fleet_partial *wanted);

#endif

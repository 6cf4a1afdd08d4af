/* baseline_input.h - the bandwidths that transfers are held against: tables of nccl-tests, from
 * files, directories or jobs of the archive. */
#ifndef HC_PIPELINE_INPUTS_BASELINE_INPUT_H
#define HC_PIPELINE_INPUTS_BASELINE_INPUT_H

#include "models/timings/bandwidth_tables.h"
#include "pipeline/inputs/trace_load.h"

/* Load the tables that the names stand for: files; directories, of which those that are tables of
 * nccl-tests; jobs of the archive. HC_BAD_INPUT: a file is none, or nothing in a directory is.
 * tables is filled on success only and then the caller's to hc_bandwidth_tables_fini. */
enum hc_status hc_baseline_load(struct hc_bandwidth_tables *tables, struct hc_trace_loader *loader,
                                const char *const *names, size_t n, struct hc_error *err);

#endif

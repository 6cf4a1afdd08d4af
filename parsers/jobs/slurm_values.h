/* slurm_values.h - how Slurm's commands write times, job numbers, resources and states.
 *
 * Functions take a text that is not terminated, but behind which HC_TEXT_PADDING bytes may be read.
 */
#ifndef HC_PARSERS_JOBS_SLURM_VALUES_H
#define HC_PARSERS_JOBS_SLURM_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a text says. */
enum hc_slurm_text {
    HC_SLURM_VALUE,
    HC_SLURM_NOTHING, /* empty, "Unknown", "None", "N/A": that it is not known */
    HC_SLURM_WRONG
};

/* A span of text. */
struct hc_span {
    const char *text;
    size_t length;
};

/* Days of dates that came before: dumps are in the order of their times. Zeroed memory is empty. */
struct hc_date_cache {
    uint64_t date[2]; /* the ten letters of a date, packed */
    int64_t start_s;  /* its midnight */
};

/* "2016-12-22T07:15:12" (what a clock on a wall showed: seconds as if it were UTC; *is_local), the
 * same with a zone ("Z", "+0100", "+01:00"), or whole Unix seconds. */
enum hc_slurm_text hc_slurm_time(struct hc_date_cache *cache, struct hc_span text, int64_t *time_s,
                                 bool *is_local);

/* "[D-]HH:MM:SS[.fraction]", "MM:SS[.fraction]" or, of a limit, "UNLIMITED" and "Partition_Limit",
 * which are nothing that is known. */
enum hc_slurm_text hc_slurm_duration(struct hc_span text, int64_t *duration_ns);

/* "123", "123_4", "123_[5-9%2]" (an array of which no task was started: no task), "123+1", each
 * with a step behind it (".batch", ".0"). Missing values are HC_MISSING. */
struct hc_slurm_job_id {
    int64_t job;
    int32_t array_task, het_component;
    bool is_step;
};
enum hc_slurm_text hc_slurm_job_id(struct hc_span text, struct hc_slurm_job_id *id);

/* GPUs in a list of resources ("billing=12,cpu=12,gres/gpu=2,gres/gpu:a100=2,node=1"), or in the
 * older form of generic resources ("gpu:a100:2(S:0-1)", "gres:gpu:2", more of them behind commas).
 * The count of gres/gpu is that of all types. type: the one type that is named, empty where none or
 * several. Nothing is known where resources have numbers for names ("1001=2"). */
struct hc_slurm_gpus {
    int64_t n;
    struct hc_span type;
    bool has_several_types;
};
enum hc_slurm_text hc_slurm_gpus(struct hc_span text, struct hc_slurm_gpus *gpus);

/* "COMPLETED", "CANCELLED by 503801", "CANCELLED+" (cut to its column). *by: the uid, or
 * HC_MISSING_I64. */
enum hc_slurm_text hc_slurm_state(struct hc_span text, int *state, int64_t *by);

/* "1:0" */
enum hc_slurm_text hc_slurm_exit_code(struct hc_span text, int32_t *code, int32_t *signal);

/* A whole number of digits, not negative, also with K, M, G behind it (1024 each) as counts of CPUs
 * are written in some reports. */
enum hc_slurm_text hc_slurm_count(struct hc_span text, int64_t *count);

#endif

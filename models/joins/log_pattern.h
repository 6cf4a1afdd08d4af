/* log_pattern.h - the names of log files that a scheduler's record gives as patterns, "%x-%j.out".
 *
 * Slurm's replacement symbols (sbatch(1), "filename pattern"). What the record cannot tell (%t, the
 * rank; %N, the node) matches anything.
 */
#ifndef HC_MODELS_JOINS_LOG_PATTERN_H
#define HC_MODELS_JOINS_LOG_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_LOG_PATTERN_ROOM 4200

/* Of the record whose logs are looked for. Missing numbers match anything; texts: NULL. */
struct hc_log_fields {
    int64_t job, raw_job;
    int32_t array_task;
    const char *name, *user, *work_dir;
};

struct hc_log_names {
    char text[HC_LOG_PATTERN_ROOM]; /* terminated; absolute where the record says where */
    bool is_glob;                   /* '*' matches anything but '/' */
    bool has_number;                /* its last component has a number of the job in it */
};

/* Returns false where the result would be too long. */
bool hc_log_pattern_expand(const char *pattern, const struct hc_log_fields *fields,
                           struct hc_log_names *names);

/* How many components of the path of a file, from its last on, are as the names have them;
 * INT32_MAX: all of both. */
int32_t hc_log_pattern_agree(const struct hc_log_names *names, const char *path);

/* How well the numbers in a path tell a job from others: the more, the better. */
enum hc_log_number {
    HC_LOG_NO_NUMBER,
    HC_LOG_JOB,        /* that of the array: of all its tasks */
    HC_LOG_ALLOCATION, /* its own */
    HC_LOG_TASK,       /* that of the array with its task, "70_3" */
};
enum hc_log_number hc_log_number_in(const char *path, const struct hc_log_fields *fields);

#endif

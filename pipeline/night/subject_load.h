/* subject_load.h - the attempts of one run, job or node of an archive, with their account. */
#ifndef HC_PIPELINE_NIGHT_SUBJECT_LOAD_H
#define HC_PIPELINE_NIGHT_SUBJECT_LOAD_H

#include "models/account/subject/subject.h"
#include "pipeline/night/account_walk.h"

struct hc_subject_data {
    struct hc_walk walk;
    struct hc_subject subject;
    int64_t job; /* that is asked for */
    int32_t array_task;
    bool is_taken; /* the attempt at hand */
};

/* HC_BAD_INPUT: the archive has no accounting, or nothing of that name held GPUs; HC_USAGE: the
 * name is none of a job. data is the caller's to hc_subject_data_fini whatever the result; name
 * stays with it. */
enum hc_status hc_subject_load(struct hc_subject_data *data, const struct hc_walk_choice *walk,
                               enum hc_subject_kind kind, const char *name, struct hc_error *err);
void hc_subject_data_fini(struct hc_subject_data *data);

#endif

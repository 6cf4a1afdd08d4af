/* join_logs.h - which attempt each launch of training belongs to. */
#ifndef HC_MODELS_JOINS_JOIN_LOGS_H
#define HC_MODELS_JOINS_JOIN_LOGS_H

#include "models/joins/joins.h"

/* How far the clocks of a log and of the scheduler may differ, before a cycle counts as one of
 * another time. */
#define HC_JOIN_SLACK_NS ((int64_t)120 * 1000000000)

/* A row of `cycles`; codes of the texts of joins. Its log is made when it is new. */
struct hc_cycle_row {
    int64_t log_id, job;
    const char *path;    /* the file that it was read from */
    const char *cluster; /* that its source was said to be of; NULL, "default": any */
    struct hc_join_cycle cycle;
};
enum hc_status hc_joins_add_cycle(struct hc_joins *joins, const struct hc_cycle_row *row,
                                  struct hc_error *err);

/* A moment in the log of a job, before hc_joins_end_cycles: joined as a cycle is. */
struct hc_fact_row {
    const char *path; /* of the log */
    int64_t job;      /* number that the line or the log's name has, or missing */
    int64_t time_ns;
    int32_t tag;
    bool has_clock;
};
enum hc_status hc_joins_add_fact(struct hc_joins *joins, const struct hc_fact_row *row,
                                 struct hc_error *err);

/* A timeline, before hc_joins_end_cycles. */
struct hc_timeline_row {
    const char *path;       /* of the file that it was read from */
    const char *name;       /* unlike that of any other */
    int64_t job;            /* number that its name has, or missing */
    int64_t from_ns, to_ns; /* Unix time, or missing */
    int64_t n_steps;
};
enum hc_status hc_joins_add_timeline(struct hc_joins *joins, const struct hc_timeline_row *row,
                                     struct hc_error *err);

/* After the last cycle, fact and timeline: they are put in order. */
enum hc_status hc_joins_end_cycles(struct hc_joins *joins, struct hc_error *err);

/* A row of `checkpoints`, of a cycle that was added; of others nothing is done. */
struct hc_checkpoint_row {
    int64_t log_id, time_ns, iteration;
    int32_t number; /* of the cycle */
    const char *path;
    bool is_load;
};
enum hc_status hc_joins_add_checkpoint(struct hc_joins *joins, const struct hc_checkpoint_row *row,
                                       struct hc_error *err);

/* A row of `jobs`. */
struct hc_attempt_row {
    struct hc_join_attempt attempt; /* without codes */
    const char *cluster, *user, *name, *work_dir, *standard_output, *standard_error, *source;
    const char *run; /* that a rule of the site names, or NULL */
};

/* After the cycles: keep an attempt that a log may belong to, or that has a run. */
enum hc_status hc_joins_offer(struct hc_joins *joins, const struct hc_attempt_row *row,
                              struct hc_error *err);

/* Whether an attempt ran at a time, give or take. */
bool hc_join_ran_at(const struct hc_join_attempt *attempt, int64_t time_ns, int64_t slack_ns);
/* Whether a log can be of this attempt alone, whatever the time: the record has its path, or it has
 * the number of the allocation, and not of the array alone, below the work directory. */
bool hc_join_names_it(const struct hc_join_candidate *candidate);
#define HC_JOIN_NODE_GPUS 8 /* attempts of as many are expected to have a log */

#endif

/* kineto_info.h - what a Kineto trace says of itself beside its events: its base of time, its rank,
 * and the process groups of the job.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_KINETO_INFO_H
#define HC_PARSERS_PROFILES_KINETO_INFO_H

#include "core/tables/table.h"
#include "parsers/profiles/trace_names.h"

#define HC_KINETO_MOST_MEMBERS ((size_t)1 << 24) /* of all groups, listed one by one */

struct hc_kineto_group {
    int32_t name, description, size; /* codes; HC_MISSING_I32 where it does not say */
    size_t first, n;                 /* its members */
};

struct hc_kineto_info {
    int64_t base_ns;
    int32_t rank, world_size; /* HC_MISSING_I32 where it does not say */
    size_t n_groups, n_members;
    size_t group_capacity, member_capacity;
    struct hc_kineto_group *group;
    int32_t *member;
    size_t next_group, next_member; /* that hc_kineto_info_rows comes to */
};

void hc_kineto_info_init(struct hc_kineto_info *info);
void hc_kineto_info_fini(struct hc_kineto_info *info);

struct hc_kineto_group_names {
    struct hc_trace_names *group, *description;
};

/* Read the value of `distributedInfo`, which comes next. *is_good is false where it is no JSON or
 * the text ends in it. HC_BAD_INPUT: the groups have more than HC_KINETO_MOST_MEMBERS. */
enum hc_status hc_kineto_info_read(struct hc_kineto_info *info, struct hc_trace_text *text,
                                   const struct hc_kineto_group_names *names, bool *is_good,
                                   struct hc_error *err);

/* Append rows of the groups, from where the last call stopped, up to the capacity of rows. */
void hc_kineto_info_rows(struct hc_kineto_info *info, struct hc_table *rows);

#endif

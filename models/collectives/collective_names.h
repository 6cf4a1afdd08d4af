/* collective_names.h - texts of a set of dumps, and where a rank is in a group. */
#ifndef HC_MODELS_COLLECTIVES_COLLECTIVE_NAMES_H
#define HC_MODELS_COLLECTIVES_COLLECTIVE_NAMES_H

#include "models/collectives/collective_set.h"

/* The order of names of groups, as strcmp: numbers by value, then other texts. */
int hc_collective_compare_names(const char *a, const char *b);

/* The place of a rank among the members of a group, or -1. */
int64_t hc_collective_place(const struct hc_collective_group *group, int32_t rank);

/* Texts for people: the name of a group, its description ("" where none), an op. */
const char *hc_collective_group_name(const struct hc_collective_set *set, int32_t group);
const char *hc_collective_group_description(const struct hc_collective_set *set, int32_t group);
const char *hc_collective_op_name(const struct hc_collective_set *set, int32_t op);

#endif

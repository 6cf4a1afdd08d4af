/* explain_leaf.h - what is behind a leaf of the account of days. Private to this wing. */
#ifndef HC_CLI_COMMANDS_NIGHT_EXPLAIN_LEAF_H
#define HC_CLI_COMMANDS_NIGHT_EXPLAIN_LEAF_H

#include "cli/commands/night/night_options.h"

#include <stdio.h>

/* Which slices are wanted. */
struct hc_explain_choice {
    const char *leaf; /* "lost_work", "startup" of all its leaves, "startup.image/user", "all" */
    int64_t first_day, last_day; /* since 1970-01-01 */
    bool is_csv;
};

/* HC_USAGE: there is no such leaf. */
enum hc_status hc_explain_check(const char *leaf, struct hc_error *err);
enum hc_status hc_explain_leaf(const struct hc_night_inputs *inputs, const char *cluster,
                               const struct hc_explain_choice *choice, FILE *stream,
                               struct hc_error *err);

#endif

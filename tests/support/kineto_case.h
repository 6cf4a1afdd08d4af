/* kineto_case.h - a Kineto trace read to whole tables, in batches of any size. */
#ifndef HC_TESTS_SUPPORT_KINETO_CASE_H
#define HC_TESTS_SUPPORT_KINETO_CASE_H

#include "core/tables/profile_tables.h"
#include "core/tables/row_report.h"
#include "core/tables/table_names.h"
#include "parsers/registry/format_registry.h"

struct kineto_case {
    enum hc_status status;
    struct hc_error err;
    struct hc_row_report report;
    struct hc_table_names names;
    struct hc_table table[HC_PROFILE_N_TABLES];
};

/* Read all of it with tables of batch_rows rows. Whatever came is in the case, also on failure. */
void kineto_case_read(struct kineto_case *c, const struct hc_source *source, size_t batch_rows,
                      bool op_names);
void kineto_case_fini(struct kineto_case *c);

/* A value of the one row of ranks. */
int64_t kineto_case_count(const struct kineto_case *c, enum hc_ranks_column column);

/* The sum of the values of a column that are not missing. */
int64_t kineto_case_sum(const struct kineto_case *c, enum hc_profile_table table, size_t column);

/* The text behind a code of a dictionary; "-" for a missing code. */
const char *kineto_case_text(const struct kineto_case *c, const char *dictionary, int32_t code);

#endif

/* kineto_rows.h - events of a Kineto trace to rows of the tables of a profile.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_KINETO_ROWS_H
#define HC_PARSERS_PROFILES_KINETO_ROWS_H

#include "core/tables/profile_tables.h"
#include "core/tables/row_report.h"
#include "core/tables/table_names.h"
#include "parsers/profiles/kineto_event.h"
#include "parsers/profiles/trace_names.h"

struct hc_kineto_rows {
    const char *source; /* for messages, as byte is: of the event in the text */
    int64_t byte;
    struct hc_trace_names event, thread, group, description, dtype, collective;
    bool op_names;
    uint8_t *activity; /* 1 + enum hc_gpu_activity of each code of event, 0: not looked at yet */
    size_t activity_capacity;
    char thread_text[256]; /* pid and tid of the last event, and their code */
    size_t thread_length;
    int32_t thread_code;
    int64_t n_class[HC_KINETO_N_CLASSES]; /* kept, or only counted */
    int64_t n_events, n_no_time, n_no_duration, n_negative, n_out_of_range;
    int64_t last_end_ns, first_start_ns; /* of all rows, from the base */
    struct hc_table *tables;             /* enum hc_profile_table: where rows go */
    bool is_full;                        /* one of them has no room for a row */
};

/* names: of the tables of the kind, which must stay. */
enum hc_status hc_kineto_rows_open(struct hc_kineto_rows **rows, const char *source,
                                   struct hc_table_names *names, bool op_names,
                                   struct hc_error *err);
void hc_kineto_rows_close(struct hc_kineto_rows *rows);

/* Count a complete event and append its rows. byte is where it stands, for messages. *is_good is
 * false where its arguments are no JSON: nothing was counted or appended then. */
enum hc_status hc_kineto_rows_take(struct hc_kineto_rows *rows, const struct hc_kineto_event *event,
                                   int64_t byte, struct hc_row_report *report, bool *is_good,
                                   struct hc_error *err);

#endif

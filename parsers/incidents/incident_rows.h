/* incident_rows.h - rows of the `incidents` table, put together value by value by any reader.
 * Private to this wing. */
#ifndef HC_PARSERS_INCIDENTS_INCIDENT_ROWS_H
#define HC_PARSERS_INCIDENTS_INCIDENT_ROWS_H

#include "core/base/status.h"
#include "core/tables/incidents/incident_cause_sources.h"
#include "core/tables/incidents/incident_table.h"
#include "core/tables/row_report.h"
#include "parsers/io/format.h"

#include <stdbool.h>

#define HC_INCIDENT_TEXT_MAX 1000 /* bytes of any text of a row */

/* Times, in ns, stay within it, so that no sum or difference of two overflows. */
#define HC_INCIDENT_TIME_LIMIT (((int64_t)1 << 62) - 1)

/* The first member of a parser. */
struct hc_incident_builder {
    const char *file;           /* for messages */
    const char *place_word;     /* "line", "event" */
    enum hc_fault_source words; /* how texts are understood where no cause is named */
    struct hc_table_names *names;
    int clock; /* enum hc_incident_clock, or -1 before the first time of a row is known */
    /* Reads on: adds a row, or none, or sets at_end. */
    enum hc_status (*read)(struct hc_incident_builder *builder, struct hc_error *err);
    bool at_end;
    /* of the batch */
    struct hc_table *rows;
    struct hc_row_report *report;
    /* of the row */
    long long place;
    size_t row;
    bool is_bad;
    enum hc_bad_reason reason;
    char why[200];
};

/* As `next_batch` of struct hc_format: calls `read` until the end or until the table is full. */
enum hc_status hc_incident_next_batch(void *parser, struct hc_table *rows,
                                      struct hc_row_report *report, struct hc_error *err);

void hc_incident_begin(struct hc_incident_builder *builder, long long place);

/* Say that the row is bad; the first reason stays. */
void hc_incident_bad(struct hc_incident_builder *builder, enum hc_bad_reason reason,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Put a text, empty for missing, in a column with a dictionary other than causes and classes. */
enum hc_status hc_incident_put_text(struct hc_incident_builder *builder,
                                    enum hc_incidents_column column, const char *text,
                                    size_t length, struct hc_error *err);

/* Put a value as our own forms write it (docs/formats/incidents.md) in any column. */
enum hc_status hc_incident_put(struct hc_incident_builder *builder, enum hc_incidents_column column,
                               const char *text, size_t length, struct hc_error *err);

/* Read a time of our own forms: ISO-8601 with a zone, or seconds from any beginning. False, the row
 * then being bad, when it is neither or not of the clock of the rows before. */
bool hc_incident_time(struct hc_incident_builder *builder, const char *name, const char *text,
                      size_t length, int64_t *time_ns);

/* The name of a column in our own forms, and the column of a name, or -1. */
const char *hc_incident_field_name(enum hc_incidents_column column);
int hc_incident_field_find(const char *name, size_t length);

/* The row is whole: it is kept, its cause and class found where nothing named them, or counted as
 * bad. */
enum hc_status hc_incident_end(struct hc_incident_builder *builder, struct hc_error *err);

#endif

/* incident_csv.h - what readers of incidents in CSV share: a header, then a row a record.
 * Private to this wing. */
#ifndef HC_PARSERS_INCIDENTS_INCIDENT_CSV_H
#define HC_PARSERS_INCIDENTS_INCIDENT_CSV_H

#include "parsers/incidents/incident_rows.h"
#include "parsers/io/csv_scanner.h"

/* The first member of a parser. */
struct hc_incident_csv {
    struct hc_incident_builder builder; /* whose `read` is hc_incident_csv_read */
    struct hc_csv_scanner *scanner;
    size_t n_columns; /* of the header */
    /* Takes a record as a row: from hc_incident_begin to hc_incident_end. */
    enum hc_status (*take)(struct hc_incident_csv *csv, const struct hc_csv_record *record,
                           struct hc_error *err);
};

/* Read and take the next record. A last line without a line end that is no whole row is where the
 * file was cut, and is not one bad row among many: HC_BAD_INPUT. */
enum hc_status hc_incident_csv_read(struct hc_incident_builder *builder, struct hc_error *err);

/* As `position` of struct hc_format. */
int64_t hc_incident_csv_position(const void *parser);

#endif

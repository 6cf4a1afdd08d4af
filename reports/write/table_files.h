/* table_files.h - the tables of a report as CSV files in a directory, with their index
 * (core/files/outset.h).
 */
#ifndef HC_REPORTS_WRITE_TABLE_FILES_H
#define HC_REPORTS_WRITE_TABLE_FILES_H

#include "core/files/outset.h"
#include "core/tables/record.h"

struct hc_table_file {
    const char *name; /* "waits.csv" */
    struct hc_record_table table;
};

struct hc_table_files {
    const struct hc_record_def *def; /* of the report */
    const void *report;
    const char *run_id;
    const struct hc_table_file *files;
    size_t n;
    bool (*has)(const void *report, size_t file); /* whether a file is written; NULL: all are */
};

enum hc_status hc_table_files_write(const struct hc_table_files *tables, struct hc_outset *set,
                                    const char *directory, struct hc_error *err);

#endif

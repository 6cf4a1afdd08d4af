/* csv_scanner.h - CSV by RFC 4180, as a forward stream of records in bounded memory.
 *
 * Lines end in LF or CRLF; a quoted field may hold commas, line ends and doubled quotes; a UTF-8
 * byte order mark is passed over; blank lines are no records. A quote within an unquoted field is
 * an ordinary letter. One record has at most HC_CSV_MAX_RECORD bytes; the file has no limit.
 */
#ifndef HC_PARSERS_IO_CSV_SCANNER_H
#define HC_PARSERS_IO_CSV_SCANNER_H

#include "core/base/memory.h"
#include "core/base/status.h"
#include "parsers/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_CSV_MAX_RECORD HC_BUFFER_SIZE((size_t)1 << 20)
#define HC_CSV_MAX_FIELDS HC_BUFFER_SIZE((size_t)1 << 16)

/* One field, unquoted. Not terminated, but HC_TEXT_PADDING bytes behind it may be read. */
struct hc_csv_field {
    const char *text;
    uint32_t length;
    bool quoted;
    bool escaped; /* the scanner's own: doubled quotes still to be undone */
};

struct hc_csv_record {
    size_t n_fields;                   /* 0 at the end of the file */
    const struct hc_csv_field *fields; /* valid until the next call */
    int64_t line;                      /* where it starts, from 1 */
    int64_t byte;                      /* where it starts in the decompressed data, from 0 */
    int64_t next_byte;                 /* where the next one starts */
    bool ended;                        /* by a line end; false for a last line without one */
    bool stray; /* a closing quote is followed by more text, which was dropped */
};

struct hc_csv_scanner;

enum hc_status hc_csv_open(struct hc_csv_scanner **scanner, const struct hc_source *source,
                           struct hc_error *err);
void hc_csv_close(struct hc_csv_scanner *scanner);

/* The next record. HC_BAD_INPUT, naming file, line and byte, for a NUL byte, a record that is too
 * long, a quote that is never closed, and damaged compressed data. */
enum hc_status hc_csv_next(struct hc_csv_scanner *scanner, struct hc_csv_record *record,
                           struct hc_error *err);

/* A last line without a line end is whole or cut, which its format must judge by its fields. What
 * cannot be a whole row of n_columns is cut: HC_BAD_INPUT, since as much again may be missing
 * behind it. What can be one is taken, with a warning. */
enum hc_status hc_csv_fail_cut(const struct hc_csv_scanner *scanner,
                               const struct hc_csv_record *record, size_t n_columns,
                               struct hc_error *err);
void hc_csv_warn_open_end(const struct hc_csv_scanner *scanner, const struct hc_csv_record *record);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_csv_position(const struct hc_csv_scanner *scanner);

#endif

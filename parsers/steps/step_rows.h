/* step_rows.h - from raw fields of a step timeline to rows of `ops`: the rules that all formats
 * with these columns share (docs/formats/step-csv.md). Private to this wing.
 *
 * A format decodes a block of rows into the raw columns below; hc_step_rows_append checks them,
 * counts the bad ones and appends the good ones to the table.
 *
 *   fatal: NaN or infinite times; negative durations; dp rank or stage outside what the metadata
 *          says; an op type that neither the vocabulary nor the metadata knows
 *   bad row (counted): a missing value in a mandatory field; a value that int32 cannot hold, or a
 *          negative one where none may be (-1 is "none" for mc, gmc, mb_id)
 */
#ifndef HC_PARSERS_STEPS_STEP_ROWS_H
#define HC_PARSERS_STEPS_STEP_ROWS_H

#include "core/base/clock.h"
#include "core/base/status.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "parsers/io/format.h"

#include <stdint.h>

/* The eleven columns, in the order of the raw struct below. */
enum hc_step_field {
    HC_FIELD_DP_RANK,
    HC_FIELD_STAGE,
    HC_FIELD_RANK,
    HC_FIELD_STEP,
    HC_FIELD_SEQ_ID,
    HC_FIELD_MC,
    HC_FIELD_MB_ID,
    HC_FIELD_GMC,
    HC_N_INT_FIELDS,
    HC_FIELD_OPTYPE = HC_N_INT_FIELDS,
    HC_FIELD_START_TS,
    HC_FIELD_DURATION,
    HC_N_STEP_FIELDS
};

/* Source spelling ("dp_rank", "mc", "start_ts", ...). */
const char *hc_step_field_name(enum hc_step_field field);

/* The field of that name, or -1. */
int hc_step_field_find(const char *name, size_t length);

/* HC_BAD_INPUT unless each of the eleven columns is there exactly once: names all that are missing
 * or doubled. found[f] is how often field f was seen; name is the file. */
enum hc_status hc_step_fields_check(const int found[HC_N_STEP_FIELDS], const char *name,
                                    struct hc_error *err);

/* n decoded rows. Integer fields hold HC_MISSING_I64 for null. op_type holds an op type,
 * HC_OP_IGNORED, or HC_OP_UNKNOWN for null (unknown names are fatal at decoding, where the name is
 * known). Rows with is_bad[i] != 0 were counted by the format already and are passed over. */
struct hc_step_raw {
    size_t n;
    int64_t first_place;    /* line or row number of row 0 in the source, from 1 */
    const char *place_word; /* "line" or "row" */
    int64_t *place; /* line of each row where lines may be blank, or NULL: first_place + i */
    int64_t *ints[HC_N_INT_FIELDS];
    int32_t *op_type;
    int64_t *start_ns, *duration_ns;
    uint8_t *start_flag, *duration_flag; /* enum hc_time_flag */
    uint8_t *is_bad;
};

enum hc_status hc_step_raw_init(struct hc_step_raw *raw, size_t capacity, struct hc_error *err);
void hc_step_raw_fini(struct hc_step_raw *raw);

/* What rows are read from and by, and where they go. */
struct hc_step_flow {
    const struct hc_source *source; /* named in messages */
    const struct hc_parse_options *options;
    struct hc_table *ops;
    struct hc_row_report *report;
};

/* Check rows [from, from + n) of raw and append the good ones to flow->ops, which must have room
 * for n. All n are counted in report->rows_read, also those that are bad already; ignored ones are
 * not checked. HC_BAD_INPUT for what is fatal (see above), naming file and row. */
enum hc_status hc_step_rows_append(const struct hc_step_raw *raw, size_t from, size_t n,
                                   const struct hc_step_flow *flow, struct hc_error *err);

/* Fail for a name that is no known op type; names the nearest one and the metadata key to use. */
enum hc_status hc_step_unknown_op_type(const struct hc_source *source, const char *place_word,
                                       int64_t place, const char *name, size_t length,
                                       struct hc_error *err);

#endif

/* own_form.h - the form in which each table of records can be written by hand or by a script: CSV
 * with a header of the table's columns, in any order, or JSON lines with these keys; lines of CSV
 * that begin with '#' are comments. `hindcast formats --template TABLE` prints one to fill.
 *
 * Rows of maps (table_map.h) go the same way: what a row must have, what is worked out, and which
 * words are permitted is one for both.
 */
#ifndef HC_PARSERS_TABULAR_OWN_FORM_H
#define HC_PARSERS_TABULAR_OWN_FORM_H

#include "core/tables/nodes/record_rows.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>
#include <stdint.h>

struct hc_own_form {
    const char *format; /* name of the format: "jobs-table" */
    const struct hc_table_def *def;
    enum hc_status (*start_names)(struct hc_table_names *names, struct hc_error *err);
    const char *required;  /* columns that every row has, as "job submit_ns" */
    const char *durations; /* columns in nanoseconds that are no times */
    const char *derived;   /* columns that are worked out where they are not given */
    const char *example;   /* a row: values of the required columns, and of a few others */

    /* Put a word that is none of the permitted ones in a column with fixed ones: other spellings.
     * False: it is no such word. NULL: there are none. */
    bool (*put_word)(const struct hc_record_writer *writer, size_t column, const char *text,
                     size_t length);
    /* Work out the derived columns of the last row, and fill defaults. is_local: a time of it was
     * read by the zone of the source. */
    void (*complete)(const struct hc_record_writer *writer, bool is_local);
    /* What is wrong with the last row as a whole, in words behind "line 7: ", or NULL. May be NULL:
     * nothing ever is. */
    const char *(*wrong)(const struct hc_record_writer *writer);
};

/* All forms; *n is their number. */
const struct hc_own_form *hc_own_forms(size_t *n);

/* The form of a table, or NULL. */
const struct hc_own_form *hc_own_form_find(const char *table);

/* The column of that name, or def->n_columns. */
size_t hc_own_column(const struct hc_table_def *def, const char *name, size_t length);

bool hc_own_is_required(const struct hc_own_form *form, size_t column);
bool hc_own_is_duration(const struct hc_own_form *form, size_t column);
bool hc_own_is_derived(const struct hc_own_form *form, size_t column);
/* Whether a column holds Unix time. */
bool hc_own_is_time(const struct hc_own_form *form, size_t column);

/* The permitted words of a column, from sets as start_names leaves them; NULL: any text, or no
 * text. */
const struct hc_text_set *hc_own_words(const struct hc_own_form *form, struct hc_table_names *names,
                                       size_t column);

#endif

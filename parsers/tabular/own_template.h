/* own_template.h - the own form of a table, to be filled: a line of comment on each column, the
 * header, and an example as a comment. */
#ifndef HC_PARSERS_TABULAR_OWN_TEMPLATE_H
#define HC_PARSERS_TABULAR_OWN_TEMPLATE_H

#include "parsers/tabular/own_form.h"

#include <stdio.h>

/* Write it; it is itself a file in that form, without a row. HC_NO_MEMORY only. */
enum hc_status hc_own_template_write(const struct hc_own_form *form, FILE *stream,
                                     struct hc_error *err);

#endif

/* own_probe.h - whether a file is in the own form of a table, by its first bytes.
 * Private to this wing. */
#ifndef HC_PARSERS_TABULAR_OWN_PROBE_H
#define HC_PARSERS_TABULAR_OWN_PROBE_H

#include "parsers/tabular/own_form.h"

/* What the first line of a template is. */
#define HC_OWN_TITLE "# hindcast table "

/* How sure, 0 to 100: by the first line of a template, else by a header (or the keys of a first
 * object) that has all required columns and no other than those of the table. */
int hc_own_probe(const struct hc_own_form *form, const unsigned char *head, size_t length);

#endif

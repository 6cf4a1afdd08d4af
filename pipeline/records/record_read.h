/* record_read.h - read back what hc_record_store wrote (core/tables/record.h). */
#ifndef HC_PIPELINE_RECORDS_RECORD_READ_H
#define HC_PIPELINE_RECORDS_RECORD_READ_H

#include "core/base/status.h"
#include "core/tables/record.h"

#include <jansson.h>

/* Set the stored members of a record from an object, lists and maps in the record itself among
 * them. Members that are pointers stay as they are: their owner reads them. HC_BAD_INPUT, with the
 * key and the name of the definition, when a member is missing, of another type, or larger than
 * what holds it; the record is then filled in part. Members that the table lacks are passed over.
 */
enum hc_status hc_record_read(const struct hc_record_def *def, const json_t *object, void *record,
                              struct hc_error *err);

#endif

/* site_schema.h - the keys of site files as JSON Schema, for editors. */
#ifndef HC_PIPELINE_SITE_SITE_SCHEMA_H
#define HC_PIPELINE_SITE_SITE_SCHEMA_H

#include "core/text/json_writer.h"

/* JSON Schema, draft 2020-12, as members of the object that is open. What depends on several keys,
 * on tables and on formats is not in it. */
void hc_site_schema_write(struct hc_json_writer *json);

#endif

/* scenario_schema.h - the table of keys for others: as JSON Schema for editors, and as the page
 * that people read. */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_SCHEMA_H
#define HC_STUDY_GRAMMAR_SCENARIO_SCHEMA_H

#include "core/text/json_writer.h"
#include "study/grammar/engine.h"

#include <stdio.h>

/* Of the scenarios of one engine, among those that there are: JSON Schema, draft 2020-12. What
 * depends on several keys is not in it. */
void hc_scenario_write_schema(struct hc_json_writer *json, const struct hc_engine *const *engines,
                              const struct hc_engine *engine);

/* Markdown tables of all keys, distributions and figures. */
void hc_scenario_write_markdown(FILE *stream, const struct hc_engine *const *engines,
                                const struct hc_engine *engine);

#endif

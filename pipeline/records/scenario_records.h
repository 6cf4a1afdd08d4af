/* scenario_records.h - what `scenario check` and `scenario show` say, field by field. */
#ifndef HC_PIPELINE_RECORDS_SCENARIO_RECORDS_H
#define HC_PIPELINE_RECORDS_SCENARIO_RECORDS_H

#include "core/tables/record.h"
#include "study/grammar/scenario_prepare.h"

/* Of a scenario that was checked: what is wrong with it, and what it asks for. */
struct hc_checked_scenario {
    const struct hc_scenario *scenario;
    const struct hc_study *study;
};
extern const struct hc_record_def hc_checked_scenario_record;

/* A value of a scenario, as JSON on one line. */
struct hc_shown_value {
    char *pointer, *text;
    const struct hc_place *place;
};

/* A scenario with each of its values. Lists of objects (sweeps) are gone into; others are one
 * value. */
struct hc_shown_scenario {
    const char *path, *variant;
    size_t n_values, capacity;
    struct hc_shown_value *value;
};
extern const struct hc_record_def hc_shown_scenario_record;

/* Fill in the values below a node. The places belong to the nodes, all else to the scenario that is
 * shown, which is to be finished in any case. HC_INTERNAL without memory. */
enum hc_status hc_shown_scenario_fill(struct hc_shown_scenario *shown, const struct hc_node *root,
                                      struct hc_error *err);
void hc_shown_scenario_fini(struct hc_shown_scenario *shown);

#endif

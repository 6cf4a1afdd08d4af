/* Values of a study as JSON. */
#include "reports/study/study_views.h"

void hc_study_json_value(struct hc_json_writer *json, const char *key,
                         const struct hc_study_value *value)
{
    hc_json_object_line(json, key);
    hc_json_real(json, "mean", value->mean);
    hc_json_real(json, "low", value->low);
    hc_json_real(json, "high", value->high);
    hc_json_real(json, "sd", value->sd);
    hc_json_end(json);
}

void hc_study_json_values(struct hc_json_writer *json, const char *key,
                          const struct hc_study_result *result, const struct hc_study_value *value)
{
    if (!value) {
        hc_json_null(json, key);
        return;
    }
    hc_json_object(json, key);
    for (size_t i = 0; i < result->n_columns; i++)
        hc_study_json_value(json, result->column[i].name, &value[i]);
    hc_json_end(json);
}

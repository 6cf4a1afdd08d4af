#include "reports/study/study_value_records.h"

static const struct hc_study_result *result_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

#define VALUE(...) HC_FIELD(struct hc_study_value, __VA_ARGS__)
static const struct hc_field interval_fields[] = {
    VALUE("mean", mean, "", "over replicas"),
    VALUE("low", low, "", "end of its interval; null below two replicas"),
    VALUE("high", high, "", "end of its interval; null below two replicas"),
};
const struct hc_record_def hc_study_interval_record = HC_RECORD(NULL, interval_fields);

static const struct hc_field value_fields[] = {
    HC_SAME_PART(&hc_study_interval_record),
    VALUE("sd", sd, "", "deviation between replicas; null below two"),
};
const struct hc_record_def hc_study_value_record = HC_RECORD("a value", value_fields);

size_t hc_study_count_columns(const struct hc_item *at)
{
    return result_of(at)->n_columns;
}

HC_GIVES_TEXT(name_here, result_of(at)->column[at->index].name)

static const struct hc_field figure_fields[] = {
    HC_TEXT_OF("figure", name_here, "its name"),
    HC_GROUP("value", &hc_study_value_record, "", .rules = HC_LINE),
};
const struct hc_record_def hc_study_figure_record = HC_RECORD(NULL, figure_fields);

static const char *run_around(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    (void)room;
    while (at->parent->parent)
        at = at->parent;
    return HC_OF(struct hc_study_run, at)->name;
}

static const struct hc_field run_name_fields[] = {
    HC_TEXT_OF("run", run_around, "its name", .rules = HC_ONLY_CSV),
};
const struct hc_record_def hc_study_run_name_record = HC_RECORD(NULL, run_name_fields);

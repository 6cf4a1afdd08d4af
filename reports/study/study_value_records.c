#include "reports/study/study_value_records.h"

#include "study/run/study_ranges.h"

static const struct hc_study_result *result_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

HC_GIVES_TEXT(name_here, result_of(at)->column[at->index].name)

#define VALUE(...) HC_FIELD(struct hc_study_value, __VA_ARGS__)
static const struct hc_field interval_fields[] = {
    VALUE("mean", mean, "", "over replicas; of a figure like `wall_d.p95` the quantile"),
    VALUE("low", low, "", "end of its interval; null where replicas are too few for one"),
    VALUE("high", high, "", "end of its interval; null where replicas are too few for one"),
};
const struct hc_record_def hc_study_interval_record = HC_RECORD(NULL, interval_fields);

static const struct hc_field value_fields[] = {
    HC_SAME_PART(&hc_study_interval_record),
    VALUE("sd", sd, "", "deviation between replicas; null below two, and of quantiles"),
};
const struct hc_record_def hc_study_value_record = HC_RECORD("a value", value_fields);

static const struct hc_field quantile_fields[] = {
    VALUE("value", mean, "", "that a replica had"),
    VALUE("low", low, "", "end of its interval; null where replicas are too few"),
    VALUE("high", high, "", "end of its interval; null where replicas are too few"),
};
static const struct hc_record_def quantile = HC_RECORD("a quantile", quantile_fields);

/* Of a spread at the place of its column in a run. */
static const char *widest_here(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    struct hc_study_range range[HC_STUDY_RANGES];
    const struct hc_item *run = at;
    (void)room;
    while (run->parent->parent)
        run = run->parent;
    bool is_one = hc_study_ranges(HC_OF(struct hc_study_run, run), at->index, range) > 0;
    return is_one ? hc_study_range_key((int)range[0].kind) : NULL;
}

#define SPREAD(name_, member, ...)                                                                 \
    HC_OBJECT(struct hc_study_spread, name_, member, &quantile, __VA_ARGS__, .rules = HC_LINE)
static const struct hc_field spread_fields[] = {
    SPREAD("p05", p05, "5 % of replicas have at most this"),
    SPREAD("p50", p50, "half of them have"),
    SPREAD("p95", p95, "95 % of them have"),
    HC_FIELD(struct hc_study_spread, "replicas", n_replicas, "",
             "of which these are made: the first that are kept, and have the figure"),
    HC_TEXT_OF("widest", widest_here,
               "which spread of the figure is: simulation, between (5 % to 95 % of replicas), "
               "inputs; null where none has a width"),
};
static const struct hc_record_def spread = HC_RECORD("a spread", spread_fields);

static const struct hc_field named_spread_fields[] = {
    HC_TEXT_OF("figure", name_here, "its name"),
    HC_GROUP("spread", &spread, ""),
};
const struct hc_record_def hc_study_named_spread_record = HC_RECORD(NULL, named_spread_fields);

size_t hc_study_count_columns(const struct hc_item *at)
{
    return result_of(at)->n_columns;
}

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

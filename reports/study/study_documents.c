#include "reports/study/study_engine_views.h"
#include "reports/study/study_records.h"
#include "reports/study/study_views.h"

void hc_study_write_json(const struct hc_study_result *result, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_study_record, &(struct hc_item){.record = result});
}

/* ---- CSV ---- */

/* Tables of every study; those of its engine stand between the two groups. */
static const struct hc_study_csv first[] = {
    {"runs", {"runs.run_figures", "run,figure,unit,mean,low,high,sd,replicas,p05,p50,p95"}},
    {"comparison",
     {"runs.compared_figures",
      "run,base,figure,unit,difference=difference.mean,difference_low=difference.low,"
      "difference_high=difference.high,interaction=interaction.mean,"
      "interaction_low=interaction.low,interaction_high=interaction.high"}},
    {"replicas", {"runs.kept_replicas", "run,replica,figures"}},
};
static const struct hc_study_csv last[] = {
    {"sweep", {"sweep.points", "run,settings,replicas,unfinished,intervals"}},
    {"sweep_long",
     {"sweep.points.point_figures",
      "run,settings,replicas,unfinished,figure,unit,mean,low,high,sd"}},
    {"find",
     {"find.tries", "path,value,mean=figure.mean,low=figure.low,high=figure.high,holds,found"}},
    {"sensitivity",
     {"sensitivity.bars", "path,unit,figure,base,low,high,at_low=at_low.mean,at_low_low=at_low.low,"
                          "at_low_high=at_low.high,at_high=at_high.mean,at_high_low=at_high.low,"
                          "at_high_high=at_high.high"}},
};

const struct hc_study_csv *hc_study_nth_csv(const struct hc_study_result *result, size_t i)
{
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    const size_t n_first = sizeof first / sizeof *first, n_engine = views ? views->n_csv : 0;
    if (i < n_first)
        return &first[i];
    i -= n_first;
    if (i < n_engine)
        return &views->csv[i];
    i -= n_engine;
    return i < sizeof last / sizeof *last ? &last[i] : NULL;
}

void hc_study_write_table(const struct hc_study_result *result, const struct hc_study_csv *csv,
                          FILE *stream)
{
    hc_record_csv_table(stream, &hc_study_record, &csv->table, &(struct hc_item){.record = result});
}

void hc_study_write_csv(const struct hc_study_result *result, FILE *stream)
{
    hc_study_write_table(result, result->n_points ? &last[0] : &first[0], stream);
}

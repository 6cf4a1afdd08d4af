#include "reports/study/lifetime/life_json.h"

#include "reports/study/study_views.h"
#include "study/engines/lifetime/lifetime_findings.h"
#include "study/engines/lifetime/lifetime_record.h"

void hc_life_json_counts(struct hc_json_writer *json, const struct hc_study_run *run)
{
    hc_json_i64(json, "starved", (int64_t)hc_life_findings_of(run)->n_starved);
}

static void write_jobs(struct hc_json_writer *json, const struct hc_study_result *result,
                       const struct hc_study_jobs *jobs)
{
    if (!jobs) {
        hc_json_null(json, "jobs");
        return;
    }
    hc_json_object(json, "jobs");
    hc_study_json_value(json, "pool_idle_gpu_h", &jobs->pool_idle_gpu_h);
    hc_study_json_value(json, "total_gpu_h", &jobs->total_gpu_h);
    hc_json_array(json, "each");
    for (size_t i = 0; i < jobs->n_jobs; i++) {
        const struct hc_study_job *job = &jobs->job[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "name", job->name);
        hc_json_i32(json, "nodes", job->nodes);
        hc_json_i32(json, "priority", job->priority);
        hc_study_json_values(json, "figures", result, job->value);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

void hc_life_json_run(struct hc_json_writer *json, const struct hc_study_result *result,
                      const struct hc_study_run *run)
{
    const struct hc_life_findings *life = hc_life_findings_of(run);
    const struct hc_item item = {.record = life};
    hc_record_members(json, &hc_life_json, &item);
    write_jobs(json, result, life->jobs);
    hc_record_members(json, &hc_life_more_json, &item);
}

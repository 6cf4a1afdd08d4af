/* What the random numbers of a study brought about, as a list (study/grammar/engine.h). */
#include "study/run/study_run.h"
#include "study/run/study_work.h"

enum hc_status hc_study_list_check(const struct hc_scenario *scenario, struct hc_study *study,
                                   struct hc_error *err)
{
    const struct hc_engine *engine = scenario->engine;
    if (!engine->write_list)
        return hc_fail(err, HC_BAD_INPUT, "the engine '%s' has no list of what it draws",
                       engine->name);
    hc_scenario_settle(scenario, &study->variant[0].point, 1);
    return engine->check_list(study->variant[0].point.config, err);
}

enum hc_status hc_study_list_write(const struct hc_scenario *scenario, const struct hc_study *study,
                                   FILE *stream, struct hc_error *err)
{
    return scenario->engine->write_list(study->variant[0].point.config, (size_t)study->replicas,
                                        stream, err);
}

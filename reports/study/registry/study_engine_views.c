/* The table of engines with views of their own. */
#include "reports/study/study_engine_views.h"

#include "reports/study/lifetime/life_views.h"
#include "reports/study/replay/replay_views.h"

#include <string.h>

const struct hc_study_engine_views *hc_study_views_find(const struct hc_study_result *result)
{
    static const struct hc_study_engine_views *const all[] = {&hc_life_views, &hc_replay_views};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (result->engine && result->run[0].detail && strcmp(result->engine, all[i]->engine) == 0)
            return all[i];
    return NULL;
}

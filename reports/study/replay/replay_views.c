#include "reports/study/replay/replay_views.h"

#include "reports/study/replay/replay_tables.h"

static bool has_edits(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (!hc_replay_is_untouched(&result->run[r]))
            return true;
    return false;
}

static const struct hc_study_part first[] = {
    {"steps", "Step by step", NULL, hc_replay_html_steps},
    {"critical-path", "Critical path", NULL, hc_replay_html_path},
    {"edits", "Edits", has_edits, hc_replay_html_edits},
};

const struct hc_study_engine_views hc_replay_views = {
    .engine = "replay",
    .first = first,
    .n_first = sizeof first / sizeof *first,
    .text_answer = hc_replay_text_answer,
    .text_tables = hc_replay_text_tables,
};

#include "reports/study/replay/replay_views.h"

#include "reports/export/perfetto/perfetto_writer.h"
#include "reports/export/perfetto/profile_perfetto.h"
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

/* ---- the timelines ---- */

static const struct hc_replay_picture *picture_of(const struct hc_study_result *result)
{
    return hc_replay_run_findings(&result->run[0])->picture;
}

static const struct hc_replay_profile_picture *
profile_picture_of(const struct hc_study_result *result)
{
    return hc_replay_run_findings(&result->run[0])->profile_picture;
}

static bool has_picture(const struct hc_study_result *result)
{
    return picture_of(result) || profile_picture_of(result);
}

/* The same of profiler traces: whose slices are written as they come. */
static enum hc_status write_profiles(FILE *stream, const char *path,
                                     const struct hc_replay_profile_picture *picture,
                                     struct hc_error *err)
{
    struct hc_profile_perfetto *perfetto = NULL;
    struct hc_profile_perfetto_counts counts;
    enum hc_status status = hc_profile_perfetto_open(&perfetto, stream, path, false, err);
    for (int is_edited = 0; is_edited <= picture->has_edits && !status; is_edited++) {
        status =
            hc_profile_perfetto_begin_group(perfetto, is_edited ? picture->run : "untouched", err);
        if (!status)
            status = hc_replay_picture_each(picture, is_edited, hc_profile_perfetto_slice, perfetto,
                                            err);
    }
    if (!status)
        status = hc_profile_perfetto_finish(
            perfetto, picture->job, picture->has_edits ? "untouched and edited" : "untouched",
            &counts, err);
    hc_profile_perfetto_close(perfetto);
    return status;
}

/* The untouched step, then the edited one. */
static enum hc_status write_timelines(FILE *stream, const char *path,
                                      const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_replay_picture *picture = picture_of(result);
    if (!picture)
        return write_profiles(stream, path, profile_picture_of(result), err);
    const struct hc_perfetto_group untouched = {"untouched", result->run_id},
                                   edited = {picture->run, NULL};
    struct hc_perfetto *perfetto = NULL;
    struct hc_perfetto_counts counts;
    enum hc_status status = hc_perfetto_open(&perfetto, stream, path, false, err);
    if (!status)
        status = hc_perfetto_begin_group(perfetto, &untouched, err);
    if (!status)
        status = hc_perfetto_step(perfetto, &picture->untouched, err);
    if (!status && picture->edited.n_ops)
        status = hc_perfetto_begin_group(perfetto, &edited, err);
    if (!status && picture->edited.n_ops)
        status = hc_perfetto_step(perfetto, &picture->edited, err);
    if (!status)
        status = hc_perfetto_finish(perfetto, &counts, err);
    hc_perfetto_close(perfetto);
    return status;
}

static const struct hc_study_engine_file files[] = {
    {"steps.perfetto.json", has_picture, write_timelines},
};

const struct hc_study_engine_views hc_replay_views = {
    .engine = "replay",
    .first = first,
    .n_first = sizeof first / sizeof *first,
    .text_answer = hc_replay_text_answer,
    .text_tables = hc_replay_text_tables,
    .files = files,
    .n_files = sizeof files / sizeof *files,
};

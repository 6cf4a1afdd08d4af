#include "reports/night/night_sections.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/text/number_format.h"

#include <math.h>

struct hc_section hc_night_times_section(const struct hc_night_times *times, size_t n)
{
    static const struct hc_section_column columns[] = {
        {.title = "name"},
        {.title = "times", .is_right = true},
        {.title = "median", .is_right = true},
        {.title = "90 % within", .is_right = true},
        {.title = "median of 28 days before", .is_right = true},
        {.title = "times then", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 6};
    for (size_t i = 0; i < n; i++) {
        char text[HC_NUMBER_TEXT];
        hc_section_text(&section, times[i].name);
        hc_section_count(&section, (int64_t)times[i].n);
        hc_section_text(&section, hc_format_seconds(times[i].median_s, text));
        hc_section_text(&section, hc_format_seconds(times[i].p90_s, text));
        hc_section_text(&section, hc_format_seconds(times[i].median_before_s, text));
        hc_section_count(&section, (int64_t)times[i].n_before);
    }
    return section;
}

struct hc_section hc_night_marks_section(const struct hc_night_result *result)
{
    static const struct hc_section_column columns[] = {
        {.title = "known as"},
        {.title = "GPU-hours", .is_right = true},
        {.title = "share", .is_right = true},
    };
    const double shares[HC_N_MARKS] = {[HC_MARK_MEASURED] = result->measured_share,
                                       [HC_MARK_ESTIMATED] = result->estimated_share,
                                       [HC_MARK_UNKNOWN] = result->unknown_share};
    struct hc_section section = {.columns = columns, .n_columns = 3};
    for (int mark = 0; mark < HC_N_MARKS && result->total_gpu_ns > 0; mark++) {
        char text[HC_NUMBER_TEXT];
        hc_section_text(&section, hc_mark_name((enum hc_mark)mark));
        hc_section_hours(&section, shares[mark] * result->gpu_hours,
                         hc_night_hours(shares[mark] * result->gpu_hours, text));
        hc_section_percent(&section, shares[mark]);
    }
    char text[HC_NUMBER_TEXT];
    hc_section_note(&section,
                    "The leaves sum to what was held%s. Logs tell faults to an interval: %s "
                    "GPU-hours of these days lie between detection and lost work.",
                    result->adds_up ? ", to the nanosecond, in each grouping"
                                    : ": NO, this is a bug",
                    hc_night_hours(result->uncertain_gpu_hours, text));
    return section;
}

struct hc_section hc_night_joins_section(const struct hc_night_context *context)
{
    static const struct hc_section_column columns[] = {
        {.title = "log joined an attempt by"},
        {.title = "launches", .is_right = true},
        {.title = "GPU-hours of the attempts", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 3};
    for (size_t i = 0; i < context->n_joins; i++) {
        const struct hc_night_join *join = &context->joins[i];
        char name[80], text[HC_NUMBER_TEXT];
        snprintf(name, sizeof name, "%s%s", join->is_joined ? "" : "not joined: ", join->method);
        hc_section_text(&section, name);
        hc_section_count(&section, join->launches);
        if (join->is_joined)
            hc_section_hours(&section, join->gpu_hours, hc_night_hours(join->gpu_hours, text));
        else
            hc_section_text(&section, "");
    }
    return section;
}

struct hc_section hc_night_sources_section(const struct hc_night_context *context)
{
    static const struct hc_section_column columns[] = {
        {.title = "records"},
        {.title = "GPU-hours that they cover", .is_right = true},
        {.title = "share", .is_right = true},
        {.title = "last time stamp"},
    };
    struct hc_section section = {.columns = columns, .n_columns = 4};
    for (size_t i = 0; i < context->n_sources; i++) {
        const struct hc_night_source *source = &context->sources[i];
        char text[48];
        hc_section_text(&section, source->table);
        if (isnan(source->gpu_hours))
            hc_section_text(&section, "");
        else
            hc_section_hours(&section, source->gpu_hours, hc_night_hours(source->gpu_hours, text));
        if (isnan(source->share))
            hc_section_text(&section, "");
        else
            hc_section_percent(&section, source->share);
        char last[48] = "";
        if (source->last_ns != HC_MISSING_I64)
            snprintf(last, sizeof last, "%.19sZ", hc_known_iso8601(source->last_ns, text));
        hc_section_text(&section, last);
    }
    hc_section_note(&section,
                    "Covered are, by jobs: attempts whose record says how many GPUs they held; by "
                    "train_steps, phases and ops: attempts that a log, a phase or a timeline "
                    "joined; by events and node_states: GPU-time on nodes that any of them names. "
                    "A node that is watched and has nothing to say is not covered by events.");
    return section;
}

struct hc_section hc_night_timelines_section(const struct hc_timeline_use *use)
{
    static const struct hc_section_column columns[] = {
        {.title = "timelines of ops"},
        {.title = "count", .is_right = true},
    };
    const struct {
        const char *words;
        int64_t n;
    } rows[] = {
        {"joined an attempt of the window", use->n_joined},
        {"of them, by which productive steps are split", use->n_split},
        {"of them, whose replay differs by more than 5 %: they split nothing", use->n_discrepant},
        {"of them, that cannot be replayed", use->n_unusable},
    };
    struct hc_section section = {.columns = columns, .n_columns = 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && use->n_joined > 0; i++) {
        hc_section_text(&section, rows[i].words);
        hc_section_count(&section, rows[i].n);
    }
    return section;
}

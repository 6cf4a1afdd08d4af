#include "cli/commands/profiles/profile_export.h"

#include "cli/commands/profiles/profile_output.h"
#include "cli/frame/output.h"
#include "core/base/log.h"
#include "core/text/number_format.h"
#include "reports/export/perfetto/profile_perfetto.h"

#include <string.h>

static void note_counts(const struct hc_profile_perfetto_counts *counts)
{
    char slices[HC_NUMBER_TEXT], flows[HC_NUMBER_TEXT], path[HC_NUMBER_TEXT];
    hc_note("wrote %s slices, %s arrow%s of collectives, a critical path of %s stretches",
            hc_format_count(counts->n_slices, slices), hc_format_count(counts->n_flows, flows),
            counts->n_flows == 1 ? "" : "s", hc_format_count(counts->n_path, path));
    if (counts->n_moved)
        hc_note("%lld slices overlap another of their stream or thread, and are on further tracks",
                (long long)counts->n_moved);
    if (counts->n_without_flows)
        hc_warn("%lld members of collectives end before the last arrives, and have no arrow",
                (long long)counts->n_without_flows);
}

/* The slices of one timeline, or of two that stand side by side and then have names. */
static enum hc_status write_slices(const struct hc_profile_export *given,
                                   const struct hc_profile *profile,
                                   const struct hc_collectives *collectives,
                                   struct hc_profile_perfetto *perfetto, struct hc_error *err)
{
    struct hc_profile_whatif_options options = {.threads = given->threads};
    const enum hc_profile_timeline timelines[] = {given->timeline, HC_PROFILE_IDEAL};
    enum hc_status status = hc_profile_choose_steps(&options, given->steps, err);
    for (int i = 0; i <= given->adds_ideal && status == HC_OK; i++) {
        const struct hc_profile_view view = {.timeline = timelines[i], .only_step = HC_MISSING_I64};
        if (given->adds_ideal)
            status = hc_profile_perfetto_begin_group(perfetto,
                                                     hc_profile_timeline_words[timelines[i]], err);
        if (status == HC_OK)
            status = hc_profile_timeline_each(profile, collectives, &options, &view,
                                              hc_profile_perfetto_slice, perfetto, err);
    }
    return status;
}

static enum hc_status write_timeline(const struct hc_profile_export *given,
                                     const struct hc_loaded_profile *loaded,
                                     struct hc_profile_perfetto *perfetto, struct hc_error *err)
{
    struct hc_profile_perfetto_counts counts;
    struct hc_collectives collectives = {0};
    enum hc_status status =
        hc_collectives_match(&collectives, &loaded->profile, !given->keeps_clocks, err);
    if (status == HC_OK)
        status = write_slices(given, &loaded->profile, &collectives, perfetto, err);
    hc_collectives_fini(&collectives);
    if (status)
        return status == HC_IO || status == HC_USAGE ? status
                                                     : hc_context(err, "%s", loaded->label);
    if (hc_profile_perfetto_finish(perfetto, &loaded->job,
                                   given->adds_ideal ? "traced and ideal"
                                                     : hc_profile_timeline_words[given->timeline],
                                   &counts, err))
        return err->status;
    note_counts(&counts);
    return HC_OK;
}

static enum hc_status write_output(const struct hc_profile_export *given,
                                   const struct hc_loaded_profile *loaded, struct hc_error *err)
{
    struct hc_common_options common = {.output = given->output};
    struct hc_profile_perfetto *perfetto = NULL;
    struct hc_output output;
    size_t length = strlen(given->output);
    bool packs = length > 3 && strcmp(given->output + length - 3, ".gz") == 0;
    if (hc_output_open(&output, &common, false, err))
        return err->status;
    enum hc_status status = hc_profile_perfetto_open(
        &perfetto, output.stream,
        strcmp(given->output, "-") == 0 ? "standard output" : given->output, packs, err);
    if (status == HC_OK)
        status = write_timeline(given, loaded, perfetto, err);
    hc_profile_perfetto_close(perfetto);
    return hc_output_end(&output, status, err);
}

enum hc_status hc_profile_export(const struct hc_profile_export *given, struct hc_error *err)
{
    const struct hc_profile_choice choice = {
        .n = given->words->n, .arguments = given->words->word, .by = HC_STEPS_BY_PROFILER};
    struct hc_loaded_profile loaded;
    if (hc_profile_load(&loaded, given->loader, &choice, err))
        return err->status;
    enum hc_status status = write_output(given, &loaded, err);
    hc_loaded_profile_fini(&loaded);
    return status;
}

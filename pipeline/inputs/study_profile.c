#include "pipeline/inputs/study_profile.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/base/step_ranges.h"
#include "models/profiles/collectives.h"
#include "sim/profiles/edits/profile_base.h"
#include "study/engines/replay/replay_engine.h"

#include <stdlib.h>
#include <string.h>

/* A profile that is loaded, and what was made of it. */
struct kept {
    struct hc_replay_input input; /* first: the timeline of the source */
    struct hc_loaded_profile loaded;
    struct hc_collectives collectives;
    struct hc_profile_base base;
    const char **hosts; /* [n_ranks] */
};

static void free_kept(void *timeline)
{
    struct kept *kept = timeline;
    hc_profile_base_fini(&kept->base);
    hc_collectives_fini(&kept->collectives);
    hc_loaded_profile_fini(&kept->loaded);
    free(kept->hosts);
    free(kept);
}

static enum hc_status choose_window(struct hc_profile_whatif_options *window, const char *steps,
                                    struct hc_error *err)
{
    struct hc_step_ranges ranges = {.n = 0};
    *window = (struct hc_profile_whatif_options){.threads = 1};
    enum hc_status status = steps ? hc_step_ranges_parse(&ranges, steps, err) : HC_OK;
    if (!status && hc_profile_whatif_choose(window, &ranges, err))
        status = err->status = HC_BAD_INPUT; /* of the scenario, not of the command line */
    hc_step_ranges_fini(&ranges);
    return status;
}

/* Hosts by rank, as the metadata of the job names them. */
static enum hc_status find_hosts(struct kept *kept, struct hc_error *err)
{
    const struct hc_profile *profile = &kept->loaded.profile;
    kept->hosts = hc_new_array(profile->n_ranks, sizeof *kept->hosts, err);
    if (!kept->hosts)
        return err->status;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        kept->hosts[r] = hc_job_node(&kept->loaded.job, profile->ranks[r].rank);
        kept->base.has_hosts |= kept->hosts[r] != NULL;
    }
    kept->base.hosts = kept->hosts;
    return HC_OK;
}

static enum hc_status keep_origin(struct hc_data_source *source,
                                  const struct hc_loaded_profile *loaded, struct hc_error *err)
{
    const struct hc_job *job = &loaded->job;
    FILE *all = hc_digest_stream(source->sha256, err);
    if (!all)
        return err->status;
    for (size_t i = 0; i < loaded->n_sources; i++)
        fputs(loaded->sources[i].sha256, all);
    fclose(all);
    if (loaded->n_sources == 1)
        memcpy(source->sha256, loaded->sources[0].sha256, sizeof source->sha256);
    if (!source->path && !(source->path = hc_copy_text(loaded->sources[0].path, err)))
        return err->status;
    if (!source->is_job && job->meta_path) {
        memcpy(source->meta_sha256, job->meta_sha256, sizeof source->meta_sha256);
        if (!(source->meta_path = hc_copy_text(job->meta_path, err)))
            return err->status;
    }
    source->title = hc_new_text(err, "%s", source->is_job ? source->name : loaded->label);
    return source->title ? HC_OK : err->status;
}

static enum hc_status replay(struct kept *kept, const struct hc_data_source *source,
                             struct hc_error *err)
{
    struct hc_profile_whatif_options window;
    enum hc_status status = choose_window(&window, source->steps, err);
    if (!status)
        status = hc_collectives_match(&kept->collectives, &kept->loaded.profile, true, err);
    if (!status)
        status = hc_profile_base_init(&kept->base, &kept->loaded.profile, &kept->collectives,
                                      &window, err);
    if (!status)
        status = find_hosts(kept, err);
    return status ? hc_context(err, "%s", kept->loaded.label) : HC_OK;
}

enum hc_status hc_study_profile_read(struct hc_data_source *source, struct hc_trace_loader *loader,
                                     struct hc_error *err)
{
    const char *name = source->name;
    const struct hc_profile_choice choice = {1, &name, HC_STEPS_BY_PROFILER, source->is_job};
    struct kept *kept = hc_new_array(1, sizeof *kept, err);
    if (!kept)
        return err->status;
    source->timeline = kept;
    source->free_timeline = free_kept;
    enum hc_status status = hc_profile_load(&kept->loaded, loader, &choice, err);
    if (!status)
        status = replay(kept, source, err);
    kept->input.profile = &kept->base;
    kept->input.job = &kept->loaded.job;
    return status ? status : keep_origin(source, &kept->loaded, err);
}

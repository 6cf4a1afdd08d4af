#include "cli/options/choice_options.h"

#include "core/base/memory.h"
#include "pipeline/inputs/trace_load.h"
#include "pipeline/site/site_file.h"

#include <stdlib.h>
#include <string.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

const struct hc_option hc_choice_options[] = {
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct hc_choice_options, cluster),
     .unset = "all",
     .help = "look at this cluster only"},
    {.name = "since",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct hc_choice_options, since),
     .unset = "from the first on",
     .parse = hc_moment_parse,
     .help = "of the archive: what was on this day or later, as 2026-03-01 (a day of the site "
             "file's zone, else of UTC) or 2026-03-01T12:00:00Z"},
    {.name = "until",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct hc_choice_options, until),
     .unset = "to the last",
     .parse = hc_moment_parse,
     .help = "of the archive: what was on this day, to its end, or earlier"},
    HC_OPTION_END,
};

bool hc_choice_is_given(const struct hc_choice_options *options)
{
    return options->cluster || options->since.is_given || options->until.is_given;
}

/* ---- dates ---- */

/* The zone in which a day is meant: that of the site file, if there is one. */
static enum hc_status open_zone(struct hc_zone *zone, struct hc_error *err)
{
    struct hc_site site = {0};
    *zone = (struct hc_zone){0};
    if (!hc_site_is_there(NULL))
        return HC_OK;
    enum hc_status status = hc_site_open(&site, NULL, err);
    if (!status && site.zone)
        status = hc_zone_init(zone, site.zone, err);
    hc_site_close(&site);
    return status;
}

/* The beginning of the day of --since; the end of that of --until, which is looked at too. */
static int64_t bound(const struct hc_moment *moment, const struct hc_zone *zone, bool is_end)
{
    struct hc_moment at = *moment;
    if (at.is_day && is_end && __builtin_add_overflow(at.ns, DAY_NS, &at.ns))
        return INT64_MAX;
    return hc_moment_in(&at, zone);
}

enum hc_status hc_choice_bounds(int64_t bounds_ns[2], const struct hc_choice_options *options,
                                struct hc_error *err)
{
    const struct hc_moment *since = &options->since, *until = &options->until;
    struct hc_zone zone = {0};
    bounds_ns[0] = INT64_MIN;
    bounds_ns[1] = INT64_MAX;
    if (since->is_relative || until->is_relative)
        return hc_fail(err, HC_USAGE, "--since and --until are dates, as 2026-03-30");
    if ((since->is_day || until->is_day) && open_zone(&zone, err))
        return hc_context(err, "the zone of --since and --until");
    if (since->is_given)
        bounds_ns[0] = bound(since, &zone, false);
    if (until->is_given)
        bounds_ns[1] = bound(until, &zone, true);
    hc_zone_fini(&zone);
    if (bounds_ns[0] >= bounds_ns[1])
        return hc_fail(err, HC_USAGE, "--since is behind --until: nothing lies between");
    return HC_OK;
}

/* ---- jobs ---- */

enum hc_status hc_choice_start(struct hc_job_choice *choice,
                               const struct hc_choice_options *options, struct hc_error *err)
{
    int64_t bounds_ns[2];
    if (hc_choice_bounds(bounds_ns, options, err))
        return err->status;
    *choice = (struct hc_job_choice){
        .cluster = options->cluster, .since_ns = bounds_ns[0], .until_ns = bounds_ns[1]};
    return HC_OK;
}

enum hc_status hc_choice_entries(bool **is_chosen, const struct hc_archive *archive,
                                 const struct hc_choice_options *options, const char *table,
                                 const struct hc_words *names, struct hc_error *err)
{
    struct hc_job_choice choice;
    *is_chosen = NULL;
    if (hc_choice_start(&choice, options, err) ||
        !(*is_chosen = hc_new_array(archive->n_entries + 1, sizeof **is_chosen, err)))
        return err->status;
    choice.archive = archive;
    choice.table = table;
    return hc_jobs_choose(*is_chosen, &choice, names->word, names->n, err);
}

/* ---- words ---- */

/* A word that names no file, and may mean several jobs, or others than without the options. */
static bool is_to_choose(const char *word, const struct hc_choice_options *options)
{
    return !hc_is_trace_file(word) && (hc_choice_is_given(options) || hc_is_job_pattern(word));
}

static enum hc_status add_word(struct hc_words *jobs, char *word, struct hc_error *err)
{
    if (!word || hc_words_add(jobs, word, err)) {
        free(word);
        return err->status;
    }
    return HC_OK;
}

static bool has_word(const struct hc_words *words, const char *word)
{
    for (size_t i = 0; i < words->n; i++)
        if (strcmp(words->word[i], word) == 0)
            return true;
    return false;
}

/* The words to choose by, together: a date that one of the jobs is not of leaves the others. */
static enum hc_status choose_jobs(bool *is_chosen, const struct hc_words *words,
                                  const struct hc_choice_options *options,
                                  const struct hc_job_choice *choice, struct hc_error *err)
{
    struct hc_words names = {.n = 0};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < words->n && !status; i++)
        if (is_to_choose(words->word[i], options))
            status = hc_words_add(&names, words->word[i], err);
    if (!status)
        status = hc_jobs_choose(is_chosen, choice, names.word, names.n, err);
    free(names.word);
    return status;
}

/* The chosen jobs that one word means. */
static enum hc_status add_jobs(struct hc_words *jobs, const char *word, const bool *is_chosen,
                               const struct hc_job_choice *choice, struct hc_error *err)
{
    const struct hc_archive *archive = choice->archive;
    const struct hc_archive_choice named = {
        .name = word, .table = choice->table, .cluster = choice->cluster};
    bool *is_named = hc_new_array(archive->n_entries + 1, sizeof *is_named, err);
    enum hc_status status =
        is_named ? hc_archive_choose(archive, &named, is_named, err) : err->status;
    for (size_t i = 0; i < archive->n_entries && !status; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!is_named[i] || !is_chosen[i])
            continue;
        char *name = hc_new_text(err, "%s/%s#%d", entry->cluster, entry->job_id, entry->attempt);
        if (name && has_word(jobs, name)) /* a rank of it, or another pattern, named it before */
            free(name);
        else
            status = add_word(jobs, name, err);
    }
    free(is_named);
    return status;
}

static enum hc_status choose_words(struct hc_words *jobs, const struct hc_words *words,
                                   const struct hc_choice_options *options,
                                   const struct hc_archive *archive, const char *table,
                                   struct hc_error *err)
{
    struct hc_job_choice choice;
    bool *is_chosen = hc_new_array(archive->n_entries + 1, sizeof *is_chosen, err);
    enum hc_status status = is_chosen ? hc_choice_start(&choice, options, err) : err->status;
    if (!status) {
        choice.archive = archive;
        choice.table = table;
        status = choose_jobs(is_chosen, words, options, &choice, err);
    }
    for (size_t i = 0; i < words->n && !status; i++)
        status = is_to_choose(words->word[i], options)
                     ? add_jobs(jobs, words->word[i], is_chosen, &choice, err)
                     : add_word(jobs, hc_copy_text(words->word[i], err), err);
    free(is_chosen);
    return status;
}

static enum hc_status copy_words(struct hc_words *jobs, const struct hc_words *words,
                                 struct hc_error *err)
{
    for (size_t i = 0; i < words->n; i++)
        if (add_word(jobs, hc_copy_text(words->word[i], err), err))
            return err->status;
    return HC_OK;
}

enum hc_status hc_choice_words(struct hc_words *jobs, const struct hc_words *words,
                               const struct hc_choice_options *options,
                               struct hc_trace_loader *loader, const char *table,
                               struct hc_error *err)
{
    size_t n_to_choose = 0;
    *jobs = (struct hc_words){.n = 0};
    for (size_t i = 0; i < words->n; i++) {
        n_to_choose += is_to_choose(words->word[i], options);
        if (hc_choice_is_given(options) && !is_to_choose(words->word[i], options))
            return hc_fail(err, HC_USAGE,
                           "'%.200s' is a file: --cluster, --since and --until are for jobs of the "
                           "archive",
                           words->word[i]);
    }
    if (n_to_choose == 0)
        return copy_words(jobs, words, err);
    if (!loader->archive && hc_archive_open(&loader->archive, loader->archive_path, false, err))
        return err->status;
    return choose_words(jobs, words, options, loader->archive, table, err);
}

void hc_choice_words_fini(struct hc_words *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        free((char *)jobs->word[i]);
    free(jobs->word);
    *jobs = (struct hc_words){.n = 0};
}

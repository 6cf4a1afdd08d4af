#include "pipeline/inputs/trace_choice.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- exact names ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of a name without "#2" at its end. */
static size_t without_attempt(const char *name, size_t length)
{
    size_t end = length;
    while (end > 0 && is_digit(name[end - 1]))
        end--;
    return end > 0 && end < length && name[end - 1] == '#' ? end - 1 : length;
}

static bool is_text(const char *text, const char *name, size_t length)
{
    return strlen(text) == length && strncmp(text, name, length) == 0;
}

/* Whether a job has this id, or this cluster and id. */
static bool has_job(const struct hc_archive *archive, const char *name, size_t length)
{
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        size_t cluster = strlen(entry->cluster);
        if (is_text(entry->job_id, name, length))
            return true;
        if (length > cluster && name[cluster] == '/' && is_text(entry->cluster, name, cluster) &&
            is_text(entry->job_id, name + cluster + 1, length - cluster - 1))
            return true;
    }
    return false;
}

/* Whether a file, or a job with or without its attempt, has exactly this name. */
static bool is_exact_name(struct hc_trace_loader *loader, const char *name)
{
    struct hc_error ignored;
    size_t length = strlen(name);
    if (hc_is_trace_file(name))
        return true;
    if (!loader->archive &&
        hc_archive_open(&loader->archive, loader->archive_path, false, &ignored))
        return false;
    return has_job(loader->archive, name, length) ||
           has_job(loader->archive, name, without_attempt(name, length));
}

/* ---- what is chosen ---- */

/* Cut the steps off a name, which is a copy of the argument: they follow the last '@'. NULL where
 * there are none. */
static const char *cut_steps(char *name, const char *argument, struct hc_trace_loader *loader)
{
    const char *at = strrchr(argument, '@');
    if (!at || at == argument || is_exact_name(loader, argument))
        return NULL;
    name[at - argument] = '\0';
    if (!at[1] || is_digit(at[1]) || is_exact_name(loader, name))
        return at + 1;
    name[at - argument] = '@';
    return NULL;
}

/* Whether a second list of steps, or the attempt of a file, is in front of what was cut off. */
static enum hc_status check_name(char *name, const char *argument, struct hc_trace_loader *loader,
                                 struct hc_error *err)
{
    size_t length = strlen(name), file = without_attempt(name, length);
    const char *at = strrchr(name, '@');
    if (is_exact_name(loader, name))
        return HC_OK;
    if (at && at != name && is_digit(at[1]))
        return hc_fail(err, HC_USAGE,
                       "'%s' has more than one '@', and '%s' is no file and no job: steps are one "
                       "list, as JOB@1-60,80-99",
                       argument, name);
    char mark = name[file];
    name[file] = '\0';
    bool is_file = file < length && hc_is_trace_file(name);
    if (is_file)
        return hc_fail(err, HC_USAGE,
                       "'%s': '%s' is a file, and attempts are of jobs of an archive", argument,
                       name);
    name[file] = mark;
    return HC_OK;
}

enum hc_status hc_trace_choice_parse(struct hc_trace_choice *choice, const char *argument,
                                     struct hc_trace_loader *loader, struct hc_error *err)
{
    memset(choice, 0, sizeof *choice);
    choice->name = hc_copy_text(argument, err);
    if (!choice->name)
        return err->status;
    const char *steps = cut_steps(choice->name, argument, loader);
    enum hc_status status = HC_OK;
    if (steps && hc_step_ranges_parse(&choice->steps, steps, err))
        status = hc_context(err, "steps of '%s'", argument);
    if (status == HC_OK)
        status = check_name(choice->name, argument, loader, err);
    if (status)
        hc_trace_choice_fini(choice);
    return status;
}

void hc_trace_choice_fini(struct hc_trace_choice *choice)
{
    free(choice->name);
    hc_step_ranges_fini(&choice->steps);
    choice->name = NULL;
}

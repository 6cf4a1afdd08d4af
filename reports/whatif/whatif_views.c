#include "reports/whatif/whatif_views.h"

#include "core/base/memory.h"
#include "core/process/made_by.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *text;
} fates[HC_N_STEP_FATES] = {
    [HC_STEP_USED] = {"used", "used"},
    [HC_STEP_NOT_SELECTED] = {"not_selected", "not selected by --steps"},
    [HC_STEP_BAD_ROWS] = {"bad_rows", "rows could not be read"},
    [HC_STEP_DUPLICATE] = {"duplicate", "duplicate rows"},
    [HC_STEP_ABSENT] = {"absent", "dp ranks differ in their ops"},
    [HC_STEP_WARM_UP] = {"warm_up", "as warm-up"},
    [HC_STEP_OUTLIER] = {"outlier", "standing apart from all others"},
    [HC_STEP_NO_GRAPH] = {"no_graph", "no valid dependency graph"},
};

const char *hc_whatif_partition_key(enum hc_partition partition)
{
    static const char *const keys[HC_N_PARTITIONS] = {"dp_rank", "stage", "op_type"};
    return keys[partition];
}

const char *hc_step_fate_key(enum hc_step_fate fate)
{
    return fates[fate].key;
}

const char *hc_step_fate_text(enum hc_step_fate fate)
{
    return fates[fate].text;
}

size_t *hc_split_descending(const struct hc_split *split, struct hc_error *err)
{
    double *values = hc_new_array(split->n_groups, sizeof *values, err);
    if (!values)
        return NULL;
    for (size_t g = 0; g < split->n_groups; g++)
        values[g] = split->groups[g].slowdown;
    size_t *order = hc_descending(values, split->n_groups, err);
    free(values);
    return order;
}

const char *hc_fix_kind_key(enum hc_fix_kind kind)
{
    static const char *const keys[HC_N_FIX_KINDS] = {"workers", "stages", "op_types"};
    return keys[kind];
}

const char *hc_fix_kind_text(enum hc_fix_kind kind)
{
    static const char *const texts[HC_N_FIX_KINDS] = {"workers", "stages", "op types"};
    return texts[kind];
}

const char *hc_fix_member_name(const struct hc_whatif_result *result, enum hc_fix_kind kind,
                               int32_t member, char text[HC_MEMBER_TEXT])
{
    const struct hc_split *types = &result->blocking[HC_BY_OP_TYPE];
    if (kind == HC_FIX_WORKERS && member >= 0 && (size_t)member < result->n_workers) {
        const struct hc_worker *worker = &result->workers[member];
        snprintf(text, HC_MEMBER_TEXT, "rank %" PRId32 " (dp %" PRId32 ", stage %" PRId32 ")",
                 worker->rank, worker->dp_rank, worker->stage);
    } else if (kind == HC_FIX_OP_TYPES && member >= 0 && (size_t)member < types->n_groups) {
        snprintf(text, HC_MEMBER_TEXT, "%s", types->groups[member].name);
    } else {
        snprintf(text, HC_MEMBER_TEXT, kind == HC_FIX_STAGES ? "stage %" PRId32 : "%" PRId32,
                 member);
    }
    return text;
}

const char *hc_shapley_name(const struct hc_shapley_share *share, char text[HC_MEMBER_TEXT])
{
    snprintf(text, HC_MEMBER_TEXT, share->n_types > 1 ? "%s (%zu)" : "%s", share->name,
             share->n_types);
    return text;
}

/* ---- the command that fixes the first culprit ---- */

/* Whether a text can be shown, and a shell takes it as one word as it is: names are foreign text.
 */
static bool is_plain(const char *text)
{
    static const char odd[] = "'\"\\$&|;()<>*?[]{}~`!";
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c > '~' || strchr(odd, *c))
            return false;
    return *text != '\0' && *text != '-';
}

/* The words of the command line after "hindcast whatif"; of one of several jobs its own name. */
static bool try_words(const struct hc_whatif_report *report, char *text, size_t size)
{
    static const char head[] = "hindcast whatif ";
    const char *command = hc_made_by().command;
    const struct hc_job *job = &report->result->job;
    if (report->is_only && command && strncmp(command, head, sizeof head - 1) == 0) {
        for (const char *c = command; *c; c++) /* its words are quoted already */
            if (*c < ' ' || *c > '~')
                return false;
        return (size_t)snprintf(text, size, "%s", command + sizeof head - 1) < size;
    }
    size_t used = report->archive
                      ? (size_t)snprintf(text, size, "%s/%s#%" PRId32, job->cluster, job->id,
                                         job->attempt == HC_MISSING_I32 ? 0 : job->attempt)
                      : (size_t)snprintf(text, size, "%s", report->source_path);
    return used < size && is_plain(text);
}

bool hc_whatif_try_text(const struct hc_whatif_report *report, char text[HC_TRY_TEXT])
{
    char name[HC_FIX_NAME], words[HC_TRY_TEXT / 2];
    const char *archive = report->archive;
    if (report->result->depth.n_asked_fixes || !hc_fix_to_try(report->result, name) ||
        !is_plain(name) || (archive && !is_plain(archive)) ||
        !try_words(report, words, sizeof words))
        return false;
    return snprintf(text, HC_TRY_TEXT, "hindcast whatif%s%s --fix %s %s", archive ? " -a " : "",
                    archive ? archive : "", name, words) < HC_TRY_TEXT;
}

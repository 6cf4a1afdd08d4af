#include "reports/whatif/osdi_artifact.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/json_records.h"
#include "core/tables/table.h"
#include "core/text/json_writer.h"
#include "reports/whatif/whatif_views.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of the two families of fields: blocking_ and launch_. */
struct family {
    const char *name;
    const struct hc_split *splits;
    const double *step_slowdown;
    double (*group_slowdown)(const struct hc_whatif_result *result,
                             const struct hc_split_group *group, size_t step);
    size_t *step_order; /* by descending step_slowdown: the order of keys in the files */
};

enum { BLOCKING, LAUNCH, N_FAMILIES };

/* The peer's names and order of the partitions. */
static const char *const partition_names[HC_N_PARTITIONS] = {"dp_rank", "stage", "optype"};

/* Sizes are the metadata's; what it does not say and the trace shows is taken from there. */
static void write_job(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    struct hc_job job = result->job;
    job.dp_size = job.dp_size == HC_MISSING_I32 ? result->dp_size : job.dp_size;
    job.pp_size = job.pp_size == HC_MISSING_I32 ? result->pp_size : job.pp_size;
    job.vpp_size = job.vpp_size == HC_MISSING_I32 ? result->vpp_size : job.vpp_size;
    hc_json_object(json, "job_meta");
    hc_json_text(json, "trial_name", job.id);
    hc_json_i32(json, "run_id", job.attempt);
    hc_json_job_sizes(json, &job);
    hc_json_end(json);
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static void write_step_times(struct hc_json_writer *json, const char *name,
                             const struct hc_whatif_result *result, const int64_t *times_ns)
{
    char key[16];
    hc_json_object(json, name);
    for (size_t s = 0; s < result->n_steps; s++) {
        snprintf(key, sizeof key, "%" PRId32, result->steps[s]);
        hc_json_real(json, key, seconds(times_ns[s]));
    }
    hc_json_end(json);
}

static void write_step_slowdowns(struct hc_json_writer *json, const struct hc_whatif_result *result,
                                 const struct family *family)
{
    char key[32];
    snprintf(key, sizeof key, "%s_step_slowdown", family->name);
    if (result->hides_waiting && family->splits == result->launch) {
        hc_json_null(json, key);
        return;
    }
    hc_json_object(json, key);
    for (size_t i = 0; i < result->n_steps; i++) {
        size_t s = family->step_order[i];
        snprintf(key, sizeof key, "%" PRId32, result->steps[s]);
        hc_json_real(json, key, family->step_slowdown[s]);
    }
    hc_json_end(json);
}

/* The peer's category "first-op" shows up empty when a trace has no P2P op. It is the
 * last category, so among equal values it comes last. */
struct members {
    const struct hc_split *split;
    double *values; /* one a group, then perhaps "first-op" */
    size_t n;
};

/* A map of the groups by descending value. */
static enum hc_status write_members(struct hc_json_writer *json, const char *name,
                                    const struct members *members, struct hc_error *err)
{
    size_t *order = hc_descending(members->values, members->n, err);
    if (!order)
        return err->status;
    hc_json_object(json, name);
    for (size_t i = 0; i < members->n; i++) {
        size_t g = order[i];
        const char *key = "first-op";
        char number[16];
        if (g < members->split->n_groups) {
            const struct hc_split_group *group = &members->split->groups[g];
            snprintf(number, sizeof number, "%" PRId32, group->id);
            key = group->name ? group->name : number;
        }
        hc_json_real(json, key, members->values[g]);
    }
    hc_json_end(json);
    free(order);
    return HC_OK;
}

static enum hc_status init_members(struct members *members, const struct hc_split *split,
                                   bool has_first_op, struct hc_error *err)
{
    *members = (struct members){.split = split};
    members->n = split->n_groups + has_first_op;
    members->values = hc_new_array(members->n, sizeof *members->values, err);
    if (!members->values)
        return err->status;
    if (has_first_op)
        members->values[split->n_groups] = 1;
    return HC_OK;
}

static enum hc_status write_split(struct hc_json_writer *json, const char *name,
                                  struct members *members, struct hc_error *err)
{
    for (size_t g = 0; g < members->split->n_groups; g++)
        members->values[g] = members->split->groups[g].slowdown;
    return write_members(json, name, members, err);
}

static enum hc_status write_split_steps(struct hc_json_writer *json, const char *name,
                                        const struct hc_whatif_result *result,
                                        const struct family *family, struct members *members,
                                        struct hc_error *err)
{
    enum hc_status status = HC_OK;
    hc_json_object(json, name);
    for (size_t i = 0; i < result->n_steps && status == HC_OK; i++) {
        size_t s = family->step_order[i];
        for (size_t g = 0; g < members->split->n_groups; g++)
            members->values[g] = family->group_slowdown(result, &members->split->groups[g], s);
        char key[16];
        snprintf(key, sizeof key, "%" PRId32, result->steps[s]);
        status = write_members(json, key, members, err);
    }
    hc_json_end(json);
    return status;
}

/* One field of decompositions: of all steps, or of each. */
static enum hc_status write_decomposition(struct hc_json_writer *json,
                                          const struct hc_whatif_result *result,
                                          const struct family *family, enum hc_partition partition,
                                          bool per_step, struct hc_error *err)
{
    const struct hc_split *split = &family->splits[partition];
    char name[64];
    snprintf(name, sizeof name, "%s_decompose_by_%s%s", family->name, partition_names[partition],
             per_step ? "_per_step" : "");
    if (split->n_groups == 0) {
        hc_json_null(json, name);
        return HC_OK;
    }
    bool has_first_op = family->splits == result->blocking && partition == HC_BY_OP_TYPE &&
                        !hc_whatif_has_p2p(result);
    struct members members;
    if (init_members(&members, split, has_first_op, err))
        return err->status;
    enum hc_status status = per_step ? write_split_steps(json, name, result, family, &members, err)
                                     : write_split(json, name, &members, err);
    free(members.values);
    return status;
}

static enum hc_status write_result(FILE *stream, const char *path,
                                   const struct hc_whatif_result *result,
                                   const struct family families[N_FAMILIES], struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    write_job(&json, result);
    write_step_times(&json, "step_t_base", result, result->traced_ns);
    write_step_times(&json, "step_t_nodelay", result, result->replayed_ns);
    write_step_times(&json, "step_t_noblk", result, result->ideal_ns);
    hc_json_real(&json, "launch_slowdown", result->launch_slowdown);
    hc_json_real(&json, "blocking_slowdown", result->slowdown);
    for (int f = 0; f < N_FAMILIES; f++)
        write_step_slowdowns(&json, result, &families[f]);
    for (int per_step = 0; per_step < 2; per_step++)
        for (int partition = 0; partition < HC_N_PARTITIONS; partition++)
            for (int f = 0; f < N_FAMILIES; f++)
                if (write_decomposition(&json, result, &families[f], partition, per_step, err))
                    return err->status;
    hc_json_end(&json);
    return hc_json_finish(&json, path, err);
}

static enum hc_status write_explained(FILE *stream, const char *path, const char *name,
                                      const struct hc_explained *explained, struct hc_error *err)
{
    struct hc_json_writer json;
    struct hc_explained_shares shares = hc_explained_of_any_excess(explained);
    hc_json_start(&json, stream, 4);
    hc_json_object(&json, NULL);
    hc_json_real(&json, "trem", explained->removed_s);
    hc_json_real(&json, "tadd", explained->added_s);
    hc_json_real(&json, "tori", explained->replayed_s);
    hc_json_real(&json, "tideal", explained->ideal_s);
    hc_json_real(&json, "rem", shares.rem);
    hc_json_real(&json, "add", shares.add);
    hc_json_real(&json, name, shares.rem);
    hc_json_end(&json);
    return hc_json_finish(&json, path, err);
}

/* ---- the files ---- */

enum { RESULT_FILE, MS_FILE, MW_FILE, N_FILES };

/* Where they go. */
struct compat_place {
    struct hc_outset *set;
    const char *directory;
    char name[HC_COMPAT_NAME_LENGTH + 1];
};

void hc_osdi_artifact_name(const char *id, char name[HC_COMPAT_NAME_LENGTH + 1])
{
    size_t n = 0;
    while (id && *id) {
        struct hc_shown shown = hc_show(id); /* listings of directories are looked at, too */
        unsigned char c = (unsigned char)*id;
        bool is_safe = c >= 0x80 ? !shown.is_escaped : isalnum(c) || strchr("._-+=@", c);
        size_t length = is_safe ? shown.length : 1;
        if (n + length > HC_COMPAT_NAME_LENGTH)
            break;
        memcpy(name + n, is_safe ? id : "_", length);
        n += length;
        id += shown.length;
    }
    if (n == 0)
        name[n++] = '_';
    name[n] = '\0';
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) /* a directory that is there already */
        name[0] = '_';
}

static char *path_of(const struct compat_place *place, int file, struct hc_error *err)
{
    static const char *const kinds[N_FILES] = {"result", "ms", "mw"};
    return hc_new_text(err, "%s/%s-%s.json", place->directory, kinds[file], place->name);
}

/* A file of an earlier run must not stand beside results that it does not belong to. */
static enum hc_status drop_stale(const struct compat_place *place, const char *path,
                                 struct hc_error *err)
{
    if (hc_outset_drop(place->set, path, err))
        return err->status;
    hc_warn("'%s' is not written: that figure needs the decomposition, which was not done "
            "(lower --threshold to have it)",
            path);
    return HC_OK;
}

static enum hc_status write_file(const struct compat_place *place, int file,
                                 const struct hc_whatif_result *result,
                                 const struct family families[N_FAMILIES], struct hc_error *err)
{
    const struct hc_explained *explained = file == MS_FILE ? &result->m_s : &result->m_w;
    FILE *stream;
    char *path = path_of(place, file, err);
    enum hc_status status = path ? HC_OK : err->status;
    if (status == HC_OK && file != RESULT_FILE && !explained->done)
        status = drop_stale(place, path, err);
    else if (status == HC_OK)
        status = hc_outset_add(place->set, path, &stream, err);
    if (status == HC_OK && file == RESULT_FILE)
        status = write_result(stream, path, result, families, err);
    else if (status == HC_OK && explained->done)
        status = write_explained(stream, path, file == MS_FILE ? "Ms" : "Mw", explained, err);
    free(path);
    return status;
}

static enum hc_status write_files(const struct compat_place *place,
                                  const struct hc_whatif_report *report,
                                  const struct family families[N_FAMILIES], struct hc_error *err)
{
    if (hc_outset_directory(place->set, place->directory, err))
        return err->status;
    char *index = hc_new_text(err, "files-%s.sha256", place->name);
    enum hc_status status =
        index ? hc_outset_index_begin(place->set, place->directory, index, report->run_id, err)
              : err->status;
    for (int i = 0; i < N_FILES && status == HC_OK; i++)
        status = write_file(place, i, report->result, families, err);
    hc_outset_index_end(place->set);
    free(index);
    return status;
}

enum hc_status hc_whatif_write_compat(struct hc_outset *set, const char *directory,
                                      const struct hc_whatif_report *report, struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    struct family families[N_FAMILIES] = {
        [BLOCKING] = {"blocking", result->blocking, result->step_slowdown,
                      hc_blocking_step_slowdown, NULL},
        [LAUNCH] = {"launch", result->launch, result->step_launch_slowdown, hc_launch_step_slowdown,
                    NULL},
    };
    struct compat_place place = {set, directory, ""};
    enum hc_status status = HC_OK;
    hc_osdi_artifact_name(result->job.id, place.name);
    if (result->n_structures > 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "job '%s': the analysed steps have %zu different sets of ops, which the "
                       "compatible output cannot express; select steps of one kind with --steps, "
                       "or use --json",
                       result->job.id, result->n_structures);
    if (result->hides_waiting)
        hc_warn("job '%s': the launch fields of the compatible output are null: the trace shows "
                "transfers without the wait before them",
                result->job.id);
    for (int f = 0; f < N_FAMILIES && status == HC_OK; f++) {
        families[f].step_order = hc_descending(families[f].step_slowdown, result->n_steps, err);
        status = families[f].step_order ? HC_OK : err->status;
    }
    if (status == HC_OK)
        status = write_files(&place, report, families, err);
    for (int f = 0; f < N_FAMILIES; f++)
        free(families[f].step_order);
    return status;
}

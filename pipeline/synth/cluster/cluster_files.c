#include "pipeline/synth/cluster/cluster_files.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SCRATCH ".parts"

enum hc_status hc_cluster_add_directory(struct hc_cluster_site *site, const char *name,
                                        struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", site->directory, name);
    enum hc_status status = path ? hc_outset_directory(site->set, path, err) : err->status;
    free(path);
    return status;
}

FILE *hc_cluster_add_file(struct hc_cluster_site *site, const char *name, struct hc_error *err)
{
    FILE *stream = NULL;
    char *path = hc_new_text(err, "%s/%s", site->directory, name);
    if (path && hc_outset_add(site->set, path, &stream, err))
        stream = NULL;
    free(path);
    return stream;
}

enum hc_status hc_cluster_begin_parts(struct hc_cluster_site *site, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/" SCRATCH, site->directory);
    enum hc_status status = path ? hc_outset_scratch_directory(site->set, path, err) : err->status;
    free(path);
    return status;
}

/* "logs/run-01/7.out" as one name in the scratch directory. */
static char *scratch_of(const struct hc_cluster_site *site, const char *name, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/" SCRATCH "/%s", site->directory, name);
    for (char *c = path ? path + (strlen(path) - strlen(name)) : NULL; c && *c; c++)
        *c = (char)(*c == '/' ? '~' : *c);
    return path;
}

enum hc_status hc_cluster_add_part(struct hc_cluster_site *site, const char *name,
                                   const struct hc_cluster_part *part, bool is_more,
                                   struct hc_error *err)
{
    char *from = scratch_of(site, name, err);
    char *path = from ? hc_new_text(err, "%s/%s", site->directory, name) : NULL;
    enum hc_status status = path ? HC_OK : err->status;
    FILE *stream = path ? fopen(from, "a") : NULL;
    if (path && !stream)
        status = hc_fail_errno(err, "cannot write", from);
    if (stream) {
        part->write(stream, site, part->of, part->dialect);
        bool is_bad = ferror(stream);
        if (fclose(stream) || is_bad)
            status = hc_fail_errno(err, "cannot write", from);
        else if (!is_more)
            status = hc_outset_adopt(site->set, from, path, true, err);
    }
    free(from);
    free(path);
    return status;
}

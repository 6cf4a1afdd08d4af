/* tar_sources.h - archives of tar as inputs: their members one after the other. */
#ifndef HC_PIPELINE_SOURCES_TAR_SOURCES_H
#define HC_PIPELINE_SOURCES_TAR_SOURCES_H

#include "core/base/status.h"
#include "parsers/io/source.h"

#include <stdbool.h>

/* Whether the file at path begins as a tar archive does; false where that cannot be read, or is no
 * regular file. */
bool hc_is_tar(const char *path);

/* Of a member that lies in a tar archive ("x.tar.gz:traces/rank0.json"), where the name of the
 * archive ends; NULL: it is a file of its own. */
const char *hc_tar_name_end(const char *name);

/* Takes the member; what it returns other than HC_OK ends the walk. */
typedef enum hc_status hc_tar_member(struct hc_source *member, void *context, struct hc_error *err);

/* Call take for each file of the archive at path. */
enum hc_status hc_tar_each(const char *path, hc_tar_member *take, void *context,
                           struct hc_error *err);

#endif

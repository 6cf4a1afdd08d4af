/* outfolder_tree.h - folders that hindcast wrote: what is in them, which are left over, and the end
 * of them. Private to this wing. */
#ifndef HC_CORE_FILES_OUTFOLDER_TREE_H
#define HC_CORE_FILES_OUTFOLDER_TREE_H

#include "core/base/status.h"

#include <stdbool.h>

/* What stands in an index before the name of a file without a digest. */
#define HC_UNLISTED "# not listed: "

/* HC_USAGE unless a folder may be replaced: it has an index, and nothing that this does not name.
 * HC_OK where nothing is at path. */
enum hc_status hc_outfolder_check_ours(const char *path, struct hc_error *err);

/* Remove a folder and all that is in it. Links are removed, not followed. False: something stayed.
 */
bool hc_outfolder_remove(const char *path);

/* Remove what writers that were killed left in a directory that this process has locked: folders
 * under temporary names of one like `name` that no process holds, and links like `link`. A whole
 * folder whose own name is free is put back. */
void hc_outfolder_sweep(const char *parent, const char *name, const char *link);

/* Name of the greatest folder in parent that has digits where `name` has them and is
 * else named the same, at least `name` itself; the
 * caller's. NULL with err filled. */
char *hc_outfolder_greatest(const char *parent, const char *name, struct hc_error *err);

#endif

/* site_runs.h - what a site file says besides its sources: its partitions, and which attempts are
 * one run. Private to this wing. */
#ifndef HC_PIPELINE_SITE_SITE_RUNS_H
#define HC_PIPELINE_SITE_SITE_RUNS_H

#include "pipeline/site/site_file.h"

/* Read the partitions and run rules of the document into the site; directory is that of the site
 * file, with its slash, or "". Mistakes are complaints. HC_NO_MEMORY only. */
enum hc_status hc_site_runs_read(struct hc_site *site, const struct hc_node *root,
                                 const char *directory, struct hc_error *err);
void hc_site_runs_fini(struct hc_site *site);

#endif

/* site_run_names.h - the run of an attempt, by the rules of the site file. */
#ifndef HC_PIPELINE_SITE_SITE_RUN_NAMES_H
#define HC_PIPELINE_SITE_SITE_RUN_NAMES_H

#include "pipeline/site/site_file.h"

#define HC_SITE_RUN_ROOM 256

/* What rules look at; NULL: not recorded. */
struct hc_site_attempt {
    int64_t job; /* number that users know */
    const char *cluster, *name, *comment, *work_dir;
};

/* The name that the first rule gives which names one, in room if it must be made; NULL: none does.
 * Longer names are cut. */
const char *hc_site_run_name(const struct hc_site *site, const struct hc_site_attempt *attempt,
                             char room[HC_SITE_RUN_ROOM]);

#endif

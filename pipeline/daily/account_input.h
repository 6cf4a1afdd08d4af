/* account_input.h - the account of the jobs that an archive has. */
#ifndef HC_PIPELINE_DAILY_ACCOUNT_INPUT_H
#define HC_PIPELINE_DAILY_ACCOUNT_INPUT_H

#include "models/account/job_account.h"
#include "pipeline/site/site_file.h"
#include "store/archive/archive.h"

struct hc_account_source {
    size_t n_segments, n_clusters;
    char *first_day, *last_day;        /* of submission; NULL: there is none */
    struct hc_corrections corrections; /* that act in the account */
};

/* What is counted, and by what. */
struct hc_account_choice {
    const struct hc_archive *archive;
    const char *cluster;        /* NULL: all */
    const struct hc_site *site; /* what partitions have and cost; NULL: not known */
};

/* Add all jobs that are chosen to an account, whose window is set; it and its source belong
 * together. HC_BAD_INPUT: the archive has no accounting of a scheduler, or none of that cluster. */
enum hc_status hc_account_load(struct hc_job_account *account, struct hc_account_source *source,
                               const struct hc_account_choice *choice, struct hc_error *err);
void hc_account_source_fini(struct hc_account_source *source);

#endif

/* fleet_pages.h - the HTML report of a fleet as a directory: index.html, and jobs/ with a page for
 * each analysed job.
 *
 * A page needs the full result of its job, which no cached row has. So pages stay where they are,
 * each with the key of what it was made from in its last line, and only those whose key differs
 * are made anew. These wait in a directory of their own until the report is written, so that the
 * old one and its pages stay together until then. Shards leave them to `hindcast merge`, and to a
 * second try when they are stopped.
 */
#ifndef HC_PIPELINE_FLEET_FLEET_PAGES_H
#define HC_PIPELINE_FLEET_FLEET_PAGES_H

#include "core/base/status.h"
#include "core/files/outset.h"
#include "pipeline/fleet/fleet_partial.h"
#include "reports/fleet/fleet_report.h"
#include "reports/whatif/whatif_report.h"
#include "sim/fleet/fleet_row.h"

#include <pthread.h>
#include <stdbool.h>

#define HC_FLEET_PAGES "jobs" /* within the directory */

struct hc_fleet_pages {
    const char *directory;
    const char *archive, *inputs; /* what pages depend on besides their segment */
    bool are_left; /* pages that wait stay, whatever becomes of this run: those of a shard */
    char **made;   /* else their names; from here on inner matters */
    size_t n_made, capacity;
    pthread_mutex_t lock;
};

/* Remove the pages that were made, since the run failed. From their making to the end of the run,
 * hc_fleet_pages_fini, a signal that stops it does the same. */
void hc_fleet_pages_drop(const struct hc_fleet_pages *pages);
void hc_fleet_pages_fini(struct hc_fleet_pages *pages);

/* Make the directories, also where pages wait; that goes with the set, unless pages are in it. */
enum hc_status hc_fleet_pages_prepare(struct hc_outset *set, const char *directory,
                                      struct hc_error *err);

/* Whether the page of an analysed job is absent, or was made from something else. context is a
 * struct hc_fleet_pages. From any thread. */
bool hc_fleet_pages_want(const struct hc_fleet_row *row, void *context);

/* Write the page of a job, for hc_fleet_pages_index to take it; as above. */
enum hc_status hc_fleet_pages_take(const struct hc_fleet_row *row,
                                   const struct hc_whatif_report *report, void *context,
                                   struct hc_error *err);

/* Add index.html to the set, and the pages that wait, and the list of all files; it links these
 * pages and those that were there. report->run_id is needed. */
enum hc_status hc_fleet_pages_index(struct hc_outset *set, const char *directory, bool leaves_pages,
                                    struct hc_fleet_report *report, struct hc_error *err);

#endif

/* night_pages.h - pages of the runs, nodes and users of a night, which stand beside its index. */
#ifndef HC_REPORTS_NIGHT_NIGHT_PAGES_H
#define HC_REPORTS_NIGHT_NIGHT_PAGES_H

#include "core/text/text_set.h"
#include "models/account/night/night_members.h"
#include "reports/night/night_report.h"

/* So many pages of a kind at most: of the runs and users that held most GPU-hours, and of the nodes
 * that lost most. A page takes some 20 kB, and a site keeps them for years. */
#define HC_NIGHT_MOST_PAGES 1000

enum hc_night_page_kind {
    HC_NIGHT_PAGE_RUN,
    HC_NIGHT_PAGE_NODE,
    HC_NIGHT_PAGE_USER,
    HC_N_NIGHT_PAGE_KINDS
};

/* Names that have a page, by kind, in the order in which they are listed. */
struct hc_night_page_list {
    struct hc_text_set names[HC_N_NIGHT_PAGE_KINDS];
};
enum hc_status hc_night_page_list_make(struct hc_night_page_list *list,
                                       const struct hc_night_result *result, struct hc_error *err);
void hc_night_page_list_fini(struct hc_night_page_list *list);

/* The nodes of the days, those that lost most GPU-hours by work lost and faults first; as many as
 * result->by[HC_CUBE_NODE].n, the caller's to free. NULL with err filled. */
const struct hc_group_row **hc_night_dearest_nodes(const struct hc_night_result *result,
                                                   struct hc_error *err);

/* Where the page of a name lies below the folder: "runs/NAME.html". Names are foreign: what is not
 * plain becomes '_', and then a digest tells the page from those of other names. */
#define HC_NIGHT_PAGE_PATH 160
void hc_night_page_path(enum hc_night_page_kind kind, const char *name,
                        char path[HC_NIGHT_PAGE_PATH]);

/* The same where the report has that page; else NULL. */
const char *hc_night_page_link(const struct hc_night_report *report, enum hc_night_page_kind kind,
                               const char *name, char path[HC_NIGHT_PAGE_PATH]);

/* The dimension that the members of pages of a kind are of. */
enum hc_cube_dimension hc_night_page_dimension(enum hc_night_page_kind kind);

/* Write the i-th page of a kind. */
enum hc_status hc_night_write_member_page(const struct hc_night_report *report,
                                          enum hc_night_page_kind kind, size_t i,
                                          const struct hc_night_members *members, FILE *stream,
                                          struct hc_error *err);

#endif

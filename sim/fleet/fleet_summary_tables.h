/* fleet_summary_tables.h - the parts of a fleet summary, each found by a file of its own.
 * Private to this wing. */
#ifndef HC_SIM_FLEET_FLEET_SUMMARY_TABLES_H
#define HC_SIM_FLEET_FLEET_SUMMARY_TABLES_H

#include "sim/fleet/fleet_summary.h"

/* The rows, and room for as many weighted values as a part may need (one a row and sampled step).
 */
struct hc_fleet_rows {
    const struct hc_fleet_row *row;
    size_t n;
    struct hc_weighted *scratch;
};

bool hc_fleet_is_analysed(const struct hc_fleet_row *row);

/* Count a row among those that a part is of; is_in: it passes. Then the shares, once. */
void hc_fleet_part_add(struct hc_fleet_part *part, const struct hc_fleet_row *row, bool is_in);
void hc_fleet_part_close(struct hc_fleet_part *part);

/* a / b, NaN when b is 0. */
double hc_fleet_ratio(double a, double b);

void hc_fleet_find_cdfs(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows);
enum hc_status hc_fleet_find_sizes(struct hc_fleet_summary *summary,
                                   const struct hc_fleet_rows *rows, struct hc_error *err);
void hc_fleet_find_causes(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows);
enum hc_status hc_fleet_find_types(struct hc_fleet_summary *summary,
                                   const struct hc_fleet_rows *rows, struct hc_error *err);
enum hc_status hc_fleet_find_hosts(struct hc_fleet_summary *summary,
                                   const struct hc_fleet_rows *rows, struct hc_error *err);
enum hc_status hc_fleet_find_ranking(struct hc_fleet_summary *summary,
                                     const struct hc_fleet_rows *rows, struct hc_error *err);

#endif

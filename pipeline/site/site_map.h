/* site_map.h - the map of a source: how the table of any tool is read into a table of records.
 * Private to this wing. */
#ifndef HC_PIPELINE_SITE_SITE_MAP_H
#define HC_PIPELINE_SITE_SITE_MAP_H

#include "pipeline/site/site_file.h"

/* Read the map at a node of the site file, into its arena, as that of a source whose path is known;
 * mistakes are complaints. source->map stays NULL where it cannot be read. HC_NO_MEMORY only.
 * Release with hc_site_map_fini. */
enum hc_status hc_site_map_read(struct hc_site *site, const struct hc_node *node,
                                const char *pointer, struct hc_site_source *source,
                                struct hc_error *err);
void hc_site_map_fini(struct hc_site_map *map);

#endif

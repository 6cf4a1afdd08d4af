/* record_merge.h - a report of records from the parts of its shards (cli/frame/record_shard.h).
 *
 * The report is run as it would be without shards, but that its scans find the records in the
 * parts.
 */
#ifndef HC_CLI_FRAME_RECORD_MERGE_H
#define HC_CLI_FRAME_RECORD_MERGE_H

#include "cli/frame/options.h"
#include "core/base/status.h"

/* Run the report of the parts at these paths, with the options that common has besides its own:
 * those that say where it goes and when it is a finding. */
enum hc_status hc_record_shards_merge(const struct hc_words *paths,
                                      const struct hc_common_options *common, struct hc_error *err);

#endif

/* record_shard.h - a shard of a report of records: `--shard I/N`, whatever the report.
 *
 * The part of a shard (pipeline/packs/record_part.h) has the records of its share of the segments
 * as packs, and the name and options of the report; 'hindcast merge' runs the report by these,
 * reading the packs of all shards (cli/frame/record_merge.h). So a report does not know of shards,
 * and its bytes are the same.
 */
#ifndef HC_CLI_FRAME_RECORD_SHARD_H
#define HC_CLI_FRAME_RECORD_SHARD_H

#include "cli/frame/command.h"

/* Write the part, in place of running a command. HC_USAGE: no -o, or an option that is for merge.
 */
enum hc_status hc_record_shard_run(const struct hc_command *command,
                                   const struct hc_common_options *common,
                                   const struct hc_archive_options *archive,
                                   const struct hc_words *words, struct hc_error *err);

#endif

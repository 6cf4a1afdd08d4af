#include "pipeline/fleet/partial_record.h"

#include "reports/fleet/fleet_records.h"

#define FILE_FIELD(...) HC_FIELD(struct hc_partial_file, __VA_ARGS__)
#define PARTIAL(name, member, ...)                                                                 \
    HC_FIELD(struct hc_partial_file, name, partial.member, "", __VA_ARGS__)
static const struct hc_field file_fields[] = {
    FILE_FIELD("schema", schema, "", "`" HC_PARTIAL_SCHEMA "`"),
    FILE_FIELD("major", major, "", "of the version; another one is refused"),
    FILE_FIELD("minor", minor, "", "of the version; a newer one is refused"),
    FILE_FIELD("hindcast", hindcast, "", "version of the program, for people"),
    PARTIAL("shard", shard.index, "I of `--shard I/N`"),
    PARTIAL("n_shards", shard.n, "N"),
    PARTIAL("archive", archive, "path as it was named; that of shard 1 is shown in the report"),
    PARTIAL("segments_sha256", segments_sha256,
            "over all entries of the manifest: cluster, job id, attempt and SHA-256 of each "
            "segment"),
    PARTIAL("n_jobs", n_jobs, "in all shards together"),
    PARTIAL("inputs", inputs,
            "method version and options that change figures, as one canonical text"),
    PARTIAL("options", options, "the same for people"),
    PARTIAL("command", command, "the command line of the whole report (`command` of its JSON)"),
    PARTIAL("max_attempts", limits.max_attempts, "limit of the funnel"),
    PARTIAL("min_steps", limits.min_steps, "limit of the funnel"),
    PARTIAL("max_discrepancy", limits.max_discrepancy, "limit of the funnel"),
    HC_LIST(struct hc_partial_file, "rows", partial.rows, partial.n_rows, &hc_fleet_row_record,
            "the jobs of this shard, in the order of the manifest"),
};
const struct hc_record_def hc_partial_file_record = HC_RECORD("a partial", file_fields);

#define N_OF_VERSION 4 /* fields, the first ones */
const struct hc_record_def hc_partial_version_record = {"a partial", N_OF_VERSION, file_fields};
const struct hc_record_def hc_partial_rest_record = {
    "a partial", sizeof file_fields / sizeof *file_fields - N_OF_VERSION,
    file_fields + N_OF_VERSION};

#include "cli/options/trace_options.h"

#include "parsers/registry/format_registry.h"

#include <limits.h>
#include <string.h>

const struct hc_option hc_trace_options[] = {
    {.name = "format",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct hc_trace_options, format),
     .unset = "by content",
     .help = "format of the trace, as 'hindcast formats' lists them"},
    {.name = "meta",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct hc_trace_options, meta),
     .unset = "meta-X.yaml beside trace-X.*, if there",
     .help = "metadata of the trace; 'none' for none"},
    {.name = "max-bad",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = offsetof(struct hc_trace_options, max_bad),
     .value = "1%",
     .help = "refuse a trace when more of its rows than this are bad, as 0.01 or 1%"},
    {.name = "max-rows-per-byte",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_trace_options, max_rows_per_byte),
     .value = "100",
     .low = 1,
     .high = 1e9,
     .help = "refuse a file of more rows than this for each of its bytes, above a million"},
    {.name = "max-step-ops",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_trace_options, max_step_ops),
     .value = "1000000",
     .low = 1,
     .high = INT32_MAX,
     .help = "refuse a trace with more ops than this in one step of one dp rank"},
    {.name = "float32",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_trace_options, float32),
     .help = "round the times of text formats to float32 first, as in the Parquet originals"},
    HC_OPTION_END,
};

const struct hc_option hc_incident_options[] = {
    {.name = "format",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct hc_trace_options, format),
     .unset = "by content",
     .help = "format of the files, as 'hindcast formats' lists them"},
    {.name = "max-bad",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = offsetof(struct hc_trace_options, max_bad),
     .value = "1%",
     .help = "refuse a file when more of its rows than this are bad, as 0.01 or 1%"},
    {.name = "max-rows-per-byte",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_trace_options, max_rows_per_byte),
     .value = "100",
     .low = 1,
     .high = 1e9,
     .help = "refuse a file of more rows than this for each of its bytes, above a million"},
    HC_OPTION_END,
};

enum hc_status hc_trace_options_check(const struct hc_trace_options *options, size_t n_traces,
                                      struct hc_error *err)
{
    if (options->meta && strcmp(options->meta, "none") != 0 && n_traces > 1)
        return hc_fail(err, HC_USAGE,
                       "'--meta %s' can only belong to one trace, and %zu are given: run hindcast "
                       "once for each, or put meta-X.yaml beside each trace-X.*",
                       options->meta, n_traces);
    if (!options->format || hc_format_find(options->format))
        return HC_OK;
    const char *nearest = hc_format_near(options->format);
    if (nearest)
        return hc_fail(err, HC_USAGE, "unknown format '%s' (did you mean '%s'?)", options->format,
                       nearest);
    if (strcmp(options->format, "json") == 0)
        return hc_fail(err, HC_USAGE,
                       "unknown format 'json': --format is of the input (see 'hindcast formats'), "
                       "and --json writes the result as JSON");
    return hc_fail(err, HC_USAGE, "unknown format '%s': see 'hindcast formats'", options->format);
}

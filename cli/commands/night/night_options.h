/* night_options.h - which day of which archive a report is of: options of the commands on days. */
#ifndef HC_CLI_COMMANDS_NIGHT_NIGHT_OPTIONS_H
#define HC_CLI_COMMANDS_NIGHT_NIGHT_OPTIONS_H

#include "cli/frame/options.h"
#include "cli/options/moment.h"
#include "core/base/zone.h"
#include "pipeline/site/site_file.h"
#include "store/archive/archive.h"

struct hc_night_options {
    const char *cluster, *site, *zone;
    struct hc_moment date, as_of;
};
extern const struct hc_option hc_night_options[];
/* The same without --date, its first. */
#define hc_undated_night_options (hc_night_options + 1)

/* What the options name, opened. */
struct hc_night_inputs {
    struct hc_archive *archive;
    struct hc_site site;
    const struct hc_site *site_or_null;
    struct hc_zone zone;
    const char *zone_name;
    int64_t day; /* that is reported, since 1970-01-01, in the zone */
    int64_t as_of_ns;
};

/* Zeroed before; to hc_night_inputs_close whatever the result. */
enum hc_status hc_night_inputs_open(struct hc_night_inputs *inputs,
                                    const struct hc_night_options *options,
                                    const struct hc_archive_options *archive, struct hc_error *err);
void hc_night_inputs_close(struct hc_night_inputs *inputs);

/* Read "90d" or "90" into an int64_t of days: parse of an option of kind HC_OPTION_CALLBACK.
 * HC_USAGE: it is neither, or not from 1 to 3660. */
enum hc_status hc_night_days_parse(const char *text, void *target, struct hc_error *err);

#endif

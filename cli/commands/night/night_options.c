#include "cli/commands/night/night_options.h"

#include "pipeline/night/night_input.h"

#include <stdlib.h>
#include <time.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

const struct hc_option hc_night_options[] = {
    {.name = "date",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct hc_night_options, date),
     .unset = "yesterday, where the site is",
     .parse = hc_moment_parse,
     .help = "the day that is reported, as 2026-03-30"},
    {.name = "as-of",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct hc_night_options, as_of),
     .unset = "all that the archive tells",
     .parse = hc_moment_parse,
     .help = "report what was known then, as 2026-03-31T06:00:00Z"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct hc_night_options, cluster),
     .unset = "all",
     .help = "report this cluster"},
    {.name = "zone",
     .kind = HC_OPTION_TEXT,
     .argument = "ZONE",
     .target = offsetof(struct hc_night_options, zone),
     .unset = "that of the site file, else UTC",
     .help = "where the days are of, as Europe/Berlin"},
    {.name = "site",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct hc_night_options, site),
     .unset = "$HINDCAST_SITE, else site.json if there is one",
     .help = "a site file: its zone, which attempts are one run, what nodes have"},
    HC_OPTION_END,
};

static enum hc_status check(const struct hc_night_options *options, struct hc_error *err)
{
    if (options->date.is_relative || options->as_of.is_relative)
        return hc_fail(err, HC_USAGE, "records have dates: give --date and --as-of as 2026-03-30");
    if (options->date.is_given && options->date.ns % DAY_NS)
        return hc_fail(err, HC_USAGE, "--date is a day, as 2026-03-30, without a time");
    return HC_OK;
}

/* Yesterday, by --as-of where it is given, else by the clock. */
static int64_t yesterday(const struct hc_night_inputs *inputs,
                         const struct hc_night_options *options)
{
    int64_t now_ns = options->as_of.is_given ? options->as_of.ns : (int64_t)time(NULL) * 1000000000;
    return hc_night_day_of(&inputs->zone, now_ns) - 1;
}

enum hc_status hc_night_inputs_open(struct hc_night_inputs *inputs,
                                    const struct hc_night_options *options,
                                    const struct hc_archive_options *archive, struct hc_error *err)
{
    if (check(options, err) ||
        hc_archive_open(&inputs->archive, hc_archive_path(archive), false, err))
        return err->status;
    if (hc_site_is_there(options->site)) {
        inputs->site_or_null = &inputs->site;
        if (hc_site_open(&inputs->site, options->site, err))
            return err->status;
    }
    const char *zone = options->zone          ? options->zone
                       : inputs->site_or_null ? inputs->site.zone
                                              : NULL;
    if (zone && hc_zone_init(&inputs->zone, zone, err))
        return hc_context(err, "--zone");
    inputs->zone_name = zone ? zone : "UTC";
    inputs->as_of_ns = options->as_of.is_given ? options->as_of.ns : INT64_MAX;
    inputs->day = options->date.is_given ? options->date.ns / DAY_NS : yesterday(inputs, options);
    return HC_OK;
}

void hc_night_inputs_close(struct hc_night_inputs *inputs)
{
    if (inputs->site_or_null)
        hc_site_close(&inputs->site);
    hc_zone_fini(&inputs->zone);
    hc_archive_close(inputs->archive);
}

enum hc_status hc_night_days_parse(const char *text, void *target, struct hc_error *err)
{
    char *end;
    long days = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || (*end && !(end[0] == 'd' && !end[1])) || days < 1 ||
        days > 3660)
        return hc_fail(err, HC_USAGE, "'%.40s' is no number of days from 1 to 3660, as '90d'",
                       text);
    *(int64_t *)target = days;
    return HC_OK;
}

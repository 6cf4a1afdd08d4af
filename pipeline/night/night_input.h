/* night_input.h - the account of the days of an archive. */
#ifndef HC_PIPELINE_NIGHT_NIGHT_INPUT_H
#define HC_PIPELINE_NIGHT_NIGHT_INPUT_H

#include "core/base/zone.h"
#include "models/account/night/night_result.h"
#include "pipeline/night/account_walk.h"
#include "pipeline/night/finding_series.h"

struct hc_night_choice {
    const struct hc_archive *archive;
    const char *cluster;         /* NULL: all */
    const struct hc_site *site;  /* NULL: none */
    const struct hc_zone *zone;  /* of the days */
    int64_t first_day, last_day; /* since 1970-01-01, of the zone */
    int64_t as_of_ns;            /* INT64_MAX: all that the archive tells */
    int64_t series_day; /* first day of the series of findings; after last_day: none are made */
};

struct hc_night_data {
    struct hc_walk walk;
    struct hc_night night;
    struct hc_finding_series_set series;
    struct hc_night_names names; /* for results; its context is this */
    size_t n_causes;
    char (*causes)[64]; /* of failures */
};

/* HC_BAD_INPUT: the archive has no accounting. data is the caller's to hc_night_data_fini whatever
 * the result. */
enum hc_status hc_night_load(struct hc_night_data *data, const struct hc_night_choice *choice,
                             struct hc_error *err);
void hc_night_data_fini(struct hc_night_data *data);

/* The days of a zone from first_day to last_day, since 1970-01-01. days: zeroed; the caller's to
 * free (edges_ns, names) whatever the result. */
enum hc_status hc_night_days_make(struct hc_night_days *days, const struct hc_zone *zone,
                                  int64_t first_day, int64_t last_day, struct hc_error *err);

/* Unix time of the beginning of a day of a zone, in ns. */
int64_t hc_night_day_ns(const struct hc_zone *zone, int64_t day);
/* The day of a zone that a Unix time lies in. */
int64_t hc_night_day_of(const struct hc_zone *zone, int64_t ns);

#endif

#include "pipeline/night/night_before.h"

#include <string.h>

/* Both by their joins; a run has the same name in both, unless it has another one now. */
struct both {
    const struct hc_night_data *now, *before;
};

static int32_t run_now(int32_t run, const void *context)
{
    const struct both *both = context;
    const char *name = both->before->names.run_name(run, both->before);
    const struct hc_joins *joins = &both->now->walk.records.joins;
    for (size_t i = 0; name && i < joins->n_runs; i++) {
        const char *other = hc_joins_find_text(joins, joins->runs[i].name);
        if (other && strcmp(other, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

enum hc_status hc_night_restated_load(struct hc_restated *restated, struct hc_night_data *before,
                                      const struct hc_night_data *now,
                                      const struct hc_night_choice *choice, struct hc_error *err)
{
    struct hc_night_choice earlier = *choice;
    earlier.first_day = choice->last_day - HC_RESTATED_DAYS;
    earlier.last_day = choice->last_day - 1;
    earlier.series_day = choice->last_day; /* none */
    earlier.as_of_ns = hc_night_day_ns(choice->zone, choice->last_day);
    if (choice->first_day > earlier.first_day)
        earlier.first_day = choice->first_day;
    if (earlier.first_day > earlier.last_day || earlier.as_of_ns > choice->as_of_ns)
        return HC_OK;
    const struct both both = {now, before};
    struct hc_error why = {0};
    enum hc_status status = hc_night_load(before, &earlier, &why);
    if (status == HC_BAD_INPUT) /* nothing was known then */
        return HC_OK;
    if (status) {
        *err = why;
        return status;
    }
    return hc_restated_make(restated, &now->night, &before->night,
                            &(struct hc_restated_runs){run_now, &both}, err);
}

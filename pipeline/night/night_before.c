#include "pipeline/night/night_before.h"

#include <omp.h>
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

/* The choice of the days before; false: there are none. */
static bool choose_before(struct hc_night_choice *earlier, const struct hc_night_choice *choice)
{
    *earlier = *choice;
    earlier->first_day = choice->last_day - HC_RESTATED_DAYS;
    earlier->last_day = choice->last_day - 1;
    earlier->series_day = choice->last_day; /* none */
    earlier->as_of_ns = hc_night_day_ns(choice->zone, choice->last_day);
    if (choice->first_day > earlier->first_day)
        earlier->first_day = choice->first_day;
    return earlier->first_day <= earlier->last_day && earlier->as_of_ns <= choice->as_of_ns;
}

enum hc_status hc_night_load_both(struct hc_night_data *now, struct hc_night_data *before,
                                  const struct hc_night_choice *choice, struct hc_error *err)
{
    struct hc_night_choice earlier;
    struct hc_error why = {0};
    enum hc_status status = HC_OK, status_before = HC_OK;
    bool has_before = choose_before(&earlier, choice);
#pragma omp parallel sections num_threads(2) if (has_before && omp_get_max_threads() > 1)
    {
#pragma omp section
        status = hc_night_load(now, choice, err);
#pragma omp section
        if (has_before)
            status_before = hc_night_load(before, &earlier, &why);
    }
    if (status || !status_before)
        return status;
    hc_night_data_fini(before);
    *before = (struct hc_night_data){.n_causes = 0};
    if (status_before == HC_BAD_INPUT) /* nothing was known then */
        return HC_OK;
    *err = why;
    return status_before;
}

enum hc_status hc_night_restated_make(struct hc_restated *restated, const struct hc_night_data *now,
                                      const struct hc_night_data *before, struct hc_error *err)
{
    const struct both both = {now, before};
    return before->night.days.n == 0
               ? HC_OK
               : hc_restated_make(restated, &now->night, &before->night,
                                  &(struct hc_restated_runs){run_now, &both}, err);
}

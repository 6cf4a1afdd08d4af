#include "pipeline/kinds/steps_account.h"

#include "core/text/number_format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* A step that no analysis will use, for now or with other options. */
static bool is_left_out(const struct hc_census_step *step)
{
    return step->n_bad || step->n_duplicate || step->n_absent || step->structure < 0;
}

static enum hc_status tell_left_out(const struct hc_census_step *step,
                                    struct hc_rows_account *account, struct hc_error *err)
{
    char label[32];
    if (++account->n_flawed > HC_MOST_FLAWED)
        return HC_OK;
    snprintf(label, sizeof label, "step %" PRId32, step->step);
    return hc_facts_add(&account->flawed, err, label, "%s",
                        step->detail[0] ? step->detail : "rows could not be read");
}

enum hc_status hc_steps_account(const struct hc_census *census, struct hc_rows_account *account,
                                struct hc_error *err)
{
    char count[HC_NUMBER_TEXT];
    const struct hc_census_step *steps = hc_census_steps(census);
    size_t n_steps = hc_census_n_steps(census);
    for (size_t i = 0; i < n_steps; i++)
        if (is_left_out(&steps[i]) && tell_left_out(&steps[i], account, err))
            return err->status;
    snprintf(account->extent, sizeof account->extent, "in %s step%s",
             hc_format_count((int64_t)n_steps, count), n_steps == 1 ? "" : "s");
    snprintf(account->heading, sizeof account->heading,
             "%zu of %zu steps will be left out of analyses", account->n_flawed, n_steps);
    account->record = census;
    return HC_OK;
}

/* ---- JSON ---- */

HC_GIVES(size_t, count_steps, hc_census_n_steps(at->record))

static const void *left_out_at(const struct hc_item *at, size_t i)
{
    const struct hc_census_step *step = &hc_census_steps(at->record)[i];
    return is_left_out(step) ? step : NULL;
}

#define STEP(...) HC_FIELD(struct hc_census_step, __VA_ARGS__)
static const struct hc_field step_fields[] = {
    STEP("step", step, "", "its number"),
    STEP("bad_rows", n_bad, "", "that could not be read"),
    STEP("duplicate_rows", n_duplicate, "", "that were there twice"),
    STEP("absent_rows", n_absent, "", "that other dp ranks have"),
    STEP("detail", detail, "", "the first thing that is wrong"),
};
static const struct hc_record_def step_record = HC_RECORD(NULL, step_fields);

static const struct hc_field account_fields[] = {
    HC_LIST_OF("steps_left_out", count_steps, left_out_at, &step_record,
               "steps that no analysis will use"),
};
const struct hc_record_def hc_steps_account_record = HC_RECORD(NULL, account_fields);

/* study_case.h - a scenario as text, prepared and run; for tests of studies. */
#ifndef HC_TESTS_SUPPORT_STUDY_CASE_H
#define HC_TESTS_SUPPORT_STUDY_CASE_H

#include "study/grammar/scenario_prepare.h"
#include "study/run/study_run.h"
#include "tests/support/text_file.h"

#include <check.h>
#include <string.h>

static struct hc_scenario scenario;
static struct hc_study study;
static struct hc_study_answer answer;
static struct hc_error err;

static enum hc_status try_study(const char *text, int threads)
{
    hc_study_answer_fini(&answer);
    hc_scenario_fini(&scenario);
    const struct text_file file = text_file_open(text, strlen(text));
    const struct hc_scenario_request request = {.path = file.path, .engines = hc_engines};
    enum hc_status status = hc_scenario_prepare(&scenario, &study, &request, &err);
    text_file_close(&file);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario.errors, &err);
    if (status == HC_OK)
        status = hc_study_run(&answer, &scenario, &study, threads, &err);
    return status;
}

static const struct hc_study_result *run(const char *text)
{
    ck_assert_msg(try_study(text, 2) == HC_OK, "%s", err.message);
    return &answer.result;
}

static void tear_down(void)
{
    hc_study_answer_fini(&answer);
    hc_scenario_fini(&scenario);
}

static size_t column(const struct hc_study_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_columns; i++)
        if (strcmp(result->column[i].name, name) == 0)
            return i;
    ck_abort_msg("no column %s", name);
}

#endif

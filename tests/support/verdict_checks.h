/* verdict_checks.h - what holds of every verdict on a slow job. */
#ifndef HC_TESTS_SUPPORT_VERDICT_CHECKS_H
#define HC_TESTS_SUPPORT_VERDICT_CHECKS_H

#include "sim/whatif/whatif.h"

#include <check.h>
#include <string.h>

static inline const struct hc_evidence *find_test(const struct hc_verdict *verdict, const char *key)
{
    for (size_t i = 0; i < verdict->n_evidence; i++)
        if (strcmp(verdict->evidence[i].key, key) == 0)
            return &verdict->evidence[i];
    ck_abort_msg("no test '%s'", key);
    return NULL;
}

/* All tests are there, each passed or not by its own limit. */
static inline void check_tests(const struct hc_verdict *verdict)
{
    static const char *const keys[] = {"m_w",
                                       "worker_share",
                                       "m_s",
                                       "stage_share",
                                       "r_forward_backward",
                                       "r_microbatch",
                                       "sequence_share",
                                       "pauses_forward",
                                       "pause_share",
                                       "link_share",
                                       "common_share",
                                       "launch_slowdown"};
    ck_assert_uint_eq(verdict->n_evidence, sizeof keys / sizeof *keys);
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct hc_evidence *test = find_test(verdict, keys[i]);
        ck_assert_int_eq(test->passed, test->value >= test->limit);
        ck_assert_uint_gt(strlen(test->text), 10);
        ck_assert_uint_lt(strlen(test->text), sizeof test->text - 1); /* not cut off */
    }
    ck_assert_uint_gt(strlen(verdict->text), 10);
    ck_assert_uint_lt(strlen(verdict->text), sizeof verdict->text - 1);
}

#endif

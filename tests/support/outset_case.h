/* outset_case.h - a set of files for tests of one writer. */
#ifndef HC_TESTS_OUTSET_CASE_H
#define HC_TESTS_OUTSET_CASE_H

#include "core/files/outset.h"

#include <stdlib.h>

#define CASE_RUN_ID "0123456789abcdef"

static inline struct hc_outset *case_set(void)
{
    struct hc_outset *set;
    struct hc_error err;
    if (hc_outset_open(&set, &err))
        abort();
    return set;
}

/* status: of what added the files; commits when it is HC_OK. */
static inline enum hc_status case_commit(struct hc_outset *set, enum hc_status status,
                                         struct hc_error *err)
{
    if (status == HC_OK)
        status = hc_outset_commit(set, err);
    hc_outset_close(set);
    return status;
}

#endif

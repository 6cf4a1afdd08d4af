#include "core/tables/jobs/job_usage.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_job_usage_add(struct hc_job_usage *usage, const char *user, size_t length,
                                int64_t gpu_s, struct hc_error *err)
{
    int32_t code;
    size_t had = usage->users.n;
    if (hc_text_set_add(&usage->users, user, length, &code, err) ||
        hc_reserve(&usage->gpu_s, &usage->capacity, usage->users.n, sizeof *usage->gpu_s, err))
        return err->status;
    if (usage->users.n > had)
        usage->gpu_s[code] = 0;
    if (__builtin_add_overflow(usage->gpu_s[code], gpu_s, &usage->gpu_s[code]))
        return hc_fail(err, HC_BAD_INPUT, "the figures of a user are too large to be added");
    usage->n_figures++;
    return HC_OK;
}

void hc_job_usage_fini(struct hc_job_usage *usage)
{
    hc_text_set_fini(&usage->users);
    free(usage->gpu_s);
    *usage = (struct hc_job_usage){0};
}

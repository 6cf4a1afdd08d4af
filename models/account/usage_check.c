#include "models/account/usage_check.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S_PER_HOUR  3600.0
#define NS_PER_HOUR 3.6e12

static struct hc_usage_row *add_row(struct hc_usage_check *check, const char *user)
{
    check->rows[check->n] = (struct hc_usage_row){.user = user};
    return &check->rows[check->n++];
}

static int compare_rows(const void *a, const void *b)
{
    const struct hc_usage_row *x = a, *y = b;
    double of_x = fabs(x->difference_gpu_hours), of_y = fabs(y->difference_gpu_hours);
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return strcmp(x->user, y->user);
}

/* Users of the records with what the report says of them, then those of the report alone. */
static void fill_rows(struct hc_usage_check *check, const struct hc_job_usage *usage,
                      const struct hc_account_groups *users)
{
    for (size_t i = 0; i < users->names.n; i++) {
        const char *user = users->names.text[i];
        int32_t code = hc_text_set_find(&usage->users, user, strlen(user));
        struct hc_usage_row *row = add_row(check, user);
        row->gpu_hours = (double)users->sums[i].gpu_ns / NS_PER_HOUR;
        row->scheduler_gpu_hours = code < 0 ? 0 : (double)usage->gpu_s[code] / S_PER_HOUR;
    }
    for (size_t i = 0; i < usage->users.n; i++) {
        const char *user = usage->users.text[i];
        if (hc_text_set_find(&users->names, user, strlen(user)) < 0)
            add_row(check, user)->scheduler_gpu_hours = (double)usage->gpu_s[i] / S_PER_HOUR;
    }
    for (size_t i = 0; i < check->n; i++)
        check->rows[i].difference_gpu_hours =
            check->rows[i].gpu_hours - check->rows[i].scheduler_gpu_hours;
    qsort(check->rows, check->n, sizeof *check->rows, compare_rows);
}

enum hc_status hc_usage_check_make(struct hc_usage_check *check, const struct hc_job_usage *usage,
                                   const struct hc_job_account *account, struct hc_error *err)
{
    const struct hc_account_groups *users = &account->groups[HC_ACCOUNT_BY_USER];
    hc_wide_ns scheduler_s = 0;
    *check = (struct hc_usage_check){.from_ns = usage->from_ns, .to_ns = usage->to_ns};
    check->rows = hc_new_array(users->names.n + usage->users.n + 1, sizeof *check->rows, err);
    if (!check->rows)
        return err->status;
    fill_rows(check, usage, users);
    for (size_t i = 0; i < usage->users.n; i++)
        scheduler_s += usage->gpu_s[i];
    check->gpu_hours = (double)account->total.gpu_ns / NS_PER_HOUR;
    check->scheduler_gpu_hours = (double)scheduler_s / S_PER_HOUR;
    check->difference_gpu_hours =
        (double)(account->total.gpu_ns - scheduler_s * 1000000000) / NS_PER_HOUR;
    check->share = scheduler_s ? check->difference_gpu_hours / check->scheduler_gpu_hours : NAN;
    check->rounding_gpu_hours =
        usage->unit_s > 1 ? (double)usage->n_figures * (double)usage->unit_s / S_PER_HOUR : 0;
    check->is_finding =
        fabs(check->difference_gpu_hours) > check->rounding_gpu_hours &&
        fabs(check->difference_gpu_hours) > HC_USAGE_MOST_DIFFERENCE * check->scheduler_gpu_hours;
    return HC_OK;
}

void hc_usage_check_fini(struct hc_usage_check *check)
{
    free(check->rows);
    *check = (struct hc_usage_check){0};
}

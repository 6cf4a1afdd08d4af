#include "models/account/subject/subject.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *hc_subject_kind_name(enum hc_subject_kind kind)
{
    static const char *const names[HC_N_SUBJECT_KINDS] = {"run", "job", "node"};
    return names[kind];
}

static enum hc_subject_part part_of(enum hc_what what)
{
    switch (hc_what_goodput(what)) {
    case HC_GOODPUT_PRODUCTIVE:
        return HC_SUBJECT_PRODUCTIVE;
    case HC_GOODPUT_CHECKPOINT_SAVE:
    case HC_GOODPUT_CUSTOM:
    case HC_GOODPUT_DATA_LOADING_SYNC:
    case HC_GOODPUT_DATA_LOADING_ASYNC:
        return HC_SUBJECT_STALLS;
    case HC_GOODPUT_WASTED_PROGRESS:
        return HC_SUBJECT_LOST;
    case HC_GOODPUT_RECOVERY:
        return HC_SUBJECT_FAULTS;
    case HC_GOODPUT_OTHER:
    case HC_GOODPUT_ELASTIC_DOWN:
        return what == HC_WHAT_UNKNOWN           ? HC_SUBJECT_UNKNOWN
               : what == HC_WHAT_STARTUP_UNSPLIT ? HC_SUBJECT_STARTUP
                                                 : HC_SUBJECT_OTHER;
    default:
        return HC_SUBJECT_STARTUP;
    }
}

enum hc_status hc_subject_take_attempt(struct hc_subject *subject,
                                       const struct hc_subject_attempt *attempt, const char *user,
                                       struct hc_error *err)
{
    if (hc_reserve(&subject->attempts, &subject->room, subject->n + 1, sizeof *subject->attempts,
                   err))
        return err->status;
    struct hc_subject_attempt *added = &subject->attempts[subject->n++];
    *added = *attempt;
    user = user ? user : "?";
    return hc_text_set_add(&subject->users, user, strlen(user), &added->user, err);
}

void hc_subject_take_slice(struct hc_subject *subject, const struct hc_slice *slice)
{
    subject->attempts[subject->n - 1].gpu_ns[slice->what] += hc_slice_gpu_ns(slice);
}

double hc_subject_hours(const struct hc_subject_attempt *attempt, enum hc_subject_part part)
{
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        sum += part == HC_N_SUBJECT_PARTS || part_of((enum hc_what)what) == part
                   ? attempt->gpu_ns[what]
                   : 0;
    return hc_gpu_hours(sum) * attempt->share;
}

static int compare(const void *a, const void *b)
{
    const struct hc_subject_attempt *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return (x->array_task > y->array_task) - (x->array_task < y->array_task);
}

void hc_subject_end(struct hc_subject *subject)
{
    if (subject->n)
        qsort(subject->attempts, subject->n, sizeof *subject->attempts, compare);
    for (size_t i = 0; i < subject->n; i++) {
        const struct hc_subject_attempt *a = &subject->attempts[i];
        for (int p = 0; p < HC_N_SUBJECT_PARTS; p++)
            subject->parts[p] += hc_subject_hours(a, (enum hc_subject_part)p);
        for (int what = 0; what < HC_WHAT_COUNT; what++)
            subject->leaves[what] += hc_gpu_hours(a->gpu_ns[what]) * a->share;
        subject->hours += hc_subject_hours(a, HC_N_SUBJECT_PARTS);
    }
}

void hc_subject_fini(struct hc_subject *subject)
{
    hc_text_set_fini(&subject->users);
    free(subject->attempts);
    *subject = (struct hc_subject){.n = 0};
}

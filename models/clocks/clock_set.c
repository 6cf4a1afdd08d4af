#include "models/clocks/clock_set.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_clock_set_init(struct hc_clock_set *set, size_t n_ranks, size_t n_events,
                                 size_t n_members, struct hc_error *err)
{
    const struct {
        void *array;
        size_t n, size;
    } arrays[] = {
        {&set->first, n_events + 1, sizeof *set->first},
        {&set->label, n_events, sizeof *set->label},
        {&set->rank, n_members, sizeof *set->rank},
        {&set->of, n_members, sizeof *set->of},
        {&set->start_ns, n_members, sizeof *set->start_ns},
        {&set->end_ns, n_members, sizeof *set->end_ns},
        {&set->rank_first, n_ranks + 1, sizeof *set->rank_first},
        {&set->members, n_members, sizeof *set->members},
        {&set->end_of_member_ns, n_members, sizeof *set->end_of_member_ns},
        {&set->event_of_member, n_members, sizeof *set->event_of_member},
        {&set->component, n_ranks, sizeof *set->component},
        {&set->reference, n_ranks, sizeof *set->reference},
        {&set->offset_ns, n_ranks, sizeof *set->offset_ns},
        {&set->true_end_ns, n_events, sizeof *set->true_end_ns},
    };
    *set = (struct hc_clock_set){.n_ranks = n_ranks};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        void *made = hc_new_array(arrays[i].n, arrays[i].size, err);
        if (!made)
            return err->status;
        memcpy(arrays[i].array, &made, sizeof made);
    }
    return HC_OK;
}

void hc_clock_set_fini(struct hc_clock_set *set)
{
    free(set->first);
    free(set->label);
    free(set->rank);
    free(set->of);
    free(set->start_ns);
    free(set->end_ns);
    free(set->rank_first);
    free(set->members);
    free(set->end_of_member_ns);
    free(set->event_of_member);
    free(set->component);
    free(set->reference);
    free(set->offset_ns);
    free(set->true_end_ns);
    memset(set, 0, sizeof *set);
}

void hc_clock_set_add(struct hc_clock_set *set, uint32_t rank, int64_t start_ns, int64_t end_ns)
{
    set->rank[set->n_members] = rank;
    set->of[set->n_members] = (uint32_t)set->n;
    set->start_ns[set->n_members] = start_ns;
    set->end_ns[set->n_members] = end_ns;
    set->n_members++;
    set->rank_first[rank + 1]++; /* counts, until hc_clock_set_align sums them up */
}

void hc_clock_set_end_event(struct hc_clock_set *set, uint32_t label)
{
    set->label[set->n++] = label;
    set->first[set->n] = set->n_members;
}

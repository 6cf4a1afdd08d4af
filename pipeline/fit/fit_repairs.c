/* fit_repairs.c - how long nodes were out, as the history of their states has it. */
#include "pipeline/fit/fit_loading.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/nodes/node_state_table.h"
#include "pipeline/daily/record_scan.h"

#include <stdlib.h>
#include <string.h>

#define ALIKE_NS ((int64_t)1000000000)

struct outage {
    int64_t since_ns, until_ns; /* until_ns: missing while it lasts */
    int32_t node, reason;       /* codes of taking */
};

struct taking {
    const struct hc_fit_records *records;
    struct hc_text_set nodes, reasons;
    size_t n, room;
    struct outage *outages;
};

/* Out, and not because somebody planned it. */
static bool is_out(int32_t base, int32_t flags)
{
    if (flags & HC_NODE_MAINT)
        return false;
    return base == HC_NODE_DOWN || base == HC_NODE_ERROR ||
           flags & (HC_NODE_DRAIN | HC_NODE_FAIL | HC_NODE_NOT_RESPONDING);
}

static enum hc_status take_states(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct taking *taking = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int32_t flags = hc_table_i32(t, HC_NODE_STATES_FLAGS)[i];
        const char *node = hc_record_text(rows, HC_NODE_STATES_NODE, i);
        const char *reason = hc_record_text(rows, HC_NODE_STATES_REASON, i);
        struct outage outage = {.since_ns = hc_table_i64(t, HC_NODE_STATES_SINCE_NS)[i],
                                .until_ns = hc_table_i64(t, HC_NODE_STATES_UNTIL_NS)[i]};
        if (hc_table_i32(t, HC_NODE_STATES_HOW)[i] != HC_NODE_HISTORY || !node ||
            !is_out(hc_table_i32(t, HC_NODE_STATES_STATE)[i],
                    flags == HC_MISSING_I32 ? 0 : flags) ||
            outage.since_ns < taking->records->from_ns || outage.since_ns >= taking->records->to_ns)
            continue;
        reason = reason ? reason : "";
        if (hc_text_set_add(&taking->nodes, node, strlen(node), &outage.node, err) ||
            hc_text_set_add(&taking->reasons, reason, strlen(reason), &outage.reason, err) ||
            hc_reserve(&taking->outages, &taking->room, taking->n + 1, sizeof *taking->outages,
                       err))
            return err->status;
        taking->outages[taking->n++] = outage;
    }
    return HC_OK;
}

static int compare_nodes(const void *a, const void *b)
{
    const struct outage *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->since_ns != y->since_ns)
        return x->since_ns < y->since_ns ? -1 : 1;
    return (x->until_ns > y->until_ns) - (x->until_ns < y->until_ns);
}

static int compare_times(const void *a, const void *b)
{
    const struct outage *x = a, *y = b;
    if (x->reason != y->reason)
        return x->reason < y->reason ? -1 : 1;
    if (x->since_ns != y->since_ns)
        return x->since_ns < y->since_ns ? -1 : 1;
    return (x->until_ns > y->until_ns) - (x->until_ns < y->until_ns);
}

/* States of a node that follow one another, or overlap (down, then drained), are one repair. */
static void unite(struct taking *taking)
{
    size_t n = 0;
    qsort(taking->outages, taking->n, sizeof *taking->outages, compare_nodes);
    for (size_t i = 0; i < taking->n; i++) {
        const struct outage outage = taking->outages[i];
        struct outage *before = n ? &taking->outages[n - 1] : NULL;
        bool is_same = before && before->node == outage.node &&
                       (before->until_ns == HC_MISSING_I64 || outage.since_ns <= before->until_ns);
        if (!is_same)
            taking->outages[n++] = outage;
        else if (before->until_ns != HC_MISSING_I64 &&
                 (outage.until_ns == HC_MISSING_I64 || outage.until_ns > before->until_ns))
            before->until_ns = outage.until_ns;
    }
    taking->n = n;
}

/* Nodes that went out and came back together are one repair, of a switch or a rack. */
static enum hc_status keep(struct taking *taking, struct hc_fit_records *records,
                           struct hc_error *err)
{
    const struct outage *before = NULL;
    qsort(taking->outages, taking->n, sizeof *taking->outages, compare_times);
    for (size_t i = 0; i < taking->n; i++) {
        const struct outage *outage = &taking->outages[i];
        bool is_cut = outage->until_ns == HC_MISSING_I64 || outage->until_ns > records->to_ns;
        if (before && before->reason == outage->reason &&
            outage->since_ns - before->since_ns <= ALIKE_NS &&
            before->until_ns == outage->until_ns) {
            records->n_repairs_alike++;
            continue;
        }
        before = outage;
        int64_t to_ns = is_cut ? records->to_ns : outage->until_ns;
        if (to_ns <= outage->since_ns)
            continue;
        if (hc_reserve(&records->repairs, &records->repairs_room, records->n_repairs + 1,
                       sizeof *records->repairs, err))
            return err->status;
        records->repairs[records->n_repairs++] =
            (struct hc_fit_repair){(double)(to_ns - outage->since_ns) * 1e-9, is_cut};
    }
    return HC_OK;
}

enum hc_status hc_fit_load_repairs(struct hc_fit_loading *loading, struct hc_error *err)
{
    struct taking taking = {.records = loading->records};
    const struct hc_record_scan scan = {.archive = loading->choice->archive,
                                        .def = &hc_node_states_def,
                                        .cluster = loading->choice->cluster,
                                        .from_ns = loading->records->from_ns,
                                        .to_ns = loading->records->to_ns,
                                        .columns = ~(uint64_t)0};
    enum hc_status status = hc_record_scan_run(&scan, take_states, &taking, err);
    if (!status && taking.n) {
        unite(&taking);
        status = keep(&taking, loading->records, err);
    }
    hc_text_set_fini(&taking.nodes);
    hc_text_set_fini(&taking.reasons);
    free(taking.outages);
    return status;
}

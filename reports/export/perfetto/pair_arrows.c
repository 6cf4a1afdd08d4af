#include "reports/export/perfetto/pair_arrows.h"

#include "core/base/memory.h"
#include "reports/export/perfetto/perfetto_text.h"

#include <stdlib.h>

enum hc_status hc_pair_arrows_begin(struct hc_pair_arrows *arrows, size_t n, struct hc_error *err)
{
    if (hc_reserve(&arrows->arrows, &arrows->capacity, n, sizeof *arrows->arrows, err))
        return err->status;
    arrows->n = n;
    for (size_t i = 0; i < n; i++)
        arrows->arrows[i] = (struct hc_pair_arrow){.is_pair = false};
    return HC_OK;
}

void hc_pair_arrows_fini(struct hc_pair_arrows *arrows)
{
    free(arrows->arrows);
}

static char *put_end(char *to, const struct hc_arrow_end *end, int64_t id)
{
    to = HC_PUT(to, ",\"id\":");
    to = hc_put_number(to, id);
    to = HC_PUT(to, ",\"pid\":");
    to = hc_put_number(to, end->pid);
    to = HC_PUT(to, ",\"tid\":");
    to = hc_put_number(to, end->tid);
    to = HC_PUT(to, ",\"ts\":");
    to = hc_put_microseconds(to, end->at_ns);
    return HC_PUT(to, "},\n");
}

char *hc_pair_arrow_put(struct hc_pair_arrows *arrows, size_t i, char *to)
{
    const struct hc_pair_arrow *arrow = &arrows->arrows[i];
    if (!arrow->send.is_there || !arrow->receive.is_there) {
        arrows->n_without += arrow->is_pair;
        return to;
    }
    int64_t id = arrows->n_written++;
    to = put_end(HC_PUT(to, "{\"name\":\"transfer\",\"cat\":\"pair\",\"ph\":\"s\""), &arrow->send,
                 id);
    return put_end(HC_PUT(to, "{\"name\":\"transfer\",\"cat\":\"pair\",\"ph\":\"f\",\"bp\":\"e\""),
                   &arrow->receive, id);
}

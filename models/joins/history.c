#include "models/joins/history.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_history_add(struct hc_history *history, const struct hc_history_item *item,
                              struct hc_error *err)
{
    if (hc_reserve(&history->items, &history->room, history->n + 1, sizeof *history->items, err))
        return err->status;
    struct hc_history_item *copy = &history->items[history->n];
    *copy = *item;
    copy->text = hc_copy_text(item->text, err);
    if (!copy->text)
        return err->status;
    copy->source = item->source ? hc_copy_text(item->source, err) : NULL;
    if (item->source && !copy->source) {
        free(copy->text);
        return err->status;
    }
    history->n++;
    return HC_OK;
}

static int compare_items(const void *a, const void *b)
{
    const struct hc_history_item *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    int order = strcmp(x->table, y->table);
    if (order == 0)
        order = strcmp(x->text, y->text);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

void hc_history_sort(struct hc_history *history)
{
    if (history->n)
        qsort(history->items, history->n, sizeof *history->items, compare_items);
}

void hc_history_fini(struct hc_history *history)
{
    for (size_t i = 0; i < history->n; i++) {
        free(history->items[i].text);
        free(history->items[i].source);
    }
    free(history->items);
    *history = (struct hc_history){0};
}

#include "pipeline/kinds/description.h"

#include "core/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 2048

enum hc_status hc_facts_add(struct hc_facts *facts, struct hc_error *err, const char *label,
                            const char *format, ...)
{
    char line[LINE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (hc_reserve(&facts->list, &facts->capacity, facts->n + 1, sizeof *facts->list, err))
        return err->status;
    struct hc_fact fact = {hc_copy_text(label, err), hc_copy_text(line, err)};
    facts->list[facts->n++] = fact;
    return fact.label && fact.text ? HC_OK : err->status;
}

static void facts_fini(struct hc_facts *facts)
{
    for (size_t i = 0; i < facts->n; i++) {
        free(facts->list[i].label);
        free(facts->list[i].text);
    }
    free(facts->list);
}

void hc_rows_account_fini(struct hc_rows_account *account)
{
    facts_fini(&account->flawed);
    memset(account, 0, sizeof *account);
}

void hc_description_fini(struct hc_description *description)
{
    facts_fini(&description->shape);
    facts_fini(&description->extent);
    facts_fini(&description->contents);
    facts_fini(&description->parts);
    free(description->record);
    memset(description, 0, sizeof *description);
}

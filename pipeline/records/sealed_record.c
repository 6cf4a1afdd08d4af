#include "pipeline/records/sealed_record.h"

#include "core/files/sealed_json.h"

#include <stdlib.h>

char *hc_sealed_record(const struct hc_record_def *def, const void *record, struct hc_error *err)
{
    struct hc_json_writer json;
    char *text = NULL, *sealed = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) {
        hc_fail_memory(err, 0);
        return NULL;
    }
    hc_json_start(&json, memory, 2);
    hc_json_object(&json, NULL);
    hc_record_store(&json, def, &(struct hc_item){.record = record});
    hc_json_end(&json);
    enum hc_status status = hc_json_finish(&json, "memory", err);
    if (fclose(memory) && status == HC_OK)
        status = hc_fail_memory(err, length);
    if (status == HC_OK)
        sealed = hc_sealed_json(text, err);
    free(text);
    return sealed;
}

#include "pipeline/records/sealed_record.h"

#include "core/files/sealed_json.h"
#include "core/text/text_stream.h"

#include <stdlib.h>

char *hc_sealed_record(const struct hc_record_def *def, const void *record, struct hc_error *err)
{
    struct hc_json_writer json;
    char *text = NULL, *sealed = NULL;
    size_t length = 0;
    FILE *memory = hc_text_stream(&text, &length, err);
    if (!memory)
        return NULL;
    hc_json_start(&json, memory, 2);
    hc_json_object(&json, NULL);
    hc_record_store(&json, def, &(struct hc_item){.record = record});
    hc_json_end(&json);
    if (hc_text_stream_end(memory, &text, hc_json_finish(&json, "memory", err), err) == HC_OK)
        sealed = hc_sealed_json(text, err);
    free(text);
    return sealed;
}

/* Any bytes as a scenario: what is read is JSON to others too, and what is allowed can be bound. */
#include "study/grammar/scenario_prepare.h"
#include "study/grammar/scenario_text.h"
#include "tests/fuzz/target.h"
#include "tests/support/text_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Jansson reads what we write of what we read. */
static void check_written(const struct hc_node *node)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream);
    hc_node_write(stream, node);
    fclose(stream);
    json_error_t error;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    /* Jansson refuses whole numbers above 64 bits. */
    require(json || strstr(error.text, "too big integer") ||
            strstr(error.text, "too big negative integer"));
    json_decref(json);
    free(text);
}

static void check_errors(const struct hc_scenario *scenario)
{
    char line[4096];
    require(scenario->errors.n <= HC_SCENARIO_MOST_ERRORS);
    for (size_t i = 0; i < scenario->errors.n; i++) {
        hc_scenario_error_format(&scenario->errors.error[i], line, sizeof line);
        require(*scenario->errors.error[i].what && !strchr(line, '\n'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_scenario scenario;
    struct hc_study study;
    struct hc_error err = {.status = HC_OK};
    const struct text_file file = text_file_open(data, size);
    const struct hc_scenario_request request = {.path = file.path, .engines = hc_engines};
    enum hc_status status = hc_scenario_prepare(&scenario, &study, &request, &err);
    /* What is included is not there. */
    require(status == HC_OK || (status == HC_IO && memmem(data, size, "include", 7)));
    require(scenario.root || scenario.errors.n || status);
    if (scenario.root)
        check_written(scenario.root);
    check_errors(&scenario);
    text_file_close(&file);
    hc_scenario_fini(&scenario);
    return 0;
}

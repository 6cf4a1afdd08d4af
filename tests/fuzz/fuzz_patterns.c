/* Any bytes as a file of patterns, and behind the first NUL as a log that is read with them:
 * nothing may crash; a refusal names the file. */
#include "core/tables/logs/log_tables.h"
#include "parsers/logs/pattern_check.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static void read_log(struct hc_pattern_text patterns, const uint8_t *log, size_t length)
{
    struct hc_table_names names;
    struct hc_table tables[HC_N_LOG_TABLES] = {0};
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    struct hc_source source = bytes_source("runs/1234.out", log, length);
    void *parser = NULL;
    size_t n_new = 1;
    require(hc_kind_start_names(&hc_kind_train_steps, true, &names, &err) == HC_OK);
    for (int t = 0; t < HC_N_LOG_TABLES; t++)
        require(hc_table_init(&tables[t], hc_log_tables[t], 64, &err) == HC_OK);
    const struct hc_parse_options options = {.names = &names, .patterns = patterns};
    enum hc_status status = hc_format_training_log.open(&parser, &source, &options, &err);
    while (!status && n_new) {
        n_new = 0;
        for (int t = 0; t < HC_N_LOG_TABLES; t++)
            tables[t].n_rows = 0;
        status = hc_format_training_log.next_tables(parser, tables, &report, &err);
        for (int t = 0; t < HC_N_LOG_TABLES; t++) {
            n_new += tables[t].n_rows;
            for (size_t i = 0; i < tables[t].n_rows; i++) /* the key begins with a time */
                require(hc_table_i64(&tables[t], 0)[i] != HC_MISSING_I64);
        }
    }
    require(status == HC_OK || err.message[0]);
    hc_format_training_log.close(parser);
    hc_row_report_fini(&report);
    for (int t = 0; t < HC_N_LOG_TABLES; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
    hc_source_close(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_error err = {0};
    const uint8_t *nul = memchr(data, '\0', size);
    size_t length = nul ? (size_t)(nul - data) : size;
    char *text = strndup((const char *)data, length);
    require(text != NULL);
    const struct hc_pattern_text patterns = {"site.conf", text};
    enum hc_status status = hc_patterns_check(patterns, &err);
    require(status == HC_OK || strstr(err.message, "site.conf"));
    if (!status && nul)
        read_log(patterns, nul + 1, size - length - 1);
    free(text);
    return 0;
}

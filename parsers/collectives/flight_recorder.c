/* flight_recorder.c - dumps of PyTorch's flight recorder, one a rank: a pickle or JSON of the
 * collectives that the process queued last, of its groups and of how far each came
 * (docs/formats/flight-recorder.md). */
#include "core/base/memory.h"
#include "core/tables/collectives/collective_tables.h"
#include "parsers/collectives/dump_json.h"
#include "parsers/collectives/dump_rows.h"
#include "parsers/collectives/pickle_reader.h"
#include "parsers/io/byte_reader.h"
#include "parsers/io/format.h"

#include <stdlib.h>
#include <string.h>

struct flight_recorder {
    struct hc_dump_rows rows;
    struct hc_dump_taker taker;
    struct hc_pickle_reader *pickle; /* one of the two */
    struct hc_dump_json *json;
};

static bool holds(const unsigned char *head, size_t length, const char *word)
{
    return memmem(head, length, word, strlen(word)) != NULL;
}

static bool is_pickle(const unsigned char *head, size_t length)
{
    return length >= 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    bool has_groups = holds(head, length, "pg_config") || holds(head, length, "pg_status");
    bool has_entries = holds(head, length, "entries");
    if (is_pickle(head, length))
        return has_groups || has_entries ? 97 : 40;
    size_t blank = 0;
    while (blank < length && memchr(" \t\r\n", head[blank], 4))
        blank++;
    if (blank == length || head[blank] != '{' || holds(head, length, "\"traceEvents\""))
        return 0;
    bool has_seq = holds(head, length, "\"collective_seq_id\"");
    return has_groups && (has_entries || has_seq) ? 96 : has_groups ? 60 : 0;
}

static void close_dump(void *parser)
{
    struct flight_recorder *p = parser;
    if (!p)
        return;
    hc_pickle_close(p->pickle);
    hc_dump_json_close(p->json);
    free(p);
}

/* The first bytes, to tell the two forms apart. */
static enum hc_status read_head(const struct hc_source *source, unsigned char head[2],
                                size_t *length, struct hc_error *err)
{
    struct hc_byte_reader *reader = NULL;
    enum hc_status status = hc_byte_reader_open(&reader, source, err);
    *length = 0;
    for (size_t n = 1; n && *length < 2 && !status; *length += n)
        status = hc_byte_reader_read(reader, head + *length, 2 - *length, &n, err);
    hc_byte_reader_close(reader);
    return status;
}

static enum hc_status open_dump(void **parser, const struct hc_source *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    unsigned char head[2] = {0};
    size_t length = 0;
    *parser = NULL;
    struct flight_recorder *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->taker = (struct hc_dump_taker){&p->rows, hc_dump_rows_take};
    enum hc_status status = hc_dump_rows_init(&p->rows, source, options->names, err);
    if (!status)
        status = read_head(source, head, &length, err);
    if (!status)
        status = is_pickle(head, length) ? hc_pickle_open(&p->pickle, source, &p->taker, err)
                                         : hc_dump_json_open(&p->json, source, &p->taker, err);
    if (status)
        close_dump(p);
    else
        *parser = p;
    return status;
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct flight_recorder *p = parser;
    const struct hc_table *entries = &tables[HC_COLLECTIVE_ENTRIES];
    p->rows.tables = tables;
    p->rows.report = report;
    while (!p->rows.is_over && entries->n_rows < entries->capacity) {
        struct hc_pickle_end end;
        if (p->pickle ? hc_pickle_run(p->pickle, &end, err) : hc_dump_json_run(p->json, &end, err))
            return err->status;
        if (end.is_over && hc_dump_rows_end(&p->rows, &end.value, end.is_cut, err))
            return err->status;
    }
    return p->rows.is_over ? hc_dump_rows_rest(&p->rows, err) : HC_OK;
}

static int64_t position(const void *parser)
{
    const struct flight_recorder *p = parser;
    return p->pickle ? hc_pickle_position(p->pickle) : hc_dump_json_position(p->json);
}

const struct hc_format hc_format_flight_recorder = {
    .name = "flight-recorder",
    .description = "collectives that hang: a dump of PyTorch's flight recorder, a rank a file",
    .version = 1,
    .table = &hc_entries_def,
    .probe = probe,
    .open = open_dump,
    .next_tables = next_tables,
    .position = position,
    .close = close_dump,
};

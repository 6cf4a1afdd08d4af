#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "parsers/io/format.h"
#include "parsers/parquet/parquet_column.h"
#include "parsers/parquet/parquet_footer.h"
#include "parsers/steps/step_rows.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 4096 /* decoded at once; the eleven columns of them stay in the L2 cache */

struct parser {
    const struct hc_source *source;
    const struct hc_parse_options *options;
    struct hc_parquet_footer footer;
    struct hc_parquet_names names;
    struct hc_parquet_column columns[HC_N_STEP_FIELDS];
    size_t group;       /* the next row group */
    int64_t group_left; /* rows of the current one that have not been decoded */
    bool in_group;
    int64_t n_decoded;      /* rows of the file */
    int64_t finished_bytes; /* of the chunks of finished row groups */
    struct hc_step_raw raw;
    size_t taken;   /* rows of raw that have been appended */
    int64_t *codes; /* op types as they come, ROWS of them */
};

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    /* PARE, an encrypted footer, is claimed too: so that it is refused by its name */
    return length >= 4 && (!memcmp(head, "PAR1", 4) || !memcmp(head, "PARE", 4)) ? 100 : 0;
}

static bool find_op_type(void *context, const char *name, size_t length, int32_t *code)
{
    const struct parser *parser = context;
    *code = hc_job_op_type(parser->options->job, name, length);
    return *code != HC_OP_UNKNOWN;
}

static enum hc_status fail_op_type(void *context, int64_t row, const char *name, size_t length,
                                   struct hc_error *err)
{
    const struct parser *parser = context;
    return hc_step_unknown_op_type(parser->source, "row", row, name, length, err);
}

static enum hc_parquet_target target_of(enum hc_step_field field)
{
    if (field == HC_FIELD_OPTYPE)
        return HC_PARQUET_NAMES;
    return field < HC_N_INT_FIELDS ? HC_PARQUET_INTEGERS : HC_PARQUET_SECONDS;
}

static enum hc_status open_columns(struct parser *parser, struct hc_error *err)
{
    const char *names[HC_N_STEP_FIELDS];
    int found[HC_N_STEP_FIELDS];
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        names[f] = hc_step_field_name(f);
    if (hc_parquet_footer_open(&parser->footer, parser->source, names, HC_N_STEP_FIELDS, err))
        return err->status;
    const struct hc_parquet_field *fields = parser->footer.schema.columns;
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        found[f] = fields[f].found;
    if (hc_step_fields_check(found, parser->source->name, err) ||
        hc_source_check_rows(parser->source, parser->footer.n_rows,
                             parser->options->max_rows_per_byte, err))
        return err->status;
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        if (hc_parquet_column_init(&parser->columns[f], parser->source, &fields[f], target_of(f),
                                   &parser->names, err))
            return err->status;
    return hc_parquet_footer_groups(&parser->footer, err);
}

static void close_parser(void *state)
{
    struct parser *parser = state;
    if (!parser)
        return;
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        hc_parquet_column_fini(&parser->columns[f]);
    hc_parquet_footer_close(&parser->footer);
    hc_step_raw_fini(&parser->raw);
    free(parser->codes);
    free(parser);
}

static enum hc_status open_parser(void **state, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    struct parser *parser = hc_new_array(1, sizeof *parser, err);
    if (!parser)
        return err->status;
    parser->source = source;
    parser->options = options;
    parser->names = (struct hc_parquet_names){parser, find_op_type, fail_op_type};
    parser->codes = hc_new_array(ROWS, sizeof *parser->codes, err);
    if (!parser->codes || hc_step_raw_init(&parser->raw, ROWS, err) || open_columns(parser, err)) {
        close_parser(parser);
        return err->status;
    }
    parser->raw.place_word = "row";
    *state = parser;
    return HC_OK;
}

/* Nanoseconds and what is wrong with them, from a decoded time column. */
static void set_flags(int64_t *ns, uint8_t *flag, size_t n)
{
    uint64_t special = 0;
    for (size_t i = 0; i < n; i++)
        special |= ns[i] < HC_PARQUET_LOWEST;
    memset(flag, HC_TIME_OK, n);
    for (size_t i = 0; special && i < n; i++)
        if (ns[i] < HC_PARQUET_LOWEST)
            flag[i] = ns[i] == HC_PARQUET_NULL         ? HC_TIME_NULL
                      : ns[i] == HC_PARQUET_NOT_FINITE ? HC_TIME_NOT_FINITE
                                                       : HC_TIME_OUT_OF_RANGE;
}

/* Decode the next n rows of the row group into raw. */
static enum hc_status decode_rows(struct parser *parser, size_t n, struct hc_error *err)
{
    struct hc_step_raw *raw = &parser->raw;
    int64_t *out[HC_N_STEP_FIELDS];
    memcpy(out, raw->ints, sizeof raw->ints);
    out[HC_FIELD_OPTYPE] = parser->codes;
    out[HC_FIELD_START_TS] = raw->start_ns;
    out[HC_FIELD_DURATION] = raw->duration_ns;
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        if (hc_parquet_column_read(&parser->columns[f], n, out[f], err))
            return err->status;
    for (size_t i = 0; i < n; i++)
        raw->op_type[i] =
            parser->codes[i] == HC_PARQUET_NULL ? HC_OP_UNKNOWN : (int32_t)parser->codes[i];
    set_flags(raw->start_ns, raw->start_flag, n);
    set_flags(raw->duration_ns, raw->duration_flag, n);
    raw->n = n;
    raw->first_place = parser->n_decoded + 1;
    parser->taken = 0;
    parser->n_decoded += (int64_t)n;
    parser->group_left -= (int64_t)n;
    return HC_OK;
}

static void start_group(struct parser *parser)
{
    const struct hc_parquet_chunk *chunks =
        parser->footer.chunks + parser->group * HC_N_STEP_FIELDS;
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        hc_parquet_column_start(&parser->columns[f], &chunks[f]);
    parser->group_left = chunks[0].n_values;
    parser->in_group = true;
    parser->group++;
}

static enum hc_status finish_group(struct parser *parser, struct hc_error *err)
{
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        if (hc_parquet_column_finish(&parser->columns[f], err))
            return err->status;
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        parser->finished_bytes += parser->columns[f].chunk->size;
    parser->in_group = false;
    return HC_OK;
}

/* Decode more rows; raw.n is 0 at the end of the file. */
static enum hc_status refill(struct parser *parser, struct hc_error *err)
{
    parser->raw.n = parser->taken = 0;
    while (parser->group_left == 0) {
        if (parser->in_group && finish_group(parser, err))
            return err->status;
        if (parser->group == parser->footer.n_groups)
            return HC_OK;
        start_group(parser);
    }
    return decode_rows(parser, parser->group_left < ROWS ? (size_t)parser->group_left : ROWS, err);
}

/* Refuse the file as soon as too many of its rows are bad. A batch is only full with so many good
 * rows, so without this a file of billions of bad rows would be read to its end first. */
static enum hc_status check_bad(const struct parser *parser, const struct hc_row_report *report,
                                struct hc_error *err)
{
    double max_bad = parser->options->max_bad;
    if (max_bad <= 0 || !hc_row_report_limit_early(report, 0, parser->footer.n_rows, max_bad, err))
        return HC_OK;
    return hc_context(err, "'%s'", parser->source->name);
}

static enum hc_status next_batch(void *state, struct hc_table *ops, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct parser *parser = state;
    struct hc_step_flow flow = {parser->source, parser->options, ops, report};
    while (ops->n_rows < ops->capacity) {
        if (parser->taken == parser->raw.n && refill(parser, err))
            return err->status;
        if (parser->raw.n == 0)
            return HC_OK;
        size_t n = parser->raw.n - parser->taken, room = ops->capacity - ops->n_rows;
        n = n < room ? n : room;
        if (hc_step_rows_append(&parser->raw, parser->taken, n, &flow, err))
            return err->status;
        parser->taken += n;
        if (check_bad(parser, report, err))
            return err->status;
    }
    return HC_OK;
}

static int64_t count_rows(const void *state)
{
    const struct parser *parser = state;
    return parser->footer.n_rows;
}

static int64_t position(const void *state)
{
    const struct parser *parser = state;
    if (parser->group == parser->footer.n_groups && !parser->in_group)
        return parser->source->size;
    int64_t bytes = parser->finished_bytes;
    for (int f = 0; f < HC_N_STEP_FIELDS && parser->in_group; f++)
        bytes += parser->columns[f].pages.at - parser->columns[f].chunk->start;
    return bytes < parser->source->size ? bytes : parser->source->size; /* chunks may overlap */
}

const struct hc_format hc_format_step_parquet = {
    .name = "step-parquet",
    .description = "step timeline in Apache Parquet (eleven flat columns)",
    .version = 1,
    .table = &hc_ops_def,
    .probe = probe,
    .open = open_parser,
    .next_batch = next_batch,
    .n_rows = count_rows,
    .position = position,
    .close = close_parser,
};

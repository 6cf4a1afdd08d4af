/* megatron_golden.c - what Megatron-LM's tests keep of a training run: for each quantity the values
 * by iteration, as it was logged to TensorBoard.
 *
 *     {"lm loss": {"start_step": 1, "end_step": 150, "step_interval": 5,
 *                  "values": {"1": 1.739, "5": 1.762, ...}},
 *      "iteration-time": {...}, "num-zeros": {...}, ...}
 *
 * "lm loss" and "iteration-time" (in seconds) are columns of a step: the rows of one iteration are
 * merged by their key. The others are measures. There are no times in it. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "parsers/io/format.h"
#include "parsers/io/json_source.h"
#include "parsers/logs/log_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct golden {
    struct hc_json_pull *pull;
    struct hc_log_rows rows;
    int depth;         /* 1: in the document, 2: in a quantity, 3: in its values */
    bool at_end;       /* of the document */
    int64_t iteration; /* whose value is next */
    char name[64];
};

static bool is_key(const struct hc_pull_token *token, const char *key)
{
    return token->length == strlen(key) && memcmp(token->text, key, token->length) == 0;
}

static enum hc_status bad_value(const struct golden *g, const struct hc_pull_token *token,
                                struct hc_row_report *report, struct hc_error *err)
{
    return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err,
                             "'%s': byte %lld: '%s' of an iteration is no number", g->rows.source,
                             (long long)token->byte, g->name);
}

static enum hc_status add_measure(struct golden *g, double value, struct hc_error *err)
{
    struct hc_log_measure measure = hc_log_measure_here(&g->rows);
    strcpy(measure.name, g->name);
    strcpy(measure.unit, strstr(g->name, "bytes") ? "B" : "");
    measure.value = value;
    measure.iteration = g->iteration;
    measure.line = HC_MISSING_I64;
    return hc_log_add_measure(&g->rows, &measure, err);
}

static enum hc_status add_value(struct golden *g, const struct hc_pull_token *token,
                                struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    struct hc_table *steps = g->rows.steps;
    char copy[64];
    if (token->length >= sizeof copy)
        return bad_value(g, token, report, err);
    memcpy(copy, token->text, token->length);
    copy[token->length] = '\0';
    double value = strtod(copy, NULL);
    step.iteration = g->rows.line = g->iteration;
    if (strcmp(g->name, "lm loss") == 0)
        step.loss = value;
    else if (strcmp(g->name, "iteration-time") != 0)
        return add_measure(g, value, err);
    else if (hc_text_to_ns(token->text, token->length, &step.duration_ns) || step.duration_ns < 0)
        return bad_value(g, token, report, err);
    if (hc_log_add_step(&g->rows, "megatron", &step, err))
        return err->status;
    hc_table_i64(steps, HC_TRAIN_STEPS_LINE)[steps->n_rows - 1] = HC_MISSING_I64;
    return HC_OK;
}

/* The value of the iteration at hand. "nan" is what the tests write for one that was not logged. */
static enum hc_status take_value(struct golden *g, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(g->pull, &token, err))
        return err->status;
    if (token.kind == HC_PULL_NUMBER) {
        report->rows_read += strcmp(g->name, "lm loss") == 0; /* one a step */
        return add_value(g, &token, report, err);
    }
    if (token.kind == HC_PULL_STRING && is_key(&token, "nan"))
        return HC_OK;
    report->rows_read++;
    if (bad_value(g, &token, report, err))
        return err->status;
    return token.kind == HC_PULL_OBJECT || token.kind == HC_PULL_ARRAY
               ? hc_pull_skip_rest(g->pull, err)
               : HC_OK;
}

/* What a key stands for: a quantity, its values, or an iteration. */
static enum hc_status take_key(struct golden *g, const struct hc_pull_token *key,
                               struct hc_row_report *report, struct hc_error *err)
{
    struct hc_pull_token token;
    if (g->depth == 3) {
        if (hc_text_to_i64(key->text, key->length, &g->iteration) || g->iteration < 0 ||
            g->iteration > (int64_t)1 << 40)
            return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: a key of 'values' is no iteration",
                           g->rows.source, (long long)key->byte);
        return take_value(g, report, err);
    }
    if (g->depth == 2 && !is_key(key, "values"))
        return hc_pull_skip_value(g->pull, err);
    if (g->depth == 1)
        snprintf(g->name, sizeof g->name, "%.*s", (int)key->length, key->text);
    if (hc_pull_next(g->pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_OBJECT)
        return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: '%s' is no object", g->rows.source,
                       (long long)token.byte, g->name);
    g->depth++;
    return HC_OK;
}

static enum hc_status take_next(struct golden *g, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(g->pull, &token, err))
        return err->status;
    if (token.kind == HC_PULL_KEY)
        return take_key(g, &token, report, err);
    if (token.kind == HC_PULL_END) {
        g->at_end = true;
        g->rows.line = 0; /* of the cycle: that of the document */
        return hc_log_end_cycle(&g->rows, err);
    }
    if (token.kind == HC_PULL_OBJECT_END)
        g->depth--;
    else if (token.kind != HC_PULL_OBJECT || g->depth++)
        return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: the document is no object",
                       g->rows.source, (long long)token.byte);
    return HC_OK;
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct golden *g = parser;
    enum hc_status status = HC_OK;
    g->rows.steps = &tables[HC_LOG_STEPS];
    g->rows.cycles = &tables[HC_LOG_CYCLES];
    g->rows.measures = &tables[HC_LOG_MEASURES];
    while (!status && !g->at_end && g->rows.steps->n_rows < g->rows.steps->capacity &&
           g->rows.measures->n_rows < g->rows.measures->capacity &&
           g->rows.cycles->n_rows < g->rows.cycles->capacity)
        status = take_next(g, report, err);
    return status;
}

static void close_golden(void *parser)
{
    struct golden *g = parser;
    if (g)
        hc_pull_close(g->pull);
    free(g);
}

static enum hc_status open_golden(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct golden *g = hc_new_array(1, sizeof *g, err);
    if (!g)
        return err->status;
    if (hc_log_rows_init(&g->rows, source->name, options, err) ||
        hc_pull_open_source(&g->pull, source, err)) {
        free(g);
        return err->status;
    }
    g->rows.names = options->names;
    *parser = g;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct golden *g = parser;
    return hc_pull_position(g->pull);
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    static const char *const words[] = {"\"start_step\"", "\"step_interval\"", "\"values\""};
    (void)path;
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", head[at]) && head[at])
        at++;
    if (at == length || head[at] != '{')
        return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!memmem(head, length, words[i], strlen(words[i])))
            return 0;
    return 90;
}

const struct hc_format hc_format_megatron_golden = {
    .name = "megatron-golden",
    .description = "step times and losses that Megatron-LM's tests keep of a run",
    .version = 1,
    .table = &hc_train_steps_def,
    .probe = probe,
    .open = open_golden,
    .next_tables = next_tables,
    .position = position,
    .close = close_golden,
};

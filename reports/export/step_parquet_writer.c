#include "reports/export/step_parquet_writer.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "reports/export/parquet_writer.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_ROWS 8192

enum { DP_RANK, STAGE, RANK, STEP, OPTYPE, START_TS, DURATION, SEQ_ID, MC, MB_ID, GMC, N_COLUMNS };

struct hc_step_parquet {
    struct hc_parquet_writer *writer;
    struct hc_parquet_column columns[N_COLUMNS];
    const char *words[HC_N_OP_TYPES];
    int64_t step[BLOCK_ROWS];
    double start[BLOCK_ROWS], duration[BLOCK_ROWS];
    int32_t chunk[BLOCK_ROWS], microbatch[BLOCK_ROWS], global_chunk[BLOCK_ROWS];
};

static void describe(struct hc_step_parquet *w, const struct hc_step_parquet_options *options)
{
    static const char *const names[N_COLUMNS] = {"dp_rank", "stage",    "rank",     "step",
                                                 "optype",  "start_ts", "duration", "seq_id",
                                                 "mc",      "mb_id",    "gmc"};
    for (int c = 0; c < N_COLUMNS; c++)
        w->columns[c] = (struct hc_parquet_column){
            .name = names[c], .type = HC_PARQUET_I32, .optional = !options->required};
    w->columns[STEP].type = HC_PARQUET_I64;
    w->columns[START_TS].type = w->columns[DURATION].type =
        options->float32_times ? HC_PARQUET_F32 : HC_PARQUET_F64;
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        w->words[type] = hc_op_type_name(type);
    w->columns[OPTYPE].type = HC_PARQUET_TEXT;
    w->columns[OPTYPE].words = w->words;
    w->columns[OPTYPE].n_words = HC_N_OP_TYPES;
}

enum hc_status hc_step_parquet_open(struct hc_step_parquet **parquet, FILE *stream,
                                    const char *name, const struct hc_step_parquet_options *options,
                                    struct hc_error *err)
{
    static const struct hc_step_parquet_options defaults;
    *parquet = NULL;
    options = options ? options : &defaults;
    struct hc_step_parquet *w = hc_new_array(1, sizeof *w, err);
    if (!w)
        return err->status;
    describe(w, options);
    const struct hc_parquet_options flat = {.n_columns = N_COLUMNS,
                                            .columns = w->columns,
                                            .row_group_rows = options->row_group_rows,
                                            .uncompressed = options->uncompressed};
    if (hc_parquet_open(&w->writer, stream, name, &flat, err)) {
        hc_step_parquet_close(w);
        return err->status;
    }
    *parquet = w;
    return HC_OK;
}

static int32_t or_minus_one(int32_t value)
{
    return value == HC_MISSING_I32 ? -1 : value;
}

static enum hc_status write_block(struct hc_step_parquet *w, const struct hc_op_columns *ops,
                                  size_t from, size_t n, struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        w->step[i] = ops->step[from + i];
        w->start[i] = (double)ops->start_ns[from + i] / 1e9;
        w->duration[i] = (double)ops->duration_ns[from + i] / 1e9;
        w->chunk[i] = or_minus_one(ops->model_chunk[from + i]);
        w->microbatch[i] = or_minus_one(ops->microbatch[from + i]);
        w->global_chunk[i] = or_minus_one(ops->global_chunk[from + i]);
    }
    const void *const values[N_COLUMNS] = {[DP_RANK] = ops->dp_rank + from,
                                           [STAGE] = ops->stage + from,
                                           [RANK] = ops->rank + from,
                                           [STEP] = w->step,
                                           [OPTYPE] = ops->op_type + from,
                                           [START_TS] = w->start,
                                           [DURATION] = w->duration,
                                           [SEQ_ID] = ops->seq_id + from,
                                           [MC] = w->chunk,
                                           [MB_ID] = w->microbatch,
                                           [GMC] = w->global_chunk};
    return hc_parquet_append(w->writer, values, n, err);
}

enum hc_status hc_step_parquet_write(struct hc_step_parquet *parquet, const struct hc_table *ops,
                                     struct hc_error *err)
{
    const struct hc_op_columns columns = hc_op_columns(ops);
    for (size_t from = 0; from < ops->n_rows; from += BLOCK_ROWS) {
        size_t n = ops->n_rows - from < BLOCK_ROWS ? ops->n_rows - from : BLOCK_ROWS;
        if (write_block(parquet, &columns, from, n, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_step_parquet_finish(struct hc_step_parquet *parquet, struct hc_error *err)
{
    return hc_parquet_finish(parquet->writer, err);
}

void hc_step_parquet_close(struct hc_step_parquet *parquet)
{
    if (!parquet)
        return;
    hc_parquet_close(parquet->writer);
    free(parquet);
}

#include "reports/export/step_csv_writer.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BUFFER_SIZE 65536

/* Ten numbers of at most 21 characters, a type name, commas. */
#define LONGEST_LINE 320

struct hc_step_csv {
    FILE *stream;
    char *name;
    bool is_gzip;
    z_stream gzip;
    size_t n_held;
    char held[BUFFER_SIZE];            /* text not yet written */
    unsigned char packed[BUFFER_SIZE]; /* of gzip */
};

static const char header[] =
    "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n";

static char *put_unsigned(char *to, uint64_t value)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

static char *put_int(char *to, int32_t value)
{
    if (value == HC_MISSING_I32)
        value = -1;
    if (value < 0)
        *to++ = '-';
    return put_unsigned(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* Exact seconds, without zeros at the end. */
static char *put_seconds(char *to, int64_t ns)
{
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    if (ns < 0)
        *to++ = '-';
    to = put_unsigned(to, size / 1000000000);
    uint64_t fraction = size % 1000000000;
    if (fraction == 0)
        return to;
    *to++ = '.';
    for (uint64_t unit = 100000000; fraction; fraction %= unit, unit /= 10)
        *to++ = (char)('0' + fraction / unit);
    return to;
}

static char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static char *put_row(char *to, const struct hc_op_columns *ops, size_t row)
{
    const int32_t first[4] = {ops->dp_rank[row], ops->stage[row], ops->rank[row], ops->step[row]};
    const int32_t last[4] = {ops->seq_id[row], ops->model_chunk[row], ops->microbatch[row],
                             ops->global_chunk[row]};
    for (int i = 0; i < 4; i++) {
        to = put_int(to, first[i]);
        *to++ = ',';
    }
    to = put_text(to, hc_op_type_name(ops->op_type[row]));
    *to++ = ',';
    to = put_seconds(to, ops->start_ns[row]);
    *to++ = ',';
    to = put_seconds(to, ops->duration_ns[row]);
    for (int i = 0; i < 4; i++) {
        *to++ = ',';
        to = put_int(to, last[i]);
    }
    *to++ = '\n';
    return to;
}

static enum hc_status write_out(struct hc_step_csv *csv, const void *data, size_t n,
                                struct hc_error *err)
{
    if (n && fwrite(data, 1, n, csv->stream) != n)
        return hc_fail_errno(err, "cannot write", csv->name);
    return HC_OK;
}

/* Write what is held; flush is zlib's Z_NO_FLUSH or Z_FINISH. */
static enum hc_status flush_held(struct hc_step_csv *csv, int flush, struct hc_error *err)
{
    size_t n = csv->n_held;
    csv->n_held = 0;
    if (!csv->is_gzip)
        return write_out(csv, csv->held, n, err);
    csv->gzip.next_in = (unsigned char *)csv->held;
    csv->gzip.avail_in = (unsigned)n;
    do {
        csv->gzip.next_out = csv->packed;
        csv->gzip.avail_out = sizeof csv->packed;
        if (deflate(&csv->gzip, flush) == Z_STREAM_ERROR)
            return hc_fail(err, HC_INTERNAL, "cannot compress '%s'", csv->name);
        if (write_out(csv, csv->packed, sizeof csv->packed - csv->gzip.avail_out, err))
            return err->status;
    } while (csv->gzip.avail_out == 0);
    return HC_OK;
}

enum hc_status hc_step_csv_open(struct hc_step_csv **csv, FILE *stream, const char *name, bool gzip,
                                struct hc_error *err)
{
    *csv = NULL;
    struct hc_step_csv *w = hc_new_array(1, sizeof *w, err);
    if (!w)
        return err->status;
    w->stream = stream;
    w->name = hc_copy_text(name, err);
    if (!w->name)
        goto fail;
    /* 31: a gzip wrapper; it names neither time nor file, so equal rows give equal bytes. */
    if (gzip && deflateInit2(&w->gzip, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        hc_fail_memory(err, sizeof w->gzip);
        goto fail;
    }
    w->is_gzip = gzip;
    memcpy(w->held, header, sizeof header - 1);
    w->n_held = sizeof header - 1;
    *csv = w;
    return HC_OK;
fail:
    hc_step_csv_close(w);
    return err->status;
}

enum hc_status hc_step_csv_write(struct hc_step_csv *csv, const struct hc_table *ops,
                                 struct hc_error *err)
{
    const struct hc_op_columns columns = hc_op_columns(ops);
    for (size_t row = 0; row < ops->n_rows; row++) {
        if (!hc_op_type_name(columns.op_type[row]))
            return hc_fail(err, HC_INTERNAL, "cannot write '%s': no name for op type %d", csv->name,
                           columns.op_type[row]);
        if (csv->n_held > BUFFER_SIZE - LONGEST_LINE && flush_held(csv, Z_NO_FLUSH, err))
            return err->status;
        csv->n_held = (size_t)(put_row(csv->held + csv->n_held, &columns, row) - csv->held);
    }
    return HC_OK;
}

enum hc_status hc_step_csv_finish(struct hc_step_csv *csv, struct hc_error *err)
{
    return flush_held(csv, Z_FINISH, err);
}

void hc_step_csv_close(struct hc_step_csv *csv)
{
    if (!csv)
        return;
    if (csv->is_gzip)
        deflateEnd(&csv->gzip);
    free(csv->name);
    free(csv);
}

/* synth_run.h - a run of the generator as the rows that synth_rules.h looks at. */
#ifndef HC_TESTS_UNIT_SYNTH_RUN_H
#define HC_TESTS_UNIT_SYNTH_RUN_H

#include "core/tables/op_table.h"
#include "sim/synth/step_synth.h"
#include "tests/support/synth_rules.h"

#include <check.h>
#include <stdlib.h>

/* All rows of a run, taken in batches of the given size. */
static struct rule_row *generate(const struct hc_synth_steps_options *options, size_t batch,
                                 size_t *n_rows)
{
    struct hc_error err = {0};
    struct hc_synth_steps *generator = NULL;
    struct hc_table ops;
    ck_assert_msg(!hc_synth_steps_open(&generator, options, &err), "%s", err.message);
    ck_assert(!hc_table_init(&ops, &hc_ops_def, batch, &err));
    size_t total = (size_t)hc_synth_steps_rows(generator), n = 0;
    struct rule_row *rows = calloc(total + 1, sizeof *rows);
    for (;;) {
        ops.n_rows = 0;
        ck_assert_msg(!hc_synth_steps_next(generator, &ops, &err), "%s", err.message);
        if (ops.n_rows == 0)
            break;
        struct hc_op_columns c = hc_op_columns(&ops);
        for (size_t i = 0; i < ops.n_rows; i++, n++) {
            ck_assert_uint_lt(n, total);
            rows[n] = (struct rule_row){.step = c.step[i],
                                        .dp = c.dp_rank[i],
                                        .stage = c.stage[i],
                                        .rank = c.rank[i],
                                        .type = c.op_type[i],
                                        .seq = c.seq_id[i],
                                        .chunk = c.model_chunk[i],
                                        .global_chunk = c.global_chunk[i],
                                        .microbatch = c.microbatch[i],
                                        .start = c.start_ns[i],
                                        .end = c.start_ns[i] + c.duration_ns[i]};
        }
    }
    ck_assert_uint_eq(n, total);
    *n_rows = n;
    hc_table_fini(&ops);
    hc_synth_steps_close(generator);
    return rows;
}

static struct rule_step step_of(const struct hc_synth_steps_options *o, struct rule_row *rows,
                                size_t n_rows, int k)
{
    size_t n = n_rows / (size_t)o->n_steps;
    return (struct rule_step){.n_rows = n,
                              .rows = rows + n * (size_t)k,
                              .dp = o->dp,
                              .pp = o->pp,
                              .vpp = o->vpp,
                              .uses_dp = o->dp * o->dsp > 1};
}

#endif

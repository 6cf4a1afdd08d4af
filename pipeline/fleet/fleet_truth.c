#include "pipeline/fleet/fleet_truth.h"

#include "core/files/outfile.h"
#include "core/tables/table.h"

#include <inttypes.h>
#include <stdio.h>

static void put_index(FILE *stream, int32_t index)
{
    if (index != HC_MISSING_I32)
        fprintf(stream, "%d", index);
    fputc(',', stream);
}

static void put_planted(FILE *stream, const struct hc_fleet_planted *planted)
{
    fprintf(stream, "%s,%.10g,", hc_straggler_cause_key(planted->cause), planted->strength);
    put_index(stream, planted->dp_rank);
    put_index(stream, planted->stage);
}

static void put_ms(FILE *stream, const char *option, int64_t ns)
{
    fprintf(stream, " --%s-ms %.10g", option, (double)ns / 1e6);
}

static void put_slow(FILE *stream, const struct hc_synth_slow *slow)
{
    static const char *const names[HC_N_SYNTH_TARGETS] = {[HC_SYNTH_COMPUTE] = "slow-worker",
                                                          [HC_SYNTH_LINK] = "slow-link",
                                                          [HC_SYNTH_COLLECTIVES] =
                                                              "slow-collectives",
                                                          [HC_SYNTH_HOST] = "slow-host"};
    if (slow->dp_rank < 0)
        fprintf(stream, " --slow-stage %d,%.10g", slow->stage, slow->factor);
    else
        fprintf(stream, " --%s %d,%d,%.10g", names[slow->target], slow->dp_rank, slow->stage,
                slow->factor);
}

/* The command that makes the job alone, but for the name of its file. */
static void put_command(FILE *stream, const struct hc_fleet_synth_job *job)
{
    const struct hc_synth_steps_options *o = &job->options;
    fprintf(stream, "hindcast synth steps --job %s --cluster %s --seed %" PRIu64, job->id,
            o->cluster, o->seed);
    fprintf(stream, " --dp %d --pp %d --vpp %d --tp %d --microbatches %d --steps %d", o->dp, o->pp,
            o->vpp, o->tp, o->microbatches, o->n_steps);
    fprintf(stream, " --first-step %d --step-stride %d%s", o->first_step, o->step_stride,
            o->overlap_dp ? " --overlap-dp" : "");
    put_ms(stream, "forward", o->mean_ns[HC_FORWARD_COMPUTE]);
    put_ms(stream, "p2p", o->mean_ns[HC_FORWARD_SEND]);
    put_ms(stream, "all-gather", o->mean_ns[HC_PARAMS_ALL_GATHER]);
    put_ms(stream, "reduce-scatter", o->mean_ns[HC_GRADS_REDUCE_SCATTER]);
    put_ms(stream, "optimizer", o->mean_ns[HC_OPTIMIZER]);
    put_ms(stream, "launch", o->launch_ns);
    fprintf(stream,
            " --backward-ratio %.10g --compute-cv %.10g --transfer-cv %.10g --step-cv %.10g "
            "--step-rho %.10g",
            o->backward_ratio, o->compute_cv, o->transfer_cv, o->step_cv, o->step_rho);
    if (o->loss_factor != 1.0)
        fprintf(stream, " --loss-factor %.10g", o->loss_factor);
    if (o->sequence_cv > 0)
        fprintf(stream, " --sequence-cv %.10g", o->sequence_cv);
    if (o->gc_pause_ns > 0) {
        put_ms(stream, "gc-pause", o->gc_pause_ns);
        fprintf(stream, " --gc-every %.10g", o->gc_every);
    }
    for (size_t i = 0; i < o->n_slow; i++)
        put_slow(stream, &o->slow[i]);
}

static void put_job(FILE *stream, const struct hc_fleet_synth_job *job, int64_t n_ops)
{
    const struct hc_synth_steps_options *o = &job->options;
    fprintf(stream, "%s,", job->id);
    if (job->n_planted == 0)
        fputs("none,,,,", stream);
    for (size_t i = 0; i < job->n_planted; i++)
        put_planted(stream, &job->planted[i]);
    if (job->n_planted < 2)
        fputs(",,,,", stream);
    fprintf(stream, "%s,", job->is_too_short ? "too-short" : "");
    fprintf(stream, "%" PRIu64 ",%d,%d,%d,%d,%d,%d,%d,%" PRId64 ",%.10g,\"", o->seed, o->dp, o->pp,
            o->vpp, o->tp, o->microbatches, o->n_steps, o->dp * o->pp * o->tp * o->dsp, n_ops,
            o->compute_cv);
    put_command(stream, job);
    fputs("\"\n", stream);
}

enum hc_status hc_fleet_truth_write(const char *path, const struct hc_fleet_synth_job *jobs,
                                    const int64_t *n_ops, size_t n_jobs, struct hc_error *err)
{
    struct hc_outfile out;
    if (hc_outfile_open(&out, path, err))
        return err->status;
    fputs("job,cause,strength,dp_rank,stage,cause_2,strength_2,dp_rank_2,stage_2,discard,seed,dp,"
          "pp,vpp,tp,microbatches,steps,gpus,ops,compute_cv,command\n",
          out.stream);
    for (size_t i = 0; i < n_jobs; i++)
        put_job(out.stream, &jobs[i], n_ops[i]);
    return hc_outfile_commit(&out, err);
}

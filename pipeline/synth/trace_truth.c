#include "pipeline/synth/trace_truth.h"

#include "core/text/json_writer.h"

static const char *const kind_names[] = {[HC_PLANT_SLOW_RANK] = "slow-rank",
                                         [HC_PLANT_SLOW_KERNEL] = "slow-kernel",
                                         [HC_PLANT_SLOW_LINK] = "slow-link",
                                         [HC_PLANT_LATE_HOST] = "late-host",
                                         [HC_PLANT_PAUSE] = "pause"};

/* What a link costs is no rank's work, and a rank alone has nobody beside it. */
static bool has_peers(const struct hc_trace_plant *plant, int32_t n_ranks)
{
    return n_ranks > 1 && plant->kind != HC_PLANT_SLOW_LINK;
}

static void write_plant(struct hc_json_writer *json, const struct hc_trace_plant *plant,
                        const struct hc_trace_truth *truth, size_t i, int32_t n_ranks)
{
    bool has_factor = plant->kind != HC_PLANT_LATE_HOST && plant->kind != HC_PLANT_PAUSE;
    hc_json_object_line(json, NULL);
    hc_json_text(json, "kind", kind_names[plant->kind]);
    hc_json_i32(json, "rank", plant->rank);
    if (plant->kind == HC_PLANT_SLOW_LINK)
        hc_json_i32(json, "other_rank", plant->other);
    if (plant->kind == HC_PLANT_SLOW_KERNEL)
        hc_json_text(json, "kernel", plant->kernel);
    if (plant->kind == HC_PLANT_PAUSE)
        hc_json_i32(json, "step", plant->step);
    if (has_factor)
        hc_json_real(json, "factor", plant->factor);
    else
        hc_json_i64(json, "delay_ns", plant->ns);
    hc_json_i64(json, "cost_ns", truth->cost_ns[i]);
    hc_json_real(json, "cost_share", (double)truth->cost_ns[i] / (double)truth->healthy_ns);
    hc_json_bool(json, "has_peers", has_peers(plant, n_ranks));
    hc_json_end(json);
}

static void write_ranks(struct hc_json_writer *json, const struct hc_trace_synth *synth)
{
    int64_t first = hc_trace_synth_clock(synth, 0).offset_ns;
    double drift = hc_trace_synth_clock(synth, 0).drift;
    hc_json_array(json, "ranks");
    for (int32_t r = 0; r < hc_trace_synth_ranks(synth); r++) {
        struct hc_trace_clock clock = hc_trace_synth_clock(synth, r);
        hc_json_object_line(json, NULL);
        hc_json_i32(json, "rank", r);
        hc_json_i64(json, "offset_ns", clock.offset_ns - first);
        hc_json_real(json, "drift_ppm", (clock.drift - drift) * 1e6);
        hc_json_i64(json, "lost_events", hc_trace_synth_lost(synth, r));
        hc_json_end(json);
    }
    hc_json_end(json);
}

enum hc_status hc_trace_truth_write(FILE *stream, const char *name,
                                    const struct hc_trace_synth *synth,
                                    const struct hc_trace_synth_options *o, struct hc_error *err)
{
    struct hc_trace_truth truth;
    struct hc_json_writer json;
    enum hc_status status = hc_trace_synth_truth(&truth, o, err);
    if (status == HC_OK) {
        hc_json_start(&json, stream, 2);
        hc_json_object(&json, NULL);
        hc_json_text(&json, "schema", "hindcast-trace-truth");
        hc_json_i32(&json, "schema_major", 1);
        hc_json_i64(&json, "seed", (int64_t)o->seed);
        hc_json_i32(&json, "dp", o->dp);
        hc_json_i32(&json, "pp", o->pp);
        hc_json_i32(&json, "steps", o->n_steps);
        hc_json_i64(&json, "total_ns", truth.total_ns);
        hc_json_i64(&json, "healthy_ns", truth.healthy_ns);
        hc_json_array(&json, "planted");
        for (size_t i = 0; i < o->n_plants; i++)
            write_plant(&json, &o->plants[i], &truth, i, o->dp * o->pp);
        hc_json_end(&json);
        write_ranks(&json, synth);
        hc_json_end(&json);
        putc('\n', stream);
        status = hc_json_finish(&json, name, err);
    }
    hc_trace_truth_fini(&truth);
    return status;
}

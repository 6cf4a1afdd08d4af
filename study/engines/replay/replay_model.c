/* Tokens a second, days of training and model FLOPs utilisation, from the time of a step. */
#include "study/engines/replay/replay_model.h"

#include "study/engines/replay/replay_wing.h"

static const struct hc_replay_model *model_of(const struct hc_figure_scale *scale)
{
    return &((const struct hc_replay_config *)scale->config)->model;
}

static double n_steps(const void *replica)
{
    return ((const struct hc_replay_block *)replica)->n_steps;
}

static double span_s(const void *replica)
{
    return ((const struct hc_replay_block *)replica)->span * 1e-9;
}

/* ---- what is said ---- */

bool hc_replay_tells_tokens(const void *config)
{
    const struct hc_replay_model *model = &((const struct hc_replay_config *)config)->model;
    return model->batch > 0 && model->sequence > 0;
}

bool hc_replay_tells_days(const void *config)
{
    const struct hc_replay_model *model = &((const struct hc_replay_config *)config)->model;
    return hc_replay_tells_tokens(config) && model->tokens > 0;
}

static double n_gpus(const struct hc_replay_config *config)
{
    return config->model.gpus > 0 ? config->model.gpus : config->n_gpus;
}

bool hc_replay_tells_mfu(const void *config)
{
    const struct hc_replay_model *model = &((const struct hc_replay_config *)config)->model;
    return hc_replay_tells_tokens(config) && model->layers > 0 && model->hidden > 0 &&
           model->vocabulary > 0 && model->peak_tflops > 0 && n_gpus(config) > 0;
}

/* ---- figures ---- */

double hc_replay_tokens(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    (void)figure;
    return n_steps(replica) * model_of(scale)->batch * model_of(scale)->sequence;
}

double hc_replay_span_s(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return span_s(replica);
}

/* Steps for all tokens, a day having 86,400 s. */
double hc_replay_days(const struct hc_engine_figure *figure, const void *replica,
                      const struct hc_figure_scale *scale)
{
    const struct hc_replay_model *m = model_of(scale);
    (void)figure;
    return span_s(replica) * m->tokens / (m->batch * m->sequence) / 86400;
}

double hc_replay_n_steps(const struct hc_engine_figure *figure, const void *replica,
                         const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return n_steps(replica);
}

/* FLOPs of a step of a dense transformer, forward, backward and activations once more (Narayanan et
 * al., arXiv 2104.04473, section 5.1): 72 B s l h^2 (1 + s / 6h + V / 12lh) without recomputation.
 */
double hc_replay_flops(const struct hc_engine_figure *figure, const void *replica,
                       const struct hc_figure_scale *scale)
{
    const struct hc_replay_model *m = model_of(scale);
    double h = m->hidden, s = m->sequence;
    (void)figure;
    return n_steps(replica) * 72 * m->batch * s * m->layers * h * h *
           (1 + s / (6 * h) + m->vocabulary / (12 * m->layers * h));
}

double hc_replay_peak_flops(const struct hc_engine_figure *figure, const void *replica,
                            const struct hc_figure_scale *scale)
{
    const struct hc_replay_config *config = scale->config;
    (void)figure;
    return span_s(replica) * n_gpus(config) * config->model.peak_tflops * 1e12;
}

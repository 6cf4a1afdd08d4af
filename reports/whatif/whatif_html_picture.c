#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_TITLES 2500 /* ops of a drawing that tell what they are when pointed at */
#define TITLE_SIZE 128

enum series { FORWARD, BACKWARD, END_OF_STEP, PAUSE, TRANSFER, COLLECTIVE, N_SERIES };

static const struct hc_figure_part parts[N_SERIES] = {
    {"forward", HC_BLUE}, {"backward", HC_GREEN},         {"end of step", HC_PURPLE},
    {"gc", HC_ORANGE},    {"pipeline transfer", HC_GREY}, {"collective", HC_VERMILLION},
};

static enum series series_of(int op_type)
{
    switch (op_type) {
    case HC_FORWARD_COMPUTE:
        return FORWARD;
    case HC_BACKWARD_COMPUTE:
        return BACKWARD;
    case HC_GC:
        return PAUSE;
    case HC_OPTIMIZER:
    case HC_LAYERNORM_GRADS_ALL_REDUCE:
        return END_OF_STEP;
    default:
        return hc_op_is_p2p(op_type) ? TRANSFER : COLLECTIVE;
    }
}

/* The ops of one dp rank, as recorded or ideal, while they are drawn. */
struct drawing {
    const struct hc_step_picture *picture;
    int32_t dp_rank, n_stages;
    bool is_ideal;
    struct hc_figure_bar *bars;
    char (*titles)[TITLE_SIZE]; /* NULL: too many ops for titles */
    char (*names)[48];          /* [n_stages] */
    const char **lanes;
    size_t n_bars;
};

static void write_title(char text[TITLE_SIZE], const struct hc_picture_op *op, int64_t start_ns,
                        int64_t length_ns)
{
    char start[HC_NUMBER_TEXT], length[HC_NUMBER_TEXT], microbatch[32] = "";
    if (op->microbatch != HC_MISSING_I32)
        snprintf(microbatch, sizeof microbatch, ", microbatch %" PRId32, op->microbatch);
    snprintf(text, TITLE_SIZE, "%s %" PRId32 "%s: at %s, %s", hc_op_type_name(op->op_type),
             op->seq_id, microbatch, hc_format_seconds((double)start_ns * 1e-9, start),
             hc_format_seconds((double)length_ns * 1e-9, length));
}

static void add_bar(struct drawing *drawing, const struct hc_picture_op *op)
{
    int64_t start_ns = drawing->is_ideal ? op->ideal_start_ns : op->traced_start_ns;
    int64_t length_ns = drawing->is_ideal ? op->ideal_ns : op->traced_ns;
    size_t i = drawing->n_bars++;
    enum series series = series_of(op->op_type);
    drawing->bars[i] = (struct hc_figure_bar){
        .lane = (size_t)op->stage,
        .start = (double)start_ns * 1e-9,
        .end = (double)(start_ns + length_ns) * 1e-9,
        .part = series,
        .is_thin = series == TRANSFER || series == COLLECTIVE,
    };
    if (drawing->titles) {
        write_title(drawing->titles[i], op, start_ns, length_ns);
        drawing->bars[i].text = drawing->titles[i];
    }
    if (!drawing->lanes[op->stage]) {
        snprintf(drawing->names[op->stage], sizeof drawing->names[0],
                 "stage %" PRId32 " (rank %" PRId32 ")", op->stage, op->rank);
        drawing->lanes[op->stage] = drawing->names[op->stage];
    }
}

static size_t count_ops(const struct hc_step_picture *picture, int32_t dp_rank)
{
    size_t n = 0;
    for (size_t i = 0; i < picture->n_ops; i++)
        n += picture->ops[i].dp_rank == dp_rank;
    return n;
}

static enum hc_status fill(struct drawing *drawing, struct hc_error *err)
{
    size_t n = count_ops(drawing->picture, drawing->dp_rank);
    size_t n_stages = (size_t)drawing->n_stages;
    drawing->bars = hc_new_array(n, sizeof *drawing->bars, err);
    drawing->lanes = drawing->bars ? hc_new_array(n_stages, sizeof *drawing->lanes, err) : NULL;
    drawing->names = drawing->lanes ? hc_new_array(n_stages, sizeof *drawing->names, err) : NULL;
    if (!drawing->names)
        return err->status;
    if (n <= MAX_TITLES && !(drawing->titles = hc_new_array(n, TITLE_SIZE, err)))
        return err->status;
    for (size_t i = 0; i < drawing->picture->n_ops; i++) {
        const struct hc_picture_op *op = &drawing->picture->ops[i];
        if (op->dp_rank == drawing->dp_rank && op->stage >= 0 && op->stage < drawing->n_stages)
            add_bar(drawing, op);
    }
    return HC_OK;
}

/* A drawing: of a dp rank, as recorded or ideal. */
struct view {
    int32_t dp_rank;
    bool is_ideal;
    const char *name, *title;
};

static enum hc_status draw(const struct hc_figure_sink *sink, const struct hc_whatif_result *result,
                           const struct view *view, struct hc_error *err)
{
    const struct hc_step_picture *picture = &result->depth.picture;
    struct drawing drawing = {.picture = picture,
                              .dp_rank = view->dp_rank,
                              .n_stages = result->pp_size,
                              .is_ideal = view->is_ideal};
    enum hc_status status = fill(&drawing, err);
    int64_t span_ns = view->is_ideal ? picture->ideal_span_ns : picture->traced_span_ns;
    double end_s = fmax((double)picture->traced_span_ns, (double)picture->ideal_span_ns) * 1e-9;
    char note[128], number[HC_NUMBER_TEXT];
    if (status == HC_OK) {
        snprintf(note, sizeof note, "The step takes %s.",
                 hc_format_seconds((double)span_ns * 1e-9, number));
        const struct hc_figure figure = {
            .kind = HC_FIGURE_GANTT,
            .name = view->name,
            .title = view->title,
            .note = note,
            .is_wide = true,
            .x = {.title = "time from the start of the step",
                  .unit = "s",
                  .high = end_s > 0 ? end_s : 1},
            .n_rows = (size_t)result->pp_size,
            .row_names = drawing.lanes,
            .n_parts = N_SERIES,
            .parts = parts,
            .n_bars = drawing.n_bars,
            .bars = drawing.bars,
        };
        status = hc_figure_put(sink, &figure, err);
    }
    free(drawing.bars);
    free(drawing.titles);
    free(drawing.names);
    free(drawing.lanes);
    return status;
}

/* ---- all of them ---- */

enum hc_status hc_whatif_picture_figures(const struct hc_figure_sink *sink,
                                         const struct hc_whatif_report *report,
                                         struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    int32_t worst = result->findings.worst_dp_rank, typical = result->findings.typical_dp_rank;
    char title[96];
    if (!result->depth.picture.done)
        return HC_OK;
    snprintf(title, sizeof title, "As recorded: dp rank %" PRId32 "%s", worst,
             result->dp_size > 1 ? ", which has the slowest worker" : "");
    if (draw(sink, result, &(struct view){worst, false, "picture-recorded", title}, err))
        return err->status;
    if (typical != worst) {
        snprintf(title, sizeof title, "As recorded: dp rank %" PRId32 ", a typical one", typical);
        if (draw(sink, result, &(struct view){typical, false, "picture-typical", title}, err))
            return err->status;
    }
    snprintf(title, sizeof title, "Ideal: dp rank %" PRId32, worst);
    return draw(sink, result, &(struct view){worst, true, "picture-ideal", title}, err);
}

enum hc_status hc_whatif_html_picture(FILE *stream, const struct hc_whatif_report *report,
                                      struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    const struct hc_step_picture *picture = &result->depth.picture;
    int32_t worst = result->findings.worst_dp_rank, typical = result->findings.typical_dp_rank;
    char traced[HC_NUMBER_TEXT], ideal[HC_NUMBER_TEXT];
    if (!picture->done)
        return HC_OK;
    hc_html_section_start(stream, "picture", "One step, as recorded and ideal");
    hc_html_paragraph(stream, NULL,
                      "Step %" PRId32 ": %s as recorded, %s ideal, on the same time axis. Of "
                      "communication only the transfer is drawn, under the computation; the wait "
                      "before it is left blank.",
                      picture->step,
                      hc_format_seconds((double)picture->traced_span_ns * 1e-9, traced),
                      hc_format_seconds((double)picture->ideal_span_ns * 1e-9, ideal));
    if (result->dp_size > 2)
        hc_html_paragraph(stream, "note",
                          "Of %" PRId32 " dp ranks these are drawn: %" PRId32 " and %" PRId32 ".",
                          result->dp_size, worst, typical);
    const struct hc_figure_sink page = hc_figure_page(stream);
    enum hc_status status = hc_whatif_picture_figures(&page, report, err);
    hc_html_section_end(stream);
    return status;
}

/* The account as a tree: what, and below it why; and the time that each cause cost. */
#include "reports/study/lifetime/life_sections.h"
#include "reports/study/study_text_sections.h"

#include "reports/write/text_line.h"

#include <math.h>
#include <string.h>

#define LABEL_WIDTH 36

static void put_leaf(FILE *stream, int depth, const char *label, double gpu_h, double share)
{
    char number[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    fprintf(stream, "  %*s%-*s %16s %9s\n", 2 * depth, "", LABEL_WIDTH - 2 * depth, label,
            gpu_h < 9.5 ? hc_format_fixed(gpu_h, 2, number)
                        : hc_format_count(llround(gpu_h), number),
            hc_format_percent(share, percent));
}

static void put_account(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    if (!(life->gpu_h > 0))
        return;
    fprintf(stream, "\n%-*s %16s %9s\n", LABEL_WIDTH + 2, "where the GPU-hours of a life went",
            "GPU-h", "share");
    for (size_t i = 0; i < life->n_branches; i++) {
        const struct hc_life_branch *branch = &life->branch[i];
        put_leaf(stream, branch->depth, branch->name, branch->gpu_h, branch->share);
    }
    put_leaf(stream, 0, "all", life->gpu_h, 1);
}

/* ---- by cause, and jobs on the pool ---- */

static enum hc_status put_causes(const struct hc_study_result *result, FILE *stream,
                                 struct hc_error *err)
{
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    struct hc_study_listing table;
    if (!(life->unproductive_s > 0))
        return HC_OK;
    fputc('\n', stream);
    hc_study_causes_table(&table, life);
    return hc_section_print(stream, table.section, err);
}

static void put_sum(const char *name, const struct hc_study_value *gpu_h, FILE *stream)
{
    char text[HC_STUDY_NUMBER];
    fprintf(stream, "  %-99s%s\n", name, hc_study_value_text(gpu_h, text));
}

static enum hc_status put_jobs(const struct hc_study_result *result, FILE *stream,
                               struct hc_error *err)
{
    const struct hc_study_jobs *jobs = hc_life_run_findings(&result->run[0])->jobs;
    struct hc_study_listing table;
    if (!jobs)
        return HC_OK;
    fputc('\n', stream);
    hc_study_jobs_table(&table, result, jobs, NULL);
    if (hc_section_print(stream, table.section, err))
        return err->status;
    put_sum("free nodes of the pool", &jobs->pool_idle_gpu_h, stream);
    put_sum("all", &jobs->total_gpu_h, stream);
    return HC_OK;
}

enum hc_status hc_life_text_tables(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err)
{
    put_account(result, stream);
    enum hc_status status = put_causes(result, stream, err);
    return status ? status : put_jobs(result, stream, err);
}

/* ---- lines ---- */

/* The value of a column by its name, or NULL. */
static const struct hc_study_value *value_of(const struct hc_study_result *result,
                                             const struct hc_study_value *value, const char *name)
{
    size_t column = hc_study_column_find(result, name);
    return column == HC_STUDY_NONE ? NULL : &value[column];
}

/* Of lives that a horizon cuts off: how far they got. */
static void put_progress(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    const struct hc_life_findings *life = hc_life_run_findings(base);
    const struct hc_study_value *progress = value_of(result, base->value, "progress_d"),
                                *nominal = value_of(result, base->value, "ettr_nominal");
    struct hc_text_line line = {.used = 0};
    char a[HC_STUDY_NUMBER], b[HC_NUMBER_TEXT], c[HC_STUDY_NUMBER];
    if (!progress || !nominal || life->work_s > 0)
        return;
    hc_line_add(&line, "%s d of nominal steps in %s d, an ETTR at nominal speed of %s",
                hc_study_value_text(progress, a), hc_study_number_text(life->horizon_s / 86400, b),
                hc_study_value_text(nominal, c));
    hc_line_put(stream, "progress", &line);
}

/* ETTR counts slow steps as if they were not: where they take so much of it, that is said. */
#define SLOW_SHARE 0.001

static void put_ettr(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    const struct hc_life_findings *life = hc_life_run_findings(base);
    const struct hc_study_value *ettr = value_of(result, base->value, "ettr"),
                                *nominal = value_of(result, base->value, "ettr_nominal");
    struct hc_text_line line = {.used = 0};
    char text[HC_STUDY_NUMBER], exact[HC_NUMBER_TEXT], first[HC_NUMBER_TEXT];
    if (!ettr)
        return;
    hc_line_add(&line, "%s", hc_study_value_text(ettr, text));
    if (nominal && life->work_s > 0 && nominal->mean < ettr->mean - SLOW_SHARE)
        hc_line_add(&line, ", but %s at nominal speed", hc_study_value_text(nominal, text));
    if (isfinite(life->reference.ettr_exact))
        hc_line_add(&line, "; closed form %s, its first order %s",
                    hc_format_fixed(life->reference.ettr_exact, 4, exact),
                    hc_format_fixed(life->reference.ettr_first_order, 4, first));
    else if (life->reference.outside)
        hc_line_add(&line, "; no closed form knows %s", life->reference.outside);
    hc_line_put(stream, "ETTR", &line);
}

static void put_stop_lengths(const struct hc_life_stops *stops, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char p50[HC_NUMBER_TEXT], p90[HC_NUMBER_TEXT], p99[HC_NUMBER_TEXT], longest[HC_NUMBER_TEXT];
    if (stops->n == 0)
        return;
    hc_line_add(&line, "half of them within %s s, 90 %% within %s s, 99 %% within %s s",
                hc_study_number_text(round(stops->p50_s), p50),
                hc_study_number_text(round(stops->p90_s), p90),
                hc_study_number_text(round(stops->p99_s), p99));
    hc_line_add(&line, "; the longest %s s",
                hc_study_number_text(round(stops->longest_s), longest));
    hc_line_put(stream, "their length", &line);
}

static void put_stops(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    const struct hc_life_findings *life = hc_life_run_findings(base);
    const struct hc_study_value *stops = value_of(result, base->value, "interruptions"),
                                *mtbf = value_of(result, base->value, "mtbf_h"),
                                *mttr = value_of(result, base->value, "mttr_s");
    struct hc_text_line line = {.used = 0};
    char a[HC_STUDY_NUMBER], b[HC_STUDY_NUMBER], c[HC_STUDY_NUMBER], d[HC_NUMBER_TEXT];
    if (!stops || !mtbf || !mttr)
        return;
    hc_line_add(&line, "%s a life", hc_study_value_text(stops, a));
    if (isfinite(mtbf->mean))
        hc_line_add(&line, ", one each %s h of running; %s s from a stop to the next step",
                    hc_study_value_text(mtbf, b), hc_study_value_text(mttr, c));
    if (isfinite(life->reference.mttf_s))
        hc_line_add(&line, "; the rates of what stops it give one each %s h%s",
                    hc_study_number_text(life->reference.mttf_s / 3600, d),
                    life->reference.is_long_run ? " in the long run, from nodes that are not new"
                                                : "");
    hc_line_put(stream, "stops", &line);
    put_stop_lengths(&life->stops, stream);
}

/* How often it saves, and how often the formula would. */
static void put_checkpoints(const struct hc_life_findings *life, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (!isfinite(life->reference.young_interval_s))
        return;
    if (life->save_every_s > 0)
        hc_line_add(&line, "each %s s of steps; ",
                    hc_study_number_text(life->save_every_s, number));
    hc_line_add(&line, "Young's interval is %s s",
                hc_study_number_text(round(life->reference.young_interval_s), number));
    hc_line_put(stream, "checkpoints", &line);
}

static void put_money(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    const struct hc_life_findings *life = hc_life_run_findings(base);
    const struct hc_study_value *cost = value_of(result, base->value, "cost");
    struct hc_text_line line = {.used = 0};
    char a[HC_STUDY_NUMBER], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (!cost)
        return;
    hc_line_add(&line, "%s at %s a GPU-hour", hc_study_value_text(cost, a),
                hc_study_number_text(result->price_per_gpu_h, b));
    if (life->gpu_h > 0 && isfinite(life->unproductive_money))
        hc_line_add(&line, ", of which %s for GPU-hours that brought no progress",
                    hc_format_count(llround(life->unproductive_money), c));
    hc_line_put(stream, "money", &line);
}

void hc_life_text_lines(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    put_progress(result, stream);
    put_ettr(result, stream);
    put_stops(result, stream);
    put_checkpoints(life, stream);
    put_money(result, stream);
}

/* fleet_confusion DIR [--least-right SHARE] [--most-false SHARE] [--list] - planted causes of a
 * synthetic fleet (docs/formats/fleet-truth.md) against what the analysis says of its jobs.
 *
 * A job with a planted cause counts when it is felt: S of at least 1.1, of a planted launch delay
 * the launch slowdown. Of two causes either. A clean job is a false alarm when any cause is named.
 * Jobs are analysed one after the other. --list names the jobs that are judged wrongly.
 * Exit: 0, 1 fewer right or more false alarms than asked for, 2 usage, 3 what cannot be read.
 */
#include "pipeline/inputs/source_input.h"
#include "sim/replay/step_trace.h"
#include "sim/whatif/whatif.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FELT     1.1
#define N_FIELDS 20 /* of truth.csv, before the command */

enum { JOB, CAUSE, STRENGTH, DP_RANK, STAGE, CAUSE_2, DISCARD = 9, DP = 11, PP, VPP, STEPS = 16 };

struct matrix {
    long n[HC_N_STRAGGLER_CAUSES][HC_N_STRAGGLER_CAUSES]; /* planted, found */
};

struct scores {
    struct matrix felt;  /* one felt cause, or none */
    struct matrix faint; /* the same for causes that are not felt */
    long n_discards, n_refused;
    long n_two, n_both, n_one; /* of two causes, felt: both named, one of them */
    bool lists;
};

struct verdict {
    double slowdown, launch_slowdown;
    bool is_named[HC_N_STRAGGLER_CAUSES]; /* with the further ones */
    enum hc_straggler_cause cause;
    char text[sizeof((struct hc_verdict *)0)->text];
};

static enum hc_straggler_cause find_cause(const char *key)
{
    enum hc_straggler_cause cause = HC_STRAGGLER_NONE;
    while (cause < HC_N_STRAGGLER_CAUSES && strcmp(hc_straggler_cause_key(cause), key) != 0)
        cause++;
    return cause;
}

/* --- analysis --------------------------------------------------------------------------------- */

static enum hc_status take_batch(const struct hc_table *ops, void *context, struct hc_error *err)
{
    return hc_step_trace_add(context, ops, err);
}

static void keep_verdict(struct verdict *verdict, const struct hc_whatif_result *result)
{
    const struct hc_verdict *found = &result->depth.verdict;
    *verdict = (struct verdict){.slowdown = result->slowdown,
                                .launch_slowdown = result->launch_slowdown,
                                .cause = found->cause};
    verdict->is_named[found->cause] = true;
    for (size_t i = 0; i < found->n_also; i++)
        verdict->is_named[found->also[i]] = true;
    snprintf(verdict->text, sizeof verdict->text, "%s", found->text);
}

static enum hc_status analyse(struct verdict *verdict, const char *path, struct hc_error *err)
{
    static const struct hc_trace_options trace_options = {.max_bad = 0.01};
    const struct hc_whatif_options options = {.threshold = 1.03,
                                              .replay.max_bad = 0.01,
                                              .depth = HC_DEPTH_ALL,
                                              .picture_step = HC_MISSING_I32};
    struct hc_source_input input = {0};
    struct hc_step_trace *trace = NULL;
    struct hc_whatif_result result;
    enum hc_status status = hc_source_input_open(&input, path, &trace_options, err);
    if (status == HC_OK)
        status = hc_step_trace_new(&trace, &input.job, err);
    if (status == HC_OK)
        status = hc_source_input_read(&input, take_batch, trace, err);
    if (status == HC_OK) {
        hc_step_trace_set_report(trace, &input.report);
        status = hc_whatif_run(&result, trace, &options, err);
    }
    if (status == HC_OK) {
        keep_verdict(verdict, &result);
        hc_whatif_result_fini(&result);
    }
    hc_step_trace_free(trace);
    hc_source_input_close(&input);
    return status;
}

/* --- scores ----------------------------------------------------------------------------------- */

static bool is_felt(enum hc_straggler_cause planted, const struct verdict *verdict)
{
    return (planted == HC_STRAGGLER_LAUNCH ? verdict->launch_slowdown : verdict->slowdown) >= FELT;
}

static void list_job(const struct scores *scores, char *const *field, const struct verdict *v)
{
    if (!scores->lists)
        return;
    printf("%s: %s %s%s%s at dp %s, stage %s of %s x %s x %s, %s steps: S %.3f, launch %.3f: %s",
           field[JOB], field[CAUSE], field[STRENGTH], field[CAUSE_2][0] ? " and " : "",
           field[CAUSE_2], field[DP_RANK], field[STAGE], field[DP], field[PP], field[VPP],
           field[STEPS], v->slowdown, v->launch_slowdown, hc_straggler_cause_key(v->cause));
    for (enum hc_straggler_cause cause = 0; cause < HC_N_STRAGGLER_CAUSES; cause++)
        if (v->is_named[cause] && cause != v->cause)
            printf(", also %s", hc_straggler_cause_key(cause));
    printf(" (%s)\n", v->text);
}

static void score_two(struct scores *scores, char *const *field, const struct verdict *v)
{
    enum hc_straggler_cause first = find_cause(field[CAUSE]), second = find_cause(field[CAUSE_2]);
    if (!is_felt(first, v) && !is_felt(second, v))
        return;
    int n_named = v->is_named[first] + v->is_named[second];
    scores->n_two++;
    scores->n_both += n_named == 2;
    scores->n_one += n_named == 1;
    if (n_named < 2)
        list_job(scores, field, v);
}

static void score(struct scores *scores, char *const *field, const struct verdict *v)
{
    enum hc_straggler_cause planted = find_cause(field[CAUSE]);
    if (field[CAUSE_2][0]) {
        score_two(scores, field, v);
        return;
    }
    bool counts = planted == HC_STRAGGLER_NONE || is_felt(planted, v);
    (counts ? &scores->felt : &scores->faint)->n[planted][v->cause]++;
    if (v->cause != planted && (counts || v->cause != HC_STRAGGLER_NONE))
        list_job(scores, field, v);
}

/* Cut a line at its commas; the command, which has some, is left out. */
static bool split(char *line, char **field)
{
    for (int i = 0; i < N_FIELDS; i++) {
        char *comma = strchr(line, ',');
        if (!comma)
            return false;
        field[i] = line;
        *comma = '\0';
        line = comma + 1;
    }
    return find_cause(field[CAUSE]) < HC_N_STRAGGLER_CAUSES &&
           (!field[CAUSE_2][0] || find_cause(field[CAUSE_2]) < HC_N_STRAGGLER_CAUSES);
}

static enum hc_status score_line(struct scores *scores, const char *directory, char *line,
                                 struct hc_error *err)
{
    char *field[N_FIELDS], path[4096];
    struct verdict verdict;
    if (!split(line, field))
        return hc_fail(err, HC_BAD_INPUT, "not a line of a truth.csv: '%.80s'", line);
    snprintf(path, sizeof path, "%s/trace-%s.parquet", directory, field[JOB]);
    enum hc_status status = analyse(&verdict, path, err);
    if (field[DISCARD][0]) {
        scores->n_discards++;
        scores->n_refused += status != HC_OK;
        *err = (struct hc_error){0};
        return HC_OK;
    }
    if (status == HC_OK)
        score(scores, field, &verdict);
    return status;
}

static enum hc_status score_fleet(struct scores *scores, const char *directory,
                                  struct hc_error *err)
{
    char path[4096], *line = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/truth.csv", directory);
    FILE *truth = fopen(path, "re");
    if (!truth)
        return hc_fail_errno(err, "cannot read", path);
    enum hc_status status = HC_OK;
    bool has_header = getline(&line, &capacity, truth) > 0;
    while (has_header && status == HC_OK && getline(&line, &capacity, truth) > 0)
        status = score_line(scores, directory, line, err);
    free(line);
    fclose(truth);
    return status;
}

/* --- what came out ---------------------------------------------------------------------------- */

static void print_matrix(const char *title, const struct matrix *matrix)
{
    printf("%-32s", title);
    for (enum hc_straggler_cause cause = 0; cause < HC_N_STRAGGLER_CAUSES; cause++)
        printf(" %11s", hc_straggler_cause_key(cause));
    putchar('\n');
    for (enum hc_straggler_cause planted = 0; planted < HC_STRAGGLER_UNEXPLAINED; planted++) {
        printf("  %-30s", hc_straggler_cause_key(planted));
        for (enum hc_straggler_cause cause = 0; cause < HC_N_STRAGGLER_CAUSES; cause++)
            printf(" %11ld", matrix->n[planted][cause]);
        putchar('\n');
    }
}

static double share(long part, long whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

/* Returns whether they are as good as asked for; a fleet without such jobs is not. */
static bool print_scores(struct scores *scores, double least_right, double most_false)
{
    long n_felt = 0, n_right = 0, n_clean = 0;
    for (enum hc_straggler_cause found = 0; found < HC_N_STRAGGLER_CAUSES; found++) {
        n_clean += scores->felt.n[HC_STRAGGLER_NONE][found];
        for (enum hc_straggler_cause planted = 1; planted < HC_N_STRAGGLER_CAUSES; planted++) {
            n_felt += scores->felt.n[planted][found];
            n_right += planted == found ? scores->felt.n[planted][found] : 0;
        }
    }
    long n_false = n_clean - scores->felt.n[HC_STRAGGLER_NONE][HC_STRAGGLER_NONE];
    print_matrix("planted, felt | found", &scores->felt);
    print_matrix("planted, not felt | found", &scores->faint);
    printf("one cause, felt: %ld of %ld right (%.1f %%)\n", n_right, n_felt,
           100 * share(n_right, n_felt));
    printf("clean: %ld false alarms of %ld (%.1f %%)\n", n_false, n_clean,
           100 * share(n_false, n_clean));
    printf("two causes, felt: both named %ld, one of them %ld, none %ld of %ld\n", scores->n_both,
           scores->n_one, scores->n_two - scores->n_both - scores->n_one, scores->n_two);
    printf("too short: %ld, of them refused %ld\n", scores->n_discards, scores->n_refused);
    return (least_right <= 0 || share(n_right, n_felt) >= least_right) &&
           (most_false >= 1 || share(n_false, n_clean) < most_false);
}

int main(int argc, char **argv)
{
    struct scores scores = {0};
    struct hc_error err = {0};
    const char *directory = NULL;
    double least_right = 0, most_false = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            scores.lists = true;
        else if (strcmp(argv[i], "--least-right") == 0 && i + 1 < argc)
            least_right = atof(argv[++i]);
        else if (strcmp(argv[i], "--most-false") == 0 && i + 1 < argc)
            most_false = atof(argv[++i]);
        else
            directory = argv[i];
    }
    if (!directory) {
        fprintf(stderr, "usage: fleet_confusion DIR [--least-right SHARE] [--most-false SHARE] "
                        "[--list]\n");
        return 2;
    }
    if (score_fleet(&scores, directory, &err)) {
        fprintf(stderr, "fleet_confusion: %s\n", err.message);
        return 3;
    }
    return print_scores(&scores, least_right, most_false) ? 0 : 1;
}

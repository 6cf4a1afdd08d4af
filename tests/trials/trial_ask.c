/* trial_ask.c - the program run on a trial, and its JSON taken apart. */
#include "tests/trials/trial_answer.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_text(char *text, size_t size, const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value ? value : "");
}

/* A number, or the value of a figure with its interval. */
static double take_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_object(value))
        value = json_object_get(value, "value");
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static struct trial_measured take_measured(const json_t *object, const char *key)
{
    const json_t *figure = json_object_get(object, key);
    return (struct trial_measured){take_number(object, key), take_number(figure, "low"),
                                   take_number(figure, "high")};
}

static int take_step(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static unsigned take_types(const json_t *names)
{
    unsigned types = 0;
    for (size_t i = 0; i < json_array_size(names); i++)
        for (int op = 0; op < TRIAL_N_OPS; op++)
            if (strcmp(json_string_value(json_array_get(names, i)),
                       trial_op_name((enum trial_op)op)) == 0)
                types |= 1u << op;
    return types;
}

static void take_culprit(struct trial_culprit *culprit, const json_t *json,
                         const struct trial_shape *shape)
{
    const json_t *workers = json_object_get(json, "workers");
    const json_t *stretches = json_object_get(json, "stretches");
    take_text(culprit->kind, sizeof culprit->kind, json, "kind");
    take_text(culprit->ops, sizeof culprit->ops, json, "ops");
    take_text(culprit->pattern, sizeof culprit->pattern, json, "pattern");
    take_text(culprit->cause, sizeof culprit->cause, json, "cause");
    take_text(culprit->host, sizeof culprit->host, json, "host");
    take_text(culprit->switch_name, sizeof culprit->switch_name, json, "switch");
    take_text(culprit->text, sizeof culprit->text, json, "text");
    culprit->types = take_types(json_object_get(json, "op_types"));
    culprit->period = take_step(json, "period_steps");
    culprit->alone_s = take_number(json, "alone_s");
    culprit->lost_s = fmax(culprit->alone_s, take_number(json, "split_s"));
    culprit->since = take_step(json, "since");
    culprit->until = take_step(json, "until");
    culprit->duty = take_measured(json, "duty");
    culprit->pass_duty = take_measured(json, "pass_duty");
    culprit->share = take_measured(json, "alone_share");
    culprit->factor = take_measured(json, "factor");
    culprit->n_stretches = (int)json_array_size(stretches);
    if (json_array_size(stretches)) {
        const json_t *first = json_array_get(stretches, 0);
        const json_t *last = json_array_get(stretches, json_array_size(stretches) - 1);
        culprit->first_low = take_step(first, "first_low");
        culprit->first_high = take_step(first, "first_high");
        culprit->last_low = take_step(last, "last_low");
        culprit->last_high = take_step(last, "last_high");
    }
    culprit->is_member = calloc((size_t)trial_n_workers(shape), sizeof *culprit->is_member);
    for (size_t i = 0; culprit->is_member && i < json_array_size(workers); i++) {
        const json_t *worker = json_array_get(workers, i);
        int dp = take_step(worker, "dp_rank"), stage = take_step(worker, "stage");
        if (dp >= 0 && dp < shape->dp && stage >= 0 && stage < shape->pp)
            culprit->is_member[trial_worker(shape, dp, stage)] = true;
    }
}

static void take_answer(struct trial_answer *answer, const json_t *json,
                        const struct trial_shape *shape)
{
    const json_t *verdict = json_object_get(json, "verdict"), *holder = verdict;
    if (!json_object_get(holder, "culprits"))
        holder = json_object_get(json, "cause");
    const json_t *culprits = json_object_get(holder, "culprits");
    const json_t *also = json_object_get(verdict, "also");
    take_text(answer->cause, sizeof answer->cause, verdict, "cause");
    take_text(answer->text, sizeof answer->text, verdict, "text");
    answer->slowdown = take_number(json_object_get(json, "figures"), "slowdown");
    const json_t *interval = json_object_get(json_object_get(json, "intervals"), "slowdown");
    answer->slowdown_low = take_number(interval, "low");
    answer->slowdown_high = take_number(interval, "high");
    for (size_t i = 0; i < json_array_size(also) && i < 8; i++)
        snprintf(answer->also[answer->n_also++], sizeof *answer->also, "%s",
                 json_string_value(json_array_get(also, i)));
    answer->has_culprits = culprits;
    for (size_t i = 0; i < json_array_size(culprits) && i < TRIAL_MOST_CULPRITS; i++)
        take_culprit(&answer->culprits[answer->n_culprits++], json_array_get(culprits, i), shape);
    const json_t *levels = json_object_get(holder, "levels");
    answer->n_levels = (int)json_array_size(levels);
    answer->second_level = take_step(json_array_get(levels, 1), "first");
}

bool trial_ask(struct trial_answer *answer, const struct trial *trial, const char *program,
               const char *path)
{
    *answer = (struct trial_answer){0};
    char command[4096];
    snprintf(command, sizeof command, "'%s' whatif -q --threads 1 --json '%s' 2>&1 >'%s.out'",
             program, path, path);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return false;
    char said[512] = "";
    size_t n = fread(said, 1, sizeof said - 1, pipe);
    said[n] = '\0';
    int status = pclose(pipe);
    snprintf(command, sizeof command, "%s.out", path);
    json_error_t error;
    json_t *json = status == 0 ? json_load_file(command, 0, &error) : NULL;
    remove(command);
    if (!json) {
        fprintf(stderr, "trial_tally: %s %llu: %s\n", trial->of->name,
                (unsigned long long)trial->seed, status ? said : error.text);
        return false;
    }
    take_answer(answer, json, &trial->shape);
    json_decref(json);
    return true;
}

void trial_answer_fini(struct trial_answer *answer)
{
    for (int i = 0; i < answer->n_culprits; i++)
        free(answer->culprits[i].is_member);
    answer->n_culprits = 0;
}

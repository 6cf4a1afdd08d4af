#include "cli/commands/profiles/profile_questions.h"

#include "cli/commands/profiles/fix_choice.h"
#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FACTOR 1000000

const struct hc_option hc_profile_asked_options[] = {
    {.name = "scale",
     .kind = HC_OPTION_LIST,
     .argument = "PART=FACTOR",
     .target = offsetof(struct hc_profile_asked, scale),
     .help =
         "of profiler traces: also replay with cpu, gpu or comm taking FACTOR times as long, of "
         "one rank as cpu:2=1.5; may be given several times"},
    {.name = "fix",
     .kind = HC_OPTION_LIST,
     .argument = "WHAT",
     .target = offsetof(struct hc_profile_asked, fix),
     .help =
         "also replay with what is slow on these workers fixed, as node:NAME, rank:7, rank:7,9 "
         "or rank:0-3, and of steps stage:2 or dp:3; of profiler traces with these ranks at the "
         "level of their peers; may be given several times"},
    {.name = "mend",
     .kind = HC_OPTION_LIST,
     .argument = "RANKS",
     .target = offsetof(struct hc_profile_asked, mend),
     .help = "of profiler traces: the name that --fix had, until the next version"},
    {.name = "only",
     .kind = HC_OPTION_LIST,
     .argument = "RANKS",
     .target = offsetof(struct hc_profile_asked, only),
     .help =
         "of profiler traces: also replay with only these ranks as traced and all others at the "
         "level of their peers; may be given several times"},
    HC_OPTION_END,
};

/* A question on its way. */
struct reading {
    const struct hc_loaded_profile *loaded;
    const char *option, *text; /* for messages */
    uint8_t *is_named;         /* of each rank of the profile */
};

static enum hc_status refuse(const struct reading *reading, const char *form, struct hc_error *err)
{
    return hc_fail(err, HC_USAGE, "option '--%s': '%.60s' is not %s", reading->option,
                   reading->text, form);
}

/* ---- which ranks ---- */

static enum hc_status name_ranks(const struct reading *reading, const char *list,
                                 struct hc_error *err)
{
    const struct hc_profile *profile = &reading->loaded->profile;
    struct hc_fix_place *places = hc_new_array(profile->n_ranks, sizeof *places, err);
    if (!places)
        return err->status;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        int32_t rank = profile->ranks[r].rank;
        places[r] = (struct hc_fix_place){rank, rank, HC_MISSING_I32, HC_MISSING_I32,
                                          hc_job_node(&reading->loaded->job, rank)};
    }
    enum hc_status status =
        hc_fix_choose(reading->is_named, places, profile->n_ranks, reading->option, list, err);
    free(places);
    return status;
}

/* "PART=FACTOR" or "PART:RANK=FACTOR"; part: cpu, gpu or comm. */
static enum hc_status read_scaling(const struct reading *reading,
                                   struct hc_profile_question *question, struct hc_error *err)
{
    char part[8] = "", end = 0;
    int rank = -1;
    const char *text = reading->text;
    bool has_rank = sscanf(text, "%7[a-z]:%9d=%lf%c", part, &rank, &question->factor, &end) == 3;
    bool is_read = has_rank || (sscanf(text, "%7[a-z]=%lf%c", part, &question->factor, &end) == 2);
    question->cpu = strcmp(part, "cpu") == 0;
    question->gpu = strcmp(part, "gpu") == 0;
    question->comm = strcmp(part, "comm") == 0;
    if (!is_read || !(question->cpu || question->gpu || question->comm) || (has_rank && rank < 0) ||
        !(question->factor >= 0 && question->factor <= MOST_FACTOR))
        return refuse(reading,
                      "PART=FACTOR or PART:RANK=FACTOR, with cpu, gpu or comm and a factor of 0 to "
                      "1000000",
                      err);
    char list[24];
    snprintf(list, sizeof list, "rank:%d", rank);
    return has_rank ? name_ranks(reading, list, err) : HC_OK;
}

/* ---- all questions ---- */

/* Of one option. */
static enum hc_status read_words(struct hc_profile_questions *questions, struct reading *reading,
                                 const char *option, const struct hc_words *words,
                                 enum hc_profile_ask ask, struct hc_error *err)
{
    const struct hc_profile *profile = &reading->loaded->profile;
    reading->option = option;
    for (size_t i = 0; i < words->n; i++) {
        struct hc_profile_question *question = &questions->list[questions->n];
        int32_t *ranks = questions->ranks + questions->n * profile->n_ranks;
        *question = (struct hc_profile_question){.ask = ask, .ranks = ranks};
        reading->text = words->word[i];
        memset(reading->is_named, 0, profile->n_ranks * sizeof *reading->is_named);
        if (ask == HC_ASK_SCALE ? read_scaling(reading, question, err)
                                : name_ranks(reading, reading->text, err))
            return err->status;
        for (size_t r = 0; r < profile->n_ranks; r++)
            if (reading->is_named[r])
                ranks[question->n_ranks++] = profile->ranks[r].rank;
        questions->n++;
    }
    return HC_OK;
}

enum hc_status hc_profile_questions_read(struct hc_profile_questions *questions,
                                         const struct hc_profile_asked *asked,
                                         const struct hc_loaded_profile *loaded,
                                         struct hc_error *err)
{
    size_t n = asked->scale.n + asked->fix.n + asked->mend.n + asked->only.n;
    size_t n_ranks = loaded->profile.n_ranks;
    struct reading reading = {.loaded = loaded};
    questions->list = hc_new_array(n, sizeof *questions->list, err);
    questions->ranks = questions->list ? hc_new_array(n, n_ranks * sizeof(int32_t), err) : NULL;
    reading.is_named = questions->ranks ? hc_new_array(n_ranks, 1, err) : NULL;
    enum hc_status status = reading.is_named ? HC_OK : err->status;
    if (status == HC_OK)
        status = read_words(questions, &reading, "scale", &asked->scale, HC_ASK_SCALE, err);
    if (status == HC_OK)
        status = read_words(questions, &reading, "fix", &asked->fix, HC_ASK_MEND, err);
    if (status == HC_OK)
        status = read_words(questions, &reading, "mend", &asked->mend, HC_ASK_MEND, err);
    if (status == HC_OK)
        status = read_words(questions, &reading, "only", &asked->only, HC_ASK_ONLY, err);
    free(reading.is_named);
    return status;
}

void hc_profile_questions_fini(struct hc_profile_questions *questions)
{
    free(questions->list);
    free(questions->ranks);
    memset(questions, 0, sizeof *questions);
}

/* profile_questions.h - what `whatif` is asked about profiler traces beyond its usual variants:
 * --scale, --fix (which was --mend) and --only. */
#ifndef HC_CLI_COMMANDS_PROFILES_PROFILE_QUESTIONS_H
#define HC_CLI_COMMANDS_PROFILES_PROFILE_QUESTIONS_H

#include "cli/frame/options.h"
#include "pipeline/inputs/profile_load.h"
#include "sim/profiles/profile_whatif.h"

/* Words as they were given. */
struct hc_profile_asked {
    struct hc_words scale;           /* "comm=0.5", "cpu:2=1.5" */
    struct hc_words fix, mend, only; /* "rank:7,3", "rank:0-3", "node:n12" (fix_choice.h) */
};

extern const struct hc_option hc_profile_asked_options[]; /* of a struct hc_profile_asked */

struct hc_profile_questions {
    size_t n;
    struct hc_profile_question *list;
    int32_t *ranks; /* of all of them */
};

/* The questions in the order scale, fix, mend, only, with the ranks of the profile that they name,
 * each once and ascending. HC_USAGE: a word that is none of these, a rank or host that is not
 * there. */
enum hc_status hc_profile_questions_read(struct hc_profile_questions *questions,
                                         const struct hc_profile_asked *asked,
                                         const struct hc_loaded_profile *loaded,
                                         struct hc_error *err);
void hc_profile_questions_fini(struct hc_profile_questions *questions);

#endif

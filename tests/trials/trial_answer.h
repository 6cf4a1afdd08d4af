/* trial_answer.h - what `hindcast whatif --json` says of a trial, and whether that is right. */
#ifndef TRIAL_ANSWER_H
#define TRIAL_ANSWER_H

#include "tests/trials/trial.h"

#define TRIAL_MOST_CULPRITS 32

/* A figure with its interval; low and high are NaN where it has none. */
struct trial_measured {
    double value, low, high;
};

struct trial_culprit {
    char kind[16], ops[16], pattern[16], cause[16], host[64], switch_name[64], text[512];
    unsigned types;   /* op types, bits by trial_op; 0: not given */
    int period;       /* in steps; 0: none */
    double alone_s;   /* of the mean step, that fixing it alone saves; NaN: not given */
    double lost_s;    /* that it costs, by the largest figure that is given */
    bool *is_member;  /* [workers] */
    int since, until; /* step numbers */
    int first_low, first_high, last_low,
        last_high; /* of its first and last stretch; 0 to 0: none */
    int n_stretches;
    struct trial_measured duty, pass_duty, share, factor;
};

struct trial_answer {
    char cause[16], also[8][16], text[1024];
    int n_also, n_culprits, n_levels, second_level; /* step number at which the second begins */
    bool has_culprits;                              /* the program knows them at all */
    double slowdown, slowdown_low, slowdown_high;   /* NaN without an interval */
    struct trial_culprit culprits[TRIAL_MOST_CULPRITS];
};

/* Runs the program on the trace and reads what it says; false when that fails (said on stderr). */
bool trial_ask(struct trial_answer *answer, const struct trial *trial, const char *program,
               const char *path);
void trial_answer_fini(struct trial_answer *answer);

/* How an answer was judged. Where a question is not asked of a case, `asked` lacks its bit. */
enum trial_question {
    TRIAL_ASKS_RIGHT, /* cause and place of all that is planted; nobody blamed when nothing is */
    TRIAL_ASKS_CAUSE,
    TRIAL_ASKS_PLACE,
    TRIAL_ASKS_ONSET, /* within two steps */
    TRIAL_ASKS_END,
    TRIAL_ASKS_DUTY, /* within 10 points */
    TRIAL_ASKS_OPS,
    TRIAL_ASKS_HOST,   /* named, where the metadata has nodes */
    TRIAL_ASKS_FACTOR, /* within a tenth */
    TRIAL_ASKS_SPAN,   /* the intervals of onset and end hold them */
    TRIAL_ASKS_BAND,   /* the interval of the factor holds it */
    TRIAL_ASKS_LEVELS, /* a change of the whole job is found, within two steps */
    TRIAL_ASKS_ALONE,  /* no culprit that was not planted */
    TRIAL_ASKS_PERIOD, /* that of a periodic planting */
    TRIAL_ASKS_GAIN,   /* what fixing a worker or node saves, within 15 %, or 0.5 % of the step */
    TRIAL_ASKS_ONCE,   /* no culprit is listed twice */
    TRIAL_ASKS_BLAME,  /* no worker, dp rank, slot, node, switch or link is blamed that was not
                          planted: as the verdict's cause, or as a culprit that costs 1.5 % */
    TRIAL_N_QUESTIONS
};
/* Figures of a culprit that come with an interval. */
enum trial_figure {
    TRIAL_FIGURE_FACTOR,    /* mean factor of the slow steps */
    TRIAL_FIGURE_SHARE,     /* of the excess, by the same job without the planting */
    TRIAL_FIGURE_DUTY,      /* of the steps */
    TRIAL_FIGURE_PASS_DUTY, /* of the passes of these steps; where some are slow */
    TRIAL_N_FIGURES
};
struct trial_outcome {
    unsigned asked, passed; /* bits by question */
    /* By figure: how many culprits were found that have it, how many intervals of it were given,
     * and how many of these hold what was planted. */
    int n_figures[TRIAL_N_FIGURES], n_given[TRIAL_N_FIGURES], n_held[TRIAL_N_FIGURES];
    char missed[512]; /* intervals that do not hold what was planted, and those not given */
    char why[512];
};
void trial_judge(struct trial_outcome *outcome, const struct trial *trial,
                 const struct trial_answer *answer);

#endif

/* The answer of `find` in words. */
#include "reports/study/study_found.h"

#include "study/run/study_numbers.h"

#include <stdio.h>

const char *hc_study_found_noun(const struct hc_study_found *found, char text[HC_FOUND_WORDS])
{
    const char *extreme = found->is_smallest ? "smallest" : "largest";
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (found->step > 0)
        snprintf(text, HC_FOUND_WORDS, "%s %s from %s to %s by %s", extreme, found->path,
                 hc_study_number_text(found->from, a), hc_study_number_text(found->to, b),
                 hc_study_number_text(found->step, c));
    else if (found->proof == HC_FOUND_OF_TRIED)
        snprintf(text, HC_FOUND_WORDS, "%s %s of the %zu values that were tried", extreme,
                 found->path, found->n_tries);
    else
        snprintf(text, HC_FOUND_WORDS, "%s %s", extreme, found->path);
    return text;
}

const char *hc_study_found_proviso(const struct hc_study_found *found, char text[HC_FOUND_WORDS])
{
    const struct hc_study_try *fails =
        found->worse_fails == HC_STUDY_NONE ? NULL : &found->tries[found->worse_fails];
    const char *better = found->is_smallest ? "smaller" : "larger",
               *worse = found->is_smallest ? "larger" : "smaller";
    char a[HC_NUMBER_TEXT];
    int n = 0;
    text[0] = '\0';
    if (found->proof == HC_FOUND_NEXT_FAILS)
        n = snprintf(text, HC_FOUND_WORDS,
                     ", if the condition changes only once (%s %s value%s not tried)",
                     hc_format_count(found->n_untried, a), better,
                     found->n_untried == 1 ? " was" : "s were");
    if (fails)
        snprintf(text + n, HC_FOUND_WORDS - (size_t)n, "; of the %s ones %s fails%s", worse,
                 hc_study_number_text(fails->number, a),
                 found->proof == HC_FOUND_NEXT_FAILS ? ", so it changes more often" : "");
    return text;
}

/* "of the 58 others", "of the other", "of others" where there is no end of them. */
static const char *others(const struct hc_study_found *found, char text[HC_FOUND_WORDS])
{
    char a[HC_NUMBER_TEXT];
    if (found->n_untried < 0)
        return "of others";
    if (found->n_untried == 1)
        return "of the other";
    snprintf(text, HC_FOUND_WORDS, "of the %s others", hc_format_count(found->n_untried, a));
    return text;
}

const char *hc_study_found_none(const struct hc_study_found *found, char text[HC_FOUND_WORDS])
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], rest[HC_FOUND_WORDS];
    if (found->proof == HC_FOUND_ENDS_FAIL)
        snprintf(text, HC_FOUND_WORDS,
                 "; the first and the last are among them, so %.80s none does if the condition "
                 "changes at most once",
                 others(found, rest));
    else if (found->proof != HC_FOUND_ALL_TRIED)
        snprintf(text, HC_FOUND_WORDS, "; %.80s nothing is known", others(found, rest));
    else if (found->step > 0)
        snprintf(text, HC_FOUND_WORDS, "; they are all from %s to %s by %s",
                 hc_study_number_text(found->from, a), hc_study_number_text(found->to, b),
                 hc_study_number_text(found->step, c));
    else
        snprintf(text, HC_FOUND_WORDS, "; they are all that it can have");
    return text;
}

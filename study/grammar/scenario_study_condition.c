#include "study/grammar/scenario_study.h"

#include "core/base/printable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void no_figure(const char *name, size_t length, const char *pointer,
                      const struct hc_place *place, struct hc_scenario_errors *errors)
{
    const char *names[HC_MOST_KEYS];
    char word[64];
    size_t n = 0;
    for (; hc_scenario_figures[n].name && n < HC_MOST_KEYS; n++)
        names[n] = hc_scenario_figures[n].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    hc_scenario_complain(errors, place, pointer, "there is no figure '%s'%s",
                         hc_printable(name, length).text, hc_did_you_mean(word, names, n).text);
}

const struct hc_scenario_figure *hc_study_figure(const struct hc_node *name, const char *pointer,
                                                 struct hc_scenario_errors *errors)
{
    if (!name || name->type != HC_NODE_TEXT || !*name->text)
        return NULL; /* the check of types says so */
    const struct hc_scenario_figure *figure = hc_scenario_figure(name->text, strlen(name->text));
    if (!figure)
        no_figure(name->text, strlen(name->text), pointer, &name->place, errors);
    return figure;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* ".low", ".high", ".mean" or nothing. */
static bool read_bound(const char **at, enum hc_study_bound *bound)
{
    static const struct {
        const char *word;
        enum hc_study_bound bound;
    } words[] = {{".low", HC_BOUND_LOW}, {".high", HC_BOUND_HIGH}, {".mean", HC_BOUND_MEAN}};
    *bound = HC_BOUND_MEAN;
    if (**at != '.')
        return true;
    size_t length = 1 + strspn(*at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
    for (size_t i = 0; i < 3; i++)
        if (strlen(words[i].word) == length && strncmp(*at, words[i].word, length) == 0) {
            *bound = words[i].bound;
            *at += length;
            return true;
        }
    return false;
}

static bool read_relation(const char **at, enum hc_study_relation *relation)
{
    static const char *const words[] = {">=", "<=", ">", "<"}; /* as the enum */
    for (size_t i = 0; i < 4; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(*at, words[i], length) == 0) {
            *relation = (enum hc_study_relation)i;
            *at += length;
            return true;
        }
    }
    return false;
}

bool hc_study_condition(struct hc_study_condition *condition, const char *text,
                        const struct hc_place *place, struct hc_scenario_errors *errors)
{
    const char *pointer = "/find/such_that", *at = skip_blanks(text);
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    const char *wanted = NULL;
    char *end = NULL;
    condition->figure = hc_scenario_figure(at, length);
    if (!condition->figure && length) {
        no_figure(at, length, pointer, place, errors);
        return false;
    }
    if (!length)
        wanted = "it begins with no figure";
    at += length;
    if (!wanted && !read_bound(&at, &condition->bound))
        wanted = "after the figure, only '.low', '.high' or '.mean' may stand";
    at = skip_blanks(at);
    if (!wanted && !read_relation(&at, &condition->relation))
        wanted = "'>=', '<=', '>' or '<' is missing after the figure";
    at = skip_blanks(at);
    if (!wanted) {
        bool is_number = *at == '-' || *at == '.' || (*at >= '0' && *at <= '9');
        condition->number = is_number ? strtod(at, &end) : 0;
        if (!is_number || end == at || *skip_blanks(end) || !isfinite(condition->number))
            wanted = "it does not end in a number";
    }
    if (!wanted && condition->bound != HC_BOUND_MEAN && !condition->figure->has_interval)
        wanted = "this figure has no interval";
    if (wanted)
        hc_scenario_complain(errors, place, pointer, "'%s': %s (as in 'ettr.low >= 0.97')",
                             hc_printable(text, strlen(text)).text, wanted);
    return !wanted;
}

bool hc_study_holds(const struct hc_study_condition *condition, double mean, double low,
                    double high)
{
    double figure = condition->bound == HC_BOUND_LOW    ? low
                    : condition->bound == HC_BOUND_HIGH ? high
                                                        : mean;
    switch (condition->relation) {
    case HC_AT_LEAST:
        return figure >= condition->number;
    case HC_AT_MOST:
        return figure <= condition->number;
    case HC_ABOVE:
        return figure > condition->number;
    case HC_BELOW:
        return figure < condition->number;
    }
    return false;
}

#include "parsers/failures/pattern_regex.h"

#include "core/base/memory.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#define MATCH_LIMIT 200000

struct hc_pattern_regex {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    uint32_t n_names, name_size;
    PCRE2_SPTR names;
    bool is_translated; /* to machine code */
};

enum hc_status hc_pattern_regex_make(struct hc_pattern_regex **regex,
                                     struct hc_event_text expression,
                                     struct hc_regex_mistake *mistake, struct hc_error *err)
{
    int code;
    struct hc_pattern_regex *made = hc_new_array(1, sizeof *made, err);
    *regex = NULL;
    if (!made)
        return err->status;
    made->code = pcre2_compile((PCRE2_SPTR)expression.text, expression.length, 0, &code,
                               &mistake->offset, NULL);
    if (!made->code) {
        pcre2_get_error_message(code, (PCRE2_UCHAR *)mistake->why, sizeof mistake->why);
        free(made);
        return hc_fail(err, HC_BAD_INPUT, "at byte %zu: %s", mistake->offset + 1, mistake->why);
    }
    pcre2_pattern_info(made->code, PCRE2_INFO_NAMECOUNT, &made->n_names);
    pcre2_pattern_info(made->code, PCRE2_INFO_NAMEENTRYSIZE, &made->name_size);
    pcre2_pattern_info(made->code, PCRE2_INFO_NAMETABLE, &made->names);
    made->match = pcre2_match_data_create_from_pattern(made->code, NULL);
    made->limits = pcre2_match_context_create(NULL);
    if (!made->match || !made->limits) {
        hc_pattern_regex_free(made);
        return hc_fail_memory(err, 0);
    }
    pcre2_set_match_limit(made->limits, MATCH_LIMIT);
    *regex = made;
    return HC_OK;
}

void hc_pattern_regex_free(struct hc_pattern_regex *regex)
{
    if (!regex)
        return;
    pcre2_code_free(regex->code);
    pcre2_match_data_free(regex->match);
    pcre2_match_context_free(regex->limits);
    free(regex);
}

size_t hc_pattern_regex_n_names(const struct hc_pattern_regex *regex)
{
    return regex->n_names;
}

const char *hc_pattern_regex_name(const struct hc_pattern_regex *regex, size_t i)
{
    /* Each entry of PCRE2's table: two bytes of the group's number, and its name. */
    return (const char *)regex->names + i * regex->name_size + 2;
}

int hc_pattern_regex_group(const struct hc_pattern_regex *regex, const char *name)
{
    int number = pcre2_substring_number_from_name(regex->code, (PCRE2_SPTR)name);
    return number > 0 ? number : 0;
}

/* Most logs have no line of most patterns, and to translate all of them takes longer than to read a
 * short log: so that is done at the first line. */
static void translate(struct hc_pattern_regex *regex)
{
    pcre2_jit_compile(regex->code,
                      PCRE2_JIT_COMPLETE); /* where the machine has none, it is slower */
    regex->is_translated = true;
}

bool hc_pattern_regex_match(struct hc_pattern_regex *regex, struct hc_event_text line)
{
    if (!regex->is_translated)
        translate(regex);
    return pcre2_match(regex->code, (PCRE2_SPTR)line.text, line.length, 0, 0, regex->match,
                       regex->limits) >= 0;
}

struct hc_event_text hc_pattern_regex_text(const struct hc_pattern_regex *regex, int group,
                                           struct hc_event_text line)
{
    const size_t *places = pcre2_get_ovector_pointer(regex->match);
    size_t number = (size_t)group;
    if (group <= 0 || number >= pcre2_get_ovector_count(regex->match) ||
        places[2 * number] == PCRE2_UNSET || places[2 * number + 1] < places[2 * number])
        return (struct hc_event_text){line.text, 0};
    return (struct hc_event_text){line.text + places[2 * number],
                                  places[2 * number + 1] - places[2 * number]};
}

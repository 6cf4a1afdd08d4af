#include "pipeline/site/site_run_names.h"

#include "parsers/patterns/text_pattern.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(const struct hc_site_attempt *attempt, enum hc_site_run_column column)
{
    switch (column) {
    case HC_RUN_OF_NAME:
        return attempt->name;
    case HC_RUN_OF_COMMENT:
        return attempt->comment;
    default:
        return attempt->work_dir;
    }
}

static const char *by_file(const struct hc_site_run_rule *rule, int64_t job)
{
    int64_t entry = hc_int_map_find(&rule->jobs, (uint64_t)job);
    return entry < 0 ? NULL : rule->runs.text[rule->jobs.values[entry]];
}

static const char *by_pattern(const struct hc_site_run_rule *rule,
                              const struct hc_site_attempt *attempt, char room[HC_SITE_RUN_ROOM])
{
    struct hc_matched groups[HC_PATTERN_MOST_GROUPS];
    const char *text = text_of(attempt, rule->column);
    if (!text || !hc_text_pattern_find(rule->pattern, text, strlen(text), groups) ||
        groups[rule->group].length == 0)
        return NULL;
    snprintf(room, HC_SITE_RUN_ROOM, "%.*s", (int)groups[rule->group].length,
             groups[rule->group].text);
    return room;
}

const char *hc_site_run_name(const struct hc_site *site, const struct hc_site_attempt *attempt,
                             char room[HC_SITE_RUN_ROOM])
{
    const char *name = NULL;
    for (size_t i = 0; i < site->n_run_rules && !name; i++) {
        const struct hc_site_run_rule *rule = &site->run_rules[i];
        if (rule->cluster && (!attempt->cluster || strcmp(rule->cluster, attempt->cluster) != 0))
            continue;
        name = rule->pattern ? by_pattern(rule, attempt, room) : by_file(rule, attempt->job);
    }
    return name;
}

#include "parsers/patterns/pattern_report.h"

#include "core/base/log.h"

void hc_text_pattern_report(const struct hc_text_pattern *pattern, const char *name,
                            const char *file)
{
    int64_t n = pattern ? hc_text_pattern_use(pattern).n_given_up : 0;
    if (n)
        hc_warn("'%s': %s: more than %d steps were needed in %lld places (lines, names or cells), "
                "where it was taken as not matching: write its expression so that there are fewer "
                "ways to go through a text",
                file, name, HC_PATTERN_STEPS, (long long)n);
}

#include "parsers/jobs/job_nodes.h"

#include "core/base/log.h"
#include "core/base/missing.h"
#include "core/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A failed node is looked for in lists of up to so many nodes, which no cluster exceeds: a file
 * whose every row had the longest list would else be read for days. */
#define MOST_SEARCHED 65536

__attribute__((format(printf, 2, 3))) static void doubt(struct hc_job_nodes_doubt *doubt,
                                                        const char *format, ...)
{
    if (doubt->n++)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(doubt->first, sizeof doubt->first, format, args);
    va_end(args);
}

void hc_job_nodes_begin(struct hc_job_nodes *nodes)
{
    nodes->has_list = false;
}

void hc_job_nodes_take(struct hc_job_nodes *nodes, struct hc_span list, int64_t line)
{
    struct hc_error err = {0};
    nodes->has_list = !hc_node_list_open(&nodes->reader, list.text, list.length, &err);
    if (!nodes->has_list)
        doubt(&nodes->unreadable, "line %lld: %s", (long long)line, err.message);
}

static bool is_in_list(struct hc_job_nodes *nodes, const char *node)
{
    for (const char *name; (name = hc_node_list_next(&nodes->reader));)
        if (strcmp(name, node) == 0)
            return true;
    return false;
}

void hc_job_nodes_check(struct hc_job_nodes *nodes, int32_t n_nodes, const char *failed,
                        int64_t line)
{
    if (!nodes->has_list)
        return;
    if (n_nodes != HC_MISSING_I32 && n_nodes != nodes->reader.n_nodes)
        doubt(&nodes->differ, "line %lld: %d nodes, and %lld in the list", (long long)line, n_nodes,
              (long long)nodes->reader.n_nodes);
    if (failed && nodes->reader.n_nodes <= MOST_SEARCHED && !is_in_list(nodes, failed))
        doubt(&nodes->elsewhere, "line %lld: node '%s'", (long long)line,
              hc_printable(failed, strlen(failed)).text);
}

static void say(const struct hc_job_nodes_doubt *doubt, const char *file, const char *what)
{
    if (doubt->n)
        hc_warn("'%s': %s: %lld; the first on %s", file, what, (long long)doubt->n, doubt->first);
}

void hc_job_nodes_warn(const struct hc_job_nodes *nodes, const char *file)
{
    say(&nodes->unreadable, file, "jobs without joins to nodes, since their list cannot be read");
    say(&nodes->differ, file, "jobs with more or fewer nodes than are in their list");
    say(&nodes->elsewhere, file, "jobs whose failed node is not in their list");
}

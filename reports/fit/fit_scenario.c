/* fit_scenario.c - fitted parameters as a scenario file.
 *
 * Written by hand and not by the JSON writer, since that knows no comments. Each member ends with a
 * comma, which the grammar takes.
 */
#include "reports/fit/fit_report.h"

#include "core/text/json_writer.h"
#include "core/text/number_format.h"
#include "reports/write/text_line.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MOST_DEPTH 8
#define WIDTH      100

/* The objects that are open: their names in the path, as lengths of it. */
struct emitter {
    FILE *stream;
    int depth;
    char path[HC_FIT_PATH];
    size_t end[MOST_DEPTH];
};

static void indent(const struct emitter *e)
{
    for (int i = 0; i <= e->depth; i++)
        fputs("  ", e->stream);
}

/* A comment on lines of its own, wrapped; control bytes become '?'. */
static void put_comment(const struct emitter *e, const char *text)
{
    size_t length = strlen(text);
    while (length) {
        size_t most = (size_t)(WIDTH - 2 * (e->depth + 1) - 3), n = length;
        if (n > most) {
            for (n = most; n > 0 && text[n] != ' '; n--)
                ;
            n = n ? n : most;
        }
        indent(e);
        fputs("// ", e->stream);
        for (size_t i = 0; i < n; i++)
            fputc((unsigned char)text[i] < 32 ? '?' : text[i], e->stream);
        fputc('\n', e->stream);
        text += n;
        length -= n;
        while (length && *text == ' ')
            text++, length--;
    }
}

static void close_to(struct emitter *e, int depth)
{
    while (e->depth > depth) {
        e->depth--;
        indent(e);
        fputs("},\n", e->stream);
    }
    e->path[depth ? e->end[depth - 1] : 0] = '\0';
}

/* Open the objects that a path lies in, which ends with the name of its key: its place. */
static const char *open_for(struct emitter *e, const char *path)
{
    const char *key = strrchr(path, '/');
    size_t length = (size_t)(key - path);
    int depth = e->depth;
    while (depth && (e->end[depth - 1] > length || strncmp(path, e->path, e->end[depth - 1]) != 0 ||
                     path[e->end[depth - 1]] != '/'))
        depth--;
    close_to(e, depth);
    size_t at = depth ? e->end[depth - 1] : 0;
    while (at < length && e->depth < MOST_DEPTH) {
        const char *name = path + at + 1;
        size_t n = strcspn(name, "/");
        indent(e);
        fprintf(e->stream, "\"%.*s\": {\n", (int)n, name);
        at += n + 1;
        e->end[e->depth++] = at;
        memcpy(e->path, path, at);
        e->path[at] = '\0';
    }
    return key + 1;
}

/* ---- values ---- */

static bool has_interval(struct hc_estimate e)
{
    return isfinite(e.low) && isfinite(e.high) && e.low > 0 && e.low < e.high && e.low <= e.value &&
           e.value <= e.high;
}

static void put_estimate(FILE *stream, struct hc_estimate e)
{
    char value[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    hc_format_real(e.value, value);
    if (has_interval(e))
        fprintf(stream, "{\"mean\": %s, \"low\": %s, \"high\": %s}", value,
                hc_format_real(e.low, low), hc_format_real(e.high, high));
    else
        fputs(value, stream);
}

static void put_value(FILE *stream, const struct hc_fit_parameter *p)
{
    switch (p->form) {
    case HC_FIT_WORD:
        hc_json_string(stream, p->word);
        return;
    case HC_FIT_COUNT:
        fprintf(stream, "%.0f", p->first.value);
        return;
    case HC_FIT_DISTRIBUTION:
        fprintf(stream, "{\"%s\": {\"mean\": ", hc_fit_parameter_family(p));
        put_estimate(stream, p->first);
        if (isfinite(p->second.value)) {
            fputs(p->family == HC_FIT_LOGNORMAL ? ", \"sd\": " : ", \"shape\": ", stream);
            put_estimate(stream, p->second);
        }
        fputs("}}", stream);
        return;
    default:
        put_estimate(stream, p->first);
    }
}

/* What a scenario takes only with another key: by its pointer, as --set takes it. */
static void put_needy(struct emitter *e, const struct hc_fit_parameter *p)
{
    struct hc_text_line line = {.used = 0};
    close_to(e, 0);
    hc_line_add(&line, "Where %s is given, %s is (n = %lld; %s):", p->needs, p->path,
                (long long)p->n, p->note);
    put_comment(e, line.text);
    indent(e);
    fprintf(e->stream, "// %s=", p->path);
    put_value(e->stream, p);
    fputc('\n', e->stream);
}

static void put_parameter(struct emitter *e, const struct hc_fit_parameter *p)
{
    struct hc_text_line line = {.used = 0};
    if (p->needs && p->form != HC_FIT_ABSENT) {
        put_needy(e, p);
        return;
    }
    const char *key = open_for(e, p->path);
    if (p->form == HC_FIT_ABSENT)
        hc_line_add(&line, "%s is not fitted: ", key);
    else if (p->n >= 0)
        hc_line_add(&line, "n = %lld%s", (long long)p->n, p->note[0] ? "; " : "");
    hc_line_add(&line, "%s", p->note);
    if (p->source[0])
        hc_line_add(&line, " [%s]", p->source);
    if (line.used)
        put_comment(e, line.text);
    if (p->form == HC_FIT_ABSENT)
        return;
    indent(e);
    fprintf(e->stream, "\"%s\": ", key);
    put_value(e->stream, p);
    fputs(",\n", e->stream);
}

void hc_fit_write_scenario(const struct hc_fit_report *report, FILE *stream)
{
    struct emitter e = {.stream = stream};
    struct hc_text_line line = {.used = 0};
    fputs("{\n", stream);
    hc_line_add(&line,
                "Fitted by hindcast fit to archive '%s', %s%s%s%.10s to %.10s, %.0f node-days of "
                "jobs with GPUs.",
                report->archive, report->cluster ? "cluster '" : "",
                report->cluster ? report->cluster : "", report->cluster ? "', " : "", report->from,
                report->to, report->node_days);
    if (report->run)
        hc_line_add(&line, " Run '%s'.", report->run);
    hc_line_add(&line, " n: times or incidents behind a number; low and high: its interval of 95 "
                       "%%; in brackets the tables that it is from.");
    put_comment(&e, line.text);
    for (size_t i = 0; i < report->parameters->n; i++)
        if (report->parameters->list[i].path[0] == '/')
            put_parameter(&e, &report->parameters->list[i]);
    close_to(&e, 0);
    fputs("}\n", stream);
}

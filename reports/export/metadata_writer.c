#include "reports/export/metadata_writer.h"

#include "core/base/clock.h"
#include "core/base/printable.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Whether YAML takes text for a string without quotes, and not for a number, a truth value or
 * anything else. */
static bool is_plain(const char *text)
{
    static const char *const words[] = {"true", "false", "yes", "no",  "on", "off",
                                        "null", "y",     "n",   "inf", "nan"};
    if (!isalpha((unsigned char)text[0]))
        return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return false;
    return true;
}

static void put_text(FILE *stream, const char *text)
{
    if (is_plain(text)) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    while (*text) {
        struct hc_shown shown = hc_show(text);
        if (!shown.is_text) /* YAML cannot say such a byte */
            fprintf(stream, "\\%s", shown.escape);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if (shown.is_escaped)
            fprintf(stream, "\\U%08x", (unsigned)shown.code);
        else
            fwrite(text, 1, shown.length, stream);
        text += shown.length;
    }
    fputc('"', stream);
}

static void put_size(FILE *stream, const char *key, int32_t value)
{
    if (value != HC_MISSING_I32)
        fprintf(stream, "%s: %d\n", key, value);
}

/* The switches, each with its nodes in the order of the alphabet. */
static void put_switches(FILE *stream, const struct hc_job *job)
{
    if (job->n_switched)
        fputs("switches:\n", stream);
    for (size_t i = 0; job->n_switched && i < job->n_switches; i++) {
        const char *before = "";
        fputs("  ", stream);
        put_text(stream, job->switches[i]);
        fputs(": [", stream);
        for (size_t k = 0; k < job->n_switched; k++) {
            if ((size_t)job->switched[k].switch_code != i)
                continue;
            fputs(before, stream);
            put_text(stream, job->switched[k].node);
            before = ", ";
        }
        fputs("]\n", stream);
    }
}

static void put_absent_ops(FILE *stream, const struct hc_job *job)
{
    const char *before = "absent_ops: [";
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        if (!(job->absent_ops >> type & 1))
            continue;
        fprintf(stream, "%s%s", before, hc_op_type_name(type));
        before = ", ";
    }
    if (job->absent_ops)
        fputs("]\n", stream);
}

static void put_lists(FILE *stream, const struct hc_job *job)
{
    if (job->n_nodes)
        fputs("nodes:\n", stream);
    for (size_t i = 0; i < job->n_nodes; i++) {
        fprintf(stream, "  %d: ", job->nodes[i].rank);
        put_text(stream, job->nodes[i].node);
        fputc('\n', stream);
    }
    put_switches(stream, job);
    if (job->n_aliases)
        fputs("op_types:\n", stream);
    for (size_t i = 0; i < job->n_aliases; i++) {
        const char *name = hc_op_type_name(job->aliases[i].op_type);
        fputs("  ", stream);
        put_text(stream, job->aliases[i].name);
        fprintf(stream, ": %s\n", name ? name : "ignored");
    }
    put_absent_ops(stream, job);
}

void hc_metadata_print(const struct hc_job *job, FILE *stream)
{
    fputs("trial_name: ", stream);
    put_text(stream, job->id);
    fprintf(stream, "\nrun_id: %d\n", job->attempt);
    put_size(stream, "dp_size", job->dp_size);
    put_size(stream, "pp_size", job->pp_size);
    put_size(stream, "tp_size", job->tp_size);
    put_size(stream, "dsp_size", job->dsp_size);
    put_size(stream, "vpp_size", job->vpp_size);
    put_size(stream, "world_size", job->world_size);
    if (strcmp(job->cluster, "default") != 0) {
        fputs("cluster: ", stream);
        put_text(stream, job->cluster);
        fputc('\n', stream);
    }
    if (job->start_unix_ns != HC_MISSING_I64) {
        char text[32];
        hc_format_iso8601(job->start_unix_ns, text);
        fprintf(stream, "start_time: \"%s\"\n", text);
    }
    put_lists(stream, job);
}

#include "cli/frame/file_guide.h"

#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/files/input_file.h"
#include "core/files/near_file.h"
#include "core/text/number_format.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/sources/source_list.h"

#include <string.h>
#include <sys/stat.h>

#define HEAD_SIZE 16384 /* bytes of a document in which its schema stands */

/* What can be done with an input of a kind (pipeline/kinds) or a document, %s standing for the
 * file: the most telling command of a kind first. */
static const struct file_use {
    const char *kind, *command, *arguments;
} file_uses[] = {
    {"steps", "whatif", "%s"},
    {"steps", "export", "%s -o timeline.json.gz"},
    {"steps", "ingest", "%s"},
    {"incidents", "report reliability", "%s"},
    {"incidents", "ingest", "%s"},
    {"profiles", "whatif", "%s"},
    {"profiles", "report breakdown", "%s"},
    {"profiles", "report stragglers", "%s"},
    {"profiles", "report path", "%s"},
    {"profiles", "export", "%s -o timeline.json.gz"},
    {"profiles", "ingest", "%s"},
    {"collectives", "diagnose collectives", "%s"},
    {"collectives", "ingest", "%s"},
    {"timings", "report collectives", "%s"},
    {"timings", "ingest", "%s"},
    {"bandwidths", "report collectives", "TRACE --baseline %s"},
    {"bandwidths", "ingest", "%s"},
    {"execution", "whatif", "TRACE --et %s"},
    {"execution", "ingest", "%s"},
    {"jobs", "ingest", "%s"},
    {"jobs", "report account", ""},
    {"jobs", "report nightly", ""},
    {"events", "ingest", "%s"},
    {"events", "report failures", ""},
    {"train_steps", "ingest", "%s"},
    {"train_steps", "joins", ""},
    {"train_steps", "report ettr", ""},
    {"phases", "ingest", "%s"},
    {"phases", "report startup", ""},
    {"node_states", "ingest", "%s"},
    {"node_states", "report capacity", ""},
    {"queue", "ingest", "%s"},
    {"queue", "report capacity", ""},
    /* documents of hindcast */
    {"scenario", "simulate", "%s"},
    {"scenario", "scenario check", "%s"},
    {"scenario", "scenario show", "--resolved %s"},
    {"site", "site check", "%s"},
    {"site", "ingest", "--site %s"},
    {"result", "reproduce", "%s"},
    {"partial", "merge", "%s OTHER..."},
    {"archive", "ls", "-a %s"},
    {"archive", "check", "-a %s"},
    {"archive", "whatif", "-a %s --all"},
    {NULL, NULL, NULL},
};

/* Of a kind without a row: what can be done with every trace and record. */
static const struct file_use any_records = {"", "ingest", "%s"};

/* What a path is: `kind` of file_uses, NULL where nothing is known; `phrase`: "a scenario". */
struct subject {
    const char *kind, *phrase;
    const struct hc_format *format; /* or NULL */
};

static const struct document {
    const char *mark; /* stands in the first bytes */
    struct subject subject;
} documents[] = {
    /* Results first: one of 'simulate' holds its scenario. */
    {"\"hindcast-simulate\"", {"result", "a result of 'hindcast simulate'", NULL}},
    {"\"hindcast-fleet-partial\"", {"partial", "a shard of a report", NULL}},
    {"\"hindcast-record-part\"", {"partial", "a shard of a report", NULL}},
    {"\"schema\": \"hindcast-", {"document", "a result of hindcast", NULL}},
    {"\"hindcast/scenario/", {"scenario", "a scenario", NULL}},
    {"\"hindcast/site/", {"site", "a site file", NULL}},
};

/* ---- recognising ---- */

static void look_at_document(const char *path, struct subject *subject)
{
    char head[HEAD_SIZE + 1];
    struct hc_error ignored = {0};
    size_t length;
    (void)hc_input_file_head(path, head, HEAD_SIZE, &length, &ignored);
    head[length] = '\0';
    for (size_t i = 0; i < sizeof documents / sizeof *documents && !subject->kind; i++)
        if (memmem(head, length, documents[i].mark, strlen(documents[i].mark)))
            *subject = documents[i].subject;
}

/* Of pipes nothing is said: what is read of one is gone. */
static enum hc_status look_at_file(const char *path, struct subject *subject, struct hc_error *err)
{
    struct stat info;
    if (stat(path, &info) || !S_ISREG(info.st_mode))
        return HC_OK;
    look_at_document(path, subject);
    if (subject->kind || hc_format_of_path(&subject->format, path, err) || !subject->format)
        return err->status;
    const char *table = subject->format->table->name;
    const struct hc_kind *kind = hc_kind_find(table);
    subject->kind = kind ? kind->name : table;
    subject->phrase = kind && kind->phrase ? kind->phrase : "a file of records";
    return HC_OK;
}

bool hc_file_is_archive(const char *directory)
{
    char manifest[4096], segments[4096];
    struct stat info;
    snprintf(manifest, sizeof manifest, "%s/manifest.json", directory);
    snprintf(segments, sizeof segments, "%s/segments", directory);
    return stat(manifest, &info) == 0 && hc_is_directory(segments);
}

/* A directory is what the first of its files in a known format is. */
static enum hc_status look_at_directory(const char *path, struct subject *subject,
                                        struct hc_error *err)
{
    struct hc_source_list list = {0};
    if (hc_file_is_archive(path)) {
        *subject = (struct subject){"archive", "an archive of hindcast", NULL};
        return HC_OK;
    }
    enum hc_status status = hc_source_list_add(&list, path, err);
    for (size_t i = 0; i < list.n && !subject->kind && status == HC_OK; i++)
        status = look_at_file(list.sources[i].path, subject, err);
    hc_source_list_fini(&list);
    return status;
}

static enum hc_status look(const char *path, struct subject *subject, struct hc_error *err)
{
    *subject = (struct subject){NULL, NULL, NULL};
    return hc_is_directory(path) ? look_at_directory(path, subject, err)
                                 : look_at_file(path, subject, err);
}

/* ---- saying ---- */

static void print_use(FILE *stream, const struct file_use *use, const char *path)
{
    const char *place = strstr(use->arguments, "%s");
    int before = place ? (int)(place - use->arguments) : (int)strlen(use->arguments);
    hc_output_line(stream, "  hindcast %s%s%.*s%s%s", use->command, *use->arguments ? " " : "",
                   before, use->arguments, place ? path : "", place ? place + 2 : "");
    hc_output_line(stream, "      %s", hc_command_named(use->command)->summary);
}

static void print_uses(FILE *stream, const struct subject *subject, const char *path)
{
    size_t n = 0;
    for (const struct file_use *use = file_uses; use->kind; use++)
        if (strcmp(use->kind, subject->kind) == 0) {
            print_use(stream, use, path);
            n++;
        }
    if (n == 0 && subject->format)
        print_use(stream, &any_records, path);
}

/* What is not known: the reason that reading it as a trace gives. */
static enum hc_status fail_unknown(const char *path, struct hc_error *err)
{
    struct hc_source source;
    const struct hc_format *format;
    if (hc_is_directory(path))
        return hc_fail(err, HC_BAD_INPUT,
                       "directory '%s' has no file in a format that 'hindcast formats' lists",
                       path);
    enum hc_status status = hc_source_open(&source, path, err);
    if (status == HC_OK)
        status = hc_format_detect(&format, &source, err);
    hc_source_close(&source);
    return status;
}

enum hc_status hc_file_guide_print(FILE *stream, const char *path, struct hc_error *err)
{
    struct subject subject;
    if (look(path, &subject, err))
        return err->status;
    if (!subject.kind)
        return fail_unknown(path, err);
    bool is_directory = hc_is_directory(path);
    hc_output_line(stream, "%s: %s%s%s%s%s", path,
                   is_directory && subject.format ? "files, of which the first is " : "",
                   subject.phrase, subject.format ? " (" : "",
                   subject.format ? subject.format->name : "", subject.format ? ")" : "");
    print_uses(stream, &subject, path);
    hc_output_line(stream, "'hindcast COMMAND --help' explains a command.");
    return HC_OK;
}

enum hc_status hc_file_guide_refuse(const char *path, const char *wanted_kind, const char *wanted,
                                    struct hc_error *err)
{
    struct subject subject;
    struct hc_error ignored = {0};
    const struct file_use *use = file_uses;
    if (look(path, &subject, &ignored) || !subject.kind || strcmp(subject.kind, wanted_kind) == 0)
        return HC_OK;
    while (use->kind && strcmp(use->kind, subject.kind) != 0)
        use++;
    if (!use->kind)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is %s, which no command reads again, not %s", path,
                       subject.phrase, wanted);
    return hc_fail(err, HC_BAD_INPUT, "'%s' is %s, not %s: give it to 'hindcast %s'", path,
                   subject.phrase, wanted, use->command);
}

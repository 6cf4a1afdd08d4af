#include "parsers/tabular/own_template.h"

#include "parsers/tabular/own_probe.h"

#include <string.h>

/* What a value of the column looks like. */
static const char *type_of(const struct hc_own_form *form, size_t column)
{
    const struct hc_column_def *def = &form->def->columns[column];
    if (hc_own_is_time(form, column))
        return "time";
    if (hc_own_is_duration(form, column))
        return "duration";
    return def->dictionary ? "text" : def->type == HC_F64 ? "number" : "whole number";
}

static void write_words(const struct hc_text_set *words, FILE *stream)
{
    for (size_t i = 0; i < words->n; i++)
        fprintf(stream, "%s%s", i ? " " : "; one of: ", words->text[i]);
}

static void write_columns(const struct hc_own_form *form, struct hc_table_names *names,
                          FILE *stream)
{
    for (size_t c = 0; c < form->def->n_columns; c++) {
        const struct hc_column_def *def = &form->def->columns[c];
        const struct hc_text_set *words = hc_own_words(form, names, c);
        fprintf(stream, "# %s: %s%s%s (%s", def->name, def->description,
                hc_own_is_required(form, c) ? ", required" : "",
                hc_own_is_derived(form, c) ? ", worked out where it is not given" : "",
                words ? "word" : type_of(form, c));
        if (*def->unit && strcmp(def->unit, "ns") != 0)
            fprintf(stream, " in %s", def->unit);
        if (words)
            write_words(words, stream);
        fprintf(stream, ")\n");
    }
}

/* The value of a column in the example, "name=value,name=value"; *length 0: none. */
static const char *example_of(const struct hc_own_form *form, const char *name, size_t *length)
{
    size_t n = strlen(name);
    for (const char *at = form->example; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) != 0 || at[n] != '=')
            continue;
        *length = strcspn(at + n + 1, ",");
        return at + n + 1;
    }
    *length = 0;
    return "";
}

static bool is_in_header(const struct hc_own_form *form, size_t column)
{
    return hc_own_is_required(form, column) || !hc_own_is_derived(form, column);
}

static void write_rows(const struct hc_own_form *form, FILE *stream)
{
    const char *before = "";
    for (size_t c = 0; c < form->def->n_columns; c++)
        if (is_in_header(form, c)) {
            fprintf(stream, "%s%s", before, form->def->columns[c].name);
            before = ",";
        }
    fprintf(stream, "\n#");
    before = "";
    for (size_t c = 0; c < form->def->n_columns; c++)
        if (is_in_header(form, c)) {
            size_t length;
            const char *value = example_of(form, form->def->columns[c].name, &length);
            fprintf(stream, "%s%.*s", before, (int)length, value);
            before = ",";
        }
    fprintf(stream, "\n");
}

enum hc_status hc_own_template_write(const struct hc_own_form *form, FILE *stream,
                                     struct hc_error *err)
{
    struct hc_table_names names;
    if (form->start_names(&names, err))
        return err->status;
    fprintf(stream,
            HC_OWN_TITLE
            "%s\n"
            "# A row a line; columns may be left out, but for those that are required, and stand "
            "in any\n"
            "# order; an empty value is not known. Lines that begin with '#' are comments.\n"
            "# time: 2026-03-01T09:31:12Z or with +01:00; without a zone that of the source (site "
            "file,\n"
            "# --zone); or whole nanoseconds since 1970. duration: [D-]HH:MM:SS, or whole "
            "nanoseconds.\n",
            form->def->name);
    write_columns(form, &names, stream);
    write_rows(form, stream);
    hc_table_names_fini(&names);
    return HC_OK;
}

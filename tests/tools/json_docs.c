/* json_docs NAME: the keys of a document as a table of Markdown, from the same definitions that
 * write it (core/tables/record.h). For scripts/json-docs, which puts them into docs/. */
#include "core/tables/json_records.h"
#include "reports/fleet/fleet_records.h"
#include "reports/reliability/reliability_records.h"
#include "reports/study/lifetime/life_records.h"
#include "reports/study/study_records.h"
#include "reports/whatif/whatif_records.h"

#include <ctype.h>
#include <string.h>

#define MAX_NAMED 16

static const struct hc_field life_fields[] = {HC_SAME_PART(&hc_life_counts_record),
                                              HC_SAME_PART(&hc_life_run_record)};
static const struct hc_record_def life = HC_RECORD("a run of a lifetime also has", life_fields);

static const struct {
    const char *name;
    const struct hc_record_def *def;
    bool is_stored;                   /* the form that is read back */
    const struct hc_record_def *also; /* what only one engine has */
} documents[] = {
    {"rows", &hc_row_report_record, false, NULL},
    {"hindcast-whatif", &hc_whatif_record, false, NULL},
    {"hindcast-fleet", &hc_fleet_record, false, NULL},
    {"hindcast-reliability", &hc_reliability_record, false, NULL},
    {"hindcast-simulate", &hc_study_record, false, &life},
    {"row of a partial", &hc_fleet_row_record, true, NULL},
};

/* Definitions with a name, which have a table of their own. */
static const struct hc_record_def *named[MAX_NAMED];
static size_t n_named;
static bool is_stored;

static void remember(const struct hc_record_def *def)
{
    for (size_t i = 0; i < n_named; i++)
        if (named[i] == def)
            return;
    if (n_named < MAX_NAMED && def != &hc_row_report_record)
        named[n_named++] = def;
}

static bool is_bare(const struct hc_record_def *def)
{
    return def->n_fields == 1 && !def->fields[0].name && def->fields[0].type < HC_AS_NAMES;
}

static void put_row(const char *key, const char *unit, const char *what, const char *sentence)
{
    printf("| `%s` | %s | %s%s%s |\n", key, unit, what, what[0] && sentence[0] ? ": " : "",
           sentence);
}

static void put_fields(const struct hc_record_def *def, const char *prefix);

/* A list, map or object, and what is in it. */
static void put_nested(const struct hc_field *field, const char *key, const char *sentence)
{
    const struct hc_record_def *def = field->record;
    bool is_object = field->type == HC_AS_OBJECT;
    char prefix[256], what[128] = "";
    if (field->type == HC_AS_NAMES || field->type == HC_AS_MAP || is_bare(def)) {
        put_row(key, field->unit, "", sentence);
        return;
    }
    if (def == &hc_row_report_record) {
        put_row(key, "", "as above", sentence);
        return;
    }
    if (def->name)
        snprintf(what, sizeof what, is_object ? "%s (below)" : "each %s (below)", def->name);
    snprintf(prefix, sizeof prefix, is_object ? "%s" : "%s[]", key);
    if (def->name || sentence[0])
        put_row(prefix, "", what, sentence);
    if (def->name) {
        remember(def);
        return;
    }
    snprintf(prefix, sizeof prefix, is_object ? "%s." : "%s[].", key);
    put_fields(def, prefix);
}

static void put_field(const struct hc_field *field, const char *prefix)
{
    const char *sentence = field->sentence ? field->sentence : "";
    char key[256];
    if (field->record_of || (field->type == HC_AS_MAP && !field->name)) { /* data decide on them */
        put_row("…", "", "", sentence);
        return;
    }
    const char *name = is_stored && field->stored ? field->stored : field->name;
    if (field->type == HC_AS_PART && field->record->name) {
        remember(field->record);
        printf("| %s%.*s%s |  | the keys of %s (below) |\n", prefix[0] ? "`" : "of it",
               prefix[0] ? (int)strlen(prefix) - 1 : 0, prefix, prefix[0] ? "`" : "",
               field->record->name);
        return;
    }
    if (field->type == HC_AS_PART) {
        put_fields(field->record, prefix);
        return;
    }
    snprintf(key, sizeof key, "%s%s", prefix, name);
    if (field->type >= HC_AS_NAMES)
        put_nested(field, key, sentence);
    else
        put_row(key, field->unit, "", sentence);
}

static void put_fields(const struct hc_record_def *def, const char *prefix)
{
    for (size_t i = 0; i < def->n_fields; i++) {
        const struct hc_field *field = &def->fields[i];
        bool is_there = is_stored ? hc_field_is_stored(field)
                                  : !(field->rules & (HC_ONLY_CSV | HC_ONLY_STORED));
        if (is_there)
            put_field(field, prefix);
    }
}

static void put_table(const struct hc_record_def *def)
{
    puts("| key | unit | value |\n|---|---|---|");
    put_fields(def, "");
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof documents / sizeof *documents; i++) {
        if (strcmp(documents[i].name, argv[1]) != 0)
            continue;
        is_stored = documents[i].is_stored;
        put_table(documents[i].def);
        if (documents[i].also)
            remember(documents[i].also);
        for (size_t k = 0; k < n_named; k++) {
            printf("\n%c%s:\n\n", toupper((unsigned char)named[k]->name[0]), named[k]->name + 1);
            put_table(named[k]);
        }
        return 0;
    }
    fprintf(stderr, "usage: json_docs NAME, one of:\n");
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        fprintf(stderr, "  %s\n", documents[i].name);
    return 2;
}

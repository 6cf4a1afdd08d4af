/* json_docs NAME: the keys of a document as a table of Markdown, from the same definitions that
 * write it (core/tables/record.h). For scripts/json-docs, which puts them into docs/. */
#include "core/tables/json_records.h"
#include "pipeline/choice/archive_listing.h"
#include "pipeline/fleet/partial_record.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/records/archive_records.h"
#include "pipeline/records/listing_records.h"
#include "pipeline/records/scenario_records.h"
#include "pipeline/site/site_ingest.h"
#include "reports/account/account_records.h"
#include "reports/capacity/capacity_records.h"
#include "reports/collectives/collectives_records.h"
#include "reports/compare/compare_records.h"
#include "reports/days/days_records.h"
#include "reports/ettr/ettr_records.h"
#include "reports/evidence/failures_records.h"
#include "reports/fit/fit_report.h"
#include "reports/fleet/fleet_records.h"
#include "reports/joins/history_records.h"
#include "reports/joins/joins_records.h"
#include "reports/night/findings_report.h"
#include "reports/night/night_records.h"
#include "reports/profiles/profile_records.h"
#include "reports/rates/rates_records.h"
#include "reports/reliability/reliability_records.h"
#include "reports/startup/startup_records.h"
#include "reports/study/lifetime/life_records.h"
#include "reports/study/replay/replay_jobs_views.h"
#include "reports/study/study_records.h"
#include "reports/subject/subject_records.h"
#include "reports/timings/timings_records.h"
#include "reports/top/top_records.h"
#include "reports/whatif/whatif_records.h"

#include <ctype.h>
#include <string.h>

#define MAX_NAMED 16

static const struct hc_record_def *account_of_steps(void)
{
    return hc_kind_steps.guard->account_record;
}

static const struct hc_record_def *description_of_steps(void)
{
    return hc_kind_steps.description_record;
}

/* A document, by the definitions that it is written from, and where in it each of them is. */
#define MAX_PARTS 5
static const struct {
    const char *name;
    bool is_stored; /* the form that is read back */
    struct {
        const char *prefix;
        const struct hc_record_def *def;
        const struct hc_record_def *(*of_kind)(void); /* in place of def: what a kind says */
    } part[MAX_PARTS];
} documents[] = {
    {"head", false, {{"", &hc_document_head_record, NULL}}},
    {"rows", false, {{"", &hc_row_report_record, NULL}}},
    {"hindcast-ingest",
     false,
     {{"", &hc_named_archive_record, NULL},
      {"traces[].", &hc_ingested_record, NULL},
      {"traces[].", &hc_ingested_rows_record, NULL},
      {"traces[].", NULL, account_of_steps},
      {"site.", &hc_site_counts_record, NULL}}},
    {"hindcast-ls", false, {{"", &hc_archive_listing_record, NULL}}},
    {"hindcast-show",
     false,
     {{"", &hc_segment_owner_record, NULL},
      {"trace.", NULL, description_of_steps},
      {"", &hc_segment_tables_record, NULL},
      {"", &hc_segment_origin_record, NULL}}},
    {"hindcast-check",
     false,
     {{"", &hc_named_archive_record, NULL},
      {"findings[].", &hc_finding_record, NULL},
      {"", &hc_finding_counts_record, NULL}}},
    {"hindcast-archive-gc",
     false,
     {{"", &hc_named_archive_record, NULL},
      {"removed[].", &hc_gc_finding_record, NULL},
      {"kept[].", &hc_gc_finding_record, NULL}}},
    {"hindcast-formats", false, {{"formats[].", &hc_format_record, NULL}}},
    {"hindcast-presets", false, {{"presets[].", &hc_preset_record, NULL}}},
    {"hindcast-scenario-check", false, {{"scenarios[].", &hc_checked_scenario_record, NULL}}},
    {"hindcast-scenario-show", false, {{"", &hc_shown_scenario_record, NULL}}},
    {"hindcast-whatif", false, {{"", &hc_whatif_record, NULL}}},
    {"hindcast-compare", false, {{"", &hc_compare_record, NULL}}},
    {"hindcast-profile", false, {{"", &hc_profile_record, NULL}}},
    {"hindcast-history", false, {{"", &hc_history_record, NULL}}},
    {"hindcast-capacity", false, {{"", &hc_capacity_record, NULL}}},
    {"hindcast-failures", false, {{"", &hc_failures_record, NULL}}},
    {"hindcast-fit", false, {{"", &hc_fit_record, NULL}}},
    {"hindcast-fit-backtest", false, {{"", &hc_backtest_record, NULL}}},
    {"hindcast-joins", false, {{"", &hc_joins_record, NULL}}},
    {"hindcast-ettr", false, {{"", &hc_ettr_record, NULL}}},
    {"hindcast-findings", false, {{"", &hc_findings_report_record, NULL}}},
    {"hindcast-nightly", false, {{"", &hc_night_record, NULL}}},
    {"hindcast-startup", false, {{"", &hc_startup_record, NULL}}},
    {"hindcast-compare-nights", false, {{"", &hc_days_record, NULL}}},
    {"hindcast-compare-runs", false, {{"", &hc_runs_record, NULL}}},
    {"hindcast-reliability-records", false, {{"", &hc_rates_record, NULL}}},
    {"hindcast-subject", false, {{"", &hc_subject_record, NULL}}},
    {"hindcast-top", false, {{"", &hc_top_record, NULL}}},
    {"hindcast-account", false, {{"", &hc_account_record, NULL}}},
    {"hindcast-timings", false, {{"", &hc_timings_record, NULL}}},
    {"hindcast-diagnose-collectives", false, {{"", &hc_collectives_record, NULL}}},
    {"hindcast-fleet", false, {{"", &hc_fleet_record, NULL}}},
    {"hindcast-reliability", false, {{"", &hc_reliability_record, NULL}}},
    {"hindcast-simulate",
     false,
     {{"", &hc_study_record, NULL},
      {"runs[].", &hc_life_counts_record, NULL},
      {"runs[].", &hc_life_run_record, NULL}}},
    {"hindcast-simulate-jobs", false, {{"", &hc_replay_jobs_record, NULL}}},
    {"partial", true, {{"", &hc_partial_file_record, NULL}}},
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

static void remember_value(const struct hc_field *value)
{
    if (value->type == HC_AS_OBJECT && value->record->name)
        remember(value->record);
}

/* A list, map or object, and what is in it. */
static void put_nested(const struct hc_field *field, const char *key, const char *sentence)
{
    const struct hc_record_def *def = field->record;
    bool is_object = field->type == HC_AS_OBJECT;
    char prefix[256], what[128] = "";
    if (field->type == HC_AS_MAP) /* from names to the last of its fields */
        remember_value(&def->fields[def->n_fields - 1]);
    if (field->type == HC_AS_NAMES || field->type == HC_AS_MAP || is_bare(def)) {
        put_row(key, hc_field_unit(field), "", sentence);
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
    if (field->place == HC_CHOSEN ||
        (field->type == HC_AS_MAP && !field->name)) { /* data decide on them */
        put_row("…", "", "", sentence);
        return;
    }
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
    snprintf(key, sizeof key, "%s%s", prefix, field->name);
    if (field->type >= HC_AS_NAMES)
        put_nested(field, key, sentence);
    else
        put_row(key, hc_field_unit(field), "", sentence);
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

static void put_heading(void)
{
    puts("| key | unit | value |\n|---|---|---|");
}

static void put_document(size_t i)
{
    is_stored = documents[i].is_stored;
    put_heading();
    for (size_t p = 0; p < MAX_PARTS && documents[i].part[p].prefix; p++) {
        const struct hc_record_def *(*of_kind)(void) = documents[i].part[p].of_kind;
        put_fields(of_kind ? of_kind() : documents[i].part[p].def, documents[i].part[p].prefix);
    }
    for (size_t k = 0; k < n_named; k++) {
        printf("\n%c%s:\n\n", toupper((unsigned char)named[k]->name[0]), named[k]->name + 1);
        put_heading();
        put_fields(named[k], "");
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof documents / sizeof *documents; i++)
        if (strcmp(documents[i].name, argv[1]) == 0) {
            put_document(i);
            return 0;
        }
    fprintf(stderr, "usage: json_docs NAME, one of:\n");
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        fprintf(stderr, "  %s\n", documents[i].name);
    return 2;
}

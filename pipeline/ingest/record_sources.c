#include "pipeline/ingest/record_sources.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "pipeline/ingest/day_records.h"
#include "pipeline/ingest/gathered_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A batch of so many bytes is merged from where it is: to gather it would be one more copy. */
#define LARGE_BATCH ((size_t)16 << 20)

/* A source that was read, or is being read, and the days that its rows are of. */
struct source {
    struct hc_source_input input;
    struct hc_text_set clusters;
    struct hc_int_map days; /* table, cluster and day, packed */
};

/* Outcomes are counted apart for the main table of a source and for its other tables. */
enum { OF_MAIN, OF_OTHERS, N_PARTS };

/* Rows of one table that wait, of which those from before on are of the source that is read. */
struct waiting_table {
    struct hc_gathered_rows rows;
    size_t before;
};

struct hc_record_sources {
    struct hc_record_settings settings;
    struct hc_day_records records;
    size_t n_tables, n_sources, capacity, outcomes_capacity;
    struct waiting_table tables[HC_KIND_MOST_TABLES];
    struct source *sources; /* n_sources that were read; the one that is read behind them */
    struct hc_day_outcome *outcomes; /* [N_PARTS * number of a source + part] */
    struct hc_source_input *reading; /* or NULL */
};

/* ---- the days of a source ---- */

static enum hc_status number_cluster(struct source *source, const struct hc_table_names *names,
                                     const char *dictionary, int32_t code, int32_t *number,
                                     struct hc_error *err)
{
    const char *text = code == HC_MISSING_I32 ? "" : hc_table_names_text(names, dictionary, code);
    return hc_text_set_add(&source->clusters, text, strlen(text), number, err);
}

/* Rows of a source come in the order of their times, nearly: most are of the day before them. */
static enum hc_status note_days(struct source *source, size_t table, const struct hc_kind *kind,
                                const struct hc_table *rows, const struct hc_table_names *names,
                                struct hc_error *err)
{
    const struct hc_record_rules *rules = kind->records;
    const int32_t *clusters = hc_table_i32(rows, rules->cluster);
    const char *dictionary = rows->def->columns[rules->cluster].dictionary;
    int64_t last_day = 0;
    int32_t cluster = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int64_t day = hc_day_of_record(rules, rows, i);
        bool is_other = i == 0 || clusters[i] != clusters[i - 1];
        size_t entry;
        if (!is_other && day == last_day)
            continue;
        if (is_other && number_cluster(source, names, dictionary, clusters[i], &cluster, err))
            return err->status;
        uint64_t key =
            (uint64_t)table << 60 | (uint64_t)(uint32_t)cluster << 28 | ((uint64_t)day & 0xfffffff);
        if (hc_int_map_insert(&source->days, key, 0, &entry, err))
            return err->status;
        last_day = day;
    }
    return HC_OK;
}

static void source_fini(struct source *source)
{
    hc_source_input_close(&source->input);
    hc_text_set_fini(&source->clusters);
    hc_int_map_fini(&source->days);
}

/* ---- telling ---- */

static void tell_done(const struct hc_record_sources *sources, size_t number)
{
    const struct source *source = &sources->sources[number];
    const struct hc_day_outcome *main = &sources->outcomes[N_PARTS * number + OF_MAIN];
    const struct hc_day_outcome *others = &sources->outcomes[N_PARTS * number + OF_OTHERS];
    struct hc_ingested ingested = {.input = &source->input};
    struct hc_error err;
    int64_t n_changed = main->n_changed + others->n_changed;
    char count[4][HC_NUMBER_TEXT];
    ingested.was_there = source->days.n && main->n_new + others->n_new + n_changed == 0;
    snprintf(ingested.account.extent, sizeof ingested.account.extent,
             "new%s%s%s, %s changed, %s as they were, in %s days",
             others->n_new ? " (of other tables: " : "",
             others->n_new ? hc_format_count(others->n_new, count[3]) : "",
             others->n_new ? ")" : "", hc_format_count(n_changed, count[0]),
             hc_format_count(main->n_same + others->n_same, count[1]),
             hc_format_count((int64_t)source->days.n, count[2]));
    /* The rows are published: what cannot be told of them may not pass for told. */
    if (hc_table_counts_set(&ingested.tables, source->input.format->table->name, main->n_new, &err))
        hc_memory_exhausted();
    sources->settings.observer->done(&ingested, sources->settings.observer->context);
    hc_table_counts_fini(&ingested.tables);
}

/* Forget the sources that were read; the one that is being read becomes the first. */
static void forget_told(struct hc_record_sources *sources)
{
    size_t n = sources->n_sources;
    for (size_t i = 0; i < n; i++)
        source_fini(&sources->sources[i]);
    if (sources->reading) {
        sources->sources[0] = sources->sources[n];
        memmove(sources->outcomes, sources->outcomes + N_PARTS * n,
                N_PARTS * sizeof *sources->outcomes);
    }
    sources->n_sources = 0;
}

/* ---- merging ---- */

/* The source of the outcomes of a number; the one that is being read is the last. */
static const struct hc_source_input *input_of(const void *context, int32_t number)
{
    const struct hc_record_sources *sources = context;
    size_t i = (size_t)number / N_PARTS;
    return i < sources->n_sources ? &sources->sources[i].input : sources->reading;
}

static enum hc_status merge_gathered(struct hc_record_sources *sources, struct waiting_table *table,
                                     struct hc_error *err)
{
    struct hc_gathered_rows *rows = &table->rows;
    if (rows->table.n_rows == 0)
        return HC_OK;
    const struct hc_record_batch batch = {.kind = rows->kind,
                                          .rows = &rows->table,
                                          .names = &rows->names,
                                          .source = rows->source,
                                          .input = input_of,
                                          .context = sources};
    enum hc_status status = hc_day_records_merge(&sources->records, &batch, err);
    hc_gathered_rows_fini(rows);
    table->before = 0;
    return status;
}

enum hc_status hc_record_sources_settle(struct hc_record_sources *sources, struct hc_error *err)
{
    struct hc_error late = {0};
    enum hc_status status = HC_OK;
    if (sources->n_sources == 0 && !sources->reading)
        return HC_OK;
    sources->records.outcomes = sources->outcomes;
    for (size_t i = 0; i < sources->n_tables && !status; i++)
        status = merge_gathered(sources, &sources->tables[i], err);
    if (hc_day_records_publish(&sources->records, &late) && !status) {
        *err = late;
        status = late.status;
    }
    for (size_t i = 0; i < sources->n_tables; i++)
        hc_gathered_rows_fini(&sources->tables[i].rows);
    for (size_t i = 0; i < sources->n_sources; i++)
        if (status)
            sources->settings.lost(sources->sources[i].input.source.name, err,
                                   sources->settings.context);
        else
            tell_done(sources, i);
    forget_told(sources);
    return status;
}

/* ---- taking rows ---- */

static struct waiting_table *table_of(struct hc_record_sources *sources, const struct hc_kind *kind)
{
    for (size_t i = 0; i < sources->n_tables; i++)
        if (sources->tables[i].rows.kind == kind)
            return &sources->tables[i];
    if (sources->n_tables == HC_KIND_MOST_TABLES)
        return NULL;
    struct waiting_table *table = &sources->tables[sources->n_tables++];
    *table = (struct waiting_table){.rows.kind = kind};
    return table;
}

static size_t gathered_bytes(const struct hc_record_sources *sources)
{
    size_t bytes = 0;
    for (size_t i = 0; i < sources->n_tables; i++)
        bytes += hc_table_bytes(&sources->tables[i].rows.table);
    return bytes;
}

/* After what was gathered of its table before, since of two rows that are alike the newer counts.
 */
static enum hc_status merge_large(struct hc_record_sources *sources, struct waiting_table *table,
                                  const struct hc_table *rows, int32_t number, struct hc_error *err)
{
    const struct hc_record_batch batch = {.kind = table->rows.kind,
                                          .rows = rows,
                                          .names = &sources->reading->names,
                                          .one_source = number,
                                          .input = input_of,
                                          .context = sources};
    sources->records.outcomes = sources->outcomes;
    enum hc_status status = merge_gathered(sources, table, err);
    if (!status)
        status = hc_day_records_merge(&sources->records, &batch, err);
    return status ? status : hc_record_sources_settle(sources, err);
}

static enum hc_status take(const struct hc_table *rows, void *context, struct hc_error *err)
{
    struct hc_record_sources *sources = context;
    const struct hc_source_input *input = sources->reading;
    const struct hc_kind *kind = hc_kind_find(rows->def->name);
    struct waiting_table *table = table_of(sources, kind);
    size_t number = N_PARTS * sources->n_sources + (kind == input->kind ? OF_MAIN : OF_OTHERS);
    if (hc_row_report_limit(&input->report, input->options->max_bad, err))
        return err->status;
    if (!table)
        return hc_fail(err, HC_INTERNAL, "more than %d tables of records", HC_KIND_MOST_TABLES);
    if (note_days(&sources->sources[sources->n_sources], (size_t)(table - sources->tables), kind,
                  rows, &input->names, err))
        return err->status;
    hc_day_records_note(&sources->records, input->source.sha256);
    if (hc_table_bytes(rows) >= LARGE_BATCH)
        return merge_large(sources, table, rows, (int32_t)number, err);
    if (hc_gathered_rows_add(&table->rows, rows, &input->names, (int32_t)number, err))
        return err->status;
    return gathered_bytes(sources) < HC_GATHERED_BYTES ? HC_OK
                                                       : hc_record_sources_settle(sources, err);
}

/* ---- sources ---- */

static enum hc_status begin_source(struct hc_record_sources *sources, struct hc_source_input *input,
                                   struct hc_error *err)
{
    size_t n = sources->n_sources;
    if (hc_reserve(&sources->sources, &sources->capacity, n + 1, sizeof *sources->sources, err) ||
        hc_reserve(&sources->outcomes, &sources->outcomes_capacity, N_PARTS * (n + 1),
                   sizeof *sources->outcomes, err))
        return err->status;
    sources->sources[n] = (struct source){0};
    memset(sources->outcomes + N_PARTS * n, 0, N_PARTS * sizeof *sources->outcomes);
    for (size_t i = 0; i < sources->n_tables; i++)
        sources->tables[i].before = sources->tables[i].rows.table.n_rows;
    sources->reading = input;
    return HC_OK;
}

/* Whatever came of the source: it is among those that were read, or what was gathered of it is
 * forgotten. */
static void end_source(struct hc_record_sources *sources, bool is_read)
{
    struct source *source = &sources->sources[sources->n_sources];
    if (is_read) {
        hc_source_input_let_go(sources->reading);
        source->input = *sources->reading;
        memset(sources->reading, 0, sizeof *sources->reading);
        sources->n_sources++;
    } else {
        for (size_t i = 0; i < sources->n_tables; i++)
            hc_gathered_rows_cut(&sources->tables[i].rows, sources->tables[i].before);
        source_fini(source);
    }
    sources->reading = NULL;
}

enum hc_status hc_record_sources_read(struct hc_record_sources *sources,
                                      struct hc_source_input *input, struct hc_error *err)
{
    if (begin_source(sources, input, err))
        return err->status;
    enum hc_status status = hc_source_input_read(input, take, sources, err);
    end_source(sources, status == HC_OK);
    struct hc_error told = {0};
    if (sources->n_sources == HC_GATHERED_SOURCES)
        hc_record_sources_settle(sources, &told);
    return status;
}

enum hc_status hc_record_sources_new(struct hc_record_sources **sources, struct hc_archive *archive,
                                     const struct hc_record_settings *settings,
                                     struct hc_error *err)
{
    *sources = hc_new_array(1, sizeof **sources, err);
    if (!*sources)
        return err->status;
    (*sources)->settings = *settings;
    (*sources)->records =
        (struct hc_day_records){.archive = archive, .cluster = settings->options->cluster};
    return HC_OK;
}

void hc_record_sources_free(struct hc_record_sources *sources)
{
    if (!sources)
        return;
    for (size_t i = 0; i < sources->n_tables; i++)
        hc_gathered_rows_fini(&sources->tables[i].rows);
    for (size_t i = 0; i < sources->n_sources; i++)
        source_fini(&sources->sources[i]);
    hc_day_records_fini(&sources->records);
    free(sources->sources);
    free(sources->outcomes);
    free(sources);
}

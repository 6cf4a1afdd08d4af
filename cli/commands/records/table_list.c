#include "cli/commands/records/table_list.h"

#include "cli/frame/output.h"
#include "reports/query/query_rows.h"

#include <string.h>

#define MOST_ROWS 25

/* What a table is called by those who look at it, and the columns that tell most of a row. A table
 * that is not here is shown whole. */
static const struct {
    const char *name, *table, *columns;
} views[] = {
    {"jobs", "jobs", "job,user,account,partition,state,nodes,gpus,submit_ns,start_ns,elapsed_ns"},
    {"nodes", "node_states", "node,state,since_ns,until_ns,gpus,reason"},
    {"node_states", "node_states", "node,state,since_ns,until_ns,gpus,reason"},
    {"incidents", "incidents", "time_ns,job,node,scope,cause,class,action,text"},
    {"events", "events", "time_ns,node,job,class,code,name,effect"},
    {"phases", "phases", "job,node,rank,phase,start_ns,end_ns,detail"},
    {"cycles", "cycles", "job,log,cycle,start_ns,end_ns,first_iteration,last_iteration,is_done"},
    {"checkpoints", "checkpoints", "job,time_ns,kind,iteration,path"},
    {"train_steps", "train_steps", "job,end_ns,iteration,duration_ns,loss,tflops"},
    {"train_measures", "train_measures", "job,time_ns,iteration,name,rank,value,min,max,unit"},
    {"corrections", "corrections", "date_ns,job,incident,node,cause,scope,author,reason"},
};

bool hc_is_listed_table(const char *name)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(name, views[i].name) == 0)
            return true;
    return hc_row_table_find(name) != NULL;
}

static void use_view(struct hc_row_words *words)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(words->table, views[i].name) == 0) {
            words->table = views[i].table;
            if (!words->columns)
                words->columns = views[i].columns;
            return;
        }
}

static enum hc_status take(const struct hc_record_rows *rows, const uint8_t *is_wanted,
                           void *context, struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (is_wanted[i])
            hc_query_rows_add(context, rows->table, rows->names, i);
    return HC_OK;
}

static enum hc_status write_rows(const struct hc_table_list *list, struct hc_row_choice *choice,
                                 const struct hc_archive *archive, FILE *stream,
                                 struct hc_error *err)
{
    struct hc_query_rows *rows = NULL;
    struct hc_error late = {0};
    if (hc_query_rows_new(&rows, stream, HC_QUERY_TEXT, choice->def, choice->columns,
                          choice->n_columns, list->limit ? list->limit : MOST_ROWS, err))
        return err->status;
    const struct hc_row_reader reader = {.archive = archive, .sink = take, .context = rows};
    enum hc_status status = hc_row_choice_read(choice, &reader, err);
    if (hc_query_rows_end(rows, &late) && !status) {
        *err = late;
        status = late.status;
    }
    return status;
}

enum hc_status hc_table_list(const struct hc_table_list *list, struct hc_error *err)
{
    struct hc_row_words words = list->words;
    struct hc_row_choice choice;
    struct hc_archive *archive = NULL;
    struct hc_output output;
    use_view(&words);
    enum hc_status status = hc_row_choice_init(&choice, &words, err);
    if (!status)
        status = hc_archive_open(&archive, list->archive, false, err);
    if (!status)
        status = hc_output_open(&output, list->common, false, err);
    if (!status)
        status =
            hc_output_end(&output, write_rows(list, &choice, archive, output.stream, err), err);
    hc_archive_close(archive);
    hc_row_choice_fini(&choice);
    return status;
}

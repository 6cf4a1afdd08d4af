#include "reports/study/study_records.h"

#include "reports/study/study_engine_views.h"
#include "reports/study/study_value_records.h"

#include "core/base/missing.h"

#include <math.h>

#define RESULT(...) HC_FIELD(struct hc_study_result, __VA_ARGS__)

static const struct hc_study_result *result_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

HC_GIVES_ITEM(same, at->record)

static const char *run_name(const struct hc_study_result *result, size_t run)
{
    return run == HC_STUDY_NONE ? NULL : result->run[run].name;
}

static const char *column_name(const struct hc_study_result *result, size_t column)
{
    return column == HC_STUDY_NONE ? NULL : result->column[column].name;
}

/* ---- values ---- */

/* Of an item at the place of a column. */
HC_GIVES_TEXT(name_here, column_name(result_of(at), at->index))
HC_GIVES_TEXT(unit_here, result_of(at)->column[at->index].unit)

static const struct hc_field short_figure_fields[] = {
    HC_TEXT_OF("figure", name_here, "its name"),
    HC_GROUP("value", &hc_study_interval_record, ""),
};
static const struct hc_record_def short_figure = HC_RECORD(NULL, short_figure_fields);

/* Items that are places of columns. */
HC_GIVES_TEXT(name_there, column_name(result_of(at), *(const size_t *)at->record))

static const struct hc_field bare_name = {.type = HC_AS_TEXT, .text = name_there};
static const struct hc_record_def column_names = {.n_fields = 1, .fields = &bare_name};

/* ---- tables of the engine ---- */

HC_GIVES(size_t, count_cells, HC_OF(struct hc_study_section, at->parent)->n_columns)
HC_GIVES_ITEM(cell_at, (const struct hc_study_section_cell *)at->record + i)
HC_GIVES_TEXT(key_of, HC_OF(struct hc_study_section, at->parent->parent)->column[at->index].name)

static void put_cell(const struct hc_item *at, struct hc_cell *to)
{
    const struct hc_study_section_cell *from = at->record;
    if (from->text)
        hc_cell_set_text(to, from->text);
    else if (from->is_count)
        hc_cell_set_integer(to, (int64_t)from->number);
    else
        hc_cell_set_real(to, from->number);
}

static const struct hc_field cell_fields[] = {
    HC_TEXT_OF("key", key_of, ""),
    HC_CELL_OF("value", put_cell, ""),
};
static const struct hc_record_def cell = HC_RECORD(NULL, cell_fields);

HC_GIVES(size_t, count_rows, HC_OF(struct hc_study_section, at)->n_rows)

static const void *row_at(const struct hc_item *at, size_t i)
{
    const struct hc_study_section *section = at->record;
    return &section->cell[i * section->n_columns];
}

static const struct hc_field row_fields[] = {
    HC_SAME_PART(&hc_study_run_name_record),
    HC_MAP_OF(NULL, count_cells, cell_at, &cell, ""),
    HC_MAP_OF("cells", count_cells, cell_at, &cell, "", .rules = HC_ONLY_CSV),
};
const struct hc_record_def hc_study_row_record = HC_RECORD(NULL, row_fields);

static const struct hc_field section_fields[] = {
    HC_FIELD(struct hc_study_section, "name", name, "", "key"),
    HC_LIST_OF("rows", count_rows, row_at, &hc_study_row_record, "", .rules = HC_LINE),
};
static const struct hc_record_def section = HC_RECORD(NULL, section_fields);

/* ---- runs ---- */

#define RUN(...) HC_FIELD(struct hc_study_run, __VA_ARGS__)

HC_GIVES_TEXT(base_name, run_name(result_of(at), result_of(at)->compare_base))
HC_GIVES(bool, has_spread, HC_OF(struct hc_study_run, at)->spread != NULL)
HC_GIVES(bool, has_inputs, HC_OF(struct hc_study_run, at)->inputs != NULL)
HC_GIVES(bool, has_difference_inputs, HC_OF(struct hc_study_run, at)->difference_inputs != NULL)
HC_GIVES(bool, is_compared, HC_OF(struct hc_study_run, at)->difference != NULL)
HC_GIVES(bool, is_combined, HC_OF(struct hc_study_run, at)->interaction != NULL)
HC_GIVES_ITEM(value_here, &HC_OF(struct hc_study_run, at)->value[at->index])
HC_GIVES_ITEM(difference_here, &HC_OF(struct hc_study_run, at)->difference[at->index])
HC_GIVES_ITEM(interaction_here,
              is_combined(at) ? &HC_OF(struct hc_study_run, at)->interaction[at->index] : NULL)

static struct hc_study_spread spread_here(const struct hc_item *at)
{
    static const struct hc_study_value unknown = {NAN, NAN, NAN, NAN};
    const struct hc_study_run *run = at->record;
    return run->spread ? run->spread[at->index]
                       : (struct hc_study_spread){unknown, unknown, unknown, 0};
}

HC_GIVES(double, p05_here, spread_here(at).p05.mean)
HC_GIVES(double, p50_here, spread_here(at).p50.mean)
HC_GIVES(double, p95_here, spread_here(at).p95.mean)

/* A run at the place of a column: rows of CSV tables. */
static const struct hc_field run_figure_fields[] = {
    RUN("run", name, "", "its name"),
    HC_TEXT_OF("base", base_name, "what it is compared with"),
    HC_TEXT_OF("figure", name_here, "its name"),
    HC_TEXT_OF("unit", unit_here, "of the figure"),
    HC_PART_OF(value_here, &hc_study_value_record),
    HC_REAL_OF("p05", p05_here, "", "5 % of replicas have at most this"),
    HC_REAL_OF("p50", p50_here, "", "half of them have"),
    HC_REAL_OF("p95", p95_here, "", "95 % of them have"),
    HC_OBJECT_OF("difference", difference_here, &hc_study_interval_record, "against the base"),
    HC_OBJECT_OF("interaction", interaction_here, &hc_study_interval_record,
                 "beyond the sum of each"),
    RUN("replicas", n_replicas, "", "of the run"),
};
static const struct hc_record_def run_figure = HC_RECORD(NULL, run_figure_fields);

/* ---- replicas ---- */

/* Of an item at the place of a column, in one at the place of a replica. */
static double value_of_replica(const struct hc_item *at)
{
    const double *value = HC_OF(struct hc_study_run, at)->replica_value[at->index];
    return value ? value[at->parent->index] : NAN;
}

static const struct hc_field replica_figure_fields[] = {
    HC_TEXT_OF("figure", name_here, "its name"),
    HC_REAL_OF("value", value_of_replica, "", "that the replica had"),
};
static const struct hc_record_def replica_figure = HC_RECORD(NULL, replica_figure_fields);

/* Replicas that come with the input, as steps of a trace, are in tables of the engine. */
static size_t count_kept(const struct hc_item *at)
{
    const struct hc_study_run *run = at->record;
    return result_of(at)->has_given_replicas || !run->replica_value ? 0 : run->n_kept;
}

HC_GIVES(int64_t, replica_number, (int64_t)(result_of(at)->first_replica + at->index))

/* A run at the place of a replica: rows of a CSV table. */
static const struct hc_field replica_fields[] = {
    RUN("run", name, "", "its name"),
    HC_INTEGER_OF("replica", replica_number, "", "its number"),
    HC_MAP_OF("figures", hc_study_count_columns, same, &replica_figure, ""),
};
static const struct hc_record_def replica = HC_RECORD(NULL, replica_fields);

/* Members of a run that its engine adds. */
static const struct hc_record_def *counts_of(const void *root)
{
    const struct hc_study_engine_views *views = hc_study_views_find(root);
    return views ? views->counts : NULL;
}

static const struct hc_record_def *findings_of(const void *root)
{
    const struct hc_study_engine_views *views = hc_study_views_find(root);
    return views ? views->run : NULL;
}

static const struct hc_field run_fields[] = {
    RUN("name", name, "", "`base`, or that of the variant"),
    HC_LIST(struct hc_study_run, "combines", combines, n_combines, &hc_text_items,
            "names of the variants that it is made of", .rules = HC_LINE),
    RUN("replicas", n_replicas, "", "that were run"),
    RUN("finished", n_finished, "", "of these, those whose work was done"),
    HC_PART_CHOSEN(counts_of, "of a lifetime `starved` (above)"),
    HC_STUDY_FIGURES(struct hc_study_run, "figures", value, "each a value (below), by name"),
    {.name = "spread",
     .type = HC_AS_MAP,
     .offset = offsetof(struct hc_study_run, spread),
     .size = sizeof(struct hc_study_spread),
     .list = &(const struct hc_list_source){.count = hc_study_count_columns},
     .record = &hc_study_named_spread_record,
     .sentence = "what one replica may meet, each a spread (below), by name",
     .has = has_spread},
    HC_STUDY_FIGURES(struct hc_study_run, "inputs", inputs,
                     "the same figures with `low` and `high` of what fitted and recorded inputs "
                     "leave open; null where there are none",
                     .has = has_inputs),
    HC_LIST(struct hc_study_run, "input_keys", input_path, n_input_paths, &hc_text_items,
            "pointers of these inputs", .rules = HC_LINE),
    HC_STUDY_FIGURES(struct hc_study_run, "difference", difference,
                     "the same figures against the base of the comparison; null for the base",
                     .has = is_compared),
    HC_STUDY_FIGURES(struct hc_study_run, "difference_inputs", difference_inputs,
                     "the same with `low` and `high` of what the inputs leave open, each draw "
                     "against the same of the base; null where none is drawn",
                     .has = has_difference_inputs),
    HC_STUDY_FIGURES(struct hc_study_run, "interaction", interaction,
                     "what combined variants bring beyond the sum of each; null for others",
                     .has = is_combined),
    HC_LIST_OF("run_figures", hc_study_count_columns, same, &run_figure, "", .rules = HC_ONLY_CSV),
    HC_LIST_OF("compared_figures", hc_study_count_columns, same, &run_figure, "",
               .has = is_compared, .rules = HC_ONLY_CSV),
    HC_LIST_OF("kept_replicas", count_kept, same, &replica, "", .rules = HC_ONLY_CSV),
    HC_PART_CHOSEN(findings_of,
                   "what its engine found: of a lifetime the other keys of `runs[]` above"),
    HC_MAP(struct hc_study_run, NULL, section, n_sections, &section,
           "tables that its engine adds, each under its name"),
};
static const struct hc_record_def run = HC_RECORD("a run", run_fields);

/* ---- winners, again ---- */

HC_GIVES(bool, has_inputs_again, HC_OF(struct hc_study_again, at)->inputs != NULL)
HC_GIVES(bool, has_draws_again, HC_OF(struct hc_study_again, at)->n_draws > 0)

#define AGAIN(...) HC_FIELD(struct hc_study_again, __VA_ARGS__)
static const struct hc_field again_fields[] = {
    AGAIN("replicas", n_replicas, "", "that were run, with random numbers of their own"),
    HC_STUDY_FIGURES(struct hc_study_again, "figures", value, "each a value (below), by name"),
    HC_STUDY_FIGURES(
        struct hc_study_again, "inputs", inputs,
        "the same with `low` and `high` of what the inputs leave open; null where none "
        "is drawn",
        .has = has_inputs_again),
};
static const struct hc_record_def again = HC_RECORD("again", again_fields);

static const struct hc_field found_again_fields[] = {
    HC_SAME_PART(&again),
    AGAIN("holds", holds, "", "the condition"),
    AGAIN("draws", n_draws, "",
          "of the inputs; null where none is drawn, or the condition is on a "
          "quantile",
          .has = has_draws_again),
    AGAIN("draws_hold", n_hold, "", "of these, those whose means meet the condition",
          .has = has_draws_again),
};
static const struct hc_record_def found_again = HC_RECORD(NULL, found_again_fields);

/* ---- sweep ---- */

static const char *axis_base(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_study_axis *axis = at->record;
    (void)room;
    return axis->base == HC_STUDY_NONE ? NULL : axis->label[axis->base];
}

#define AXIS(...) HC_FIELD(struct hc_study_axis, __VA_ARGS__)
static const struct hc_field axis_fields[] = {
    AXIS("path", path, "", "pointer of the key"),
    AXIS("unit", unit, "", "of its values"),
    HC_LIST(struct hc_study_axis, "values", label, n, &hc_text_items, "as text", .rules = HC_LINE),
    HC_TEXT_OF("base", axis_base, "that of them which the scenario has, or null"),
};
static const struct hc_record_def axis = HC_RECORD(NULL, axis_fields);

HC_GIVES(size_t, count_axes, result_of(at)->n_axes)
HC_GIVES_TEXT(path_here, result_of(at)->axis[at->index].path)

/* The value of an axis at a point, of all runs; the last axis goes fastest. */
static const char *label_at(const struct hc_study_result *result, size_t axis, size_t point)
{
    for (size_t k = result->n_axes; --k > axis;)
        point /= result->axis[k].n;
    return result->axis[axis].label[point % result->axis[axis].n];
}

HC_GIVES_TEXT(label_here, label_at(result_of(at), at->index, at->parent->index))

static const struct hc_field bare_label = {.type = HC_AS_TEXT, .text = label_here};
static const struct hc_record_def labels = {.n_fields = 1, .fields = &bare_label};
static const struct hc_field setting_fields[] = {
    HC_TEXT_OF("path", path_here, ""),
    HC_TEXT_OF("value", label_here, ""),
};
static const struct hc_record_def setting = HC_RECORD(NULL, setting_fields);

/* The same in a figure of a point: a row of the long table. */
HC_GIVES_TEXT(label_above, label_at(result_of(at), at->index, at->parent->parent->index))
HC_GIVES_TEXT(run_above, run_name(result_of(at), at->parent->index / result_of(at)->n_points))
HC_GIVES_ITEM(point_above, at->parent->record)

static const struct hc_field setting_above_fields[] = {
    HC_TEXT_OF("path", path_here, ""),
    HC_TEXT_OF("value", label_above, ""),
};
static const struct hc_record_def setting_above = HC_RECORD(NULL, setting_above_fields);

HC_GIVES_TEXT(point_run, run_name(result_of(at), at->index / result_of(at)->n_points))
HC_GIVES_ITEM(value_at, &HC_OF(struct hc_study_cell, at)->value[i])

#define POINT(...) HC_FIELD(struct hc_study_cell, __VA_ARGS__)
static const struct hc_field count_fields[] = {
    POINT("replicas", n_replicas, "", "that were run"),
    POINT("unfinished", n_unfinished, "", "of these, those that did not come to their end"),
};
static const struct hc_record_def counts = HC_RECORD(NULL, count_fields);

static const struct hc_field point_figure_fields[] = {
    HC_TEXT_OF("run", run_above, "its name"),
    HC_MAP_OF("settings", count_axes, same, &setting_above, ""),
    HC_PART_OF(point_above, &counts),
    HC_TEXT_OF("figure", name_here, "its name"),
    HC_TEXT_OF("unit", unit_here, "of the figure"),
    HC_PART_OF(same, &hc_study_value_record),
};
static const struct hc_record_def point_figure = HC_RECORD(NULL, point_figure_fields);

static const struct hc_field point_fields[] = {
    HC_TEXT_OF("run", point_run, "its name"),
    HC_LIST_OF("at", count_axes, same, &labels, "a value of each axis", .rules = HC_LINE),
    HC_MAP_OF("settings", count_axes, same, &setting, "", .rules = HC_ONLY_CSV),
    HC_SAME_PART(&counts),
    HC_STUDY_FIGURES(struct hc_study_cell, "figures", value, "each a value (below), by name"),
    HC_MAP_OF("intervals", hc_study_count_columns, value_at, &short_figure, "",
              .rules = HC_ONLY_CSV),
    HC_LIST_OF("point_figures", hc_study_count_columns, value_at, &point_figure, "",
               .rules = HC_ONLY_CSV),
};
static const struct hc_record_def point = HC_RECORD(NULL, point_fields);

HC_GIVES(bool, is_swept, result_of(at)->n_points > 0)
HC_GIVES(size_t, count_points, (result_of(at)->n_runs * result_of(at)->n_points))
HC_GIVES_ITEM(point_at, &result_of(at)->cell[i])

#define LIST(...) HC_LIST(struct hc_study_result, __VA_ARGS__)
HC_GIVES_TEXT(interval_kind, "pointwise")
HC_GIVES(bool, has_best_again, result_of(at)->best_again.is_there)

static const struct hc_field sweep_fields[] = {
    LIST("axes", axis, n_axes, &axis, "keys that are swept"),
    HC_LIST_OF("points", count_points, point_at, &point, "by run, the last axis fastest"),
    LIST("varying", order.swept, order.n_swept, &column_names,
         "names of the reported figures that are not the same at all points, ETTR first",
         .rules = HC_LINE),
    LIST("best", order.best_cell, order.n_best_cells, &hc_i64_items,
         "places in `points` (from 0) of the 20 that do best by the first of these, the best first",
         .rules = HC_LINE),
    HC_TEXT_OF("intervals", interval_kind, "of `points`: pointwise, each for itself alone"),
    HC_OBJECT(struct hc_study_result, "best_again", best_again, &again,
              "the first of `best`, run again; null where all points are the same",
              .has = has_best_again),
};
static const struct hc_record_def sweep = HC_RECORD(NULL, sweep_fields);

/* ---- find ---- */

#define FOUND(...) HC_FIELD(struct hc_study_found, __VA_ARGS__)
#define TRY(...)   HC_FIELD(struct hc_study_try, __VA_ARGS__)

/* Of the search itself. */
static const struct hc_study_found *found_of(const struct hc_item *at)
{
    return &result_of(at)->found;
}

HC_GIVES_TEXT(wanted_end, found_of(at)->is_smallest ? "smallest" : "largest")
HC_GIVES_TEXT(found_figure, column_name(result_of(at), found_of(at)->column))
HC_GIVES_TEXT(found_path, found_of(at)->path)
HC_GIVES(bool, is_asked, found_of(at)->is_asked)
HC_GIVES(bool, is_found, found_of(at)->is_found)
HC_GIVES(bool, has_several_terms, found_of(at)->n_terms > 1)

static bool is_answer(const struct hc_item *at)
{
    const struct hc_study_try *try = at->record;
    return is_found(at) && try->number == found_of(at)->number;
}

/* A value of a term besides the first. */
HC_GIVES(size_t, count_also, found_of(at)->n_terms - 1)
HC_GIVES_ITEM(also_at, &HC_OF(struct hc_study_try, at)->also[i])
HC_GIVES_TEXT(also_name, column_name(result_of(at), found_of(at)->term[at->index + 1].figure))

static const struct hc_field also_fields[] = {
    HC_TEXT_OF("name", also_name, "of a figure"),
    HC_GROUP("figure", &hc_study_value_record, "", .rules = HC_LINE),
};
static const struct hc_record_def also = HC_RECORD(NULL, also_fields);

static const struct hc_field try_fields[] = {
    HC_TEXT_OF("path", found_path, "of the key", .rules = HC_ONLY_CSV),
    TRY("value", number, "", "that was tried"),
    HC_OBJECT(struct hc_study_try, "figure", value, &hc_study_value_record,
              "of the condition, of several terms the first", .rules = HC_LINE),
    TRY("holds", holds, "", "the condition"),
    HC_BOOL_OF("found", is_answer, "it is the answer", .rules = HC_ONLY_CSV),
    TRY("margin", margin, "",
        "how far what the condition looks at is from the bound (of several terms the least)"),
    HC_LIST_OF("also", count_also, also_at, &also,
               "the figures of the other terms, where there are", .has = has_several_terms,
               .rules = HC_LEFT_OUT),
};
static const struct hc_record_def try = HC_RECORD(NULL, try_fields);

static const char *proof_name(int proof)
{
    static const char *const names[] = {[HC_FOUND_ALL_TRIED] = "all_tried",
                                        [HC_FOUND_NEXT_FAILS] = "next_fails",
                                        [HC_FOUND_OF_TRIED] = "of_tried",
                                        [HC_FOUND_ENDS_FAIL] = "ends_fail"};
    return names[proof];
}

HC_GIVES(bool, has_end, found_of(at)->n_untried >= 0)

HC_GIVES(bool, has_found_again, found_of(at)->again.is_there)

static const struct hc_field find_fields[] = {
    HC_TEXT_OF("wanted", wanted_end, "smallest or largest"),
    FOUND("path", path, "", "pointer of the key"),
    FOUND("unit", unit, "", "of the key"),
    FOUND("such_that", such_that, "", "condition"),
    HC_TEXT_OF("figure", found_figure, "name of the figure of the condition"),
    FOUND("bound", bound, "", "number of the condition"),
    FOUND("found", is_found, "", "there is such a value"),
    FOUND("value", number, "", "that was found", .has = is_found),
    HC_NAME(struct hc_study_found, "proof", proof, proof_name, HC_FOUND_ENDS_FAIL + 1,
            "how sure that is: all_tried, next_fails, of_tried, ends_fail (below)"),
    FOUND(
        "untried", n_untried, "",
        "number of better values (when none was found, of values) that were not tried; null where "
        "there is no end of them",
        .has = has_end),
    FOUND("changes", n_changes, "", "how often the condition changes over the values tried"),
    HC_LIST(struct hc_study_found, "tries", tries, n_tries, &try, "ascending"),
    HC_OBJECT(struct hc_study_found, "again", again, &found_again,
              "the value that was found, run again; null where none was", .has = has_found_again),
};
static const struct hc_record_def find = HC_RECORD(NULL, find_fields);

/* ---- sensitivity ---- */

HC_GIVES_TEXT(bar_figure, result_of(at)->bar_column->name)
HC_GIVES(bool, has_bars, result_of(at)->bar_column != NULL)

#define BAR(...) HC_FIELD(struct hc_study_bar, __VA_ARGS__)
static const struct hc_field bar_fields[] = {
    BAR("path", path, "", "pointer of the key"),
    BAR("unit", unit, "", "of the key"),
    HC_TEXT_OF("figure", bar_figure, "its name", .rules = HC_ONLY_CSV),
    BAR("base", base, "", "value of the scenario; null where it gives no number"),
    BAR("low", low, "", "value of the key"),
    BAR("high", high, "", "value of the key"),
    HC_OBJECT(struct hc_study_bar, "at_low", at_low, &hc_study_value_record, "the figure there",
              .rules = HC_LINE),
    HC_OBJECT(struct hc_study_bar, "at_high", at_high, &hc_study_value_record, "the figure there",
              .rules = HC_LINE),
};
static const struct hc_record_def bar = HC_RECORD(NULL, bar_fields);

static const struct hc_field sensitivity_fields[] = {
    HC_TEXT_OF("figure", bar_figure, "its name"),
    RESULT("at_base", order.bar_base, "", "its mean with the scenario as it is"),
    LIST("bars", bar, n_bars, &bar, "widest first"),
};
static const struct hc_record_def sensitivity = HC_RECORD(NULL, sensitivity_fields);

/* ---- the document ---- */

static const struct hc_field input_fields[] = {
    HC_FIELD(struct hc_study_input, "path", path, "", "of the file"),
    HC_FIELD(struct hc_study_input, "sha256", sha256, "", "of the file"),
};
static const struct hc_record_def input = HC_RECORD(NULL, input_fields);

HC_GIVES_TEXT(better_way, HC_OF(struct hc_study_column, at)->is_gain ? "higher" : "lower")
HC_GIVES_TEXT(best_run, run_name(result_of(at), result_of(at)->order.best_run[at->index]))

#define COLUMN(...) HC_FIELD(struct hc_study_column, __VA_ARGS__)
static const struct hc_field column_fields[] = {
    COLUMN("name", name, "", "of the figure"),
    COLUMN("unit", unit, "", "of the figure"),
    COLUMN("help", help, "", "a sentence"),
    COLUMN("reported", is_reported, "", "asked for in the summary"),
    COLUMN("compared", is_compared, "", "asked for in the comparison"),
    COLUMN("method", method, "",
           "version of its definition, from 1: numbers of different ones are not to be compared"),
    COLUMN("title", title, "", "what people call it"),
    HC_TEXT_OF("better", better_way, "which way is: higher or lower"),
    HC_TEXT_OF("best_run", best_run, "the run that does best; null where all do the same"),
};
static const struct hc_record_def column = HC_RECORD(NULL, column_fields);

static const struct hc_field compare_fields[] = {
    RESULT("compared", is_compared, "", "there are variants"),
    HC_TEXT_OF("base", base_name, "run that the others are compared with"),
    RESULT("common_random_numbers", common_random_numbers, "", "all runs have the same ones"),
    LIST("figures", order.compared, order.n_compared, &column_names,
         "names: wall time and GPU-hours first", .rules = HC_LINE),
};
static const struct hc_record_def compare = HC_RECORD(NULL, compare_fields);

HC_GIVES(bool, has_run_id, result_of(at)->run_id != NULL)

static const struct hc_field document_fields[] = {
    RESULT("run_id", run_id, "", "where it is one of several files", .has = has_run_id,
           .rules = HC_LEFT_OUT),
    RESULT("name", name, "", "of the scenario: file name without ending"),
    RESULT("question", question, "", "of the scenario"),
    RESULT("scenario", scenario, "",
           "complete, as JSON on one line: what was included is in it, data files "
           "have the paths that they were read from; `hindcast reproduce` runs it again"),
    LIST("inputs", inputs, n_inputs, &input, "files that were read", .rules = HC_LINE),
    LIST("notes", notes, n_notes, &hc_text_items, "sentences to be read with the numbers"),
    RESULT("seed", seed, "", "as the scenario says"),
    RESULT("confidence", confidence, "", "of the intervals, as the scenario says"),
    RESULT("price_per_gpu_h", price_per_gpu_h, "", "as the scenario says",
           .rules = HC_NULL_BELOW_1),
    LIST("columns", column, n_columns, &column, "the figures", .rules = HC_LINE),
    LIST("runs", run, n_runs, &run, "the scenario, then its variants"),
    HC_GROUP("compare", &compare, "variants with each other"),
    HC_GROUP("sweep", &sweep, "null without one", .has = is_swept),
    HC_OBJECT(struct hc_study_result, "find", found, &find, "null where none is asked for",
              .has = is_asked),
    HC_GROUP("sensitivity", &sensitivity, "null where none is asked for", .has = has_bars),
};
const struct hc_record_def hc_study_record = HC_RECORD(NULL, document_fields);

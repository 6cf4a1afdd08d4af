/* replay_jobs_views.h - what a scenario brings to many jobs, as JSON, CSV, text and a page.
 *
 * The names are those that HC_FIGURE_WRITERS of the command asks for (cli/options/report_output.h).
 */
#ifndef HC_REPORTS_STUDY_REPLAY_REPLAY_JOBS_VIEWS_H
#define HC_REPORTS_STUDY_REPLAY_REPLAY_JOBS_VIEWS_H

#include "core/files/outset.h"
#include "core/tables/record.h"
#include "reports/figure/figure.h"
#include "reports/write/table_files.h"
#include "study/engines/replay/replay_jobs.h"

/* Of a struct hc_replay_jobs (docs/json.md, hindcast-simulate-jobs). */
extern const struct hc_record_def hc_replay_jobs_record;

void hc_replay_jobs_write_json(const struct hc_replay_jobs *jobs, struct hc_json_writer *json);

/* Its tables as CSV. The first, which stands for it alone (`--csv -`), has a row for each job and
 * run, and one for a job that was not answered. */
#define HC_REPLAY_JOBS_TABLES 3
extern const struct hc_table_file hc_replay_jobs_tables[HC_REPLAY_JOBS_TABLES];
void hc_replay_jobs_write_csv(const struct hc_replay_jobs *jobs, FILE *stream);
enum hc_status hc_replay_jobs_write_tables(struct hc_outset *set, const char *directory,
                                           const struct hc_replay_jobs *jobs, struct hc_error *err);

/* The change of each job with its interval. */
enum hc_status hc_replay_jobs_put_figures(const struct hc_figure_sink *sink,
                                          const struct hc_replay_jobs *jobs, struct hc_error *err);

enum hc_status hc_replay_jobs_write_text(const struct hc_replay_jobs *jobs, FILE *stream,
                                         struct hc_error *err);
enum hc_status hc_replay_jobs_write_html(const struct hc_replay_jobs *jobs, FILE *stream,
                                         struct hc_error *err);

#endif

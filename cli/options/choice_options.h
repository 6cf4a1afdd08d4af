/* choice_options.h - which jobs of an archive a command is for: the options that mean the same
 * wherever a job is named, and the names and patterns beside them. */
#ifndef HC_CLI_OPTIONS_CHOICE_OPTIONS_H
#define HC_CLI_OPTIONS_CHOICE_OPTIONS_H

#include "cli/frame/options.h"
#include "cli/options/moment.h"
#include "pipeline/choice/job_choice.h"
#include "pipeline/inputs/trace_load.h"

struct hc_choice_options {
    const char *cluster; /* NULL: any */
    struct hc_moment since, until;
};
extern const struct hc_option hc_choice_options[];
/* The same without --cluster, their first. */
#define hc_date_options (hc_choice_options + 1)

/* Whether any of them is given. */
bool hc_choice_is_given(const struct hc_choice_options *options);

/* The bounds that --since and --until set, in Unix time, as of struct hc_job_choice: a day is from
 * its beginning to its end where the site is (the zone of the site file, else UTC). HC_USAGE: they
 * are no dates, or nothing lies between. */
enum hc_status hc_choice_bounds(int64_t bounds_ns[2], const struct hc_choice_options *options,
                                struct hc_error *err);

/* What the options say, as a choice; archive, table and every_attempt are the caller's to set. */
enum hc_status hc_choice_start(struct hc_job_choice *choice,
                               const struct hc_choice_options *options, struct hc_error *err);

/* The jobs with this main table (NULL: any) that names mean (none: all), chosen by their newest
 * attempt: *is_chosen, an entry of the archive each, is the caller's to free. */
enum hc_status hc_choice_entries(bool **is_chosen, const struct hc_archive *archive,
                                 const struct hc_choice_options *options, const char *table,
                                 const struct hc_words *names, struct hc_error *err);

/* The words of a command line with the jobs that patterns and options mean in place of those:
 * names of single jobs, each once ("cluster/id#attempt"). Files stay as they are, and so do all
 * words without a pattern where no option is given, with nothing opened. Else the archive of the
 * loader is, and stays open: what is loaded then is of the same state as the names. HC_USAGE: an
 * option beside a file, or no job is meant. To be released by hc_choice_words_fini. */
enum hc_status hc_choice_words(struct hc_words *jobs, const struct hc_words *words,
                               const struct hc_choice_options *options,
                               struct hc_trace_loader *loader, const char *table,
                               struct hc_error *err);
void hc_choice_words_fini(struct hc_words *jobs);

/* The same as a condition on the step timelines of an archive (pipeline/fleet/fleet_choice.h), for
 * who keeps what was asked as text: "(WHERE) and cluster = 'east' and id ~ 'llama-*'". where may be
 * NULL. *condition is NULL where nothing is asked, else the caller's to free. HC_USAGE: no job is
 * meant, or a pattern or name has what a condition cannot say. */
enum hc_status hc_choice_condition(char **condition, const struct hc_choice_options *options,
                                   const struct hc_words *names, const char *where,
                                   const char *archive_path, struct hc_error *err);

#endif

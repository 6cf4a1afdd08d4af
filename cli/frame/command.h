/* command.h - what the program knows of a command, and how one is found by its name.
 *
 * To add one: a file cmd_<name>.c that defines its struct hc_command, a declaration here, a
 * row in cli/command_table.c, golden cases in tests/cli/cases.
 */
#ifndef HC_CLI_FRAME_COMMAND_H
#define HC_CLI_FRAME_COMMAND_H

#include "cli/frame/options.h"
#include "core/base/status.h"

#include <stddef.h>
#include <stdio.h>

struct hc_command {
    const char *name;        /* "ls", or "archive gc": a group of commands shares its first word */
    const char *summary;     /* one line, no full stop */
    const char *description; /* paragraphs separated by a newline, wrapped by the help; or NULL */
    const struct hc_option *options;         /* with hc_common_options */
    const struct hc_positional *positionals; /* or NULL when it takes none */
    const char *const *examples;             /* command lines, at least one; ends in NULL */
    const char *finding; /* what exit code 1 means, or NULL when the command never gives it */
    bool threads_later;  /* it calls hc_threads_raise itself, when its work is large enough; or it
                            has none for several */
    size_t settings_size;
    /* settings is a struct that starts with struct hc_common_options. Errors are left in err; main
     * prints them. HC_FINDING needs no message. */
    enum hc_status (*run)(void *settings, const struct hc_words *words, struct hc_error *err);
};

/* The commands, each defined by its own file; the rows of cli/command_table.c. */
extern const struct hc_command hc_command_archive_compact, hc_command_archive_gc,
    hc_command_archive_migrate, hc_command_archive_prune, hc_command_archive_rm, hc_command_check,
    hc_command_compare, hc_command_diagnose_collectives, hc_command_export, hc_command_fit,
    hc_command_formats, hc_command_help, hc_command_ingest, hc_command_joins, hc_command_ls,
    hc_command_merge, hc_command_presets, hc_command_query, hc_command_report_account,
    hc_command_report_breakdown, hc_command_report_capacity, hc_command_report_clocks,
    hc_command_report_collectives, hc_command_report_ettr, hc_command_report_failures,
    hc_command_report_findings, hc_command_report_nightly, hc_command_report_path,
    hc_command_report_reliability, hc_command_report_job, hc_command_report_node,
    hc_command_report_run, hc_command_report_startup, hc_command_report_stragglers,
    hc_command_reproduce, hc_command_runs_propose, hc_command_scenario_check,
    hc_command_scenario_schema, hc_command_scenario_show, hc_command_show, hc_command_simulate,
    hc_command_site_check, hc_command_site_init, hc_command_site_schema, hc_command_synth_cluster,
    hc_command_synth_kineto, hc_command_synth_steps, hc_command_top_lost, hc_command_whatif;

/* The table that the functions below, help, manual and completion go by; ends in NULL. Said once,
 * by hc_command_line (cli/command_line.h): the command `help` is a row of the table and explains
 * it, so neither can name the other. */
void hc_command_table_use(const struct hc_command *const *commands);
const struct hc_command *const *hc_command_table(void);

/* The command of the table with this name, or NULL. */
const struct hc_command *hc_command_named(const char *name);

/* The command that argv[1..] names, and in *n_words how many words name it; NULL when there is none
 * (hc_command_unknown says so). */
const struct hc_command *hc_command_find(int argc, char *const *argv, int *n_words);

/* True when word is the first word of a group of commands. */
bool hc_command_is_group(const char *word);

#endif

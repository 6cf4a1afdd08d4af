#include "cli/command_table.h"

/* clang-format off */
const struct hc_command *const hc_commands[] = {
    &hc_command_ingest,
    &hc_command_ls,
    &hc_command_show,
    &hc_command_check,
    &hc_command_whatif,
    &hc_command_compare,
    &hc_command_merge,
    &hc_command_report_breakdown,
    &hc_command_report_collectives,
    &hc_command_report_stragglers,
    &hc_command_report_path,
    &hc_command_report_clocks,
    &hc_command_report_reliability,
    &hc_command_report_account,
    &hc_command_diagnose_collectives,
    &hc_command_export,
    &hc_command_simulate,
    &hc_command_presets,
    &hc_command_scenario_check,
    &hc_command_scenario_show,
    &hc_command_scenario_schema,
    &hc_command_synth_steps,
    &hc_command_synth_kineto,
    &hc_command_synth_cluster,
    &hc_command_formats,
    &hc_command_archive_gc,
    &hc_command_help,
    NULL,
};
/* clang-format on */

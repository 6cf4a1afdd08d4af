/* format_registry.h - the formats that hindcast reads, by name and by what a file begins with.
 *
 * To add a format: a file in the wing of its kind of input (parsers/steps, ...), its declaration
 * and its row here, a sample, a unit test, a fuzz target, a page in docs/formats/.
 */
#ifndef HC_PARSERS_REGISTRY_FORMAT_REGISTRY_H
#define HC_PARSERS_REGISTRY_FORMAT_REGISTRY_H

#include "parsers/io/format.h"

extern const struct hc_format hc_format_step_parquet;
extern const struct hc_format hc_format_step_csv;
extern const struct hc_format hc_format_step_chrome;
extern const struct hc_format hc_format_step_dttracer;
extern const struct hc_format hc_format_ndtimeline;
extern const struct hc_format hc_format_kineto;
extern const struct hc_format hc_format_incidents_infinitehbd;
extern const struct hc_format hc_format_incidents_lanl;
extern const struct hc_format hc_format_incidents_csv;
extern const struct hc_format hc_format_pytorch_et;
extern const struct hc_format hc_format_chakra_et;
extern const struct hc_format hc_format_incidents_jsonl;
extern const struct hc_format hc_format_flight_recorder;
extern const struct hc_format hc_format_nccl_inspector;
extern const struct hc_format hc_format_nccl_tests;
extern const struct hc_format hc_format_slurm_sacct;
extern const struct hc_format hc_format_swf;
extern const struct hc_format hc_format_philly_csv;
extern const struct hc_format hc_format_philly_log;
extern const struct hc_format hc_format_training_log;
extern const struct hc_format hc_format_megatron_golden;
extern const struct hc_format hc_format_nvrx_cycle_info;
extern const struct hc_format hc_format_torch_error;
extern const struct hc_format hc_format_kubernetes_events;
extern const struct hc_format hc_format_kernel_log;
extern const struct hc_format hc_format_kernel_json;
extern const struct hc_format hc_format_job_log;
extern const struct hc_format hc_format_phase_marks;
extern const struct hc_format hc_format_slurm_events;
extern const struct hc_format hc_format_slurm_nodes;
extern const struct hc_format hc_format_slurm_sinfo;
extern const struct hc_format hc_format_slurm_nodes_json;
extern const struct hc_format hc_format_slurm_reservations;
extern const struct hc_format hc_format_slurm_squeue;
extern const struct hc_format hc_format_jobs_table;
extern const struct hc_format hc_format_events_table;
extern const struct hc_format hc_format_phases_table;
extern const struct hc_format hc_format_node_states_table;
extern const struct hc_format hc_format_queue_table;
extern const struct hc_format hc_format_train_steps_table;
extern const struct hc_format hc_format_cycles_table;
extern const struct hc_format hc_format_checkpoints_table;
extern const struct hc_format hc_format_train_measures_table;
extern const struct hc_format hc_format_corrections_table;
extern const struct hc_format hc_format_incidents_table;

/* The own forms of the tables of records (parsers/tabular). */
#define HC_OWN_FORMAT_ROWS                                                                         \
    &hc_format_jobs_table, &hc_format_events_table, &hc_format_phases_table,                       \
        &hc_format_node_states_table, &hc_format_train_steps_table, &hc_format_cycles_table,       \
        &hc_format_checkpoints_table, &hc_format_train_measures_table,                             \
        &hc_format_corrections_table, &hc_format_incidents_table, &hc_format_queue_table

/* Where two are equally sure of a file, the first wins. */
#define HC_FORMAT_ROWS                                                                             \
    &hc_format_step_parquet, &hc_format_step_csv, &hc_format_kineto, &hc_format_step_chrome,       \
        &hc_format_step_dttracer, &hc_format_ndtimeline, &hc_format_incidents_infinitehbd,         \
        &hc_format_incidents_lanl, &hc_format_incidents_csv, &hc_format_incidents_jsonl,           \
        &hc_format_flight_recorder, &hc_format_pytorch_et, &hc_format_chakra_et,                   \
        &hc_format_nccl_inspector, &hc_format_nccl_tests, &hc_format_slurm_sacct, &hc_format_swf,  \
        &hc_format_philly_csv, &hc_format_philly_log, &hc_format_training_log,                     \
        &hc_format_megatron_golden, &hc_format_nvrx_cycle_info, &hc_format_torch_error,            \
        &hc_format_kubernetes_events, &hc_format_kernel_log, &hc_format_kernel_json,               \
        &hc_format_job_log, &hc_format_phase_marks, &hc_format_slurm_events,                       \
        &hc_format_slurm_nodes, &hc_format_slurm_nodes_json, &hc_format_slurm_sinfo,               \
        &hc_format_slurm_reservations, &hc_format_slurm_squeue, HC_OWN_FORMAT_ROWS

/* All formats, ending in NULL: HC_FORMAT_ROWS in format_rows.c. A program that defines this list
 * itself, as a test does, reads the formats that it names: the linker then leaves out that file. */
extern const struct hc_format *const hc_format_rows[];

/* All formats; *n is their number. */
const struct hc_format *const *hc_formats(size_t *n);

/* The format of that name, or NULL. */
const struct hc_format *hc_format_find(const char *name);

/* The name of the format that was meant by a name that is none: the nearest, or "step-csv" for
 * "csv"; or NULL. */
const char *hc_format_near(const char *name);

/* The format of a source by its content: HC_BAD_INPUT, naming the file, what it seems to be and
 * what to do, when none recognises it. */
enum hc_status hc_format_detect(const struct hc_format **format, const struct hc_source *source,
                                struct hc_error *err);

/* The format that the file at path is in, by its first bytes; NULL: in none, no regular file, or
 * standard input. HC_IO: it cannot be read, of which nothing follows for its format. */
enum hc_status hc_format_of_path(const struct hc_format **format, const char *path,
                                 struct hc_error *err);

/* The same, but NULL also where nothing but the shape of the file (JSON that may be a trace) speaks
 * for a format. */
enum hc_status hc_format_of_content(const struct hc_format **format, const char *path,
                                    struct hc_error *err);

#endif

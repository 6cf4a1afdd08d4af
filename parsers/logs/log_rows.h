/* log_rows.h - the rows that a log of a training run makes: the cycle at hand, its steps, its
 * checkpoints, its phases of start-up and what else it measures. Private to this wing. */
#ifndef HC_PARSERS_LOGS_LOG_ROWS_H
#define HC_PARSERS_LOGS_LOG_ROWS_H

#include "core/tables/logs/log_tables.h"
#include "core/tables/nodes/phase_table.h"
#include "parsers/io/format.h"
#include "parsers/logs/log_line.h"

/* A step as a line tells of it; NaN, HC_MISSING_...: it does not say. */
struct hc_log_step {
    int64_t iteration, samples, tokens, duration_ns;
    int32_t iterations, skipped, nan;
    double loss, tflops;
};
extern const struct hc_log_step hc_log_no_step;

struct hc_log_rows {
    struct hc_table *steps, *cycles, *checkpoints, *measures, *phases;
    struct hc_table_names *names;
    const char *source;
    struct hc_log_name name;
    struct hc_log_times times;

    int64_t line;    /* at hand */
    int64_t last_ns; /* of the last stamp; HC_MISSING_I64: none yet */
    bool is_stamped; /* the line at hand has it */

    bool has_cycle; /* which is not a row yet: */
    int32_t number;
    const char *framework, *step_framework; /* of the cycle, of its last step */
    int64_t start_ns, first_step_ns, end_ns, first_iteration, last_iteration, loaded_iteration,
        saved_iteration, start_line;
    int32_t world_size, is_done;
    enum hc_log_clock start_clock;
};

/* What was measured of the iteration at hand, and where the log says it. */
struct hc_log_measure {
    char name[64], unit[16];
    int32_t rank, min_rank, max_rank; /* or HC_MISSING_I32 */
    double value, min, max;           /* or NaN */
    int64_t time_ns, iteration, line;
    int32_t cycle;
    enum hc_log_clock clock;
};

/* From when to when, and the line that tells of it. */
struct hc_log_span {
    int64_t start_ns, end_ns, line;
};

/* Of a source, with what options say of its log and zone. */
enum hc_status hc_log_rows_init(struct hc_log_rows *rows, const char *source,
                                const struct hc_parse_options *options, struct hc_error *err);

/* The line at hand was written at a time. */
void hc_log_stamp(struct hc_log_rows *rows, int64_t unix_ns);

/* The first stamp in brackets in the first n bytes of the line is its time. */
void hc_log_take_stamp(struct hc_log_rows *rows, const struct hc_line *line, size_t n);

/* A launch begins at this line: what was at hand ends, and becomes a row. */
enum hc_status hc_log_begin_cycle(struct hc_log_rows *rows, const char *framework,
                                  struct hc_error *err);
enum hc_status hc_log_end_cycle(struct hc_log_rows *rows, struct hc_error *err);

/* How many iterations a line is about that is written after this one, going by the last line or the
 * checkpoint that was loaded; HC_MISSING_I32: nothing says. */
int32_t hc_log_iterations_since(const struct hc_log_rows *rows, int64_t iteration);

/* Some logs tell of a step twice, in lines of two frameworks: the first counts. */
enum hc_status hc_log_add_step(struct hc_log_rows *rows, const char *framework,
                               const struct hc_log_step *step, struct hc_error *err);
enum hc_status hc_log_add_checkpoint(struct hc_log_rows *rows, enum hc_checkpoint_kind kind,
                                     int64_t iteration, const char *path, size_t length,
                                     struct hc_error *err);

/* A phase of the cycle at hand, by a line of the log. */
enum hc_status hc_log_add_phase(struct hc_log_rows *rows, enum hc_phase phase, const char *detail,
                                struct hc_log_span span, struct hc_error *err);

/* A measure of the line at hand, of which nothing is known but where it stands. */
struct hc_log_measure hc_log_measure_here(const struct hc_log_rows *rows);
enum hc_status hc_log_add_measure(struct hc_log_rows *rows, const struct hc_log_measure *measure,
                                  struct hc_error *err);

#endif

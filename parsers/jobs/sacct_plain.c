#include "parsers/jobs/sacct_plain.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/zone.h"
#include "core/text/number_text.h"
#include "core/text/text_hash.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S  ((int64_t)1000000000)
#define S_PER_DAY 86400

/* Fields of at most so many digits are numbers without a look at each of them. */
#define PLAIN_DIGITS 8

static inline int64_t *column_i64(const struct hc_sacct_plain *plain, enum hc_jobs_column column)
{
    return hc_table_i64(plain->builder->rows, column) + plain->first;
}

static inline int32_t *column_i32(const struct hc_sacct_plain *plain, enum hc_jobs_column column)
{
    return hc_table_i32(plain->builder->rows, column) + plain->first;
}

/* ---- texts ---- */

/* The texts of a column, and that which it had before: many columns change seldom. */
struct texts {
    const struct hc_text_set *set;
    struct hc_span last; /* in the set */
    int32_t code;
};

/* *code of a text that is not empty; -1: it has to be cleaned. */
static inline enum hc_status find_code(struct hc_sacct_plain *plain, enum hc_jobs_column column,
                                       struct hc_span text, struct texts *texts, int32_t *code,
                                       struct hc_error *err)
{
    *code = texts->code;
    if (text.length == texts->last.length &&
        hc_is_same_text(text.text, texts->last.text, text.length))
        return HC_OK;
    *code = hc_text_set_find(texts->set, text.text, text.length);
    if (*code < 0 && hc_job_text_code(plain->builder, column, text, code, err))
        return err->status;
    if (*code < 0)
        return HC_OK;
    texts->last = (struct hc_span){texts->set->text[*code], text.length};
    texts->code = *code;
    return HC_OK;
}

static inline bool says_none(struct hc_span text)
{
    return text.length >= 4 && memcmp(text.text, "None", 4) == 0;
}

static inline enum hc_status put_texts(struct hc_sacct_plain *plain,
                                       const struct hc_sacct_column *column, size_t field,
                                       bool knows_none, struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = column_i32(plain, column->column), code = -1;
    struct texts texts = {.set = hc_job_text_set(plain->builder, column->column)};
    for (size_t r = 0; r < n; r++) {
        struct hc_span text = hc_sacct_fields_next(&fields);
        if (text.length == 0 || (knows_none && says_none(text)))
            continue;
        if (find_code(plain, column->column, text, &texts, &code, err))
            return err->status;
        if (code < 0)
            plain->is_odd[r] = true;
        else
            to[r] = code;
    }
    return HC_OK;
}

enum hc_status hc_sacct_plain_text(struct hc_sacct_plain *plain,
                                   const struct hc_sacct_column *column, size_t field,
                                   struct hc_error *err)
{
    return put_texts(plain, column, field, false, err);
}

enum hc_status hc_sacct_plain_text_or_none(struct hc_sacct_plain *plain,
                                           const struct hc_sacct_column *column, size_t field,
                                           struct hc_error *err)
{
    return put_texts(plain, column, field, true, err);
}

/* ---- lists of nodes ---- */

/* How many nodes a list has; -1: it cannot be read. */
static int32_t count_nodes(struct hc_span list)
{
    struct hc_node_list_reader reader;
    struct hc_error ignored = {0};
    return hc_node_list_open(&reader, list.text, list.length, &ignored) ? -1
                                                                        : (int32_t)reader.n_nodes;
}

/* The same by the code of the list, with which the text of the dictionary is the list. */
static inline enum hc_status listed_nodes(struct hc_sacct_plain *plain, struct hc_span list,
                                          int32_t code, int32_t *n, struct hc_error *err)
{
    size_t had = plain->n_of_list_capacity, need = (size_t)code + 1;
    if (need > had) {
        if (hc_reserve(&plain->n_of_list, &plain->n_of_list_capacity, need,
                       sizeof *plain->n_of_list, err))
            return err->status;
        memset(plain->n_of_list + had, 0,
               (plain->n_of_list_capacity - had) * sizeof *plain->n_of_list);
    }
    if (plain->n_of_list[code] == 0)
        plain->n_of_list[code] = count_nodes(list);
    *n = plain->n_of_list[code];
    return HC_OK;
}

enum hc_status hc_sacct_plain_node_list(struct hc_sacct_plain *plain,
                                        const struct hc_sacct_column *column, size_t field,
                                        struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = column_i32(plain, column->column), code = -1;
    struct texts texts = {.set = hc_job_text_set(plain->builder, column->column)};
    for (size_t r = 0; r < n; r++) {
        struct hc_span list = hc_sacct_fields_next(&fields);
        if (list.length == 0 || says_none(list))
            continue;
        if (find_code(plain, column->column, list, &texts, &code, err) ||
            (code >= 0 && listed_nodes(plain, list, code, &plain->n_listed[r], err)))
            return err->status;
        plain->is_odd[r] |= code < 0 || plain->n_listed[r] < 0;
        to[r] = code;
    }
    return HC_OK;
}

/* ---- numbers ---- */

static inline bool plain_number(struct hc_span text, int64_t *value)
{
    unsigned first = (unsigned)(unsigned char)text.text[0] - '0';
    *value = first;
    if (text.length == 1)
        return first <= 9;
    if (text.length - 1 >= PLAIN_DIGITS)
        return false;
    uint64_t digits = hc_behind_zeros(hc_load8(text.text), text.length);
    *value = (int64_t)hc_digits8(digits);
    return hc_are_digits8(digits);
}

static inline enum hc_slurm_text read_count(struct hc_span text, int64_t *value)
{
    return plain_number(text, value) ? HC_SLURM_VALUE : hc_slurm_count(text, value);
}

/* A whole number of units, as put_whole of sacct_columns.c takes it. */
static inline enum hc_slurm_text read_whole(struct hc_span text, int64_t unit, int64_t *value)
{
    enum hc_slurm_text what = read_count(text, value);
    if (what != HC_SLURM_VALUE)
        return what;
    if (*value > INT64_MAX / unit / 2)
        return HC_SLURM_WRONG;
    *value *= unit;
    return HC_SLURM_VALUE;
}

/* Put what was read of record r. */
static inline void put_i64(struct hc_sacct_plain *plain, int64_t *to, size_t r,
                           enum hc_slurm_text what, int64_t value)
{
    if (what == HC_SLURM_VALUE)
        to[r] = value;
    else if (what == HC_SLURM_WRONG)
        plain->is_odd[r] = true;
}

static inline void put_wholes(struct hc_sacct_plain *plain, const struct hc_sacct_column *column,
                              size_t field, int64_t unit)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int64_t *to = column_i64(plain, column->column), value;
    for (size_t r = 0; r < n; r++) {
        enum hc_slurm_text what = read_whole(hc_sacct_fields_next(&fields), unit, &value);
        put_i64(plain, to, r, what, value);
    }
}

enum hc_status hc_sacct_plain_count(struct hc_sacct_plain *plain,
                                    const struct hc_sacct_column *column, size_t field,
                                    struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int64_t value;
    (void)err;
    if (hc_jobs_def.columns[column->column].type == HC_I64) {
        put_wholes(plain, column, field, 1);
        return HC_OK;
    }
    int32_t *to = column_i32(plain, column->column);
    for (size_t r = 0; r < n; r++) {
        enum hc_slurm_text what = read_whole(hc_sacct_fields_next(&fields), 1, &value);
        if (what == HC_SLURM_VALUE && value <= INT32_MAX)
            to[r] = (int32_t)value;
        else if (what != HC_SLURM_NOTHING)
            plain->is_odd[r] = true;
    }
    return HC_OK;
}

enum hc_status hc_sacct_plain_seconds(struct hc_sacct_plain *plain,
                                      const struct hc_sacct_column *column, size_t field,
                                      struct hc_error *err)
{
    (void)err;
    put_wholes(plain, column, field, NS_PER_S);
    return HC_OK;
}

enum hc_status hc_sacct_plain_minutes(struct hc_sacct_plain *plain,
                                      const struct hc_sacct_column *column, size_t field,
                                      struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int64_t *to = column_i64(plain, column->column), value;
    (void)err;
    for (size_t r = 0; r < n; r++) {
        struct hc_span text = hc_sacct_fields_next(&fields);
        bool is_word = text.length && (text.text[0] < '0' || text.text[0] > '9');
        enum hc_slurm_text what =
            is_word ? hc_slurm_duration(text, &value) : read_whole(text, 60 * NS_PER_S, &value);
        put_i64(plain, to, r, what, value);
    }
    return HC_OK;
}

/* ---- times ---- */

/* The numbers of "HH:MM:SS", two digits each; false: it is not that. */
struct clock {
    uint32_t hours, minutes, seconds;
};

static inline bool read_clock(const char *text, struct clock *clock)
{
    uint64_t bytes = hc_load8(text) ^ 0x30303A30303A3030ULL; /* "00:00:00" */
    bool is_good = ((bytes & 0xF0F0FFF0F0FFF0F0ULL) |
                    ((bytes + 0x0606000606000606ULL) & 0xF0F000F0F000F0F0ULL)) == 0;
    bytes = bytes * 10 + (bytes >> 8); /* tens and ones of the first byte of each pair */
    *clock = (struct clock){(uint32_t)(bytes & 0xFF), (uint32_t)(bytes >> 24 & 0xFF),
                            (uint32_t)(bytes >> 48 & 0xFF)};
    return is_good;
}

static inline int64_t clock_ns(const struct clock *clock)
{
    return (int64_t)(clock->hours * 3600 + clock->minutes * 60 + clock->seconds) * NS_PER_S;
}

/* Whether the clocks showed each second of a day that starts there, and the first of the next, once
 * and as far ahead of UTC: no place sets them twice in a day. *start_s becomes Unix time. */
static bool is_even_day(const struct hc_zone *zone, int64_t *start_s)
{
    int64_t local_s = *start_s, end_s;
    /* Beyond, nanoseconds of the day may not fit. */
    if (local_s < -HC_TEXT_MOST_SECONDS + 2 * S_PER_DAY ||
        local_s > HC_TEXT_MOST_SECONDS - 2 * S_PER_DAY)
        return false;
    return !zone || (hc_zone_to_unix_s(zone, local_s, start_s) == HC_LOCAL_ONCE &&
                     hc_zone_to_unix_s(zone, local_s + S_PER_DAY, &end_s) == HC_LOCAL_ONCE &&
                     end_s - *start_s == S_PER_DAY);
}

/* Read the date that text begins with into the place of such days. */
static bool read_day(struct hc_sacct_plain *plain, const char *text, struct hc_sacct_day *day)
{
    char midnight[19 + HC_TEXT_PADDING] = "0000-00-00T00:00:00";
    int64_t start_s;
    bool is_local;
    memcpy(midnight, text, 10);
    if (hc_slurm_time(&plain->builder->dates, (struct hc_span){midnight, 19}, &start_s,
                      &is_local) != HC_SLURM_VALUE ||
        !is_even_day(plain->builder->zone, &start_s))
        return false;
    day->year_month = hc_load8(text);
    memcpy(&day->day, text + 8, sizeof day->day);
    day->start_ns = start_s * NS_PER_S;
    return true;
}

static inline bool is_day(const struct hc_sacct_day *day, const char *text)
{
    uint16_t date;
    memcpy(&date, text + 8, sizeof date);
    return day->year_month == hc_load8(text) && day->day == date;
}

/* The day of the date that text begins with; NULL: it is none, or the clocks were set on it. */
static const struct hc_sacct_day *find_day(struct hc_sacct_plain *plain, const char *text)
{
    /* One place each for the days of a month. */
    unsigned date = (text[8] & 15u) * 10 + (text[9] & 15u);
    struct hc_sacct_day *day = &plain->days[date % HC_SACCT_PLAIN_DAYS];
    return is_day(day, text) || read_day(plain, text, day) ? day : NULL;
}

/* "2016-12-22T07:15:12"; *day is that of the time before. */
static inline bool plain_time(struct hc_sacct_plain *plain, struct hc_span text,
                              const struct hc_sacct_day **day, int64_t *time_ns)
{
    struct clock clock;
    if (text.length != 19 || (text.text[10] != 'T' && text.text[10] != ' ') ||
        !read_clock(text.text + 11, &clock) || clock.hours > 23 || clock.minutes > 59 ||
        clock.seconds > 60)
        return false;
    const struct hc_sacct_day *found = is_day(*day, text.text) ? *day : find_day(plain, text.text);
    if (!found)
        return false;
    *day = found;
    *time_ns = found->start_ns + clock_ns(&clock);
    return true;
}

static enum hc_slurm_text other_time(struct hc_sacct_plain *plain, struct hc_span text,
                                     int64_t *time_ns)
{
    const struct hc_zone *zone = plain->builder->zone;
    bool is_local;
    enum hc_slurm_text what = hc_slurm_time(&plain->builder->dates, text, time_ns, &is_local);
    if (what != HC_SLURM_VALUE)
        return what;
    if (is_local && zone && hc_zone_to_unix_s(zone, *time_ns, time_ns) != HC_LOCAL_ONCE)
        return HC_SLURM_WRONG;
    *time_ns *= NS_PER_S;
    return HC_SLURM_VALUE;
}

enum hc_status hc_sacct_plain_time(struct hc_sacct_plain *plain,
                                   const struct hc_sacct_column *column, size_t field,
                                   struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    const struct hc_sacct_day *day = plain->days;
    int64_t *to = column_i64(plain, column->column), value;
    (void)err;
    for (size_t r = 0; r < n; r++) {
        struct hc_span text = hc_sacct_fields_next(&fields);
        enum hc_slurm_text what = plain_time(plain, text, &day, &value)
                                      ? HC_SLURM_VALUE
                                      : other_time(plain, text, &value);
        put_i64(plain, to, r, what, value);
    }
    return HC_OK;
}

/* "HH:MM:SS", of which Slurm does not say how many minutes or seconds there are at most. */
static inline bool plain_duration(struct hc_span text, int64_t *duration_ns)
{
    struct clock clock;
    if (text.length != 8 || !read_clock(text.text, &clock))
        return false;
    *duration_ns = clock_ns(&clock);
    return true;
}

enum hc_status hc_sacct_plain_duration(struct hc_sacct_plain *plain,
                                       const struct hc_sacct_column *column, size_t field,
                                       struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int64_t *to = column_i64(plain, column->column), value;
    (void)err;
    for (size_t r = 0; r < n; r++) {
        struct hc_span text = hc_sacct_fields_next(&fields);
        enum hc_slurm_text what =
            plain_duration(text, &value) ? HC_SLURM_VALUE : hc_slurm_duration(text, &value);
        put_i64(plain, to, r, what, value);
    }
    return HC_OK;
}

/* ---- numbers of jobs, states, exit codes, resources ---- */

static enum hc_slurm_text other_job_id(struct hc_sacct_plain *plain, struct hc_span text, size_t r,
                                       bool is_raw, int64_t *job)
{
    struct hc_slurm_job_id id;
    enum hc_slurm_text what = hc_slurm_job_id(text, &id);
    *job = id.job;
    if (what != HC_SLURM_VALUE || is_raw)
        return what;
    /* Of these, missing is what the row has. */
    column_i32(plain, HC_JOBS_ARRAY_TASK)[r] = id.array_task;
    column_i32(plain, HC_JOBS_HET_COMPONENT)[r] = id.het_component;
    return HC_SLURM_VALUE;
}

enum hc_status hc_sacct_plain_job_id(struct hc_sacct_plain *plain,
                                     const struct hc_sacct_column *column, size_t field,
                                     struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    bool is_raw = column->column == HC_JOBS_RAW_JOB;
    int64_t *to = column_i64(plain, column->column), value;
    (void)err;
    for (size_t r = 0; r < n; r++) {
        struct hc_span text = hc_sacct_fields_next(&fields);
        enum hc_slurm_text what = plain_number(text, &value)
                                      ? HC_SLURM_VALUE
                                      : other_job_id(plain, text, r, is_raw, &value);
        put_i64(plain, to, r, what == HC_SLURM_VALUE ? HC_SLURM_VALUE : HC_SLURM_WRONG, value);
    }
    return HC_OK;
}

/* What the text of a state says, of a short one by what was kept of it. `other` is for a long one.
 */
static inline const struct hc_sacct_state *
read_state(struct hc_sacct_plain *plain, struct hc_span text, struct hc_sacct_state *other)
{
    struct hc_text_words words = hc_text_words(text.text, text.length);
    struct hc_sacct_state *state = other;
    if (text.length - 1 < 16) {
        size_t place = (size_t)hc_text_mix(words.word[0], words.word[1] ^ text.length << 32);
        state = &plain->states[place % HC_SACCT_PLAIN_STATES];
    }
    if (state->length == text.length && state->word[0] == words.word[0] &&
        state->word[1] == words.word[1])
        return state;
    int found = 0;
    *state = (struct hc_sacct_state){.word = {words.word[0], words.word[1]}, .length = text.length};
    state->what = hc_slurm_state(text, &found, &state->by);
    state->state = found;
    return state;
}

enum hc_status hc_sacct_plain_state(struct hc_sacct_plain *plain,
                                    const struct hc_sacct_column *column, size_t field,
                                    struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = column_i32(plain, column->column);
    int64_t *by = column_i64(plain, HC_JOBS_CANCELLED_BY);
    (void)err;
    for (size_t r = 0; r < n; r++) {
        struct hc_sacct_state other = {.length = SIZE_MAX};
        const struct hc_sacct_state *state =
            read_state(plain, hc_sacct_fields_next(&fields), &other);
        plain->is_odd[r] |= state->what == HC_SLURM_WRONG;
        if (state->what != HC_SLURM_VALUE)
            continue;
        to[r] = state->state;
        by[r] = state->by == HC_MISSING_I64 ? by[r] : state->by;
    }
    return HC_OK;
}

/* "0:0" */
static inline enum hc_slurm_text read_exit_code(struct hc_span text, int32_t *code, int32_t *signal)
{
    unsigned ones = (unsigned)(unsigned char)text.text[0] - '0';
    unsigned others = (unsigned)(unsigned char)text.text[2] - '0';
    if (text.length != 3 || text.text[1] != ':' || ones > 9 || others > 9)
        return hc_slurm_exit_code(text, code, signal);
    *code = (int32_t)ones;
    *signal = (int32_t)others;
    return HC_SLURM_VALUE;
}

enum hc_status hc_sacct_plain_exit_code(struct hc_sacct_plain *plain,
                                        const struct hc_sacct_column *column, size_t field,
                                        struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *codes = column_i32(plain, column->column), code = 0;
    int32_t *signals = column_i32(plain, HC_JOBS_EXIT_SIGNAL), signal = 0;
    (void)err;
    for (size_t r = 0; r < n; r++) {
        enum hc_slurm_text what = read_exit_code(hc_sacct_fields_next(&fields), &code, &signal);
        plain->is_odd[r] |= what == HC_SLURM_WRONG;
        if (what != HC_SLURM_VALUE)
            continue;
        codes[r] = code;
        signals[r] = signal;
    }
    return HC_OK;
}

enum hc_status hc_sacct_plain_gpus(struct hc_sacct_plain *plain,
                                   const struct hc_sacct_column *column, size_t field,
                                   struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = column_i32(plain, column->column), *types = column_i32(plain, HC_JOBS_GPU_TYPE);
    bool is_gres = hc_sacct_column_is_gres(column), has_type = column->column == HC_JOBS_GPUS;
    struct texts texts = {.set = hc_job_text_set(plain->builder, HC_JOBS_GPU_TYPE)};
    for (size_t r = 0; r < n; r++) {
        const struct hc_slurm_gpus *gpus;
        enum hc_slurm_text what =
            hc_gpus_memo_read(&plain->builder->gpus, hc_sacct_fields_next(&fields), &gpus);
        plain->is_odd[r] |= what == HC_SLURM_WRONG;
        if (what != HC_SLURM_VALUE || (to[r] > 0 && (is_gres || gpus->n == 0)))
            continue;
        to[r] = (int32_t)gpus->n;
        if (!has_type || !gpus->type.length)
            continue;
        if (find_code(plain, HC_JOBS_GPU_TYPE, gpus->type, &texts, &types[r], err))
            return err->status;
        plain->is_odd[r] |= types[r] < 0;
    }
    return HC_OK;
}

/* ---- records as a whole ---- */

enum hc_status hc_sacct_plain_begin(struct hc_sacct_plain *plain, struct hc_error *err)
{
    struct hc_job_builder *builder = plain->builder;
    size_t n = plain->block->n;
    struct hc_span file = {builder->file, strlen(builder->file)};
    int32_t code;
    plain->first = hc_jobs_add(builder->rows, n);
    memset(plain->n_listed, 0, n * sizeof *plain->n_listed);
    memcpy(column_i64(plain, HC_JOBS_LINE), plain->block->line, n * sizeof *plain->block->line);
    if (hc_job_text_code(builder, HC_JOBS_SOURCE, file, &code, err))
        return err->status;
    memset(plain->is_odd, code < 0, n * sizeof *plain->is_odd);
    int32_t *sources = column_i32(plain, HC_JOBS_SOURCE);
    for (size_t r = 0; r < n; r++)
        sources[r] = code;
    return HC_OK;
}

/* What hc_job_end would call bad, or have doubts of. */
static inline bool is_doubtful(const struct hc_sacct_plain *plain, size_t r)
{
    int64_t start_ns = column_i64(plain, HC_JOBS_START_NS)[r];
    int64_t end_ns = column_i64(plain, HC_JOBS_END_NS)[r];
    int32_t n_nodes = column_i32(plain, HC_JOBS_NODES)[r], n_listed = plain->n_listed[r];
    bool is_failed = column_i32(plain, HC_JOBS_FAILED_NODE)[r] != HC_MISSING_I32;
    return column_i64(plain, HC_JOBS_SUBMIT_NS)[r] == HC_MISSING_I64 ||
           /* A start that is missing is before all others. */
           (end_ns < start_ns && end_ns != HC_MISSING_I64) ||
           (n_listed && (is_failed || (n_nodes != n_listed && n_nodes != HC_MISSING_I32)));
}

size_t hc_sacct_plain_end(struct hc_sacct_plain *plain)
{
    size_t n_odd = 0;
    for (size_t r = 0; r < plain->block->n; r++) {
        plain->is_odd[r] |= is_doubtful(plain, r);
        n_odd += plain->is_odd[r];
    }
    return n_odd;
}

void hc_sacct_plain_forget(struct hc_sacct_plain *plain)
{
    memset(plain->n_of_list, 0, plain->n_of_list_capacity * sizeof *plain->n_of_list);
}

void hc_sacct_plain_fini(struct hc_sacct_plain *plain)
{
    free(plain->n_of_list);
}

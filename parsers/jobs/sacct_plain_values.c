/* sacct_plain_values.c - numbers, times and states of a block of records (sacct_plain.h). */
#include "core/base/missing.h"
#include "core/base/zone.h"
#include "core/text/number_text.h"
#include "core/text/text_hash.h"
#include "parsers/jobs/sacct_plain.h"

#include <string.h>

#define NS_PER_S  ((int64_t)1000000000)
#define S_PER_DAY 86400

/* Fields of at most so many digits are numbers without a look at each of them. */
#define PLAIN_DIGITS 8

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

typedef enum hc_slurm_text value_reader(struct hc_span text, int64_t *value);

/* Read a column of 64 bits. Inlined, so that the reader is no call. */
static inline void put_values(struct hc_sacct_plain *plain, const struct hc_sacct_column *column,
                              size_t field, value_reader *read)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int64_t *to = hc_sacct_plain_i64(plain, column->column), value;
    for (size_t r = 0; r < n; r++) {
        enum hc_slurm_text what = read(hc_sacct_fields_next(&fields), &value);
        put_i64(plain, to, r, what, value);
    }
}

static inline enum hc_slurm_text read_ones(struct hc_span text, int64_t *value)
{
    return read_whole(text, 1, value);
}

static inline enum hc_slurm_text read_seconds(struct hc_span text, int64_t *value)
{
    return read_whole(text, NS_PER_S, value);
}

static inline enum hc_slurm_text read_minutes(struct hc_span text, int64_t *value)
{
    bool is_word = text.length && (text.text[0] < '0' || text.text[0] > '9');
    return is_word ? hc_slurm_duration(text, value) : read_whole(text, 60 * NS_PER_S, value);
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
        put_values(plain, column, field, read_ones);
        return HC_OK;
    }
    int32_t *to = hc_sacct_plain_i32(plain, column->column);
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
    put_values(plain, column, field, read_seconds);
    return HC_OK;
}

enum hc_status hc_sacct_plain_minutes(struct hc_sacct_plain *plain,
                                      const struct hc_sacct_column *column, size_t field,
                                      struct hc_error *err)
{
    (void)err;
    put_values(plain, column, field, read_minutes);
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
    int64_t *to = hc_sacct_plain_i64(plain, column->column), value;
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
static inline enum hc_slurm_text read_duration(struct hc_span text, int64_t *duration_ns)
{
    struct clock clock;
    if (text.length != 8 || !read_clock(text.text, &clock))
        return hc_slurm_duration(text, duration_ns);
    *duration_ns = clock_ns(&clock);
    return HC_SLURM_VALUE;
}

enum hc_status hc_sacct_plain_duration(struct hc_sacct_plain *plain,
                                       const struct hc_sacct_column *column, size_t field,
                                       struct hc_error *err)
{
    (void)err;
    put_values(plain, column, field, read_duration);
    return HC_OK;
}

/* ---- numbers of jobs, states, exit codes ---- */

static enum hc_slurm_text other_job_id(struct hc_sacct_plain *plain, struct hc_span text, size_t r,
                                       bool is_raw, int64_t *job)
{
    struct hc_slurm_job_id id;
    enum hc_slurm_text what = hc_slurm_job_id(text, &id);
    *job = id.job;
    if (what != HC_SLURM_VALUE || is_raw)
        return what;
    /* Of these, missing is what the row has. */
    hc_sacct_plain_i32(plain, HC_JOBS_ARRAY_TASK)[r] = id.array_task;
    hc_sacct_plain_i32(plain, HC_JOBS_HET_COMPONENT)[r] = id.het_component;
    return HC_SLURM_VALUE;
}

enum hc_status hc_sacct_plain_job_id(struct hc_sacct_plain *plain,
                                     const struct hc_sacct_column *column, size_t field,
                                     struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    bool is_raw = column->column == HC_JOBS_RAW_JOB;
    int64_t *to = hc_sacct_plain_i64(plain, column->column), value;
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
    int32_t *to = hc_sacct_plain_i32(plain, column->column);
    int64_t *by = hc_sacct_plain_i64(plain, HC_JOBS_CANCELLED_BY);
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
    int32_t *codes = hc_sacct_plain_i32(plain, column->column), code = 0;
    int32_t *signals = hc_sacct_plain_i32(plain, HC_JOBS_EXIT_SIGNAL), signal = 0;
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

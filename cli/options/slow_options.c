#include "cli/options/slow_options.h"

#include "core/base/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool hc_slow_number(const char **text, const char *ends, double *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtod(*text, &end);
    if (end == *text || errno || !isfinite(*number))
        return false;
    bool is_end = *end == '\0', is_at = !is_end && strchr(ends, *end);
    if (*ends ? !is_at : !is_end)
        return false;
    *text = end + is_at;
    return true;
}

static bool read_index(const char **text, int32_t *index)
{
    double number;
    if (!hc_slow_number(text, ",", &number) || number < 0 || number > INT32_MAX ||
        number != floor(number))
        return false;
    *index = (int32_t)number;
    return true;
}

/* --- limits ----------------------------------------------------------------------------------- */

/* A share over 0: of 0 nothing would be slow. */
static bool read_share(const char *text, double *share)
{
    return hc_slow_number(&text, "", share) && *share > 0 && *share <= 1;
}

static bool read_step(const char **text, int32_t *step)
{
    char *end = NULL;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    long value = strtol(*text, &end, 10);
    if (errno || value > INT32_MAX)
        return false;
    *text = end;
    *step = (int32_t)value;
    return true;
}

/* "20-60", "114-" to the end, or "12" alone. */
static bool read_steps(const char *text, struct hc_synth_limits *limits)
{
    limits->has_steps = true;
    if (!read_step(&text, &limits->first_step))
        return false;
    limits->last_step = *text ? INT32_MAX : limits->first_step;
    if (*text && *text++ != '-')
        return false;
    if (*text && !read_step(&text, &limits->last_step))
        return false;
    return !*text && limits->first_step <= limits->last_step;
}

static bool read_every(const char *text, int32_t *every)
{
    return read_step(&text, every) && !*text && *every > 0;
}

static bool read_ops(const char *text, enum hc_synth_ops *ops)
{
    static const char *const names[] = {
        [HC_SYNTH_OPS_FORWARD] = "forward", [HC_SYNTH_OPS_BACKWARD] = "backward",
        [HC_SYNTH_OPS_BOTH] = "both",       [HC_SYNTH_OPS_TRANSFERS] = "transfers",
        [HC_SYNTH_OPS_ALL] = "all",
    };
    for (size_t i = HC_SYNTH_OPS_FORWARD; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *ops = (enum hc_synth_ops)i;
            return true;
        }
    return false;
}

enum limit { LIMIT_STEPS, LIMIT_EVERY, LIMIT_DUTY, LIMIT_PASSES, LIMIT_FROM, LIMIT_OPS, N_LIMITS };

static const char *const keys[N_LIMITS] = {"steps", "every", "duty", "passes", "from", "ops"};
static const char *const values[N_LIMITS] = {
    "steps, as 114-, 20-60 or 12", "a whole number from 1 on",
    "a share over 0 and up to 1",  "a share over 0 and up to 1",
    "a share over 0 and up to 1",  "forward, backward, both, transfers or all"};

static bool read_value(struct hc_synth_limits *limits, enum limit key, const char *value)
{
    switch (key) {
    case LIMIT_STEPS:
        return read_steps(value, limits);
    case LIMIT_EVERY:
        return read_every(value, &limits->every);
    case LIMIT_DUTY:
        return read_share(value, &limits->duty);
    case LIMIT_PASSES:
        return read_share(value, &limits->passes);
    case LIMIT_FROM:
        return read_share(value, &limits->from);
    default:
        return read_ops(value, &limits->ops);
    }
}

/* One "KEY=VALUE" of `length` bytes. */
static enum hc_status read_limit(struct hc_synth_limits *limits, const struct hc_slow_form *form,
                                 const char *text, size_t length, struct hc_error *err)
{
    char value[32] = "";
    size_t n_key = strcspn(text, "=:"), key = 0;
    bool has_value = text[n_key] == '=' && length - n_key - 1 < sizeof value;
    while (key < N_LIMITS && (strlen(keys[key]) != n_key || memcmp(text, keys[key], n_key) != 0))
        key++;
    if (key == N_LIMITS) {
        const char *nearest = hc_nearest(text, n_key, keys, N_LIMITS);
        return hc_fail(err, HC_USAGE,
                       "option '--%s': unknown limit '%.*s'%s%s%s; there are steps, every, duty, "
                       "passes, from and ops",
                       form->option, (int)(n_key < 100 ? n_key : 100), text,
                       nearest ? " (did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?)" : "");
    }
    if (has_value)
        memcpy(value, text + n_key + 1, length - n_key - 1);
    if (has_value && read_value(limits, (enum limit)key, value))
        return HC_OK;
    return hc_fail(err, HC_USAGE, "option '--%s': '%.*s' does not have %s", form->option,
                   (int)(length < 100 ? length : 100), text, values[key]);
}

/* --- the whole -------------------------------------------------------------------------------- */

enum hc_status hc_slow_read(struct hc_synth_slow *slow, const struct hc_slow_form *form,
                            const char *text, struct hc_error *err)
{
    const char *p = text;
    *slow = (struct hc_synth_slow){
        .dp_rank = -1, .stage = -1, .target = form->target, .limits = {.ops = form->ops}};
    bool has_limits = strchr(text, ':') != NULL;
    if ((form->has_dp && !read_index(&p, &slow->dp_rank)) ||
        (form->has_stage && !read_index(&p, &slow->stage)) ||
        !hc_slow_number(&p, has_limits ? ":" : "", &slow->factor))
        return hc_fail(err, HC_USAGE, "option '--%s': '%s' is not %s%sFACTOR, as %s%s1.5",
                       form->option, text, form->has_dp ? "DP," : "",
                       form->has_stage ? "STAGE," : "", form->has_dp ? "1," : "",
                       form->has_stage ? "2," : "");
    while (has_limits) {
        size_t length = strcspn(p, ":");
        if (read_limit(&slow->limits, form, p, length, err))
            return err->status;
        has_limits = p[length] == ':';
        p += length + has_limits;
    }
    return HC_OK;
}

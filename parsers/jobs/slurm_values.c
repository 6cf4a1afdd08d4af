#include "parsers/jobs/slurm_values.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "core/text/number_text.h"

#include <string.h>
#include <strings.h>

#define NS_PER_S ((int64_t)1000000000)
/* Times beyond it have no place in a calendar, and their nanoseconds none in 64 bits. */
#define MOST_SECONDS ((int64_t)1 << 33)

static bool is_word(struct hc_span text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.text, word, text.length) == 0;
}

static bool says_nothing(struct hc_span text)
{
    if (text.length && text.text[0] >= '0' && text.text[0] <= '9') /* as nearly all do */
        return false;
    return text.length == 0 || is_word(text, "Unknown") || is_word(text, "None") ||
           is_word(text, "N/A");
}

static bool begins(struct hc_span text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.text, with, length) == 0;
}

/* Plain digits, as many as there are. Returns how many, 0 too where the number is too large. */
static size_t read_number(struct hc_span text, int64_t *value)
{
    size_t n = 0;
    *value = 0;
    for (; n < text.length && text.text[n] >= '0' && text.text[n] <= '9'; n++) {
        if (*value > INT64_MAX / 10 - 1)
            return 0;
        *value = *value * 10 + (text.text[n] - '0');
    }
    return n;
}

static struct hc_span behind(struct hc_span text, size_t n)
{
    return (struct hc_span){text.text + n, text.length - n};
}

/* ---- times ---- */

static bool two_digits(const char *text, int *value)
{
    unsigned tens = (unsigned)text[0] - '0', ones = (unsigned)text[1] - '0';
    *value = (int)(tens * 10 + ones);
    return tens <= 9 && ones <= 9;
}

/* Midnight of the date that text begins with. */
static bool read_date(struct hc_date_cache *cache, const char *text, int64_t *start_s)
{
    uint64_t date[2] = {hc_load8(text), 0};
    memcpy(&date[1], text + 8, 2);
    if (date[0] != cache->date[0] || date[1] != cache->date[1]) {
        char whole[] = "0000-00-00T00:00:00Z";
        int64_t start_ns;
        memcpy(whole, text, 10);
        if (!hc_parse_iso8601(whole, sizeof whole - 1, &start_ns))
            return false;
        memcpy(cache->date, date, sizeof date);
        cache->start_s = start_ns / NS_PER_S;
    }
    *start_s = cache->start_s;
    return true;
}

/* "Z", "+0100" or "+01:00" behind a time; 0: there is none, or another text. */
static size_t zone_length(struct hc_span text, int64_t *offset_s)
{
    int hours, minutes;
    *offset_s = 0;
    if (text.length == 20 && text.text[19] == 'Z')
        return 1;
    bool has_colon = text.length == 25 && text.text[22] == ':';
    if ((text.length != 24 && !has_colon) || (text.text[19] != '+' && text.text[19] != '-') ||
        !two_digits(text.text + 20, &hours) || !two_digits(text.text + 22 + has_colon, &minutes))
        return 0;
    *offset_s = (hours * 3600 + minutes * 60) * (text.text[19] == '-' ? -1 : 1);
    return text.length - 19;
}

/* A time with the zone that SLURM_TIME_FORMAT may ask for. */
static enum hc_slurm_text zoned_time(struct hc_date_cache *cache, struct hc_span text,
                                     int64_t *time_s)
{
    int64_t offset_s;
    bool is_local;
    size_t zone = zone_length(text, &offset_s);
    text.length -= zone;
    if (!zone || hc_slurm_time(cache, text, time_s, &is_local) != HC_SLURM_VALUE || !is_local)
        return HC_SLURM_WRONG;
    *time_s -= offset_s;
    return HC_SLURM_VALUE;
}

enum hc_slurm_text hc_slurm_time(struct hc_date_cache *cache, struct hc_span text, int64_t *time_s,
                                 bool *is_local)
{
    int hours, minutes, seconds;
    const char *at = text.text;
    *is_local = text.length == 19 && (at[10] == 'T' || at[10] == ' ');
    if (*is_local) {
        if (!read_date(cache, at, time_s) || !two_digits(at + 11, &hours) || at[13] != ':' ||
            !two_digits(at + 14, &minutes) || at[16] != ':' || !two_digits(at + 17, &seconds) ||
            hours > 23 || minutes > 59 || seconds > 60)
            return HC_SLURM_WRONG;
        *time_s += hours * 3600 + minutes * 60 + seconds;
        return HC_SLURM_VALUE;
    }
    if (says_nothing(text))
        return HC_SLURM_NOTHING;
    if (text.length >= 20 && text.length <= 25)
        return zoned_time(cache, text, time_s);
    if (read_number(text, time_s) != text.length || *time_s > MOST_SECONDS)
        return HC_SLURM_WRONG;
    return *time_s ? HC_SLURM_VALUE : HC_SLURM_NOTHING;
}

enum hc_slurm_text hc_slurm_duration(struct hc_span text, int64_t *duration_ns)
{
    int64_t part[3] = {0}, days = 0, fraction_ns = 0;
    size_t n_parts = 0;
    if (says_nothing(text) || is_word(text, "UNLIMITED") || is_word(text, "Partition_Limit") ||
        is_word(text, "infinite") || is_word(text, "INVALID"))
        return HC_SLURM_NOTHING;
    for (bool has_days = false;; text = behind(text, 1)) {
        int64_t value;
        size_t n = read_number(text, &value);
        if (!n || value > MOST_SECONDS)
            return HC_SLURM_WRONG;
        text = behind(text, n);
        if (text.length && text.text[0] == '-' && !has_days && n_parts == 0) {
            days = value;
            has_days = true;
            continue;
        }
        if (n_parts == 3)
            return HC_SLURM_WRONG;
        part[n_parts++] = value;
        if (!text.length || text.text[0] != ':')
            break;
    }
    if (text.length && text.text[0] == '.' && hc_text_to_ns(text.text, text.length, &fraction_ns))
        return HC_SLURM_WRONG;
    if ((text.length && text.text[0] != '.') || n_parts < 2 || days > MOST_SECONDS / 86400)
        return HC_SLURM_WRONG;
    int64_t seconds =
        n_parts == 3 ? part[0] * 3600 + part[1] * 60 + part[2] : part[0] * 60 + part[1];
    if (seconds > MOST_SECONDS)
        return HC_SLURM_WRONG;
    *duration_ns = (days * 86400 + seconds) * NS_PER_S + fraction_ns;
    return HC_SLURM_VALUE;
}

/* ---- job numbers ---- */

enum hc_slurm_text hc_slurm_job_id(struct hc_span text, struct hc_slurm_job_id *id)
{
    int64_t value;
    *id = (struct hc_slurm_job_id){HC_MISSING_I64, HC_MISSING_I32, HC_MISSING_I32, false};
    size_t n = read_number(text, &id->job);
    if (!n)
        return HC_SLURM_WRONG;
    text = behind(text, n);
    if (begins(text, "_[")) {
        const char *end = memchr(text.text, ']', text.length);
        if (!end)
            return HC_SLURM_WRONG;
        text = behind(text, (size_t)(end - text.text) + 1);
    }
    while (text.length && (text.text[0] == '_' || text.text[0] == '+')) {
        n = read_number(behind(text, 1), &value);
        if (!n || value > INT32_MAX)
            return HC_SLURM_WRONG;
        *(text.text[0] == '_' ? &id->array_task : &id->het_component) = (int32_t)value;
        text = behind(text, 1 + n);
    }
    id->is_step = text.length > 1 && text.text[0] == '.';
    return id->is_step || text.length == 0 ? HC_SLURM_VALUE : HC_SLURM_WRONG;
}

/* ---- resources ---- */

enum hc_slurm_text hc_slurm_count(struct hc_span text, int64_t *count)
{
    static const char units[] = "KMGTP";
    if (says_nothing(text))
        return HC_SLURM_NOTHING;
    size_t n = read_number(text, count);
    if (!n)
        return HC_SLURM_WRONG;
    if (n == text.length)
        return HC_SLURM_VALUE;
    const char *unit = memchr(units, text.text[n], sizeof units - 1);
    if (!unit || n + 1 != text.length)
        return HC_SLURM_WRONG;
    for (const char *u = units; u <= unit; u++)
        if (__builtin_mul_overflow(*count, 1024, count))
            return HC_SLURM_WRONG;
    return HC_SLURM_VALUE;
}

static bool same(struct hc_span a, struct hc_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static void add_type(struct hc_slurm_gpus *gpus, struct hc_span type)
{
    gpus->has_several_types |= gpus->type.length && !same(gpus->type, type);
    gpus->type = gpus->has_several_types ? (struct hc_span){0} : type;
}

/* Type and count of what stands behind "gpu": "", ":2", ":a100:2", ":a100", "=2", ":a100=2", also
 * of types that begin with digits ("1g.10gb", "4090"), and with the places of GPUs behind them:
 * ":a100:2(S:0-1)". */
static bool read_gpu(struct hc_span text, struct hc_span *type, int64_t *count)
{
    *type = (struct hc_span){0};
    *count = 1;
    const char *places = text.length ? memchr(text.text, '(', text.length) : NULL;
    text.length = places ? (size_t)(places - text.text) : text.length;
    if (!text.length)
        return true;
    const char *sign = memchr(text.text, '=', text.length);
    sign = sign ? sign : memrchr(text.text, ':', text.length);
    if (!sign || (text.text[0] != ':' && sign != text.text))
        return false;
    size_t before = (size_t)(sign - text.text);
    struct hc_span number = behind(text, before + 1);
    bool is_count = hc_slurm_count(number, count) == HC_SLURM_VALUE;
    if (before == 0 && !is_count && *sign == ':') { /* ":a100" */
        *type = number;
        *count = 1;
        return number.length > 0;
    }
    if (before > 1)
        *type = (struct hc_span){text.text + 1, before - 1};
    return is_count;
}

/* The next of a list between commas; those within parentheses are of one item. */
static struct hc_span next_item(struct hc_span *list)
{
    size_t n = 0;
    for (int depth = 0; n < list->length && (depth > 0 || list->text[n] != ','); n++)
        depth += list->text[n] == '(' ? 1 : list->text[n] == ')' ? -1 : 0;
    struct hc_span item = {list->text, n};
    *list = behind(*list, n < list->length ? n + 1 : n);
    return item;
}

/* What an item says behind "gpu"; false: it is of something else. Of generic resources, versions of
 * Slurm wrote the number of the name in its place. */
static bool is_gpu(struct hc_span item, struct hc_span *rest)
{
    static const char *const names[] = {"gpu", "7696487"};
    if (begins(item, "gres/") || begins(item, "gres:"))
        item = behind(item, 5);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        *rest = behind(item, begins(item, names[i]) ? n : 0);
        if (rest->length < item.length &&
            (!rest->length || rest->text[0] == ':' || rest->text[0] == '='))
            return true;
    }
    return false;
}

/* "1001=8": a resource of which the database gave the number only, so that it may be GPUs. */
static bool is_nameless(struct hc_span item)
{
    int64_t number;
    size_t n = read_number(item, &number);
    return n && n < item.length && item.text[n] == '=' && number > 1000;
}

enum hc_slurm_text hc_slurm_gpus(struct hc_span text, struct hc_slurm_gpus *gpus)
{
    int64_t of_all = -1, of_types = 0;
    bool has_nameless = false;
    *gpus = (struct hc_slurm_gpus){0};
    if (text.length == 0)
        return HC_SLURM_NOTHING;
    while (text.length) {
        struct hc_span item = next_item(&text), rest, type;
        int64_t count;
        has_nameless |= is_nameless(item);
        if (!is_gpu(item, &rest))
            continue;
        if (!read_gpu(rest, &type, &count) || count > INT32_MAX)
            return HC_SLURM_WRONG;
        if (!type.length)
            of_all = count;
        else
            add_type(gpus, type);
        of_types += type.length ? count : 0;
    }
    gpus->n = of_all >= 0 ? of_all : of_types;
    if (has_nameless && gpus->n == 0)
        return HC_SLURM_NOTHING;
    return gpus->n <= INT32_MAX ? HC_SLURM_VALUE : HC_SLURM_WRONG;
}

/* ---- states ---- */

enum hc_slurm_text hc_slurm_state(struct hc_span text, int *state, int64_t *by)
{
    *by = HC_MISSING_I64;
    if (text.length == 0)
        return HC_SLURM_NOTHING;
    const char *space = memchr(text.text, ' ', text.length);
    struct hc_span word = {text.text, space ? (size_t)(space - text.text) : text.length};
    struct hc_span rest = behind(text, word.length);
    if (word.length && word.text[word.length - 1] == '+')
        word.length--;
    *state = hc_job_state_find(word.text, word.length);
    if (*state < 0)
        return HC_SLURM_WRONG;
    if (begins(rest, " by ") && read_number(behind(rest, 4), by) != rest.length - 4)
        *by = HC_MISSING_I64; /* a name, or cut */
    return HC_SLURM_VALUE;
}

enum hc_slurm_text hc_slurm_exit_code(struct hc_span text, int32_t *code, int32_t *signal)
{
    int64_t first, second;
    if (says_nothing(text))
        return HC_SLURM_NOTHING;
    size_t n = read_number(text, &first);
    if (!n || n + 1 >= text.length || text.text[n] != ':' ||
        read_number(behind(text, n + 1), &second) != text.length - n - 1 || first > INT32_MAX ||
        second > INT32_MAX)
        return HC_SLURM_WRONG;
    *code = (int32_t)first;
    *signal = (int32_t)second;
    return HC_SLURM_VALUE;
}

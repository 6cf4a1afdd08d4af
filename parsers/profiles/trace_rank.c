#include "parsers/profiles/trace_rank.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* The number that at begins with; false where there is none, or it is too large. */
static bool take_number(const char *at, int32_t *number)
{
    int64_t value = 0;
    if (!is_digit(*at))
        return false;
    for (; is_digit(*at) && value <= INT32_MAX; at++)
        value = value * 10 + (*at - '0');
    *number = (int32_t)value;
    return value <= INT32_MAX;
}

bool hc_trace_rank_of_name(const char *path, int32_t *rank)
{
    static const char *const words[] = {"rank", "worker"};
    const char *slash = strrchr(path, '/');
    const char *colon = strrchr(slash ? slash : path, ':');
    const char *name = colon ? colon + 1 : slash ? slash + 1 : path;
    for (const char *at = name; *at; at++) {
        if (at > name && (is_letter(at[-1]) || is_digit(at[-1])))
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t length = strlen(words[i]);
            if (strncasecmp(at, words[i], length) != 0)
                continue;
            const char *behind = at + length;
            if (*behind && strchr("-_[", *behind))
                behind++;
            if (take_number(behind, rank))
                return true;
        }
    }
    return false;
}

#include "parsers/patterns/pattern_shape.h"

#include <string.h>

#define MOST_DEPTH 64

/* A group that is open: the ways through what was read of its last alternative, and the sum of
 * those through the alternatives before. */
struct group {
    uint64_t here, before;
};

struct reading {
    const char *text, *end;
    struct group group[MOST_DEPTH];
    int depth;
    bool is_strange; /* more than is understood here */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product = a * b; /* both have 32 bits at most */
    return product < UINT32_MAX ? product : UINT32_MAX;
}

static uint64_t read_number(const char **at, const char *end)
{
    uint64_t number = 0;
    for (; *at < end && is_digit(**at); ++*at)
        number = number < 100000 ? number * 10 + (uint64_t)(**at - '0') : number;
    return number;
}

static bool begins(const struct reading *r, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(r->end - r->text) >= n && memcmp(r->text, with, n) == 0;
}

/* Behind "\": \Q takes what follows as letters, \g<...> calls a group. */
static void pass_escape(struct reading *r)
{
    r->is_strange |= begins(r, "\\Q") || begins(r, "\\g<") || begins(r, "\\g'");
    r->text += r->end - r->text > 1 ? 2 : 1;
}

static void pass_class(struct reading *r)
{
    r->text++;
    r->text += begins(r, "^");
    r->text += begins(r, "]");
    while (r->text < r->end && *r->text != ']') {
        if (*r->text == '\\')
            pass_escape(r);
        else if (begins(r, "[:") || begins(r, "[.") || begins(r, "[=")) {
            const char *name = r->text + 2;
            while (name < r->end && ((*name >= 'a' && *name <= 'z') || *name == '^'))
                name++;
            r->is_strange |= r->end - name < 2 || name[0] != ':' || name[1] != ']';
            r->text = name + (r->end - name < 2 ? 0 : 2);
        } else
            r->text++;
    }
    r->is_strange |= r->text == r->end;
    r->text += r->text < r->end;
}

/* "(?<name>", "(?P<name>", "(?'name'": behind the name. */
static void pass_name(struct reading *r, char end)
{
    const char *last = memchr(r->text, end, (size_t)(r->end - r->text));
    r->is_strange |= !last;
    r->text = last ? last + 1 : r->end;
}

/* Behind "(": whether a group is open now; "(?i)" is none. */
static bool pass_head(struct reading *r)
{
    static const char *const plain[] = {"?:", "?=", "?!", "?>", "?|", "?<=", "?<!", "?P="};
    r->is_strange |= begins(r, "*");
    if (!begins(r, "?"))
        return true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (begins(r, plain[i])) {
            r->text += strlen(plain[i]);
            return true;
        }
    if (begins(r, "?<") || begins(r, "?P<") || begins(r, "?'")) {
        r->text += begins(r, "?P") ? 3 : 2;
        pass_name(r, r->text[-1] == '<' ? '>' : '\'');
        return true;
    }
    r->text++;
    const char *letters = r->text; /* of options; x lets comments in, all others are strange */
    while (r->text < r->end && strchr("imsnU^-", *r->text))
        r->text++;
    r->is_strange |= r->text == letters || (!begins(r, ")") && !begins(r, ":"));
    bool is_open = begins(r, ":");
    r->text += r->text < r->end;
    return is_open;
}

/* What the quantifier behind a group makes of the ways through it. */
static uint64_t repeat(struct reading *r, uint64_t ways)
{
    if (begins(r, "?") || begins(r, "*") || begins(r, "+"))
        return times(ways + 1, 1);
    if (!begins(r, "{"))
        return ways;
    const char *at = r->text + 1;
    uint64_t n = read_number(&at, r->end), product = 1;
    if (at < r->end && *at == ',' && ++at < r->end && is_digit(*at))
        n = read_number(&at, r->end);
    ways += ways > 1 || memchr(r->text, ',', (size_t)(at - r->text)) ? 1 : 0;
    for (uint64_t i = 0; i < n && product < UINT32_MAX && ways > 1; i++)
        product = times(product, ways);
    return product;
}

static void close_group(struct reading *r)
{
    r->text++;
    if (r->depth == 0) {
        r->is_strange = true;
        return;
    }
    struct group closed = r->group[r->depth--];
    uint64_t ways = repeat(r, times(closed.here + closed.before, 1));
    r->group[r->depth].here = times(r->group[r->depth].here, ways);
}

static void open_group(struct reading *r)
{
    r->text++;
    if (!pass_head(r))
        return;
    r->is_strange |= r->depth + 1 == MOST_DEPTH;
    if (!r->is_strange)
        r->group[++r->depth] = (struct group){1, 0};
}

uint32_t hc_pattern_ways(const char *expression, size_t length)
{
    struct reading r = {.text = expression, .end = expression + length, .group = {{1, 0}}};
    while (r.text < r.end && !r.is_strange) {
        struct group *group = &r.group[r.depth];
        if (*r.text == '\\')
            pass_escape(&r);
        else if (*r.text == '[')
            pass_class(&r);
        else if (*r.text == '(')
            open_group(&r);
        else if (*r.text == ')')
            close_group(&r);
        else {
            if (*r.text == '|')
                *group = (struct group){1, times(group->before + group->here, 1)};
            r.text++;
        }
    }
    if (r.is_strange || r.depth)
        return UINT32_MAX;
    return (uint32_t)times(r.group[0].here + r.group[0].before, 1);
}

size_t hc_pattern_part_bytes(const char *part, size_t length)
{
    const char *end = part + length;
    uint64_t most = 0;
    for (const char *at = memchr(part, '{', length); at && at < end;) {
        uint64_t number = is_digit(*at) ? read_number(&at, end) : 0;
        most = number > most ? number : most;
        at += at < end;
    }
    return most;
}

bool hc_pattern_part_refers(const char *part, size_t length)
{
    if (length > 4 && memcmp(part, "(?P=", 4) == 0)
        return true;
    return length > 1 && part[0] == '\\' && (is_digit(part[1]) || part[1] == 'g' || part[1] == 'k');
}

#include "core/base/nearest.h"

#include <string.h>

#define LONGEST 64 /* longer words are not typing mistakes of ours */

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
}

/* '-' and '_' are the most common confusion, so they count as the same letter. */
static int differs(char a, char b)
{
    a = a == '_' ? '-' : a;
    b = b == '_' ? '-' : b;
    return lower(a) != lower(b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance: insert, delete, replace, swap of neighbours. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1,
                           last[j - 1] + (size_t)differs(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && !differs(a[i - 1], b[j - 2]) && !differs(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

const char *hc_nearest(const char *word, size_t length, const char *const *candidates, size_t n)
{
    const char *best = NULL;
    size_t best_distance = LONGEST;
    for (size_t i = 0; i < n && length && length <= LONGEST; i++) {
        size_t candidate_length = candidates[i] ? strlen(candidates[i]) : 0;
        if (!candidate_length || candidate_length > LONGEST)
            continue;
        size_t longer = length > candidate_length ? length : candidate_length;
        size_t d = distance(word, length, candidates[i], candidate_length);
        if (3 * d <= longer && d < best_distance) {
            best = candidates[i];
            best_distance = d;
        }
    }
    return best;
}

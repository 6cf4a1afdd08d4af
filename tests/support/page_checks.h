/* page_checks.h - what a page has in it, and what not. */
#ifndef HC_TESTS_PAGE_CHECKS_H
#define HC_TESTS_PAGE_CHECKS_H

#include <check.h>
#include <stddef.h>
#include <string.h>

static inline size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
        n++;
    return n;
}

static inline void check_has(const char *text, const char *part)
{
    ck_assert_msg(count(text, part) > 0, "no '%s'", part);
}

static inline void check_lacks(const char *text, const char *part)
{
    ck_assert_msg(count(text, part) == 0, "there is '%s'", part);
}

#endif

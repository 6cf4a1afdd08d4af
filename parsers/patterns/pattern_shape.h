/* pattern_shape.h - what the text of a regular expression says of the work that it may make.
 * Private to this wing: for text_pattern.c. */
#ifndef HC_PARSERS_PATTERNS_PATTERN_SHAPE_H
#define HC_PARSERS_PATTERNS_PATTERN_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In how many ways the expression may be gone through without going through a loop: alternatives
 * are added, what follows one another is multiplied, and {n,m} repeats. UINT32_MAX: more than can
 * be said, as of what calls itself. Never too few; a class, an escape or a comment that is read in
 * another way than PCRE2 reads it makes more of them. */
uint32_t hc_pattern_ways(const char *expression, size_t length);

/* Of one part of an expression with its quantifier: how many bytes it may compare before it fails,
 * by the number in its braces; and whether it refers to what a group holds. */
size_t hc_pattern_part_bytes(const char *part, size_t length);
bool hc_pattern_part_refers(const char *part, size_t length);

#endif

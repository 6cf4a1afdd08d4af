/* nearest.h - "did you mean ...?" for keys, option names and op types. */
#ifndef HC_CORE_BASE_NEAREST_H
#define HC_CORE_BASE_NEAREST_H

#include <stddef.h>

/* The candidate nearest to word (length bytes, not terminated), or NULL when none is near enough to
 * be what was meant: at most a third of the longer one's letters differ, counting a swap of two
 * neighbours as one. The first of equally near ones wins. NULL candidates are passed over. */
const char *hc_nearest(const char *word, size_t length, const char *const *candidates, size_t n);

#endif

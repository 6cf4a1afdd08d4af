/* dispatch.h - compile a hot function for several instruction sets and choose at run time.
 *
 * Releases are baseline x86-64. Results never depend on the choice: there is no contraction to FMA
 * (-ffp-contract=off), and vector and scalar max, min and add of doubles give the same bits.
 */
#ifndef HC_CORE_BASE_DISPATCH_H
#define HC_CORE_BASE_DISPATCH_H

#include <stddef.h>

#if defined(__x86_64__) && !defined(HC_NO_DISPATCH)
#define HC_DISPATCH __attribute__((target_clones("avx2", "default")))
/* For long chains of arithmetic on each value: vectors of eight keep more of it going. */
#define HC_DISPATCH_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define HC_DISPATCH
#define HC_DISPATCH_WIDE
#endif

/* for (size_t l = 0; l < n; l++), without dependence between rounds: the arrays are the same or do
 * not overlap. */
#if defined(__clang__)
#define HC_LANES(n) _Pragma("clang loop vectorize(assume_safety)") for (size_t l = 0; l < (n); l++)
#else
#define HC_LANES(n) _Pragma("GCC ivdep") for (size_t l = 0; l < (n); l++)
#endif

#endif

/* missing.h - "missing" of a number in memory, and the fill value of its column on disk. Outside of
 * the program (compatible output) it is -1, which is a legal value elsewhere. */
#ifndef HC_CORE_BASE_MISSING_H
#define HC_CORE_BASE_MISSING_H

#include <stdint.h>

#define HC_MISSING_I32 INT32_MIN
#define HC_MISSING_I64 INT64_MIN

#endif

/* number_format.h - numbers as text, the same in every report and whatever the locale.
 *
 * Every function writes into a buffer of HC_NUMBER_TEXT bytes and returns it, so that a call can
 * stand among the arguments of printf. NaN and infinities print as "-" for people; hc_format_real
 * spells them "nan", "inf" and "-inf".
 */
#ifndef HC_CORE_TEXT_NUMBER_FORMAT_H
#define HC_CORE_TEXT_NUMBER_FORMAT_H

#include <stdint.h>

#define HC_NUMBER_TEXT 40

/* 15, 16 or 17 significant digits, the first of these that reads back as the same double, without
 * zeros at the end; always with a point or an exponent. */
const char *hc_format_real(double value, char text[HC_NUMBER_TEXT]);

/* "117,216" */
const char *hc_format_count(int64_t value, char text[HC_NUMBER_TEXT]);

/* decimals (0 to 9) digits after the point; never "-0.00". */
const char *hc_format_fixed(double value, int decimals, char text[HC_NUMBER_TEXT]);

/* About four digits in the unit that fits: "46.65 s", "241.7 ms", "12.20 us", "3 ns". */
const char *hc_format_seconds(double seconds, char text[HC_NUMBER_TEXT]);

/* A share as "0.67 %", "49.3 %", "100 %". */
const char *hc_format_percent(double share, char text[HC_NUMBER_TEXT]);

/* "512 B", "1.1 MB", "2.8 GB" (powers of 1000). */
const char *hc_format_bytes(int64_t bytes, char text[HC_NUMBER_TEXT]);

#endif

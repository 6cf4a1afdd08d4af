/* student.h - Student's t, for intervals of means. */
#ifndef HC_MODELS_STATS_STUDENT_H
#define HC_MODELS_STATS_STUDENT_H

/* t such that a Student variable with n degrees of freedom lies in [-t, t] with probability level;
 * n >= 1, a fraction too, 0 < level < 1. Rounded to HC_STATS_DIGITS (models/stats/rounding.h), so
 * that the intervals of a study are the same on every machine. */
double hc_student_t(double n, double level);

#endif

/* student.h - Student's t, for intervals of means. */
#ifndef HC_MODELS_STATS_STUDENT_H
#define HC_MODELS_STATS_STUDENT_H

/* Levels of intervals that may be asked for, and the one that holds where none is. */
#define HC_LEAST_CONFIDENCE 0.5
#define HC_MOST_CONFIDENCE  0.9999
#define HC_CONFIDENCE       0.95

/* t such that a Student variable with n degrees of freedom lies in [-t, t] with probability level;
 * n >= 1, a fraction too, 0 < level < 1. Rounded to HC_STATS_DIGITS (models/stats/rounding.h), so
 * that the intervals of a study are the same on every machine. */
double hc_student_t(double n, double level);

/* The probability that such a variable exceeds t; rounded likewise. */
double hc_student_upper(double n, double t);

#endif

/* fit_parameter.h - parameters that were fitted, in the order and by the pointers of a scenario.
 *
 * A parameter whose path begins with '/' is a key of the scenario that is written; others, such as
 * "recovery of requeued jobs", are told beside them.
 */
#ifndef HC_MODELS_FIT_FIT_PARAMETER_H
#define HC_MODELS_FIT_FIT_PARAMETER_H

#include "models/fit/duration_fit.h"

#include <stddef.h>
#include <stdint.h>

#define HC_FIT_PATH 128
#define HC_FIT_NOTE 400

enum hc_fit_form {
    HC_FIT_ABSENT, /* what records do not tell; the note says why */
    HC_FIT_WORD,
    HC_FIT_COUNT,       /* a whole number, without an interval */
    HC_FIT_NUMBER,      /* first */
    HC_FIT_DISTRIBUTION /* of that family: first is its mean, second its spread or shape */
};

struct hc_fit_parameter {
    char path[HC_FIT_PATH];
    enum hc_fit_form form;
    const char *word;  /* static */
    const char *needs; /* key without which a scenario does not take it, so that it is written as a
                          comment; NULL: none */
    const char *unit;  /* "s", "1/1000 d", "" */
    int family;        /* enum hc_fit_family, or HC_FIT_NO_FAMILY */
    struct hc_estimate first, second, median;
    int64_t n, n_censored, n_left_out; /* times or incidents behind it; -1: of no meaning */
    const char *source;                /* tables that it is from; static */
    char note[HC_FIT_NOTE];            /* sentences without a last full stop, or "" */
};

struct hc_fit_parameters {
    size_t n, room;
    struct hc_fit_parameter *list;
};

/* Add a parameter with nothing but a path and a source, and give it back; NULL with err filled
 * without memory. The next one moves it. */
struct hc_fit_parameter *hc_fit_parameter_add(struct hc_fit_parameters *parameters,
                                              const char *source, struct hc_error *err,
                                              const char *path, ...)
    __attribute__((format(printf, 4, 5)));

/* Append a sentence to its note, after "; " where there is one; what does not fit is cut. */
void hc_fit_note(struct hc_fit_parameter *parameter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Take form, figures and counts from a fit of times in seconds. */
void hc_fit_parameter_take(struct hc_fit_parameter *parameter, const struct hc_duration_fit *fit);

/* "lognormal", "weibull", ... as a scenario calls it; "number" of HC_FIT_NO_FAMILY. */
const char *hc_fit_parameter_family(const struct hc_fit_parameter *parameter);

/* The parameter of a path, or NULL. */
const struct hc_fit_parameter *hc_fit_parameter_find(const struct hc_fit_parameters *parameters,
                                                     const char *path);

/* Zeroed memory has none. */
void hc_fit_parameters_fini(struct hc_fit_parameters *parameters);

#endif

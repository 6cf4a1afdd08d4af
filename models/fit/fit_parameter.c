#include "models/fit/fit_parameter.h"

#include "core/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hc_fit_parameter *hc_fit_parameter_add(struct hc_fit_parameters *parameters,
                                              const char *source, struct hc_error *err,
                                              const char *path, ...)
{
    va_list arguments;
    if (hc_reserve(&parameters->list, &parameters->room, parameters->n + 1,
                   sizeof *parameters->list, err))
        return NULL;
    struct hc_fit_parameter *parameter = &parameters->list[parameters->n++];
    *parameter = (struct hc_fit_parameter){.form = HC_FIT_ABSENT,
                                           .unit = "",
                                           .family = HC_FIT_NO_FAMILY,
                                           .first = hc_no_estimate,
                                           .second = hc_no_estimate,
                                           .median = hc_no_estimate,
                                           .n = -1,
                                           .n_censored = -1,
                                           .n_left_out = -1,
                                           .source = source};
    va_start(arguments, path);
    vsnprintf(parameter->path, sizeof parameter->path, path, arguments);
    va_end(arguments);
    return parameter;
}

void hc_fit_note(struct hc_fit_parameter *parameter, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(parameter->note);
    if (used && used + 3 < sizeof parameter->note) {
        memcpy(parameter->note + used, "; ", 3);
        used += 2;
    }
    va_start(arguments, format);
    vsnprintf(parameter->note + used, sizeof parameter->note - used, format, arguments);
    va_end(arguments);
}

void hc_fit_parameter_take(struct hc_fit_parameter *parameter, const struct hc_duration_fit *fit)
{
    parameter->unit = "s";
    parameter->n = fit->n;
    parameter->n_censored = fit->n_censored;
    if (fit->n == 0)
        return;
    parameter->form = fit->family == HC_FIT_NO_FAMILY ? HC_FIT_NUMBER : HC_FIT_DISTRIBUTION;
    parameter->family = fit->family;
    parameter->first = fit->mean;
    parameter->second = fit->spread;
    parameter->median = fit->median;
}

const char *hc_fit_parameter_family(const struct hc_fit_parameter *parameter)
{
    return parameter->family == HC_FIT_NO_FAMILY
               ? "number"
               : hc_fit_family_name((enum hc_fit_family)parameter->family);
}

const struct hc_fit_parameter *hc_fit_parameter_find(const struct hc_fit_parameters *parameters,
                                                     const char *path)
{
    for (size_t i = 0; i < parameters->n; i++)
        if (strcmp(parameters->list[i].path, path) == 0)
            return &parameters->list[i];
    return NULL;
}

void hc_fit_parameters_fini(struct hc_fit_parameters *parameters)
{
    free(parameters->list);
    *parameters = (struct hc_fit_parameters){.n = 0};
}

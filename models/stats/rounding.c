#include "models/stats/rounding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double hc_round_digits(double value, int digits)
{
    char text[40];
    if (!isfinite(value))
        return value;
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return strtod(text, NULL);
}

#include "core/random/stable_math.h"

#include "core/random/stable_inline.h"

double hc_stable_exp(double x)
{
    return hc_exp_inline(x);
}

double hc_stable_log(double x)
{
    return hc_log_inline(x);
}

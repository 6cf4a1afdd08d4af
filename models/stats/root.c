#include "models/stats/root.h"

#include "core/random/stable_math.h"
#include "models/stats/gsl_quiet.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#define MOST_STEPS 200
#define NEAR       2e-15 /* of ln x: some units in the last place of x */

struct in_logarithm {
    hc_root_function *function;
    void *context;
};

static double at_logarithm(double y, void *context)
{
    const struct in_logarithm *it = context;
    return it->function(hc_stable_exp(y), it->context);
}

bool hc_find_root(hc_root_function *function, void *context, double low, double high, double *x)
{
    struct in_logarithm it = {function, context};
    gsl_function f = {at_logarithm, &it};
    /* On the stack: gsl_root_fsolver_alloc could only fail. */
    double state[32];
    gsl_root_fsolver solver = {.type = gsl_root_fsolver_brent, .state = state};
    hc_quiet_gsl();
    assert(solver.type->size <= sizeof state);
    if (solver.type->size > sizeof state ||
        gsl_root_fsolver_set(&solver, &f, hc_stable_log(low), hc_stable_log(high)))
        return false;
    for (int i = 0; i < MOST_STEPS; i++) {
        if (gsl_root_fsolver_iterate(&solver))
            return false;
        double from = gsl_root_fsolver_x_lower(&solver), to = gsl_root_fsolver_x_upper(&solver);
        if (gsl_root_test_interval(from, to, NEAR, NEAR) == GSL_SUCCESS)
            break;
    }
    *x = hc_stable_exp(gsl_root_fsolver_root(&solver));
    return true;
}

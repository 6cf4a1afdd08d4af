/* other_libm.c - the mathematics of another machine, as a library to preload (LD_PRELOAD).
 *
 * The C library picks variants of exp, log and pow by CPU, and its versions differ too: in the last
 * bit of some results. Here every second result or so, by the bits of the argument, is the next
 * double. Results that are exact on every machine (their last bits are zero: exp(0), pow(10, 3))
 * stay.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef double function_of_one(double);
typedef double function_of_two(double, double);

static uint64_t bits_of(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double elsewhere(double result, uint64_t key)
{
    if (!isfinite(result) || (bits_of(result) & 0xff) == 0)
        return result;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key >> 63 ? nextafter(result, key >> 62 & 1 ? INFINITY : -INFINITY) : result;
}

static void *real_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

static double of_one(const char *name, double x)
{
    void *found = real_function(name);
    function_of_one *real = NULL;
    memcpy(&real, &found, sizeof real);
    return elsewhere(real(x), bits_of(x));
}

double exp(double x)
{
    return of_one("exp", x);
}

double expm1(double x)
{
    return of_one("expm1", x);
}

double log(double x)
{
    return of_one("log", x);
}

double log1p(double x)
{
    return of_one("log1p", x);
}

double pow(double x, double y)
{
    void *found = real_function("pow");
    function_of_two *real = NULL;
    memcpy(&real, &found, sizeof real);
    return elsewhere(real(x, y), bits_of(x) ^ (bits_of(y) << 7));
}

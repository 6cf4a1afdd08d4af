#include "core/process/wait_policy.h"

#include <stdbool.h>
#include <stddef.h>

static char policy[] = "OMP_WAIT_POLICY=passive";
static char **place; /* of the variable that stands back, or NULL */
static char *kept;   /* what belongs there */

/* No function of a library may be called here, and none that a sanitizer puts in: none is set up
 * yet. */
#define BEFORE_LIBRARIES __attribute__((no_sanitize("address", "thread", "undefined")))

BEFORE_LIBRARIES static bool begins(const char *text, const char *start)
{
    while (*start && *text == *start) {
        text++;
        start++;
    }
    return !*start;
}

/* The variable that may stand back: of these the first that is there. Libraries that look at the
 * environment when they are loaded look for names of their own. */
BEFORE_LIBRARIES static char **find_place(char **environment)
{
    static const char *const names[] = {
        "_=", "OLDPWD=", "SHLVL=", "PWD=", "LOGNAME=", "USER=", "PATH="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (char **variable = environment; *variable; variable++)
            if (begins(*variable, names[i]))
                return variable;
    return NULL;
}

BEFORE_LIBRARIES static void begin(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    for (char **variable = environment; *variable; variable++)
        if (begins(*variable, "OMP_WAIT_POLICY=") || begins(*variable, "GOMP_SPINCOUNT="))
            return;
    if (!(place = find_place(environment)))
        return;
    kept = *place;
    *place = policy;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = begin;

void hc_wait_policy_end(void)
{
    if (place)
        *place = kept;
    place = NULL;
}

#include "models/account/tree/leaf_choice.h"

#include <string.h>

static bool is_lost(enum hc_what what, enum hc_why why)
{
    switch (what) {
    case HC_WHAT_STARTUP_IMAGE:
    case HC_WHAT_STARTUP_ENVIRONMENT:
    case HC_WHAT_STARTUP_INIT:
    case HC_WHAT_STARTUP_LOAD:
    case HC_WHAT_STARTUP_COMPILE:
    case HC_WHAT_STARTUP_FIRST_STEP:
    case HC_WHAT_STARTUP_WARM_UP:
    case HC_WHAT_STARTUP_UNSPLIT:
        return why != HC_WHY_FIRST_START && why != HC_WHY_PLANNED && why != HC_WHY_NONE;
    case HC_WHAT_STARTUP_FAILED:
    case HC_WHAT_LOST_WORK:
    case HC_WHAT_ABANDONED:
    case HC_WHAT_DETECTION:
    case HC_WHAT_LOCALISATION:
    case HC_WHAT_RECOVERY:
        return why != HC_WHY_PLANNED;
    default:
        return false;
    }
}

/* Whether a name is the wanted one, or in the group of that name: before its point. */
static bool is_of(const char *name, const char *wanted, size_t length)
{
    return strncmp(name, wanted, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

bool hc_leaf_choice_has(const char *choice, enum hc_what what, enum hc_why why)
{
    size_t length = strcspn(choice, "/");
    if (strcmp(choice, "all") == 0)
        return true;
    if (strcmp(choice, "lost") == 0)
        return is_lost(what, why);
    return length > 0 && is_of(hc_what_name(what), choice, length) &&
           (choice[length] == '\0' || strcmp(choice + length + 1, hc_why_name(why)) == 0);
}

enum hc_status hc_leaf_choice_check(const char *choice, const char *option, struct hc_error *err)
{
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            if (hc_leaf_choice_has(choice, (enum hc_what)what, (enum hc_why)why))
                return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "%s '%s': no such leaf; give one as 'lost_work', 'startup', "
                   "'startup.image/user', 'lost' or 'all'",
                   option, choice);
}

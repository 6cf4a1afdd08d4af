/* What struck in a replica, and which configs a list of it cannot carry. */
#include "sim/lifetime/lifetime_faults.h"

#include "core/base/memory.h"
#include "sim/lifetime/life/life.h"

#include <stdio.h>
#include <stdlib.h>

static enum hc_status check_fault(const struct hc_lifetime_fault *fault, struct hc_error *err)
{
    char place[256];
    const char *member = NULL;
    if (fault->detection.misdiagnosis > 0)
        member = "misdiagnosis";
    if (fault->infant_factor != 1)
        member = "infant_factor";
    if (!member)
        return HC_OK;
    snprintf(place, sizeof place, "/faults/%.200s/%s", fault->name, member);
    return hc_fail_at(err, place, "%s",
                      fault->infant_factor != 1
                          ? "which faults are of nodes soon after their repair is not in a list "
                            "of incidents"
                          : "which nodes are evicted by mistake is not in a list of incidents");
}

enum hc_status hc_lifetime_faults_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err)
{
    if (config->n_others)
        return hc_fail_at(err, "/jobs", "a list of incidents is of one job, not of several");
    if (config->elastic.on)
        return hc_fail_at(err, "/elastic/on",
                          "which nodes an elastic job runs without, so that nothing strikes them, "
                          "is not in a list of incidents");
    if (config->recovery.standbys_fail)
        return hc_fail_at(err, "/recovery/standbys_fail",
                          "faults of standbys are not in a list of incidents");
    for (size_t f = 0; f < config->n_faults; f++)
        if (check_fault(&config->fault[f], err))
            return err->status;
    return HC_OK;
}

enum hc_status hc_lifetime_faults_run(const struct hc_lifetime_config *config, uint64_t replica,
                                      hc_drawn_fault_sink *sink, void *context,
                                      struct hc_lifetime_replica *result, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    struct hc_life *life = NULL;
    if (hc_lifetime_config_check(config, err) || hc_lifetime_faults_check(config, err) ||
        hc_compile_lifetime(&compiled, config, err))
        return err->status;
    enum hc_status status = hc_life_new(&life, &compiled, NULL, err);
    if (!status)
        status = hc_life_tell_faults(life, replica, sink, context, result);
    hc_life_free(life);
    return status;
}

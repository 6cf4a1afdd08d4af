#include "cli/commands/night/night_installed.h"

enum hc_status hc_night_installed_load(struct hc_night_installed *installed,
                                       const struct hc_night_inputs *inputs, const char *cluster,
                                       const int64_t window_ns[2], struct hc_error *err)
{
    const struct hc_capacity_choice choice = {.archive = inputs->archive,
                                              .cluster = cluster,
                                              .site = inputs->site_or_null,
                                              .zone = &inputs->zone,
                                              .has_from = true,
                                              .has_to = true,
                                              .from_ns = window_ns[0],
                                              .to_ns = window_ns[1]};
    struct hc_error why = {0};
    if (window_ns[0] >= window_ns[1])
        return HC_OK;
    enum hc_status status = hc_capacity_load(&installed->records, &choice, &why);
    if (status == HC_USAGE) /* several clusters, and none was chosen */
        return HC_OK;
    if (status) {
        *err = why;
        return status;
    }
    const struct hc_capacity_facts facts = hc_capacity_facts_of(&installed->records);
    if (hc_capacity_result_make(&installed->result, &facts, err))
        return err->status;
    installed->is_known = true;
    return HC_OK;
}

void hc_night_installed_fini(struct hc_night_installed *installed)
{
    hc_capacity_result_fini(&installed->result);
    hc_capacity_records_fini(&installed->records);
}

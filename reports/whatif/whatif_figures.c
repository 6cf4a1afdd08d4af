#include "reports/whatif/whatif_figures.h"

enum hc_status hc_whatif_put_figures(const struct hc_figure_sink *sink,
                                     const struct hc_whatif_report *report, struct hc_error *err)
{
    static hc_whatif_figure_section *const sections[] = {
        hc_whatif_worker_figures, hc_whatif_step_figures, hc_whatif_step_map_figures,
        hc_whatif_split_figures,  hc_whatif_fix_figures,  hc_whatif_picture_figures};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && status == HC_OK; i++)
        status = sections[i](sink, report, err);
    return status;
}

#include "pipeline/kinds/kind.h"

const struct hc_kind *const hc_kind_rows[] = {HC_KIND_ROWS, NULL};

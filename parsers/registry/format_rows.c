#include "parsers/registry/format_registry.h"

const struct hc_format *const hc_format_rows[] = {HC_FORMAT_ROWS, NULL};

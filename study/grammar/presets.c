#include "study/grammar/presets.h"

#include "core/base/printable.h"
#include "study/grammar/scenario_errors.h"

#include <string.h>

#define MOST_PRESETS 64

static const struct hc_preset *find_preset(const char *name)
{
    for (size_t i = 0; i < hc_n_presets; i++)
        if (strcmp(hc_presets[i].name, name) == 0)
            return &hc_presets[i];
    return NULL;
}

const char *hc_preset_name(const char *path)
{
    size_t n = strlen(HC_PRESET_PREFIX);
    return strncmp(path, HC_PRESET_PREFIX, n) == 0 ? path + n : NULL;
}

const struct hc_preset *hc_preset_find(const char *name, enum hc_status status,
                                       struct hc_error *err)
{
    const struct hc_preset *preset = find_preset(name);
    const char *names[MOST_PRESETS];
    size_t n = 0;
    if (preset)
        return preset;
    for (; n < hc_n_presets && n < MOST_PRESETS; n++)
        names[n] = hc_presets[n].name;
    hc_fail(err, status, "there is no preset '%s'%s", hc_printable(name, strlen(name)).text,
            hc_did_you_mean(name, names, n).text);
    return NULL;
}

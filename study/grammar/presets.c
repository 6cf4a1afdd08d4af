#include "study/grammar/presets.h"

#include "core/base/printable.h"
#include "study/grammar/scenario_errors.h"

#include <stdio.h>
#include <string.h>

#define MOST_PRESETS 64

const char *hc_preset_name(const char *path)
{
    size_t n = strlen(HC_PRESET_PREFIX);
    return strncmp(path, HC_PRESET_PREFIX, n) == 0 ? path + n : NULL;
}

/* The newest of that name without version, which is the first. */
static const struct hc_preset *find_newest(const char *name, size_t length)
{
    for (size_t i = 0; i < hc_n_presets; i++)
        if (strncmp(hc_presets[i].name, name, length) == 0 && !hc_presets[i].name[length])
            return &hc_presets[i];
    return NULL;
}

/* Of its versions that of this text, as "2"; versions count from 1. */
static const struct hc_preset *find_version(const struct hc_preset *newest, const char *text)
{
    char own[16];
    for (int32_t i = 0; i < newest->version; i++) {
        snprintf(own, sizeof own, "%d", newest[i].version);
        if (strcmp(own, text) == 0)
            return &newest[i];
    }
    return NULL;
}

static void no_such_version(const struct hc_preset *newest, const char *text, enum hc_status status,
                            struct hc_error *err)
{
    struct hc_printable shown = hc_printable(text, strlen(text));
    if (newest->version == 1)
        hc_fail(err, status, "preset '%s' has no version '%s': there is only %s@1", newest->name,
                shown.text, newest->name);
    else
        hc_fail(err, status, "preset '%s' has no version '%s': there are %s@1 to %s@%d",
                newest->name, shown.text, newest->name, newest->name, newest->version);
}

static void no_such_preset(const char *name, size_t length, enum hc_status status,
                           struct hc_error *err)
{
    char word[64];
    const char *names[MOST_PRESETS];
    size_t n = 0;
    for (size_t i = 0; i < hc_n_presets && n < MOST_PRESETS; i++)
        if (!n || strcmp(names[n - 1], hc_presets[i].name) != 0)
            names[n++] = hc_presets[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             name);
    hc_fail(err, status, "there is no preset '%s'%s", hc_printable(name, strlen(name)).text,
            hc_did_you_mean(word, names, n).text);
}

const struct hc_preset *hc_preset_find(const char *name, enum hc_status status,
                                       struct hc_error *err)
{
    size_t length = strcspn(name, "@");
    const struct hc_preset *newest = find_newest(name, length), *preset = newest;
    if (!newest)
        no_such_preset(name, length, status, err);
    else if (name[length] && !(preset = find_version(newest, name + length + 1)))
        no_such_version(newest, name + length + 1, status, err);
    return preset;
}

bool hc_preset_is_open(const char *name)
{
    const struct hc_preset *newest = find_newest(name, strlen(name));
    return newest && newest->version > 1;
}

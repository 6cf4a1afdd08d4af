#include "cli/options/scenario_choice.h"

#include "cli/frame/file_guide.h"
#include "core/files/near_file.h"
#include "study/grammar/presets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A word that is no file is the name of a preset, unless it cannot be one. */
static enum hc_status choose_preset(const char *word, char buffer[HC_SCENARIO_PATH],
                                    const char **path, struct hc_error *err)
{
    char near[HC_SCENARIO_PATH];
    struct hc_error why = {0};
    if (hc_preset_find(word, HC_USAGE, &why)) {
        snprintf(buffer, HC_SCENARIO_PATH, "%s%s", HC_PRESET_PREFIX, word);
        *path = buffer;
        return HC_OK;
    }
    if (hc_near_file(word, near, sizeof near))
        return hc_fail(err, HC_USAGE, "there is no file and no preset '%s' (did you mean '%s'?)",
                       word, near);
    const char *guess = strstr(why.message, " (did you mean");
    return hc_fail(
        err, HC_USAGE,
        "there is no file and no preset '%s'%s: 'hindcast presets' lists those; of a job of "
        "the archive, ask 'hindcast whatif'",
        word, guess ? guess : "");
}

/* X.jsonc for X.json: the name before scenarios with comments were called so. */
static bool find_jsonc(const char *word, char buffer[HC_SCENARIO_PATH])
{
    struct stat info;
    const char *dot = strrchr(word, '.');
    return dot && strcmp(dot, ".json") == 0 &&
           snprintf(buffer, HC_SCENARIO_PATH, "%sc", word) < HC_SCENARIO_PATH &&
           stat(buffer, &info) == 0;
}

enum hc_status hc_scenario_choose(const char *word, char buffer[HC_SCENARIO_PATH],
                                  const char **path, struct hc_error *err)
{
    struct stat info;
    *path = word;
    if (strcmp(word, "-") == 0 || hc_preset_name(word))
        return HC_OK;
    if (stat(word, &info) == 0)
        return hc_file_guide_refuse(word, "scenario", "a scenario", err);
    if (errno != ENOENT)
        return hc_fail_open(err, word);
    if (find_jsonc(word, buffer)) {
        *path = buffer;
        return HC_OK;
    }
    errno = ENOENT;
    if (hc_looks_like_file(word) || strpbrk(word, "*?[:"))
        return hc_fail_open(err, word);
    return choose_preset(word, buffer, path, err);
}

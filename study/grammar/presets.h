/* presets.h - scenarios of published systems, built into the program from data/presets. */
#ifndef HC_STUDY_GRAMMAR_PRESETS_H
#define HC_STUDY_GRAMMAR_PRESETS_H

#include "core/base/status.h"

#include <stddef.h>

struct hc_preset {
    const char *name;   /* "llama3" */
    const char *title;  /* what it is, in a line */
    const char *source; /* where its figures are from */
    const char *text;   /* the scenario file, with its comments; ends in '\0' */
    size_t length;      /* of text */
};

/* All of them, by name; made by cmake/embed_presets.cmake. */
extern const struct hc_preset hc_presets[];
extern const size_t hc_n_presets;

/* A preset may stand wherever the path of a scenario may, after this. A file of such a name is
 * reached as "./preset:...". */
#define HC_PRESET_PREFIX "preset:"

/* The name in "preset:name", or NULL when path is none of a preset. */
const char *hc_preset_name(const char *path);

/* The same as hc_preset, but with err filled, with the given status and the nearest name. */
const struct hc_preset *hc_preset_find(const char *name, enum hc_status status,
                                       struct hc_error *err);

#endif

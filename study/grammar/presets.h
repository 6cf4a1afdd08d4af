/* presets.h - scenarios of published systems, built into the program from data/presets.
 *
 * A preset has versions, which count from 1. One that is published is never changed: when figures
 * of it are read otherwise, that is another version, and the old one stays. "llama3@1" names one,
 * "llama3" the newest.
 */
#ifndef HC_STUDY_GRAMMAR_PRESETS_H
#define HC_STUDY_GRAMMAR_PRESETS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_preset {
    const char *name; /* "llama3" */
    int32_t version;
    const char *title;  /* what it is, in a line */
    const char *source; /* where its figures are from */
    const char *cite;   /* that as BibTeX; ends in a newline */
    const char *text;   /* the scenario file, with its comments; ends in '\0' */
    size_t length;      /* of text */
};

/* All of them, by name, the newest version of each first; made by cmake/embed_presets.cmake. */
extern const struct hc_preset hc_presets[];
extern const size_t hc_n_presets;

/* A preset may stand wherever the path of a scenario may, after this. A file of such a name is
 * reached as "./preset:...". */
#define HC_PRESET_PREFIX "preset:"

/* The name in "preset:name", with its version where it has one, or NULL when path is none of a
 * preset. */
const char *hc_preset_name(const char *path);

/* The preset of that name; NULL with err filled, with the given status, and the nearest name or the
 * versions that there are. */
const struct hc_preset *hc_preset_find(const char *name, enum hc_status status,
                                       struct hc_error *err);

/* Whether name leaves the version open, and there are several: then another one may come with a
 * later program. */
bool hc_preset_is_open(const char *name);

#endif

/* site_file.h - the site file: what a site has to be read, and how.
 *
 *     {"schema": "hindcast/site/1", "cluster": "north", "zone": "Europe/Berlin",
 *      "sources": [{"name": "accounting", "files": ["dumps/sacct-*.txt", "dumps/old.{gz,xz}"]}]}
 *
 * Text, comments, and mistakes with their places are those of scenario files (study/grammar). File
 * names that do not begin with a slash are below the directory of the site file.
 */
#ifndef HC_PIPELINE_SITE_SITE_FILE_H
#define HC_PIPELINE_SITE_SITE_FILE_H

#include "core/base/digest.h"
#include "core/base/zone.h"
#include "parsers/tabular/own_form.h"
#include "parsers/tabular/table_map.h"
#include "study/grammar/scenario_errors.h"
#include "study/grammar/scenario_text.h"

#define HC_SITE_SCHEMA "hindcast/site/1"

/* How the table of any tool is read. */
struct hc_site_map {
    const struct hc_own_form *form; /* the table that its rows go into */
    struct hc_table_map map;
    char sha256[HC_DIGEST_TEXT]; /* of its text */
};

struct hc_site_source {
    const char *name;
    const char *
        *patterns; /* as hc_site_glob_add reads them, each below a directory that is named */
    size_t n_patterns;
    const char *format;      /* NULL: by content; of a map the own form of its table */
    struct hc_site_map *map; /* or NULL */
    const char *cluster;     /* of records that name none; NULL: "default" */
    const char *zone;        /* of local times; NULL: UTC */
    struct hc_place place;
};

struct hc_site {
    struct hc_arena arena; /* has the texts */
    struct hc_scenario_errors errors;
    struct hc_scenario_input input; /* the file that was read */
    struct hc_site_source *sources;
    size_t n_sources;
};

/* Read and check the site file at path, which must outlive the site; NULL: that of the environment
 * variable HINDCAST_SITE, else "site.json", and HC_USAGE where that is not there. Mistakes in it
 * are HC_BAD_INPUT with the first of them in err and all in site->errors; HC_IO where it cannot be
 * read. Release with hc_site_close whatever the result. */
enum hc_status hc_site_open(struct hc_site *site, const char *path, struct hc_error *err);
void hc_site_close(struct hc_site *site);

#endif

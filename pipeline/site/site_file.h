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
#include "core/base/int_map.h"
#include "core/base/zone.h"
#include "core/text/text_set.h"
#include "parsers/io/format.h"
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
    const char *format;           /* NULL: by content; of a map the own form of its table */
    struct hc_site_map *map;      /* or NULL */
    struct hc_text_pattern *path; /* on the names of its files; or NULL */
    const char *path_text;        /* its expression */
    const char *cluster;          /* of records that name none; NULL: "default" */
    const char *zone;             /* of local times; NULL: UTC */
    struct hc_place place;
};

struct hc_site_partition {
    const char *name;
    const char *gpu_type;  /* NULL: not said */
    int32_t gpus_per_node; /* 0: not said */
    double price;          /* of an hour of one GPU; 0: not said */
};

/* Columns of `jobs` that a run may be named by. */
enum hc_site_run_column { HC_RUN_OF_NAME, HC_RUN_OF_COMMENT, HC_RUN_OF_WORK_DIR };

/* Which attempts are one run: those for which the first rule that names one gives the same name.
 *
 *     rule->csv      hc_int_map_find(&rule->jobs, job); rule->runs.text[rule->jobs.values[entry]]
 *     else           hc_text_pattern_find(rule->pattern, text, length, groups); groups[rule->group]
 */
struct hc_site_run_rule {
    const char *cluster; /* that it is for; NULL: every one */
    enum hc_site_run_column column;
    struct hc_text_pattern *pattern; /* NULL: the rule is a file */
    size_t group;                    /* of the pattern: the one that is called "run" */
    const char *csv;
    struct hc_int_map jobs;  /* job -> code in runs */
    struct hc_text_set runs; /* their names */
    struct hc_place place;
};

/* Who looks after findings of a kind; a finding that is known, up to a day ("2026-04-01"). */
struct hc_site_owner {
    const char *kind, *owner;
};
struct hc_site_acknowledged {
    const char *id, *until;
};

struct hc_site {
    struct hc_pattern_text patterns; /* of lines of logs; or none */
    struct hc_arena arena;           /* has the texts */
    struct hc_scenario_errors errors;
    struct hc_scenario_input input; /* the file that was read */
    struct hc_site_source *sources;
    size_t n_sources;
    struct hc_site_partition *partitions;
    size_t n_partitions;
    const char *currency; /* of prices; NULL: not said */
    const char *zone;     /* of the days of its reports; NULL: UTC */
    const char *tracing;  /* "random", "periodic", "chosen"; NULL: not said */
    struct hc_site_run_rule *run_rules;
    size_t n_run_rules;
    struct hc_site_owner *owners;
    size_t n_owners;
    struct hc_site_acknowledged *acknowledged;
    size_t n_acknowledged;
};

/* Whether there is a site file: one that is named, by path or HINDCAST_SITE, or "site.json". Also
 * true where the system does not let us look: hc_site_open() tells then. */
bool hc_site_is_there(const char *path);

/* Read and check the site file at path, which must outlive the site; NULL: that of the environment
 * variable HINDCAST_SITE, else "site.json", and HC_USAGE where that is not there. Mistakes in it
 * are HC_BAD_INPUT with the first of them in err and all in site->errors; HC_IO where it cannot be
 * read. Release with hc_site_close whatever the result. */
enum hc_status hc_site_open(struct hc_site *site, const char *path, struct hc_error *err);
void hc_site_close(struct hc_site *site);

#endif

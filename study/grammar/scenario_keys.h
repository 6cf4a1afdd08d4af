/* scenario_keys.h - every key of a scenario file, declared once.
 *
 * A table says of each key its type, unit, range, choices, default and meaning, and where the
 * engine keeps it. Checking, binding to the engine's config, the JSON Schema and the page of the
 * documentation all walk these tables: a key that is not in one does not exist. The limit of a
 * value stands here and nowhere else. The tables of this header are what all engines share; each
 * engine has one more (study/grammar/engine.h).
 *
 * Tables are nested as the documents are. A row whose members hold for every name of an object
 * (HC_KEY_NAMED) is written with "<name>" in patterns: "/faults/<name>/detect_s".
 */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_KEYS_H
#define HC_STUDY_GRAMMAR_SCENARIO_KEYS_H

#include "study/grammar/scenario_node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_SCENARIO_SCHEMA "hindcast/scenario/1"

enum hc_key_kind {
    HC_KEY_TEXT,     /* a text that is not empty */
    HC_KEY_BOOL,     /* target: bool */
    HC_KEY_COUNT,    /* a whole number; target: int32_t, or uint64_t for a seed */
    HC_KEY_NUMBER,   /* target: double */
    HC_KEY_DURATION, /* a number, or an object with one distribution; target: hc_distribution */
    HC_KEY_CHOICE,   /* one of choices; target: int32_t, its place among them. With members, an
                        object of these may stand for it */
    HC_KEY_CHOICES,  /* an array of them; target: int32_t[most], and n_target: int32_t */
    HC_KEY_RANGES,   /* a number, or a text as "0-3,7" or one of choices; it has no target */
    HC_KEY_OBJECT,   /* of members */
    HC_KEY_NAMED,    /* an object that has any names, each an object of members */
    HC_KEY_LIST,     /* an array of objects of members */
    /* What only the study reads: it has no target. */
    HC_KEY_TEXTS,      /* an array of texts */
    HC_KEY_FILES,      /* a file name, or an array of them */
    HC_KEY_FIGURE,     /* a figure of the result */
    HC_KEY_FIGURES,    /* an array of them */
    HC_KEY_CONDITION,  /* "ettr.low >= 0.97" */
    HC_KEY_POINTER,    /* JSON pointer to a value that may be varied */
    HC_KEY_POINTERS,   /* an array of pointers to anything */
    HC_KEY_SETTINGS,   /* an object of pointers and values */
    HC_KEY_BY_POINTER, /* an object of pointers, each an object of members */
    HC_KEY_VALUES      /* an array of any values */
};

struct hc_key_binder; /* study/binding/key_binding.h */

/* What the table cannot say of an element of HC_KEY_NAMED: its defaults, what follows from the keys
 * that it has and has not, and the order of all. NULL: nothing. */
struct hc_key_elements {
    void (*start)(void *element);
    bool (*finish)(struct hc_key_binder *binder, const struct hc_node *node, void *element);
    int (*order)(const void *a, const void *b);
};

/* What needs no pointer stands together: a start of the program relocates all tables. */
struct hc_scenario_key {
    const char *name; /* NULL ends a table */
    enum hc_key_kind kind : 8;
    bool is_required;
    bool is_above;         /* low itself is not allowed */
    bool is_either_needed; /* of the rows with the same tag `either`, one must be given */
    bool takes_interval; /* of rows that are not bound: the number may have an interval, as those of
                            the engine may */
    bool is_engine;      /* of top-level rows: of the engine, so that it may be varied ... */
    bool is_setting;     /* ... as may this, which all engines take */
    bool is_data_job;    /* of a row with data: by the name of a job of the archive; else a file */
    /* Any part of the section of this name at the top, which it is laid over: members are known for
     * pointers; what may be there is checked in the document that comes out. */
    bool is_overlay;
    bool takes_one;   /* of HC_KEY_CHOICES: one of them may stand for an array of it */
    bool is_again;    /* its members are those of an object that it stands in, described there */
    bool is_bound;    /* the engine keeps it (below) */
    bool is_nameless; /* HC_KEY_NAMED: the engine has no use for the name of an element */
    /* A text that names recorded data: it is read before the run (data_provider.h). */
    int16_t data;               /* enum hc_data_kind */
    double low, high;           /* of numbers, in the unit of the key; high 0: no limit */
    double scale;               /* engine's unit / unit of the key; 0: 1 */
    const char *const *choices; /* ends in NULL */
    const char *value;          /* default, as JSON; NULL: none is put in */
    const char *unset;          /* what holds without it, in words, when value does not say it */
    const char *unit;           /* for people; NULL: no unit */
    const char *help;           /* one sentence with its full stop */
    const char *either;         /* of the rows of a table with the same tag, one may be given */
    /* What must stand beside it: "key", "key,key" (any of them), "key=value|value" (with one of
     * these values, or an array that has one). */
    const char *needs;
    const struct hc_scenario_key *members;
    /* Of HC_KEY_NAMED: an array of texts may stand for an object, for an engine with this key. */
    const char *list_of;

    /* Where the engine keeps it: within the struct of the table. */
    const char *member; /* what the engine calls it in its messages */
    uint32_t target;
    uint32_t n_target;     /* of arrays: their length (size_t; int32_t of HC_KEY_CHOICES) */
    uint32_t element_size; /* HC_KEY_NAMED: its first member is the name, unless is_nameless */
    uint32_t most;         /* elements or names; 0: no limit */
    uint32_t also;         /* when not 0: int32_t that becomes also_value when the key is given */
    int32_t also_value;

    union {
        const struct hc_key_elements *elements; /* HC_KEY_NAMED; NULL: nothing more */
        /* HC_KEY_NUMBER that may be an object: the number that it stands for. */
        bool (*take)(struct hc_key_binder *binder, const struct hc_node *object, double *to);
    };
};

/* The top of a scenario file, as far as all engines have it. */
extern const struct hc_scenario_key hc_scenario_keys[];

#define HC_SCENARIO_MOST_REPLICAS   10000000
#define HC_SCENARIO_MOST_SEED       9000000000000000 /* a double holds it */
#define HC_SCENARIO_REPLICAS        100              /* where a scenario does not say */
#define HC_SCENARIO_TEXT_(number)   #number
#define HC_SCENARIO_TEXT(number)    HC_SCENARIO_TEXT_(number)
#define HC_SCENARIO_REPLICAS_TEXT   HC_SCENARIO_TEXT(HC_SCENARIO_REPLICAS)
#define HC_SCENARIO_CONFIDENCE_TEXT HC_SCENARIO_TEXT(HC_CONFIDENCE)
#define HC_INPUT_MOST_DRAWS         1000 /* of what recorded data leave open */
#define HC_INPUT_DRAWS              100
#define HC_INPUT_REPLICAS           16
#define HC_INPUT_MOST_REPLICAS      100000
#define HC_SCENARIO_MOST_DAYS       36500 /* of recorded data */

/* What chooses recorded incidents (scenario_data_keys.c). */
extern const struct hc_scenario_key hc_incidents_from_keys[], hc_recorded_keys[], hc_fitted_keys[],
    hc_replayed_keys[];

/* An object that stands for a number: what the straggler what-if says of a job. */
extern const struct hc_scenario_key hc_whatif_number_keys[];

/* What may be in an object that stands for a duration: one row a distribution, in this order. */
enum hc_distribution_key {
    HC_KEY_LOGNORMAL,
    HC_KEY_WEIBULL,
    HC_KEY_GAMMA,
    HC_KEY_EXPONENTIAL,
    HC_KEY_EMPIRICAL,
    HC_KEY_RECORDED,
    HC_KEY_FITTED,
    HC_KEY_REPLAYED
};
extern const struct hc_scenario_key hc_distribution_keys[];

/* Names of distributions whose sources cannot be read yet, and what each waits for. */
struct hc_distribution_later {
    const char *name, *why;
};
extern const struct hc_distribution_later hc_distributions_later[]; /* ends in a NULL name */

#define HC_MOST_KEYS 64 /* of one table */

/* The row of name in a table, or NULL. */
const struct hc_scenario_key *hc_scenario_key(const struct hc_scenario_key *table,
                                              const char *name);

/* The names of a table; returns their number. */
size_t hc_scenario_key_names(const struct hc_scenario_key *table, const char *names[HC_MOST_KEYS]);

/* Whether an object stands for a drawn duration: it has a key that names a distribution. */
bool hc_is_distribution(const struct hc_node *node);

#endif

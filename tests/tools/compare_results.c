/* compare_results OURS.json PUBLISHED.json - whether two outputs in the artifact's layout agree.
 *
 * Numbers may differ by 1e-5 of their size, those of the keys Ms, Mw, rem and add by 1e-5 in all
 * (they can be near 0); everything else must be equal, and both must have the same keys. The order
 * of the keys is reported, but decides nothing: it follows the values, and close ones may swap.
 * Exit: 0 equal, 1 different, 2 usage, 3 a file that cannot be read.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE   1e-5
#define PATH_SIZE   512
#define MAX_PRINTED 20

struct comparison {
    long n_numbers, n_others, n_mismatches, n_orders;
    double largest_relative, largest_absolute; /* of numbers judged relatively, absolutely */
    char relative_path[PATH_SIZE], absolute_path[PATH_SIZE], order_path[PATH_SIZE];
};

static const char *kind_name(const json_t *value)
{
    static const char *const names[] = {"an object", "an array", "a string", "an integer",
                                        "a real",    "true",     "false",    "null"};
    return names[json_typeof(value)];
}

static void mismatch(struct comparison *comparison, const char *path, const char *what)
{
    if (comparison->n_mismatches++ < MAX_PRINTED)
        printf("  %s: %s\n", path, what);
}

static void note_largest(double error, double *largest, char *where, const char *path)
{
    if (error > *largest || where[0] == '\0') {
        *largest = error;
        snprintf(where, PATH_SIZE, "%s", path);
    }
}

static bool is_judged_absolutely(const char *path)
{
    const char *key = strrchr(path, '/');
    key = key ? key + 1 : path;
    return !strcmp(key, "Ms") || !strcmp(key, "Mw") || !strcmp(key, "rem") || !strcmp(key, "add");
}

static void compare_reals(struct comparison *comparison, double ours, double published,
                          const char *path)
{
    double error = fabs(ours - published);
    comparison->n_numbers++;
    if (is_judged_absolutely(path)) {
        note_largest(error, &comparison->largest_absolute, comparison->absolute_path, path);
    } else {
        error = error == 0 ? 0 : error / fabs(published);
        note_largest(error, &comparison->largest_relative, comparison->relative_path, path);
    }
    if (!(error <= TOLERANCE)) {
        char what[128];
        snprintf(what, sizeof what, "%.17g, published %.17g", ours, published);
        mismatch(comparison, path, what);
    }
}

static void compare(struct comparison *comparison, const json_t *ours, const json_t *published,
                    const char *path);

static void compare_order(struct comparison *comparison, json_t *ours, json_t *published,
                          const char *path)
{
    void *a = json_object_iter(ours), *b = json_object_iter(published);
    while (a && b && !strcmp(json_object_iter_key(a), json_object_iter_key(b))) {
        a = json_object_iter_next(ours, a);
        b = json_object_iter_next(published, b);
    }
    if (a && b && comparison->n_orders++ == 0)
        snprintf(comparison->order_path, PATH_SIZE, "%s/%s", path, json_object_iter_key(a));
}

static void compare_objects(struct comparison *comparison, json_t *ours, json_t *published,
                            const char *path)
{
    char below[PATH_SIZE];
    const char *key = NULL;
    json_t *value = NULL;
    long before = comparison->n_mismatches;
    json_object_foreach(published, key, value)
    {
        snprintf(below, sizeof below, "%s/%s", path, key);
        const json_t *other = json_object_get(ours, key);
        if (other)
            compare(comparison, other, value, below);
        else
            mismatch(comparison, below, "only in the published");
    }
    json_object_foreach(ours, key, value)
    {
        snprintf(below, sizeof below, "%s/%s", path, key);
        if (!json_object_get(published, key))
            mismatch(comparison, below, "only in ours");
    }
    if (comparison->n_mismatches == before)
        compare_order(comparison, ours, published, path);
}

static void compare_arrays(struct comparison *comparison, const json_t *ours,
                           const json_t *published, const char *path)
{
    char below[PATH_SIZE];
    size_t n = json_array_size(published);
    if (json_array_size(ours) != n) {
        mismatch(comparison, path, "arrays of different length");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(below, sizeof below, "%s/%zu", path, i);
        compare(comparison, json_array_get(ours, i), json_array_get(published, i), below);
    }
}

static void compare(struct comparison *comparison, const json_t *ours, const json_t *published,
                    const char *path)
{
    if (json_typeof(ours) != json_typeof(published)) {
        char what[128];
        snprintf(what, sizeof what, "%s, published %s", kind_name(ours), kind_name(published));
        mismatch(comparison, path, what);
    } else if (json_is_object(ours)) {
        compare_objects(comparison, (json_t *)ours, (json_t *)published, path);
    } else if (json_is_array(ours)) {
        compare_arrays(comparison, ours, published, path);
    } else if (json_is_real(ours)) {
        compare_reals(comparison, json_real_value(ours), json_real_value(published), path);
    } else {
        comparison->n_others++;
        if (!json_equal(ours, published))
            mismatch(comparison, path, "values differ");
    }
}

static void report(const struct comparison *comparison, const char *name)
{
    printf("%s: %s: %ld numbers, %ld other values, %ld mismatches", name,
           comparison->n_mismatches ? "DIFFERENT" : "equal", comparison->n_numbers,
           comparison->n_others, comparison->n_mismatches);
    if (comparison->relative_path[0])
        printf("; largest relative error %.2g at %s", comparison->largest_relative,
               comparison->relative_path);
    if (comparison->absolute_path[0])
        printf("; largest absolute error %.2g at %s", comparison->largest_absolute,
               comparison->absolute_path);
    if (comparison->n_orders)
        printf("; key order differs in %ld maps, first at %s", comparison->n_orders,
               comparison->order_path);
    else if (comparison->n_mismatches == 0)
        printf("; same key order");
    printf("\n");
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fprintf(stderr, "compare_results: '%s', line %d: %s\n", path, error.line, error.text);
    return root;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: compare_results OURS.json PUBLISHED.json\n");
        return 2;
    }
    json_t *ours = load(argv[1]), *published = load(argv[2]);
    int status = 3;
    if (ours && published) {
        struct comparison comparison = {0};
        const char *slash = strrchr(argv[1], '/');
        compare(&comparison, ours, published, "");
        report(&comparison, slash ? slash + 1 : argv[1]);
        status = comparison.n_mismatches ? 1 : 0;
    }
    json_decref(ours);
    json_decref(published);
    return status;
}

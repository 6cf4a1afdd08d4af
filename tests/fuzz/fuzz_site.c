/* Any bytes as a site file: nothing may crash; mistakes have places; what is taken has what its
 * readers rely on; and what an editor would be told is the same for all. */
#include "pipeline/site/site_file.h"
#include "tests/fuzz/target.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check_rule(const struct hc_own_form *form, const struct hc_map_rule *rule)
{
    require(rule->column < form->def->n_columns);
    require(!rule->from != !rule->constant);
    require(rule->unit < HC_N_MAP_UNITS &&
            (rule->unit == HC_UNIT_FORMAT) == (rule->format != NULL));
    for (size_t i = 0; i < rule->n_words; i++)
        require(rule->words[i].from && rule->words[i].to);
}

static void check_source(const struct hc_site_source *source)
{
    require(source->name && *source->name && source->n_patterns > 0);
    for (size_t i = 0; i < source->n_patterns; i++)
        require(*source->patterns[i] == '/');
    if (!source->map)
        return;
    const struct hc_own_form *form = source->map->form;
    uint64_t filled = 0;
    require(strcmp(source->format, form->format) == 0);
    for (size_t i = 0; i < source->map->map.n_rules; i++) {
        check_rule(form, &source->map->map.rules[i]);
        filled |= (uint64_t)1 << source->map->map.rules[i].column;
    }
    for (size_t c = 0; c < form->def->n_columns && !source->path; c++)
        require((filled >> c & 1) || !hc_own_is_required(form, c));
}

static void check_site(const struct hc_site *site)
{
    require(site->n_sources > 0);
    for (size_t i = 0; i < site->n_sources; i++)
        check_source(&site->sources[i]);
    for (size_t i = 0; i < site->n_partitions; i++)
        require(site->partitions[i].name && site->partitions[i].gpus_per_node >= 0 &&
                site->partitions[i].price >= 0);
    for (size_t i = 0; i < site->n_run_rules; i++)
        require(site->run_rules[i].csv || (site->run_rules[i].pattern && site->run_rules[i].group));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_site site;
    struct hc_error err = {0};
    char path[64];
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("site", 0);
    require(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum hc_status status = hc_site_open(&site, path, &err);
    if (status == HC_OK)
        check_site(&site);
    else
        require(status == HC_BAD_INPUT && err.message[0] && site.errors.n > 0);
    for (size_t i = 0; i < site.errors.n; i++)
        require(site.errors.error[i].place.line > 0 && *site.errors.error[i].what);
    hc_site_close(&site);
    return 0;
}

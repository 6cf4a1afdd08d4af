/* Any bytes as the path of a trace: its job id is a part of its name, and the metadata beside it is
 * a file that is there, in the same directory. */
#include "parsers/steps/metadata_path.h"
#include "tests/fuzz/target.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/hindcast-fuzz-XXXXXX";

/* meta-a.yaml is the metadata of trace-a.csv; meta-d.yaml is a directory, which is none. */
static const char *const files[] = {"meta-a.yaml", "meta-%n.yaml"};
#define N_FILES (sizeof files / sizeof *files)

static void clean_up(void)
{
    char path[128];
    for (size_t i = 0; i < N_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/meta-d.yaml", directory);
    rmdir(path);
    rmdir(directory);
}

static void make_files(void)
{
    static bool made;
    char path[128];
    if (made)
        return;
    made = true;
    require(mkdtemp(directory) && !atexit(clean_up));
    for (size_t i = 0; i < N_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        FILE *file = fopen(path, "w");
        require(file && !fclose(file));
    }
    snprintf(path, sizeof path, "%s/meta-d.yaml", directory);
    require(!mkdir(path, 0700));
}

static void check_id(const char *trace)
{
    struct hc_error err = {0};
    char *id = NULL;
    require(hc_job_id_of_path(trace, &id, &err) == HC_OK && id && *id && !strchr(id, '/'));
    const char *slash = strrchr(trace, '/');
    require(strcmp(id, "stdin") == 0 || strstr(slash ? slash + 1 : trace, id));
    free(id);
}

static void check_beside(const char *trace)
{
    struct hc_error err = {0};
    struct stat info;
    char *beside = NULL;
    require(hc_metadata_beside(trace, &beside, &err) == HC_OK);
    if (!beside)
        return;
    const char *slash = strrchr(trace, '/');
    size_t length = slash ? (size_t)(slash + 1 - trace) : 0, end = strlen(beside);
    require(memcmp(beside, trace, length) == 0 && !strchr(beside + length, '/'));
    require(strncmp(beside + length, "meta-", 5) == 0 && end > length + 10);
    require(strcmp(beside + end - 5, ".yaml") == 0);
    require(!stat(beside, &info)); /* a directory is found, too: it is refused when it is read */
    free(beside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    char *name = fuzz_text(&input, 4096), *path = malloc(strlen(name) + sizeof directory + 1);
    require(path);
    make_files();
    sprintf(path, "%s/%s", directory, name);
    check_id(name);
    check_id(path);
    check_beside(path);
    free(name);
    free(path);
    return 0;
}

/* Runs a fuzz target without libFuzzer: over every file of a corpus directory, and over mutants of
 * each file (bits flipped, bytes set, cut, or spliced), the same ones in every run.
 *
 *   fuzz_<name> DIRECTORY [MUTANTS]   MUTANTS of each file, 64 unless given
 *
 * Fails when the directory holds no file: a corpus that was lost must not look like success. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_FILES 4096
#define MAX_SIZE  ((size_t)1 << 24)

static char running[4200]; /* for the message of a crash */

static void say_running(int signal_number)
{
    if (write(STDERR_FILENO, running, strlen(running)) < 0)
        _exit(1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* The sanitizers end the process without a signal, but call back; absent in plain builds. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void say_running_at_death(void)
{
    if (write(STDERR_FILENO, running, strlen(running)) < 0)
        _exit(1);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* SplitMix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Change bytes of data in place; returns the new size, which is never larger. */
static size_t mutate(uint8_t *data, size_t size, uint64_t *state)
{
    static const uint8_t telling[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '-', '0', '"', ',', '\n'};
    if (size == 0)
        return 0;
    size_t n_changes = 1 + next_random(state) % 4;
    for (size_t i = 0; i < n_changes; i++) {
        size_t at = next_random(state) % size;
        switch (next_random(state) % 4) {
        case 0:
            data[at] ^= (uint8_t)(1u << next_random(state) % 8);
            break;
        case 1:
            data[at] = telling[next_random(state) % sizeof telling];
            break;
        case 2: {
            size_t from = next_random(state) % size;
            size_t longest = size - (from > at ? from : at);
            memmove(data + at, data + from, next_random(state) % (longest + 1));
            break;
        }
        default:
            if (i == 0 && at > 0)
                size = at;
        }
    }
    return size;
}

/* Each run gets a block of its exact size, so that a read past the end is seen. */
static int run_one(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return -1;
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 0;
}

static int run_file(const char *path, unsigned n_mutants)
{
    static uint8_t data[MAX_SIZE], mutant[MAX_SIZE];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    int bad = ferror(file);
    fclose(file);
    if (bad || size == sizeof data) {
        fprintf(stderr, "%s: could not be read, or is larger than 16 MB\n", path);
        return -1;
    }
    snprintf(running, sizeof running, "while running '%s'\n", path);
    if (run_one(data, size))
        return -1;
    uint64_t state = size;
    for (unsigned i = 0; i < n_mutants; i++) {
        snprintf(running, sizeof running, "while running mutant %u of '%s'\n", i, path);
        memcpy(mutant, data, size);
        size_t new_size = mutate(mutant, size, &state);
        if (run_one(mutant, new_size))
            return -1;
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in the directory in alphabetical order, for runs that can be compared. */
static size_t list_files(const char *directory, char *names[MAX_FILES])
{
    size_t n = 0;
    DIR *dir = opendir(directory);
    if (!dir) {
        perror(directory);
        return 0;
    }
    for (struct dirent *entry; n < MAX_FILES && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.' && (names[n] = strdup(entry->d_name)) != NULL)
            n++;
    closedir(dir);
    qsort(names, n, sizeof *names, by_name);
    return n;
}

int main(int argc, char **argv)
{
    static char *names[MAX_FILES];
    if (argc < 2) {
        fprintf(stderr, "usage: %s DIRECTORY [MUTANTS]\n", argv[0]);
        return 2;
    }
    unsigned n_mutants = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 64;
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_running_at_death);
    else
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
            signal(deadly[i], say_running);

    int failed = 0;
    size_t n = list_files(argv[1], names);
    for (size_t i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], names[i]);
        failed |= run_file(path, n_mutants);
        free(names[i]);
    }
    printf("%zu files, %u mutants of each\n", n, n_mutants);
    if (n == 0)
        fprintf(stderr, "%s: no corpus\n", argv[1]);
    return failed || n == 0;
}

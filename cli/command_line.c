#include "cli/command_line.h"

#include "cli/command_table.h"
#include "cli/frame/command_guess.h"
#include "cli/frame/command_run.h"
#include "cli/frame/file_guide.h"
#include "cli/manual/help.h"
#include "core/base/nearest.h"
#include "core/files/near_file.h"
#include "core/process/made_by.h"
#include "store/archive/archive.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool has_help(int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Nothing may have been lost on the way to standard output. */
static enum hc_status check_stdout(enum hc_status status, struct hc_error *err)
{
    if ((fflush(stdout) || ferror(stdout)) && (status == HC_OK || status == HC_FINDING))
        return hc_fail_errno(err, "cannot write", "standard output");
    return status;
}

/* Append words to a command line, each with a space before it. */
static size_t append_words(char *line, size_t length, size_t size, char *const *words, int n)
{
    for (int i = 0; i < n && length < size; i++)
        length += (size_t)snprintf(line + length, size - length, " %s", words[i]);
    return length;
}

/* `-a DIR ls` means `ls -a DIR`: options stand behind the command that they are of. */
static enum hc_status fail_leading_option(int argc, char **argv, struct hc_error *err)
{
    char line[512] = "hindcast";
    int n_words = 0, i = 2;
    while (i < argc && !hc_command_find(argc - i + 1, argv + i - 1, &n_words))
        i++;
    if (i >= argc) {
        bool is_version = argv[1][1] == 'v' || argv[1][1] == 'V';
        const char *const known[] = {"--version", "--help"};
        const char *near = is_version ? known[0] : hc_nearest(argv[1], strlen(argv[1]), known, 2);
        if (near)
            return hc_fail(err, HC_USAGE, "unknown option '%s' (did you mean '%s'?)", argv[1],
                           near);
        return hc_fail(err, HC_USAGE,
                       "'%s' stands before any command: give the command first (see 'hindcast "
                       "--help')",
                       argv[1]);
    }
    size_t length = append_words(line, strlen(line), sizeof line, argv + i, n_words);
    length = append_words(line, length, sizeof line, argv + 1, i - 1);
    append_words(line, length, sizeof line, argv + i + n_words, argc - i - n_words);
    return hc_fail(err, HC_USAGE, "options stand behind the command: give '%s'", line);
}

/* Whether a job of the archive, if there is one, has the name. */
static bool is_job(const char *name)
{
    struct hc_archive *archive = NULL;
    struct hc_error ignored = {0};
    const struct hc_manifest_entry *entry = NULL;
    if (hc_archive_open(&archive, hc_archive_path(&(struct hc_archive_options){.path = NULL}),
                        false, &ignored))
        return false;
    bool is_there = hc_archive_find(archive, name, NULL, &entry, &ignored) == HC_OK;
    hc_archive_close(archive);
    return is_there;
}

/* A first word that is no command: a file is explained; else say what may have been meant. */
static enum hc_status run_no_command(int argc, char **argv, struct hc_error *err)
{
    char guess[HC_GUESS_SIZE];
    struct stat info;
    const char *word = argv[1];
    bool is_group = hc_command_is_group(word);
    if (!is_group && stat(word, &info) == 0)
        return hc_file_guide_print(stdout, word, err);
    if (is_group || hc_command_guess(NULL, word, guess))
        return hc_command_unknown(argc, argv, err);
    if (hc_looks_like_file(word)) {
        errno = ENOENT;
        return hc_fail_open(err, word);
    }
    if (is_job(word))
        return hc_fail(
            err, HC_USAGE,
            "'%s' is a job of the archive, and no command: 'hindcast whatif %s' says what "
            "stragglers cost it, 'hindcast show %s' what is known of it",
            word, word, word);
    return hc_command_unknown(argc, argv, err);
}

static enum hc_status dispatch(int argc, char **argv, struct hc_error *err)
{
    if (argc < 2)
        return hc_fail(err, HC_USAGE,
                       "no command given: 'hindcast --help' lists them, and 'hindcast FILE' says "
                       "which can use a file");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        hc_help_program(stdout);
        return HC_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        hc_help_version(stdout);
        return HC_OK;
    }
    if (argv[1][0] == '-' && argv[1][1])
        return fail_leading_option(argc, argv, err);
    if (hc_command_is_group(argv[1]) && argc > 2 && argv[2][0] == '-' && has_help(argc, argv)) {
        hc_help_group(stdout, argv[1]);
        return HC_OK;
    }
    int n_words = 0;
    const struct hc_command *command = hc_command_find(argc, argv, &n_words);
    if (!command)
        return run_no_command(argc, argv, err);
    argc -= n_words;
    argv += n_words;
    if (has_help(argc, argv)) {
        hc_help_command(stdout, command);
        return HC_OK;
    }
    return hc_command_run(command, argc, argv, err);
}

enum hc_status hc_command_line(int argc, char **argv, struct hc_error *err)
{
    hc_command_table_use(hc_commands);
    hc_made_by_set(&(struct hc_made_by){.commit = hc_commit, .ask_libraries = hc_help_libraries});
    return check_stdout(dispatch(argc, argv, err), err);
}

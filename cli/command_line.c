#include "cli/command_line.h"

#include "cli/command_table.h"
#include "cli/frame/command_run.h"
#include "cli/frame/help.h"

#include <string.h>

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

static enum hc_status dispatch(int argc, char **argv, struct hc_error *err)
{
    if (argc < 2)
        return hc_fail(err, HC_USAGE, "no command given (see 'hindcast --help')");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        hc_help_program(stdout);
        return HC_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        hc_help_version(stdout);
        return HC_OK;
    }
    if (argv[1][0] == '-')
        return hc_fail(err, HC_USAGE,
                       "unknown option '%s' before the command (see 'hindcast --help')", argv[1]);
    if (hc_command_is_group(argv[1]) && argc > 2 && argv[2][0] == '-' && has_help(argc, argv)) {
        hc_help_group(stdout, argv[1]);
        return HC_OK;
    }
    int n_words = 0;
    const struct hc_command *command = hc_command_find(argc, argv, &n_words, err);
    if (!command)
        return err->status;
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
    return check_stdout(dispatch(argc, argv, err), err);
}

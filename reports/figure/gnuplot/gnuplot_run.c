#include "reports/figure/gnuplot/gnuplot_run.h"

#include "core/base/text_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM   "gnuplot"
#define MOST_SAID 4096

extern char **environ;

/* What it says, up to its end; the rest is read and left. */
static size_t listen_to(int pipe_end, char *said, size_t size)
{
    char block[512];
    size_t n = 0;
    for (;;) {
        ssize_t got = read(pipe_end, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size_t room = size - 1 - n, take = (size_t)got < room ? (size_t)got : room;
        memcpy(said + n, block, take);
        n += take;
    }
    said[n] = '\0';
    return n;
}

/* The line that says what is wrong: gnuplot shows the command, a caret, and then why. */
static void find_reason(char *said, char *why, size_t size)
{
    char *last = NULL, *save = NULL;
    for (char *line = strtok_r(said, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (line[strspn(line, " \t\r^")])
            last = line;
    hc_text_head(why, size, last ? last : "it did not say why", 120);
}

static int start(pid_t *child, const char *directory, const char *script, int said)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char *const arguments[] = {PROGRAM, "--default-settings", (char *)script, NULL};
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    if (posix_spawnattr_init(&attributes)) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, said, 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, said, 2);
    failed = failed ? failed : posix_spawn_file_actions_addchdir_np(&actions, directory);
    failed =
        failed ? failed : posix_spawnp(child, PROGRAM, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

enum hc_gnuplot_end hc_gnuplot_run(const char *directory, const char *script, char *why,
                                   size_t size)
{
    char said[MOST_SAID] = "";
    int ends[2], state = 0;
    pid_t child = 0;
    snprintf(why, size, "no process could be started");
    if (pipe2(ends, O_CLOEXEC))
        return HC_GNUPLOT_FAILED;
    int failed = start(&child, directory, script, ends[1]);
    close(ends[1]);
    if (!failed)
        listen_to(ends[0], said, sizeof said);
    close(ends[0]);
    if (failed)
        return failed == ENOENT ? HC_GNUPLOT_ABSENT : HC_GNUPLOT_FAILED;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return HC_GNUPLOT_FAILED;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return HC_GNUPLOT_DONE;
    find_reason(said, why, size);
    return HC_GNUPLOT_FAILED;
}

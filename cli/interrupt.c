#include "cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/* More than a command has open at a time. */
static _Atomic(const char *) doomed[32];

#define N_DOOMED (sizeof doomed / sizeof *doomed)

static void on_signal(int number)
{
    for (size_t i = N_DOOMED; i-- > 0;) { /* a directory is told before what is in it */
        const char *path = atomic_exchange(&doomed[i], NULL);
        if (path && unlink(path))
            rmdir(path);
    }
    raise(number); /* SA_RESETHAND put the default action back */
}

void hc_interrupt_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        struct sigaction old;
        sigemptyset(&action.sa_mask);
        /* What nohup ignores stays ignored. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
    /* Beyond 'ulimit -f' a write fails, with a message and nothing left, as on a full disk. */
    signal(SIGXFSZ, SIG_IGN);
}

void hc_interrupt_remove(const char *path)
{
    for (size_t i = 0; i < N_DOOMED; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&doomed[i], &none, path))
            return;
    }
}

void hc_interrupt_forget(const char *path)
{
    for (size_t i = 0; i < N_DOOMED; i++) {
        const char *same = path;
        if (path && atomic_compare_exchange_strong(&doomed[i], &same, NULL))
            return;
    }
}

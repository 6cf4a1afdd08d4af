#include "cli/frame/interrupt.h"

#include "core/base/log.h"
#include "core/process/temporary_files.h"

#include <signal.h>
#include <stddef.h>

static void on_signal(int number)
{
    if (!hc_temporary_may_end(number))
        return;
    hc_temporary_remove_all();
    if (number == SIGINT)
        hc_log_interrupted();
    signal(number, SIG_DFL);
    raise(number);
}

void hc_interrupt_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESTART};
        struct sigaction old;
        sigemptyset(&action.sa_mask);
        /* What nohup ignores stays ignored. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
    /* Beyond 'ulimit -f' a write fails, with a message and nothing left, as on a full disk. */
    signal(SIGXFSZ, SIG_IGN);
}

/* main.c - the one place that prints an error, and turns a status into the exit code. */
#include "cli/command_line.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/output.h"
#include "core/base/memory.h"
#include "core/base/status.h"
#include "core/process/threads.h"
#include "core/process/wait_policy.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A descriptor of 0 to 2 that we were not given would be that of the first file we open, and notes
 * on standard error would go into it. So each is taken, in a mode in which its use fails: results
 * for a closed standard output are lost with an error, not without. */
static bool take_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

/* std::set_new_handler, where a library has brought the C++ one with it (snappy). */
typedef void new_handler(void);
new_handler *_ZSt15set_new_handlerPFvvE(new_handler *handler) __attribute__((weak));

/* Without memory Jansson takes a text for wrong, and C++ calls abort(). */
static void give_libraries_memory(void)
{
    json_set_alloc_funcs(hc_library_malloc, free);
    if (_ZSt15set_new_handlerPFvvE)
        _ZSt15set_new_handlerPFvvE(hc_memory_exhausted);
}

int main(int argc, char **argv)
{
    struct hc_error err = {0};
    hc_wait_policy_end();
    if (!take_standard_descriptors()) {
        hc_fail_errno(&err, "cannot open", "/dev/null");
        hc_output_line(stderr, "hindcast: %s", err.message);
        return err.status;
    }
    hc_threads_guard_exit();
    give_libraries_memory();
    hc_interrupt_install();
    enum hc_status status = hc_command_line(argc, argv, &err);
    if (err.status != HC_OK && err.message[0])
        hc_output_line(stderr, "hindcast: %s", err.message);
    hc_threads_leave();
    return status > HC_FINDING && hc_memory_was_short() ? HC_INTERNAL : status;
}

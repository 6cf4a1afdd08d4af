/* main.c - the one place that prints an error, and turns a status into the exit code. */
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/status.h"
#include "core/threads.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct hc_error err = {0};
    hc_threads_guard_exit();
    hc_interrupt_install();
    enum hc_status status = hc_command_line(argc, argv, &err);
    if (err.status != HC_OK && err.message[0])
        hc_output_line(stderr, "hindcast: %s", err.message);
    hc_threads_leave();
    return status;
}

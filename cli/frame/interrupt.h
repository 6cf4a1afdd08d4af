/* interrupt.h - leaving nothing behind when the user or the system stops hindcast.
 *
 * SIGINT, SIGTERM, SIGHUP, and others that would end the process, remove the temporary files that
 * are being written (core/process/temporary_files.h), then end the process as they would have
 * without us, so that the shell sees a death by signal (130 for Ctrl-C). Ctrl-C also erases the
 * line of progress and says that it was heard, so that the prompt stands on a line of its own.
 * While a set of files is put in place they wait for it. SIGXFSZ is ignored: beyond 'ulimit -f' the
 * write fails and says so.
 */
#ifndef HC_CLI_FRAME_INTERRUPT_H
#define HC_CLI_FRAME_INTERRUPT_H

void hc_interrupt_install(void);

#endif

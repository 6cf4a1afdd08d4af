/* interrupt.h - leaving nothing behind when the user or the system stops hindcast.
 *
 * SIGINT, SIGTERM and SIGHUP remove the temporary files that are being written
 * (core/temporary_files.h), then end the process as they would have without us, so that the shell
 * sees a death by signal. SIGXFSZ is ignored: beyond 'ulimit -f' the write fails and says so.
 */
#ifndef HC_CLI_INTERRUPT_H
#define HC_CLI_INTERRUPT_H

void hc_interrupt_install(void);

#endif

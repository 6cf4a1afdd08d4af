/* interrupt.h - leaving nothing behind when the user or the system stops hindcast.
 *
 * SIGINT, SIGTERM and SIGHUP remove the temporary outputs that are being written, then end the
 * process as they would have without us, so that the shell sees a death by signal. Temporary files
 * of the archive are not concerned: they are harmless, and the next ingest clears them. SIGXFSZ is
 * ignored: beyond 'ulimit -f' the write fails and says so.
 */
#ifndef HC_CLI_INTERRUPT_H
#define HC_CLI_INTERRUPT_H

void hc_interrupt_install(void);

/* Remove path, a file or an empty directory, when interrupted, until hc_interrupt_forget of the
 * same pointer. path must stay valid until then. Up to 32 at a time; a directory before its files.
 */
void hc_interrupt_remove(const char *path);
void hc_interrupt_forget(const char *path);

#endif

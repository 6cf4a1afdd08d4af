/* temporary_files.h - the names that go when the process is stopped by a signal.
 *
 * Whoever makes a file under a temporary name tells it here before the file is there, and takes it
 * back once the file has its final name or is gone. The program's signal handler
 * (cli/frame/interrupt.c) calls hc_temporary_remove_all, so that SIGINT, SIGTERM and SIGHUP leave
 * nothing half written. Of SIGKILL nothing is heard: what it leaves is swept by the next writer.
 *
 *     hc_temporary_add(path);
 *     ... open(path, O_CREAT | O_EXCL), write, rename(path, final) or unlink(path) ...
 *     hc_temporary_forget(path);
 *     free(path);
 *
 * Whoever renames several files that belong together (core/files/outset.c) holds the end of the
 * process back meanwhile: a signal then ends it only after the last of them has its name.
 */
#ifndef HC_CORE_PROCESS_TEMPORARY_FILES_H
#define HC_CORE_PROCESS_TEMPORARY_FILES_H

#include <stdbool.h>

/* Remember path, a file or an empty directory. The text is not copied: it must stay where it is
 * until hc_temporary_forget of the same pointer. There is room for any number; what finds no memory
 * is not remembered. */
void hc_temporary_add(const char *path);

/* Take back what hc_temporary_add was told; NULL, or a pointer that it was not told, does nothing.
 * Does not return once the handler has begun to end the process. */
void hc_temporary_forget(const char *path);

/* Remove all that is remembered: files, then the directories that are empty. Safe in a signal
 * handler. */
void hc_temporary_remove_all(void);

/* Between the two no signal ends the process: it is kept, and raised again by the last release. For
 * moments, and never while something is waited for that may not come. From any thread. */
void hc_temporary_hold(void);
void hc_temporary_release(void);

/* For a thread that ends the process without a signal, just before _exit: remove all that is
 * remembered, once no other thread holds (its own holds end with it). */
void hc_temporary_end(void);

/* For the signal handler, with the number of its signal: whether it may remove all and end the
 * process. If not, it returns, and hc_temporary_release raises the signal again. */
bool hc_temporary_may_end(int number);

#endif

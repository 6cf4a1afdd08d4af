/* temporary_files.h - the names that go when the process is stopped by a signal.
 *
 * Whoever makes a file under a temporary name tells it here before the file is there, and takes it
 * back once the file has its final name or is gone. The program's signal handler (cli/interrupt.c)
 * calls hc_temporary_remove_all, so that SIGINT, SIGTERM and SIGHUP leave nothing half written. Of
 * SIGKILL nothing is heard: what it leaves is swept by the next writer.
 *
 *     hc_temporary_add(path);
 *     ... open(path, O_CREAT | O_EXCL), write, rename(path, final) or unlink(path) ...
 *     hc_temporary_forget(path);
 *     free(path);
 */
#ifndef HC_CORE_TEMPORARY_FILES_H
#define HC_CORE_TEMPORARY_FILES_H

/* Remember path, a file or an empty directory; a directory is told before what is made in it. The
 * text is not copied: it must stay where it is until hc_temporary_forget of the same pointer. Of
 * more than 1,024 at a time, those that came last are not remembered. */
void hc_temporary_add(const char *path);

/* Take back what hc_temporary_add was told; NULL, or a pointer that it was not told, does nothing.
 */
void hc_temporary_forget(const char *path);

/* Remove all that is remembered, the last first. Safe in a signal handler. */
void hc_temporary_remove_all(void);

#endif

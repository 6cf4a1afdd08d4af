/* threads.h - how many threads there can be, asked for softly.
 *
 * libgomp makes the threads of a parallel region when the region begins; where one cannot be made
 * (a limit on processes or on memory) it calls exit(1), and 1 is how a command says that it found
 * something. So the threads are made before: hc_threads_prepare() tries plain ones, which fail with
 * a status, and lets OpenMP make its team of as many. Between the two another process may take what
 * is left, so hc_threads_guard_exit() catches that exit and makes it one for a failure.
 *
 * Results do not depend on the number of threads, so fewer are never an error.
 */
#ifndef HC_CORE_PROCESS_THREADS_H
#define HC_CORE_PROCESS_THREADS_H

/* Make the OpenMP team of the calling thread: wanted threads (0: as many as OpenMP says), itself
 * included, or as many as can be made. Later regions of this thread have at most so many.
 * Returns the number. Fewer than wanted are said once, as a warning. */
int hc_threads_prepare(int wanted);

/* Start with one thread, where only the input will tell whether there is work for several.
 * hc_threads_raise(wanted) makes the team as hc_threads_prepare(0) would have, once the work turns
 * out to be large, and returns how many of the wanted threads there can be; without
 * hc_threads_postpone before, a second time, and within a parallel region, it does nothing, and
 * returns wanted. hc_threads_most() is how many there will be: what OpenMP says, or said before.
 * For the main thread. */
void hc_threads_postpone(void);
int hc_threads_raise(int wanted);
int hc_threads_most(void);

/* Let an exit that is not announced by hc_threads_leave() end with a message, without temporary
 * files, and with the status of HC_INTERNAL: that of libgomp without a thread, and that of
 * hc_memory_exhausted (core/base/memory.h). Call it first in main. */
void hc_threads_guard_exit(void);

/* The program ends as it should: call it before main returns. */
void hc_threads_leave(void);

#endif

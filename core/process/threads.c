/* Threads that are tried before OpenMP needs them. */
#include "core/process/threads.h"

#include "core/base/log.h"
#include "core/base/status.h"
#include "core/process/temporary_files.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- an exit that nobody asked for ---- */

static bool leaves; /* set by the main thread, read when it exits */

void hc_threads_leave(void)
{
    leaves = true;
}

static void at_exit(int status, void *context)
{
    (void)context;
    if (leaves || status == 0)
        return;
    fputs("hindcast: out of memory, or of threads: try --threads 1, or raise the limits "
          "('ulimit -v', 'ulimit -u')\n",
          stderr);
    hc_temporary_end();
    _exit(HC_INTERNAL);
}

void hc_threads_guard_exit(void)
{
    on_exit(at_exit, NULL);
}

/* ---- trying ---- */

#ifdef _OPENMP

/* Threads that wait until all have been made, so that all are there at once. */
struct trial {
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool is_over;
};

static void *wait_for_end(void *context)
{
    struct trial *trial = context;
    pthread_mutex_lock(&trial->mutex);
    while (!trial->is_over)
        pthread_cond_wait(&trial->ended, &trial->mutex);
    pthread_mutex_unlock(&trial->mutex);
    return NULL;
}

/* Threads of this process, as the kernel counts them; 0: not known. */
static long count_tasks(void)
{
    struct stat info;
    return stat("/proc/self/task", &info) == 0 ? (long)info.st_nlink - 2 : 0;
}

/* A thread that was joined counts against the limit for a moment more. */
static void await_tasks(long n)
{
    const struct timespec moment = {.tv_nsec = 200000};
    for (int i = 0; i < 1000 && count_tasks() > n; i++)
        nanosleep(&moment, NULL);
}

/* How many of n threads can be made now. */
static int try_threads(int n)
{
    struct trial trial = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    long before = count_tasks();
    pthread_t *threads = malloc((size_t)n * sizeof *threads);
    int made = 0;
    while (threads && made < n && pthread_create(&threads[made], NULL, wait_for_end, &trial) == 0)
        made++;
    pthread_mutex_lock(&trial.mutex);
    trial.is_over = true;
    pthread_cond_broadcast(&trial.ended);
    pthread_mutex_unlock(&trial.mutex);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    if (made < n)
        await_tasks(before);
    free(threads);
    return made;
}

/* OpenMP keeps the threads of a team for the next region of the same thread. */
static void make_team(int n)
{
    int seen = 0;
#pragma omp parallel num_threads(n) reduction(+ : seen)
    seen++;
    (void)seen;
}

int hc_threads_prepare(int wanted)
{
    /* One at a time: what one thread has tried must not go to the team of another. */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool is_said;
    int n = wanted > 0 ? wanted : omp_get_max_threads(), most = n;
    if (n > 1) {
        pthread_mutex_lock(&mutex);
        n = 1 + try_threads(n - 1);
        bool says = n < most && !is_said;
        is_said |= says;
        if (says)
            hc_warn("only %d of %d threads can be made, and it goes on with these: the results are "
                    "the same ('ulimit -u' and 'ulimit -v' are the usual limits)",
                    n, most);
        omp_set_num_threads(n);
        make_team(n);
        pthread_mutex_unlock(&mutex);
    } else {
        omp_set_num_threads(n);
    }
    return n;
}

/* How many threads there are to be; 0: nothing was put off. */
static int postponed;

void hc_threads_postpone(void)
{
    postponed = omp_get_max_threads();
    omp_set_num_threads(1);
}

int hc_threads_raise(int wanted)
{
    if (!postponed || omp_in_parallel())
        return wanted;
    int made = hc_threads_prepare(postponed);
    postponed = 0;
    return wanted < made ? wanted : made;
}

int hc_threads_most(void)
{
    return postponed ? postponed : omp_get_max_threads();
}

#else

void hc_threads_postpone(void)
{
}

int hc_threads_raise(int wanted)
{
    return wanted;
}

int hc_threads_most(void)
{
    return 1;
}

int hc_threads_prepare(int wanted)
{
    (void)wanted;
    return 1;
}

#endif

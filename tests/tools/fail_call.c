/* fail_call.c - run a command and let one of its system calls fail, fall short, or be its last.
 *
 *   fail_call --count              KIND[,KIND...] -- COMMAND...   print how many calls there are of
 *                                     each of these kinds, a line each
 *   fail_call --list               KIND -- COMMAND...   print them, a line each: number and name
 *   fail_call --nth N              KIND -- COMMAND...   let the N-th (from 1) meet its fate
 *
 * KIND is what can happen to a call, and so which calls are counted:
 *   EIO ENOSPC EMFILE ENOMEM EACCES   the call is not made (but for close) and returns that error
 *   short                             a read or write is made for a part of the bytes asked for
 *   KILL TERM INT HUP                 the signal arrives before the call is made
 *   meanwhile                         before a call that looks up a path is made, the shell runs
 *                                     what FAIL_CALL_MEANWHILE says: another process in between
 *
 * It works by ptrace, not by preloading a library, so that it sees the calls that the C library
 * makes for itself (stdio, opendir) and works with any build. The counting begins with the first
 * look at the action of SIGINT, which is how main of hindcast begins: what the dynamic loader does
 * before is not the program's doing. Threads are followed; which of them makes the N-th call then
 * depends on the moment. Output goes to standard error of fail_call with --count and --list.
 *
 * Exit: that of the command (128 + signal when one ended it); 99 when fail_call itself failed, 98
 * when there was no N-th call, 77 where ptrace cannot be used.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEANWHILE "FAIL_CALL_MEANWHILE"

enum { EXIT_SKIP = 77, EXIT_NO_SUCH_CALL = 98, EXIT_BROKEN = 99 };

#ifndef __x86_64__
int main(void)
{
    fputs("fail_call: skip: only for x86-64\n", stderr);
    return EXIT_SKIP;
}
#else

/* What can go wrong with a call. */
enum {
    READS = 1 << 0,   /* bytes of an open file: EIO, short */
    WRITES = 1 << 1,  /* EIO, ENOSPC, short */
    CREATES = 1 << 2, /* needs room in a directory: ENOSPC */
    OPENS = 1 << 3,   /* needs a descriptor: EMFILE */
    NAMES = 1 << 4,   /* looks up a path: EACCES, EIO */
    MEMORY = 1 << 5,  /* ENOMEM */
    SYNCS = 1 << 6    /* EIO, ENOSPC */
};

static const struct call {
    long number;
    const char *name;
    unsigned can;
} calls[] = {
    {SYS_read, "read", READS},
    {SYS_pread64, "pread64", READS},
    {SYS_readv, "readv", READS},
    {SYS_getdents64, "getdents64", READS},
    {SYS_write, "write", WRITES},
    {SYS_pwrite64, "pwrite64", WRITES},
    {SYS_writev, "writev", WRITES},
    {SYS_ftruncate, "ftruncate", SYNCS},
    {SYS_fallocate, "fallocate", SYNCS},
    {SYS_fsync, "fsync", SYNCS},
    {SYS_fdatasync, "fdatasync", SYNCS},
    {SYS_syncfs, "syncfs", SYNCS},
    {SYS_close, "close", SYNCS},
    {SYS_open, "open", OPENS | NAMES | CREATES},
    {SYS_openat, "openat", OPENS | NAMES | CREATES},
    {SYS_creat, "creat", OPENS | NAMES | CREATES},
    {SYS_dup, "dup", OPENS},
    {SYS_pipe2, "pipe2", OPENS},
    {SYS_memfd_create, "memfd_create", OPENS | MEMORY},
    {SYS_stat, "stat", NAMES},
    {SYS_lstat, "lstat", NAMES},
    {SYS_newfstatat, "newfstatat", NAMES},
    {SYS_statx, "statx", NAMES},
    {SYS_fstat, "fstat", READS},
    {SYS_access, "access", NAMES},
    {SYS_faccessat, "faccessat", NAMES},
    {SYS_faccessat2, "faccessat2", NAMES},
    {SYS_readlink, "readlink", NAMES},
    {SYS_readlinkat, "readlinkat", NAMES},
    {SYS_rename, "rename", NAMES | CREATES},
    {SYS_renameat, "renameat", NAMES | CREATES},
    {SYS_renameat2, "renameat2", NAMES | CREATES},
    {SYS_link, "link", NAMES | CREATES},
    {SYS_linkat, "linkat", NAMES | CREATES},
    {SYS_symlink, "symlink", NAMES | CREATES},
    {SYS_unlink, "unlink", NAMES},
    {SYS_unlinkat, "unlinkat", NAMES},
    {SYS_mkdir, "mkdir", NAMES | CREATES},
    {SYS_mkdirat, "mkdirat", NAMES | CREATES},
    {SYS_rmdir, "rmdir", NAMES},
    {SYS_fchmod, "fchmod", SYNCS},
    {SYS_lseek, "lseek", 0},
    {SYS_fcntl, "fcntl", 0},
    {SYS_getcwd, "getcwd", NAMES},
    {SYS_mmap, "mmap", MEMORY},
    {SYS_brk, "brk", MEMORY},
    {SYS_mremap, "mremap", MEMORY},
};

#define N_CALLS (sizeof calls / sizeof *calls)

static const struct kind {
    const char *name;
    int error;     /* what the call returns, or 0 */
    int signal;    /* what arrives before it, or 0 */
    unsigned mask; /* calls that it can happen to; 0: to all */
} kinds[] = {
    {"EIO", EIO, 0, READS | WRITES | NAMES | SYNCS},
    {"ENOSPC", ENOSPC, 0, WRITES | CREATES | SYNCS},
    {"EMFILE", EMFILE, 0, OPENS},
    {"ENOMEM", ENOMEM, 0, MEMORY | OPENS | NAMES},
    {"EACCES", EACCES, 0, NAMES},
    {"short", 0, 0, READS | WRITES},
    {"KILL", 0, SIGKILL, 0},
    {"TERM", 0, SIGTERM, 0},
    {"INT", 0, SIGINT, 0},
    {"HUP", 0, SIGHUP, 0},
    {"meanwhile", 0, 0, NAMES},
};

#define N_KINDS (sizeof kinds / sizeof *kinds)

enum mode { COUNT, LIST, NTH };

/* What was asked for, and how far the command has got. Of several kinds, calls are only counted. */
struct run {
    enum mode mode;
    size_t n_kinds;
    const struct kind *kind[N_KINDS];
    long nth;
    bool in_main;
    long n_counted[N_KINDS];
    pid_t leader;
};

#define MAX_THREADS 256

/* A thread, and the call that it is in. */
struct thread {
    pid_t id;
    bool in_call, is_denied, is_changed;
    unsigned long long rdi,
        rdx; /* of a changed call: the caller finds its registers as they were */
};

static struct thread threads[MAX_THREADS];
static size_t n_threads;

static void give_up(const char *what)
{
    fprintf(stderr, "fail_call: %s: %s\n", what, strerror(errno));
    exit(errno == EPERM || errno == ENOSYS ? EXIT_SKIP : EXIT_BROKEN);
}

static struct thread *thread_of(pid_t id)
{
    for (size_t i = 0; i < n_threads; i++)
        if (threads[i].id == id)
            return &threads[i];
    if (n_threads == MAX_THREADS) {
        errno = E2BIG;
        give_up("too many threads");
    }
    threads[n_threads] = (struct thread){.id = id};
    return &threads[n_threads++];
}

static void forget_thread(pid_t id)
{
    struct thread *thread = thread_of(id);
    *thread = threads[--n_threads];
}

static const struct call *call_of(long number)
{
    for (size_t i = 0; i < N_CALLS; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

static bool is_counted(const struct kind *kind, const struct call *call,
                       const struct user_regs_struct *regs)
{
    if (!call || (kind->mask && !(call->can & kind->mask)))
        return false;
    if (strcmp(kind->name, "short") == 0)
        return regs->rdx > 1 && call->number != SYS_fstat && call->number != SYS_getdents64 &&
               call->number != SYS_readv && call->number != SYS_writev;
    return call->number != SYS_brk || regs->rdi != 0; /* a question, which never fails */
}

static void keep_registers(struct thread *thread, const struct user_regs_struct *regs)
{
    thread->is_changed = true;
    thread->rdi = regs->rdi;
    thread->rdx = regs->rdx;
}

/* Before the call is made. */
static void meet_fate(const struct run *run, struct thread *thread, struct user_regs_struct *regs)
{
    const struct kind *kind = run->kind[0];
    if (kind->signal) {
        kill(run->leader, kind->signal);
        return;
    }
    if (strcmp(kind->name, "meanwhile") == 0) {
        const char *command = getenv(MEANWHILE);
        if (!command || system(command) != 0)
            give_up("what was to happen meanwhile failed");
        return;
    }
    if (regs->orig_rax == SYS_brk) {
        keep_registers(thread, regs);
        regs->rdi = 0; /* without room for more it returns the end of the heap as it is */
    } else if (kind->error) {
        if (regs->orig_rax != SYS_close) /* which closes, even when it fails */
            regs->orig_rax = (unsigned long long)-1;
        thread->is_denied = true;
    } else {
        keep_registers(thread, regs);
        regs->rdx = (regs->rdx + 1) / 2;
    }
    if (ptrace(PTRACE_SETREGS, thread->id, NULL, regs))
        give_up("cannot change a call");
}

static void on_entry(struct run *run, struct thread *thread)
{
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, thread->id, NULL, &regs))
        return; /* killed meanwhile */
    long number = (long)regs.orig_rax;
    if (!run->in_main)
        run->in_main = number == SYS_rt_sigaction && regs.rdi == SIGINT;
    const struct call *call = call_of(number);
    if (!run->in_main)
        return;
    for (size_t i = 0; i < run->n_kinds; i++) {
        if (!is_counted(run->kind[i], call, &regs))
            continue;
        run->n_counted[i]++;
        if (run->mode == LIST)
            fprintf(stderr, "%ld %s\n", run->n_counted[i], call->name);
        if (run->mode == NTH && run->n_counted[i] == run->nth)
            meet_fate(run, thread, &regs);
    }
}

static void on_exit_of_call(const struct run *run, struct thread *thread)
{
    struct user_regs_struct regs;
    if (!thread->is_denied && !thread->is_changed)
        return;
    if (ptrace(PTRACE_GETREGS, thread->id, NULL, &regs))
        return;
    if (thread->is_denied)
        regs.rax = (unsigned long long)-(long)run->kind[0]->error;
    if (thread->is_changed) {
        regs.rdi = thread->rdi;
        regs.rdx = thread->rdx;
    }
    thread->is_denied = thread->is_changed = false;
    if (ptrace(PTRACE_SETREGS, thread->id, NULL, &regs))
        give_up("cannot change what a call returns");
}

static int exit_code(const struct run *run, int status)
{
    for (size_t i = 0; i < run->n_kinds && run->mode == COUNT; i++)
        fprintf(stderr, "%ld\n", run->n_counted[i]);
    if (run->mode == NTH && run->n_counted[0] < run->nth)
        return EXIT_NO_SUCH_CALL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Which signal a stopped thread goes on with. */
static int handle_stop(struct run *run, pid_t id, int status)
{
    struct thread *thread = thread_of(id);
    int number = WSTOPSIG(status);
    if (number == (SIGTRAP | 0x80)) {
        thread->in_call = !thread->in_call;
        if (thread->in_call)
            on_entry(run, thread);
        else
            on_exit_of_call(run, thread);
        return 0;
    }
    bool is_event = number == SIGTRAP || number == SIGSTOP; /* clone, exec, a new thread */
    return is_event ? 0 : number;
}

static int follow(struct run *run)
{
    int status = 0;
    const long options =
        PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (waitpid(run->leader, &status, 0) < 0 || !WIFSTOPPED(status))
        give_up("the command did not start");
    if (ptrace(PTRACE_SETOPTIONS, run->leader, NULL, options) ||
        ptrace(PTRACE_SYSCALL, run->leader, NULL, NULL))
        give_up("cannot trace");
    for (;;) {
        pid_t id = waitpid(-1, &status, __WALL);
        if (id < 0)
            give_up("cannot wait");
        if (!WIFSTOPPED(status)) {
            if (id == run->leader)
                return exit_code(run, status);
            forget_thread(id);
            continue;
        }
        long deliver = handle_stop(run, id, status);
        if (ptrace(PTRACE_SYSCALL, id, NULL, deliver) && errno != ESRCH)
            give_up("cannot go on");
    }
}

static int usage(void)
{
    fputs("usage: fail_call --count|--list|--nth N KIND[,KIND...] -- COMMAND...\n", stderr);
    return EXIT_BROKEN;
}

/* The kinds that a list between commas names. False: one is none, or there are too many. */
static bool find_kinds(struct run *run, char *names)
{
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        size_t i = 0;
        while (i < N_KINDS && strcmp(kinds[i].name, name) != 0)
            i++;
        if (i == N_KINDS || run->n_kinds == N_KINDS)
            return false;
        run->kind[run->n_kinds++] = &kinds[i];
    }
    return run->n_kinds == 1 || (run->n_kinds && run->mode == COUNT);
}

int main(int argc, char **argv)
{
    struct run run = {.mode = COUNT};
    int at = 1;
    if (argc < 5)
        return usage();
    if (strcmp(argv[at], "--list") == 0)
        run.mode = LIST;
    if (strcmp(argv[at], "--nth") == 0) {
        run.mode = NTH;
        run.nth = strtol(argv[++at], NULL, 10);
    }
    bool are_kinds = find_kinds(&run, argv[++at]);
    if (!are_kinds || ++at + 1 >= argc || strcmp(argv[at], "--") != 0)
        return usage();
    run.leader = fork();
    if (run.leader < 0)
        give_up("cannot fork");
    if (run.leader == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            give_up("cannot be traced");
        execvp(argv[at + 1], argv + at + 1);
        give_up("cannot run the command");
    }
    return follow(&run);
}
#endif

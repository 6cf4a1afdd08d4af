/* A file system that cannot exchange two names, as NFS. */
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from_directory, const char *from, int to_directory, const char *to,
              unsigned flags)
{
    if (flags) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, 0);
}

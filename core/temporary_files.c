#include "core/temporary_files.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define MAX_NAMES 1024

static _Atomic(const char *) names[MAX_NAMES];

void hc_temporary_add(const char *path)
{
    for (size_t i = 0; i < MAX_NAMES; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&names[i], &none, path))
            return;
    }
}

void hc_temporary_forget(const char *path)
{
    for (size_t i = 0; path && i < MAX_NAMES; i++) {
        const char *same = path;
        if (atomic_compare_exchange_strong(&names[i], &same, NULL))
            return;
    }
}

void hc_temporary_remove_all(void)
{
    for (size_t i = MAX_NAMES; i-- > 0;) {
        const char *path = atomic_exchange(&names[i], NULL);
        if (path && unlink(path))
            rmdir(path);
    }
}

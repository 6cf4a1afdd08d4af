#include "core/text/collective_op.h"

#include <string.h>

/* The letters of a name decide: "_", "-" and case do not. Longer stems come before those that they
 * begin with. */
static const struct {
    const char *letters, *canonical;
} stems[] = {
    {"allreduce", "all_reduce"},
    {"allgather", "all_gather"},
    {"reducescatter", "reduce_scatter"},
    {"alltoall", "all_to_all"},
    {"broadcast", "broadcast"},
    {"monitoredbarrier", "barrier"},
    {"barrier", "barrier"},
    {"reduce", "reduce"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"isend", "send"},
    {"irecv", "recv"},
    {"send", "send"},
    {"recv", "recv"},
    {"wait", "wait"},
    {"coalesced", "coalesced"},
};

/* What may follow a stem and says how tensors are laid out, not what is done with them. */
static const char *const endings[] = {"base",   "v",      "coalesced", "intotensor", "tensor",
                                      "single", "sparse", "oop",       "anysource"};

static bool are_endings(const char *letters)
{
    while (*letters) {
        size_t i = 0, n = sizeof endings / sizeof *endings;
        while (i < n && strncmp(letters, endings[i], strlen(endings[i])) != 0)
            i++;
        if (i == n)
            return false;
        letters += strlen(endings[i]);
    }
    return true;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

void hc_collective_op(char canonical[HC_COLLECTIVE_OP], const char *text, size_t length)
{
    char letters[HC_COLLECTIVE_OP];
    size_t n = 0, kept = 0;
    if (length > 5 && memcmp(text, "nccl:", 5) == 0) {
        text += 5;
        length -= 5;
    }
    const char *blank = memchr(text, ' ', length);
    if (blank)
        length = (size_t)(blank - text);
    for (size_t i = 0; i < length && i < HC_COLLECTIVE_OP - 1; i++) {
        char c = lower(text[i]);
        canonical[kept++] = c;
        if (c != '_' && c != '-')
            letters[n++] = c;
    }
    canonical[kept] = letters[n] = '\0';
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        size_t stem = strlen(stems[i].letters);
        if (strncmp(letters, stems[i].letters, stem) == 0 && are_endings(letters + stem)) {
            strcpy(canonical, stems[i].canonical);
            return;
        }
    }
}

bool hc_collective_op_is_p2p(const char *canonical)
{
    return strcmp(canonical, "send") == 0 || strcmp(canonical, "recv") == 0;
}

static bool is_one_of(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool hc_collective_op_is_joint(const char *canonical)
{
    static const char *const joint[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                        "barrier"};
    return is_one_of(joint, sizeof joint / sizeof *joint, canonical);
}

double hc_collective_bus_factor(const char *canonical, int64_t n)
{
    static const char *const shared[] = {"all_gather", "reduce_scatter", "all_to_all", "gather",
                                         "scatter"};
    double others = (double)(n - 1) / (double)n;
    if (strcmp(canonical, "all_reduce") == 0)
        return 2 * others;
    return is_one_of(shared, sizeof shared / sizeof *shared, canonical) ? others : 1;
}

#include "parsers/collectives/rank_of_name.h"

#include <ctype.h>
#include <string.h>

bool hc_rank_of_name(const char *path, int32_t *rank)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t end = strlen(name);
    while (end > 0 && !isdigit((unsigned char)name[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)name[start - 1]))
        start--;
    *rank = 0;
    if (start == end || end - start > 9)
        return false;
    for (size_t i = start; i < end; i++)
        *rank = *rank * 10 + (name[i] - '0');
    return true;
}

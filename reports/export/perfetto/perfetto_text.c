#include "reports/export/perfetto/perfetto_text.h"

#include "core/base/missing.h"

char *hc_put_number(char *to, int64_t value)
{
    char digits[20];
    int n = 0;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (value < 0)
        *to++ = '-';
    do
        digits[n++] = (char)('0' + size % 10);
    while (size /= 10);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

char *hc_put_id(char *to, int32_t id)
{
    return id == HC_MISSING_I32 ? HC_PUT(to, "null") : hc_put_number(to, id);
}

char *hc_put_microseconds(char *to, int64_t ns)
{
    to = hc_put_number(to, ns / 1000);
    int thousandths = (int)(ns % 1000);
    *to++ = '.';
    *to++ = (char)('0' + thousandths / 100);
    *to++ = (char)('0' + thousandths / 10 % 10);
    *to++ = (char)('0' + thousandths % 10);
    return to;
}

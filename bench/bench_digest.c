/* SHA-256, which every source and segment goes through. */
#include "bench/bench.h"

#include "core/base/digest.h"

#include <stdio.h>

#define SIZE ((size_t)8 << 20)

static void digest(void *context)
{
    char text[HC_DIGEST_TEXT];
    hc_digest_bytes(context, SIZE, text);
}

int main(void)
{
    static unsigned char bytes[SIZE];
    struct hc_bench bench = hc_bench_start();
    double seconds = hc_bench_seconds(digest, bytes);
    hc_bench_note(&bench, "SHA-256", (double)SIZE / seconds * 1e-6, "MB/s");
    return hc_bench_end(&bench);
}

/* Foreign names and any numbers in the text of every report: it is UTF-8, and no character of a
 * name reaches the terminal that acts instead of being seen. */
#include "reports/study/study_views.h"
#include "reports/whatif/whatif_text.h"
#include "tests/fuzz/documents.h"
#include "tests/fuzz/shown.h"

#include <stdio.h>

enum view { FLEET, STUDY, WHATIF, N_VIEWS }; /* by the first byte */

static void check(const struct fuzz_documents *d, enum view view)
{
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream);
    if (view == FLEET)
        require(!hc_fleet_write_text(stream, &d->fleet, &err));
    else if (view == STUDY)
        require(!hc_study_write_text(&d->study.result, stream, &err));
    else
        require(!hc_whatif_write_text(stream, &d->whatif, &err));
    require(!fclose(stream));
    fuzz_check_shown(text, size, "\n");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    enum view view = fuzz_byte(&input) % N_VIEWS;
    struct fuzz_documents d;
    fuzz_documents_init(&d, &input, false);
    check(&d, view);
    fuzz_documents_fini(&d);
    return 0;
}

/* Any bytes as a partial of a fleet, or as a kept row: what is not sealed is refused; with a seal
 * put on it, what is accepted is in range, and is the same when it is written and read again. */
#include "core/files/sealed_json.h"
#include "pipeline/fleet/fleet_partial.h"
#include "tests/fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Read bytes as a file. */
static enum hc_status read_bytes(struct hc_fleet_partial *partial, const void *bytes, size_t size,
                                 struct hc_error *err)
{
    char path[64];
    int fd = memfd_create("partial", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum hc_status status = hc_fleet_partial_read(partial, path, err);
    require(status == HC_OK || strstr(err->message, path)); /* the message names the file */
    close(fd);
    return status;
}

static char *text_of(const struct hc_fleet_partial *partial)
{
    struct hc_error err = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    require(stream && hc_fleet_partial_write(stream, partial, &err) == HC_OK);
    fclose(stream);
    return text;
}

static void check_partial(const struct hc_fleet_partial *partial)
{
    struct hc_error err = {0};
    struct hc_fleet_partial again;
    require(partial->shard.index >= 1 && partial->shard.index <= partial->shard.n);
    require(partial->n_jobs >= 0 && strlen(partial->segments_sha256) == HC_DIGEST_TEXT - 1);
    for (size_t i = 0; i < partial->n_rows; i++) {
        const struct hc_fleet_row *row = &partial->rows[i];
        require((unsigned)row->fate < HC_N_FLEET_FATES &&
                (unsigned)row->cause < HC_N_STRAGGLER_CAUSES);
        require(row->n_types <= HC_FLEET_MAX_TYPES && row->n_sampled <= HC_FLEET_SAMPLED_STEPS);
    }
    char *text = text_of(partial);
    require(read_bytes(&again, text, strlen(text), &err) == HC_OK);
    require(hc_fleet_partial_match(partial, &again, &err) == HC_OK);
    char *twice = text_of(&again);
    require(strcmp(text, twice) == 0);
    free(text);
    free(twice);
    hc_fleet_partial_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_error err = {0};
    struct hc_fleet_partial partial;
    if (read_bytes(&partial, data, size, &err) == HC_OK) {
        require(hc_sealed_json_is_whole((const char *)data, size));
        check_partial(&partial);
        hc_fleet_partial_fini(&partial);
    }
    char *document = malloc(size + 1);
    require(document != NULL);
    memcpy(document, data, size);
    document[size] = '\0';
    char *sealed = hc_sealed_json(document, &err);
    require(sealed != NULL);
    if (read_bytes(&partial, sealed, strlen(sealed), &err) == HC_OK) {
        check_partial(&partial);
        hc_fleet_partial_fini(&partial);
    }
    free(sealed);
    free(document);
    return 0;
}

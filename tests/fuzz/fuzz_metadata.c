/* Any bytes as metadata: what is accepted keeps the promises of struct hc_job. */
#include "core/tables/job.h"
#include "parsers/steps/metadata.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static void check_job(const struct hc_job *job)
{
    require(job->id && job->id[0] && job->cluster && job->cluster[0] && job->attempt >= 0);
    const int32_t sizes[] = {job->dp_size,  job->pp_size,  job->tp_size,
                             job->dsp_size, job->vpp_size, job->world_size};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        require(sizes[i] > 0 || sizes[i] == HC_MISSING_I32);
    for (size_t i = 0; i < job->n_nodes; i++) {
        require(job->nodes[i].rank >= 0 && job->nodes[i].node[0]);
        require(i == 0 || job->nodes[i].rank > job->nodes[i - 1].rank);
    }
    for (size_t i = 0; i < job->n_aliases; i++)
        require(job->aliases[i].op_type == HC_OP_IGNORED ||
                hc_op_type_name(job->aliases[i].op_type) != NULL);
    for (size_t i = 1; i < job->n_switches; i++)
        require(strcmp(job->switches[i - 1], job->switches[i]) < 0);
    for (size_t i = 0; i < job->n_switched; i++) {
        require((size_t)job->switched[i].switch_code < job->n_switches);
        require(hc_job_switch(job, job->switched[i].node) == job->switched[i].switch_code);
    }
    require(job->absent_ops >> HC_N_OP_TYPES == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (!nowhere && (nowhere = fopen("/dev/null", "w")))
        stderr = nowhere; /* warnings of unknown keys; sanitizers and libFuzzer have their own */
    struct hc_source source = bytes_source("fuzz", data, size);
    struct hc_error err = {0};
    struct hc_job job;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", source.fd);
    if (hc_metadata_read(&job, path, "fallback", &err) == HC_OK) {
        check_job(&job);
        hc_job_fini(&job);
    } else {
        require(err.message[0] != '\0');
    }
    hc_source_close(&source);
    return 0;
}

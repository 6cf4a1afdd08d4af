/* comm_facts.h - what a trace says of one communication kernel, wherever it says it.
 * Private to this wing.
 *
 *     hc_comm_reader_open(&reader, profile, rank, err);
 *     hc_comm_reader_read(&reader, row, &facts);   // rows of gpu in ascending order
 *     hc_comm_reader_close(&reader);
 */
#ifndef HC_MODELS_PROFILES_COMM_FACTS_H
#define HC_MODELS_PROFILES_COMM_FACTS_H

#include "models/profiles/profile.h"

/* Missing where nothing says it. Texts are valid as long as the profile. */
struct hc_comm_facts {
    const char *op; /* canonical; "" unknown */
    int32_t group, description, dtype;
    int32_t group_size, rank_start, rank_stride, source, destination;
    int64_t in_elements, out_elements, seq;
    bool is_p2p;
};

/* Spans of the threads of a rank that may enclose a launch. */
struct hc_enclosing {
    size_t n;
    struct hc_sort_key *spans; /* by thread, then by start: the rows of a table */
    int64_t *latest_end;       /* of the spans of the thread up to this one */
    const struct hc_table *table;
};

struct hc_comm_reader {
    const struct hc_profile *profile;
    const struct hc_profile_rank *rank;
    const struct hc_text_set *ops;
    struct hc_enclosing records, annotations;
    size_t next; /* row of comms from which on to look for arguments of the kernel */
};

enum hc_status hc_comm_reader_open(struct hc_comm_reader *reader, const struct hc_profile *profile,
                                   const struct hc_profile_rank *rank, struct hc_error *err);
void hc_comm_reader_close(struct hc_comm_reader *reader);

/* The facts of the kernel in a row of gpu: by its arguments; what they leave open by the
 * record_param_comms that encloses its launch; the op, if still open, by the enclosing annotation
 * "nccl:<op>", at last by the name of the kernel. */
void hc_comm_reader_read(struct hc_comm_reader *reader, size_t row, struct hc_comm_facts *facts);

/* The elements that the op moves by the count of nccl-tests: those that come out of an all_gather,
 * the more of those in and out between two ranks, else those that go in. HC_MISSING_I64 unknown. */
int64_t hc_comm_elements(const struct hc_comm_facts *facts);

/* Bytes of an element of a type by its name ("BFloat16", "long int"); 0 unknown. */
int64_t hc_comm_element_size(const char *dtype);

#endif

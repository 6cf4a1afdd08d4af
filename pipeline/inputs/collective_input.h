/* collective_input.h - the dumps of the collectives of a job, from files and directories or from an
 * archive, as a set for a diagnosis. */
#ifndef HC_PIPELINE_INPUTS_COLLECTIVE_INPUT_H
#define HC_PIPELINE_INPUTS_COLLECTIVE_INPUT_H

#include "models/collectives/collective_set.h"
#include "pipeline/inputs/source_input.h"

/* What became of a file. */
enum hc_dump_outcome {
    HC_DUMP_READ,
    HC_DUMP_CUT,        /* its tail is missing: what was there before is used */
    HC_DUMP_UNREADABLE, /* nothing of it is used */
    HC_DUMP_TWIN,       /* the same bytes as another file of that rank */
    HC_DUMP_FOREIGN     /* of a directory: it is no dump */
};

struct hc_dump_file {
    char *path;
    char *why; /* of an unreadable one; or NULL */
    int32_t rank;
    bool has_rank; /* its name says so */
    bool is_of_directory;
    bool is_empty;           /* of an unreadable one: it has no bytes */
    bool is_member;          /* of a tar archive */
    struct hc_source source; /* of a member, until it is read */
    enum hc_dump_outcome outcome;
};

struct hc_collective_input {
    struct hc_collective_set set;
    size_t n_files, capacity;
    struct hc_dump_file *files; /* by rank, then path */
};

/* Read all dumps of paths: files, and directories and tar archives, of which every file that is a
 * dump is read. A
 * dump that cannot be read is said in its file, and left out. HC_BAD_INPUT, naming the files: two
 * different dumps of one rank, several files of whose rank nothing tells, no dump at all. */
enum hc_status hc_collective_load(struct hc_collective_input *input, const char *const *paths,
                                  size_t n, const struct hc_trace_options *options,
                                  struct hc_error *err);

/* The same of a job of the archive at path: all dumps that it keeps of it. HC_USAGE where there is
 * no such job, or several. */
enum hc_status hc_collective_load_job(struct hc_collective_input *input, const char *archive_path,
                                      const char *job, struct hc_error *err);
void hc_collective_input_fini(struct hc_collective_input *input);

#endif

/* outset_internal.h - what the files of module outset share (core/files/outset.h).
 * Private to this wing. */
#ifndef HC_CORE_FILES_OUTSET_INTERNAL_H
#define HC_CORE_FILES_OUTSET_INTERNAL_H

#include "core/files/outfile.h"
#include "core/files/outset.h"

enum hc_outset_kind {
    HC_OUTSET_WRITTEN,  /* by us, then renamed */
    HC_OUTSET_ADOPTED,  /* whole under the name out.temporary, then renamed */
    HC_OUTSET_DROPPED,  /* removed */
    HC_OUTSET_KEPT,     /* stays as it is */
    HC_OUTSET_IN_PLACE, /* standard output, a pipe, a device */
    HC_OUTSET_EMPTY,    /* a table that turned out to have no rows: not written */
};

struct hc_outset_file {
    enum hc_outset_kind kind;
    struct hc_outfile out;
    FILE *held;  /* what goes to out.stream at the end; or NULL */
    char *aside; /* name of what was there before, while it may have to come back; or NULL */
    bool is_published, is_index;
    bool is_table; /* that is not wanted without rows */
    bool is_left;  /* without commit, what is adopted stays */
    size_t index;  /* number of the index that lists it, from 1; or 0 */
};

/* An index to be written. */
struct hc_outset_index {
    char *directory; /* as it was given */
    char *path;      /* of the index, resolved */
    size_t prefix;   /* length of the directory in it, with the slash */
    char run_id[HC_RUN_ID];
};

struct hc_outset {
    struct hc_outset_file *files;
    size_t n, capacity;
    struct hc_outset_index *indexes;
    size_t n_indexes, index_capacity;
    size_t index; /* of the files that are added now */
    struct hc_outset_made {
        char *path;
        bool is_scratch;
    } * made; /* directories, a parent before what is in it */
    size_t n_made, made_capacity;
};

/* Take the tables without rows out of the set, before any index is written. */
enum hc_status hc_outset_leave_empty(struct hc_outset *set, struct hc_error *err);

/* Write the indexes, once all bytes of the other files are written. */
enum hc_status hc_outset_write_indexes(struct hc_outset *set, struct hc_error *err);

void hc_outset_free_indexes(struct hc_outset *set);

/* The directories that a commit concerns, open and, as far as they can be, locked. */
struct hc_outset_places {
    struct hc_outset_place {
        char *path;
        int fd;
        bool is_locked;
    } * place;
    size_t n, capacity;
};

enum hc_status hc_outset_lock(struct hc_outset_places *places, const struct hc_outset *set,
                              struct hc_error *err);

/* Lock a directory that is open, against other writers in it, waiting for a moment. False: somebody
 * holds it for longer, or the file system has no locks. */
bool hc_outset_lock_directory(int fd);

/* Remove what writers of these files left when they were killed, in directories that are locked. */
void hc_outset_sweep(const struct hc_outset_places *places, const struct hc_outset *set);

enum hc_status hc_outset_sync(const struct hc_outset_places *places, struct hc_error *err);

void hc_outset_unlock(struct hc_outset_places *places);

/* Be done with the directories that were made: they stay, or go where they are empty; what is
 * scratch goes in any case. */
void hc_outset_end_directories(struct hc_outset *set, bool keep);

#endif

/* made_by.h - which program and which command line make what this process writes, so that each
 * result says where it came from. Set once, before anything is written; texts stay the caller's. */
#ifndef HC_CORE_PROCESS_MADE_BY_H
#define HC_CORE_PROCESS_MADE_BY_H

#include <stdbool.h>

/* NULL is what is not known, as in a test. */
struct hc_made_by {
    const char *commit; /* of the sources, "-changed" behind it where they were; "" outside git */
    const char *libraries; /* "HDF5 1.10.8, GSL 2.7.1, ..."; NULL: ask_libraries says them */
    const char *(*ask_libraries)(void);
    const char *command; /* "hindcast whatif --steps=10-20 slow-worker": what shapes the result;
                            threads, outputs and shards, which change no byte of it, are left out */
    bool names_no_file;  /* what is written becomes the id of a run: records leave out the names of
                            files, whose content has a digest beside them */
};

/* What is set now; its libraries are those of hc_made_by_libraries(). */
struct hc_made_by hc_made_by(void);
const char *hc_made_by_libraries(void);
void hc_made_by_set(const struct hc_made_by *made_by);

#endif

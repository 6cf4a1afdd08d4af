/* time_basis.h - how the time of a record is known. Names are stable: the archive keeps them. */
#ifndef HC_CORE_TABLES_NODES_TIME_BASIS_H
#define HC_CORE_TABLES_NODES_TIME_BASIS_H

enum hc_time_basis {
    HC_TIME_STATED,  /* Unix time, or one with its zone */
    HC_TIME_LOCAL,   /* a local time; the zone is the one given for the source */
    HC_TIME_OF_NAME, /* the name of the file says it */
    HC_TIME_OF_FILE, /* nothing says it: when the file was written last */
    HC_N_TIME_BASES
};

#define HC_TIME_BASIS_NAMES                                                                        \
    {                                                                                              \
        "stated", "local", "file_name", "file_time"                                                \
    }

#endif

/* rank_of_name.h - the rank that the name of a file ends with. */
#ifndef HC_PARSERS_COLLECTIVES_RANK_OF_NAME_H
#define HC_PARSERS_COLLECTIVES_RANK_OF_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* The last digits in the name of a file, its directories aside: 3 of "run7/_dump_3" and of
 * "host12_rank_3.json". False, and rank 0, where there are none, or more than a rank has. */
bool hc_rank_of_name(const char *path, int32_t *rank);

#endif

/* pickle_reader.h - Python's pickles, protocols 2 to 5, of plain values only. Private to this wing.
 *
 * A pickle is a program for a stack machine. Opcodes that make plain values (dict, list, tuple,
 * str, int, float, bool, None) and refer to them again are carried out; the others, which could
 * name a class or call a function, are refused by name, as pickletools names them. So nothing that
 * a pickle says can be run.
 */
#ifndef HC_PARSERS_COLLECTIVES_PICKLE_READER_H
#define HC_PARSERS_COLLECTIVES_PICKLE_READER_H

#include "parsers/collectives/dump_value.h"
#include "parsers/io/source.h"

#include <stdbool.h>

struct hc_pickle_reader;

/* The source and taker stay valid until close. */
enum hc_status hc_pickle_open(struct hc_pickle_reader **reader, const struct hc_source *source,
                              const struct hc_dump_taker *taker, struct hc_error *err);
void hc_pickle_close(struct hc_pickle_reader *reader);

/* Carry out opcodes until a dictionary was taken or the pickle is over. HC_BAD_INPUT, naming file
 * and byte, for other opcodes and damage. */
struct hc_pickle_end {
    bool is_over;
    bool is_cut; /* over, but its tail is missing */
    struct hc_dump_value
        value; /* once it is over: all of it, of a cut one the keys of the outermost
                  dictionary whose values are whole; stays valid until close */
};
enum hc_status hc_pickle_run(struct hc_pickle_reader *reader, struct hc_pickle_end *end,
                             struct hc_error *err);

int64_t hc_pickle_position(const struct hc_pickle_reader *reader);

#endif

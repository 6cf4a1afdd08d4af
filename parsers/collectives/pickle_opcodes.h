/* pickle_opcodes.h - the opcodes of Python's pickles that are carried out, and the names of all.
 * Private to this wing. The numbers and names are those of Python's module pickletools. */
#ifndef HC_PARSERS_COLLECTIVES_PICKLE_OPCODES_H
#define HC_PARSERS_COLLECTIVES_PICKLE_OPCODES_H

enum hc_pickle_opcode {
    HC_PICKLE_PROTO = 0x80,
    HC_PICKLE_FRAME = 0x95,
    HC_PICKLE_STOP = 0x2e,
    HC_PICKLE_NONE = 0x4e,
    HC_PICKLE_NEWTRUE = 0x88,
    HC_PICKLE_NEWFALSE = 0x89,
    HC_PICKLE_BININT = 0x4a,
    HC_PICKLE_BININT1 = 0x4b,
    HC_PICKLE_BININT2 = 0x4d,
    HC_PICKLE_LONG1 = 0x8a,
    HC_PICKLE_BINFLOAT = 0x47,
    HC_PICKLE_BINUNICODE = 0x58,
    HC_PICKLE_SHORT_BINUNICODE = 0x8c,
    HC_PICKLE_BINUNICODE8 = 0x8d,
    HC_PICKLE_MARK = 0x28,
    HC_PICKLE_EMPTY_DICT = 0x7d,
    HC_PICKLE_EMPTY_LIST = 0x5d,
    HC_PICKLE_EMPTY_TUPLE = 0x29,
    HC_PICKLE_TUPLE = 0x74,
    HC_PICKLE_TUPLE1 = 0x85,
    HC_PICKLE_TUPLE2 = 0x86,
    HC_PICKLE_TUPLE3 = 0x87,
    HC_PICKLE_APPEND = 0x61,
    HC_PICKLE_APPENDS = 0x65,
    HC_PICKLE_SETITEM = 0x73,
    HC_PICKLE_SETITEMS = 0x75,
    HC_PICKLE_BINPUT = 0x71,
    HC_PICKLE_LONG_BINPUT = 0x72,
    HC_PICKLE_BINGET = 0x68,
    HC_PICKLE_LONG_BINGET = 0x6a,
    HC_PICKLE_MEMOIZE = 0x94
};

/* The name of an opcode, also of one that is refused; NULL where there is none such. */
const char *hc_pickle_opcode_name(unsigned char opcode);

#endif

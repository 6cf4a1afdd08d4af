# Script: a C file with the text of a file.
#   cmake -DOUT=FILE.c -DPATTERNS=FILE -P embed_patterns.cmake
file(READ ${PATTERNS} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "/* Made by cmake/embed_patterns.cmake from data/patterns/failures.conf. */
#include \"parsers/failures/failure_patterns.h\"

const char hc_failure_patterns_text[] = {\n${bytes}0};\n")

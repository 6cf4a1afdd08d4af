# Script: a C file with the texts of the files of patterns.
#   cmake -DOUT=FILE.c -DFAILURES=FILE -DTRAINING=FILE -P embed_patterns.cmake
function(bytes_of file out)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(${out} "${bytes}" PARENT_SCOPE)
endfunction()
bytes_of(${FAILURES} failures)
bytes_of(${TRAINING} training)
file(WRITE ${OUT} "/* Made by cmake/embed_patterns.cmake from data/patterns. */
#include \"parsers/failures/failure_patterns.h\"
#include \"parsers/logs/log_patterns.h\"

const char hc_failure_patterns_text[] = {\n${failures}0};
const char hc_training_patterns_text[] = {\n${training}0};\n")

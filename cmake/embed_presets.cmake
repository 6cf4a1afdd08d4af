# Script: one C file with the text of every preset, so that the program needs no path at run time.
#   cmake -DOUT=FILE.c -DPRESETS=a.json|b.json -P embed_presets.cmake
# The first line of a preset is its title, the second its source; both as comments.
string(REPLACE "|" ";" presets "${PRESETS}")
list(SORT presets)
set(texts "")
set(rows "")
set(n 0)
foreach(preset IN LISTS presets)
  get_filename_component(name ${preset} NAME_WE)
  file(STRINGS ${preset} lines LIMIT_COUNT 2 ENCODING UTF-8)
  list(LENGTH lines n_lines)
  if(NOT n_lines EQUAL 2)
    message(FATAL_ERROR "${preset}: its first two lines must be title and source, without ';'")
  endif()
  list(GET lines 0 title)
  list(GET lines 1 source)
  if(NOT title MATCHES "^// [^\"\\]+$" OR NOT source MATCHES "^// Source: [^\"\\]+$")
    message(FATAL_ERROR "${preset}: must start with '// TITLE' and '// Source: SOURCE'")
  endif()
  string(REGEX REPLACE "^// " "" title "${title}")
  string(REGEX REPLACE "^// Source: " "" source "${source}")
  file(READ ${preset} bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const char text_${n}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", \"${title}\", \"${source}\", text_${n}, ${length}},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/embed_presets.cmake from data/presets. */
#include \"study/grammar/presets.h\"

${texts}
const struct hc_preset hc_presets[] = {\n${rows}};
const size_t hc_n_presets = ${n};
")

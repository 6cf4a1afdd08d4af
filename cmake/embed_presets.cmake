# Script: one C file with the text of every preset, so that the program needs no path at run time.
#   cmake -DOUT=FILE.c -DPRESETS=a.json|b.json -P embed_presets.cmake
# The first line of a preset is its title, the second its source, the third the key of that in
# data/presets/sources; all as comments. NAME.json is the newest version of a preset; those before it are
# NAME@1.json, NAME@2.json, ... and stay as they are.
string(REPLACE "|" ";" presets "${PRESETS}")
list(SORT presets)
set(texts "")
set(rows "")
set(n 0)

# The bytes of a file as those of a C array, and how many there are.
function(embed file bytes_out length_out)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(${bytes_out} "${bytes}" PARENT_SCOPE)
  set(${length_out} ${length} PARENT_SCOPE)
endfunction()

# Rows are by name, the newest version first.
set(ordered "")
foreach(preset IN LISTS presets)
  get_filename_component(name ${preset} NAME_WE)
  if(name MATCHES "@")
    continue()
  endif()
  get_filename_component(folder ${preset} DIRECTORY)
  set(version 1)
  set(older "")
  while(EXISTS ${folder}/${name}@${version}.json)
    list(PREPEND older "${folder}/${name}@${version}.json|${name}|${version}")
    math(EXPR version "${version} + 1")
  endwhile()
  list(APPEND ordered "${preset}|${name}|${version}" ${older})
endforeach()
list(LENGTH ordered n_ordered)
list(LENGTH presets n_presets)
if(NOT n_ordered EQUAL n_presets)
  message(FATAL_ERROR "data/presets: versions of a preset must count from 1: NAME@1.json, NAME@2.json, ..., NAME.json")
endif()

foreach(row IN LISTS ordered)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 preset)
  list(GET row 1 name)
  list(GET row 2 version)
  file(STRINGS ${preset} lines LIMIT_COUNT 3 ENCODING UTF-8)
  list(LENGTH lines n_lines)
  if(NOT n_lines EQUAL 3)
    message(FATAL_ERROR "${preset}: its first three lines must be title, source and key, without ';'")
  endif()
  list(GET lines 0 title)
  list(GET lines 1 source)
  list(GET lines 2 key)
  if(NOT title MATCHES "^// [^\"\\]+$" OR NOT source MATCHES "^// Source: [^\"\\]+$")
    message(FATAL_ERROR "${preset}: must start with '// TITLE' and '// Source: SOURCE'")
  endif()
  get_filename_component(folder ${preset} DIRECTORY)
  string(REGEX REPLACE "^// Cite: ([a-z0-9]+)$" "\\1" key "${key}")
  if(NOT EXISTS ${folder}/sources/${key}.bib)
    message(FATAL_ERROR "${preset}: its third line must be '// Cite: KEY', of data/presets/sources/KEY.bib")
  endif()
  string(REGEX REPLACE "^// " "" title "${title}")
  string(REGEX REPLACE "^// Source: " "" source "${source}")
  embed(${preset} bytes length)
  embed(${folder}/sources/${key}.bib cite cite_length)
  string(APPEND texts "static const char text_${n}[] = {\n${bytes}0};\n")
  string(APPEND texts "static const char cite_${n}[] = {\n${cite}0};\n")
  string(APPEND rows "    {\"${name}\", ${version}, \"${title}\", \"${source}\", cite_${n}, text_${n}, ${length}},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/embed_presets.cmake from data/presets. */
#include \"study/grammar/presets.h\"

${texts}
const struct hc_preset hc_presets[] = {\n${rows}};
const size_t hc_n_presets = ${n};
")

# data/presets/*.json as an array in the program.
file(GLOB preset_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/data/presets/*.json)
file(GLOB source_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/data/presets/sources/*.bib)
string(REPLACE ";" "|" preset_list "${preset_files}")
set(presets_c ${CMAKE_BINARY_DIR}/presets_data.c)
add_custom_command(OUTPUT ${presets_c}
  COMMAND ${CMAKE_COMMAND} -DOUT=${presets_c} "-DPRESETS=${preset_list}"
          -P ${CMAKE_SOURCE_DIR}/cmake/embed_presets.cmake
  DEPENDS ${preset_files} ${source_files} ${CMAKE_SOURCE_DIR}/cmake/embed_presets.cmake
  COMMENT "Embedding the presets" VERBATIM)

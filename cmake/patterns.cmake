# The patterns of data/patterns as texts in the program, so that it needs no path at run time.
set(patterns_folder ${CMAKE_SOURCE_DIR}/data/patterns)
set(patterns_c ${CMAKE_BINARY_DIR}/patterns_data.c)
add_custom_command(OUTPUT ${patterns_c}
  COMMAND ${CMAKE_COMMAND} -DOUT=${patterns_c} -DFAILURES=${patterns_folder}/failures.conf
          -DTRAINING=${patterns_folder}/training.conf
          -P ${CMAKE_SOURCE_DIR}/cmake/embed_patterns.cmake
  DEPENDS ${patterns_folder}/failures.conf ${patterns_folder}/training.conf
          ${CMAKE_SOURCE_DIR}/cmake/embed_patterns.cmake
  COMMENT "Embedding patterns" VERBATIM)

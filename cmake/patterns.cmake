# data/patterns/failures.conf as a text in the program, so that it needs no path at run time.
set(patterns_file ${CMAKE_SOURCE_DIR}/data/patterns/failures.conf)
set(patterns_c ${CMAKE_BINARY_DIR}/patterns_data.c)
add_custom_command(OUTPUT ${patterns_c}
  COMMAND ${CMAKE_COMMAND} -DOUT=${patterns_c} -DPATTERNS=${patterns_file}
          -P ${CMAKE_SOURCE_DIR}/cmake/embed_patterns.cmake
  DEPENDS ${patterns_file} ${CMAKE_SOURCE_DIR}/cmake/embed_patterns.cmake
  COMMENT "Embedding the patterns of failures" VERBATIM)

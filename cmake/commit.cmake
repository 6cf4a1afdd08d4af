# The commit of the sources, as a part of the program (cli/manual/help.h).
set(commit_c ${CMAKE_BINARY_DIR}/commit.c)
add_custom_target(commit BYPRODUCTS ${commit_c}
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_SOURCE_DIR} -D OUTPUT=${commit_c}
          -P ${CMAKE_SOURCE_DIR}/cmake/write_commit.cmake
  COMMENT "Looking for the commit" VERBATIM)

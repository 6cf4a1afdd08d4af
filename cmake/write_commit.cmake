# write_commit.cmake - put the commit that is built into OUTPUT, a C file, where it is another one than
# was there: run before each build, so that a program says what it was made of and not what the tree was
# when it was configured. Empty without git or outside a checkout, as in a release archive.
#   cmake -D SOURCE=DIR -D OUTPUT=FILE -P write_commit.cmake
set(commit "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty=-changed
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#include \"cli/manual/help.h\"\n\nconst char hc_commit[] = \"${commit}\";\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()

# Manual pages and completion for bash, zsh and fish, made by the program itself from its option tables.
# `cmake --build DIR --target manual` makes them in DIR/manual; installing needs them made.
find_program(SCDOC scdoc)
option(HC_MANUAL "Make and install manual pages and completion (needs scdoc)" ON)
if(HC_MANUAL AND SCDOC AND NOT HC_FUZZ)
  set(manual ${CMAKE_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}/done
    # Without this a ThreadSanitizer build reports libomp, which is not instrumented.
    COMMAND ${CMAKE_COMMAND} -E env TSAN_OPTIONS=ignore_noninstrumented_modules=1
            bash ${CMAKE_SOURCE_DIR}/scripts/make-manual $<TARGET_FILE:hindcast> ${manual}
    COMMAND ${CMAKE_COMMAND} -E touch ${manual}/done
    DEPENDS hindcast ${CMAKE_SOURCE_DIR}/scripts/make-manual
    COMMENT "Making the manual" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}/done)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${manual}/hindcast.bash RENAME hindcast
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/hindcast.zsh RENAME _hindcast
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${manual}/hindcast.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
elseif(HC_MANUAL)
  message(STATUS "scdoc is not there: no manual pages and no completion")
endif()

# What Debian hardens its packages with, and CET besides: a mistake in C ends the program instead of
# serving an attacker (docs/architecture.md, Choices, says what it costs). A package takes the flags of
# dpkg-buildflags, so that a host that sets those gets what it asks for. Sanitizers do more, in another way.
set(HC_HARDENING own CACHE STRING "Flags of hardening: own, dpkg (those of dpkg-buildflags) or OFF")

if(HC_HARDENING STREQUAL "dpkg")
  foreach(name CFLAGS CPPFLAGS LDFLAGS)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --get ${name}
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE DPKG_${name}
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  string(PREPEND CMAKE_C_FLAGS "${DPKG_CPPFLAGS} ${DPKG_CFLAGS} ")
  string(PREPEND CMAKE_EXE_LINKER_FLAGS "${DPKG_LDFLAGS} ")
elseif(HC_HARDENING AND NOT HC_SANITIZE AND NOT HC_FUZZ)
  add_compile_options(-fstack-protector-strong -Wformat -Werror=format-security
                      # Of no use without optimisation, and glibc warns of that.
                      "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

if(HC_HARDENING AND NOT HC_SANITIZE AND NOT HC_FUZZ)
  set(is_module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
  add_compile_options($<$<NOT:${is_module}>:-fPIE>)
  add_link_options($<$<NOT:${is_module}>:-pie>)
  include(CheckCCompilerFlag)
  check_c_compiler_flag(-fcf-protection HC_HAS_CET)
  if(HC_HAS_CET)
    add_compile_options(-fcf-protection)
  endif()
endif()

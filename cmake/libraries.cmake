# The libraries that hindcast is linked with, and how: so that a start is cheap (docs/architecture.md, Choices).
#
# Each shared library costs a start six to nine page faults, and each page with a pointer to be relocated one.
# A build from the sources takes the static archives that are there; a package takes the shared ones, for
# their security updates.
option(HC_STATIC "Link libraries statically where their archives are there" ON)
find_package(PkgConfig REQUIRED)

# add_library_of(NAME MODULE ARCHIVE...): the target hc_NAME of a module of pkg-config.
function(add_library_of name module)
  string(TOUPPER ${name} variable)
  pkg_check_modules(${variable} REQUIRED IMPORTED_TARGET ${module})
  add_library(hc_${name} INTERFACE)
  set(archives "")
  foreach(archive ${ARGN})
    find_library(${archive}_PATH ${archive} HINTS ${${variable}_LIBRARY_DIRS})
    list(APPEND archives ${${archive}_PATH})
  endforeach()
  if(HC_STATIC AND NOT archives MATCHES "NOTFOUND")
    target_include_directories(hc_${name} SYSTEM INTERFACE ${${variable}_INCLUDE_DIRS})
    target_link_libraries(hc_${name} INTERFACE ${archives} m)
  else()
    target_link_libraries(hc_${name} INTERFACE PkgConfig::${variable})
  endif()
endfunction()

add_library_of(zlib zlib libz.a)
add_library_of(deflate libdeflate libdeflate.a)
add_library_of(zstd libzstd libzstd.a)
add_library_of(lzma liblzma liblzma.a)
add_library_of(yaml yaml-0.1 libyaml.a)
add_library_of(pcre2 libpcre2-8 libpcre2-8.a)
add_library_of(jansson jansson libjansson.a)
add_library_of(nettle nettle libnettle.a)
add_library_of(gsl gsl libgsl.a libgslcblas.a)
include(cmake/hdf5.cmake)
include(cmake/snappy.cmake)

# OpenMP. Its run time library is gcc's; sanitizers know the shared one.
find_package(OpenMP COMPONENTS C)
if(OpenMP_C_FOUND)
  find_package(Threads REQUIRED)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a
                  OUTPUT_VARIABLE GOMP_ARCHIVE OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_library(hc_openmp INTERFACE)
  # A compiler that does not have the file prints its bare name.
  if(HC_STATIC AND NOT HC_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND EXISTS "${GOMP_ARCHIVE}")
    target_compile_options(hc_openmp INTERFACE ${OpenMP_C_FLAGS})
    target_link_libraries(hc_openmp INTERFACE ${GOMP_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS})
  else()
    target_link_libraries(hc_openmp INTERFACE OpenMP::OpenMP_C)
  endif()
endif()

# ---- how they are linked ----

# What nothing uses is left out, code and tables.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-ffunction-sections -fdata-sections -Wl,--gc-sections) # optimisation at link time compiles

# Relative relocations in 8 kB instead of 560: the linker and the C library must both know how, so it is tried.
include(CheckCSourceRuns)
set(CMAKE_REQUIRED_FLAGS -fPIE)
set(CMAKE_REQUIRED_LINK_OPTIONS -pie -Wl,--fatal-warnings -Wl,-z,pack-relative-relocs)
check_c_source_runs("int it, *volatile place = &it; int main(void) { return place != &it; }" HC_RELR)
# The functions that choose between variants of code by the CPU run at each start, and lie where the linker
# finds them, one in every other page: this puts them side by side.
set(CMAKE_REQUIRED_LINK_OPTIONS -pie -Wl,--fatal-warnings -Wl,-T,${CMAKE_SOURCE_DIR}/cmake/resolvers.ld)
check_c_source_runs("int main(void) { return 0; }" HC_RESOLVERS_SCRIPT)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(HC_RELR)
  add_link_options(-Wl,-z,pack-relative-relocs)
endif()
if(HC_RESOLVERS_SCRIPT)
  add_link_options(-Wl,-T,${CMAKE_SOURCE_DIR}/cmake/resolvers.ld)
endif()

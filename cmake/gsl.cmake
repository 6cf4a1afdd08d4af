# GSL as the target hc_gsl, from its static libraries where they are there.
#
# Linked statically, a start takes 0.3 ms of CPU time less (docs/architecture.md, Choices), the package
# depends on one library less, and the linker takes only what is used.
option(HC_STATIC_GSL "Link GSL statically where that is possible" ON)

pkg_check_modules(GSL REQUIRED IMPORTED_TARGET gsl)
add_library(hc_gsl INTERFACE)

find_library(GSL_ARCHIVE libgsl.a HINTS ${GSL_LIBRARY_DIRS})
find_library(GSL_CBLAS_ARCHIVE libgslcblas.a HINTS ${GSL_LIBRARY_DIRS})
if(HC_STATIC_GSL AND GSL_ARCHIVE AND GSL_CBLAS_ARCHIVE)
  target_include_directories(hc_gsl SYSTEM INTERFACE ${GSL_INCLUDE_DIRS})
  target_link_libraries(hc_gsl INTERFACE ${GSL_ARCHIVE} ${GSL_CBLAS_ARCHIVE} m)
else()
  target_link_libraries(hc_gsl INTERFACE PkgConfig::GSL)
endif()

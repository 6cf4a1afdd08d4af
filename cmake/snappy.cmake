# Snappy as the target hc_snappy, from its static library where that is there.
#
# Its shared library brings that of C++ into every start, which takes a quarter of it (docs/architecture.md,
# Choices). A build with sanitizers takes the shared one: their run time libraries have C++ of their own.
find_library(SNAPPY_LIBRARY snappy REQUIRED)
find_library(SNAPPY_ARCHIVE libsnappy.a)
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
                OUTPUT_VARIABLE CXX_ARCHIVE OUTPUT_STRIP_TRAILING_WHITESPACE)
add_library(hc_snappy INTERFACE)

# A compiler that does not have the file prints its bare name.
if(HC_STATIC AND NOT HC_SANITIZE AND NOT HC_FUZZ AND SNAPPY_ARCHIVE AND EXISTS "${CXX_ARCHIVE}")
  target_link_libraries(hc_snappy INTERFACE ${SNAPPY_ARCHIVE} ${CXX_ARCHIVE})
  target_link_options(hc_snappy INTERFACE -static-libgcc)
else()
  target_link_libraries(hc_snappy INTERFACE ${SNAPPY_LIBRARY})
endif()

# HDF5 as the target hc_hdf5, from its static library where that links.
#
# The shared library of Debian needs libcurl for reading from S3, and with it OpenSSL, Kerberos and
# LDAP: 30 libraries which are loaded into every process, nearly half of the CPU time of a what-if.
# The linker takes from the static one what is used, and that is in none of them.
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
add_library(hc_hdf5 INTERFACE)

find_library(HDF5_ARCHIVE libhdf5.a HINTS ${HDF5_LIBRARY_DIRS})
find_library(SZ_LIBRARY NAMES libsz.a sz)
find_library(AEC_LIBRARY NAMES libaec.a aec) # which libsz.a needs
if(HC_STATIC AND HDF5_ARCHIVE AND SZ_LIBRARY AND AEC_LIBRARY)
  set(HDF5_STATIC_PARTS ${HDF5_ARCHIVE} ${SZ_LIBRARY} ${AEC_LIBRARY} hc_zlib ${CMAKE_DL_LIBS} m)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${HDF5_ARCHIVE} ${SZ_LIBRARY} ${AEC_LIBRARY} z ${CMAKE_DL_LIBS} m)
  check_c_source_compiles("
    #include <hdf5.h>
    int main(void) { return H5Fopen(\"\", H5F_ACC_RDONLY, H5P_DEFAULT) < 0; }"
    HDF5_STATIC_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

if(HC_STATIC AND HDF5_STATIC_LINKS)
  # HDF5 crashes where an allocation fails (H5A__create), so its calls of malloc, calloc, realloc and
  # strdup are renamed to those of core/base/memory.h, which end the process in order.
  set(HDF5_OWN_ARCHIVE ${CMAKE_BINARY_DIR}/libhdf5_with_own_memory.a)
  if(NOT EXISTS ${HDF5_OWN_ARCHIVE} OR ${HDF5_ARCHIVE} IS_NEWER_THAN ${HDF5_OWN_ARCHIVE})
    execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-sym malloc=hc_library_malloc
                            --redefine-sym calloc=hc_library_calloc
                            --redefine-sym realloc=hc_library_realloc
                            --redefine-sym strdup=hc_library_strdup
                            ${HDF5_ARCHIVE} ${HDF5_OWN_ARCHIVE}
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  list(TRANSFORM HDF5_STATIC_PARTS REPLACE "^${HDF5_ARCHIVE}$" "${HDF5_OWN_ARCHIVE}")
  target_include_directories(hc_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(hc_hdf5 INTERFACE ${HDF5_STATIC_PARTS} hc_core)
else()
  target_link_libraries(hc_hdf5 INTERFACE PkgConfig::HDF5)
endif()

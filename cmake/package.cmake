# `scripts/package` (cpack in the build directory) makes a .deb; what it depends on is found by
# dpkg-shlibdeps. It builds by the preset `package`, which links HDF5, GSL and snappy from their shared
# libraries, so that a host gets their security updates from Debian (docs/architecture.md, Choices).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hindcast)
set(CPACK_PACKAGE_VENDOR "The hindcast authors")
set(CPACK_PACKAGE_CONTACT "The hindcast authors <maintainers@hindcast.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "what stragglers, faults and start-up cost a training job")
set(CPACK_PACKAGE_DESCRIPTION
  "Hindcast ingests the traces of large training jobs into an HDF5 archive,
replays them with their stragglers taken out or faults put in, and reports what
was lost, to what, and what each remedy would give back.
.
The sources are under Apache-2.0; the program is linked with GSL and is under
GPL-3+ as a whole.")
set(CPACK_PACKAGE_INSTALL_DIRECTORY hindcast)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, gnuplot")
include(CPack)

# Debian's own form of a change log, of one entry: what changed is in CHANGELOG.md beside it. Its date is that
# of the sources.
set(changelog ${CMAKE_BINARY_DIR}/changelog.gz)
add_custom_command(OUTPUT ${changelog}
  COMMAND bash ${CMAKE_SOURCE_DIR}/scripts/make-changelog ${PROJECT_VERSION} ${CPACK_PACKAGE_CONTACT} ${changelog}
  DEPENDS ${CMAKE_SOURCE_DIR}/scripts/make-changelog ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  COMMENT "Making the change log of the package" VERBATIM)
add_custom_target(changelog DEPENDS ${changelog})
install(FILES ${changelog} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# `scripts/package` (cpack in the build directory) makes a .deb; what it depends on is found by
# dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hindcast)
set(CPACK_PACKAGE_VENDOR "The hindcast authors")
set(CPACK_PACKAGE_CONTACT "The hindcast authors <hindcast@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "what stragglers, faults and start-up cost a training job")
set(CPACK_PACKAGE_DESCRIPTION
  "Hindcast ingests the step timelines of large training jobs into an HDF5 archive, replays
them with their stragglers taken out, and reports what was lost, to what, and what each
remedy would give back. The sources are under Apache-2.0; the program contains GSL
and is under GPL-3+ as a whole.")
set(CPACK_PACKAGE_INSTALL_DIRECTORY hindcast)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, gnuplot")
include(CPack)

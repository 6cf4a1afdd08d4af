#!/usr/bin/env bash
# lintian finds no error and no warning in the .deb of scripts/package, whose program uses the shared libraries
# of HDF5, GSL and snappy.
set -euo pipefail
command -v lintian >/dev/null || { echo "deb_lintian: skipped, no lintian (scripts/deps package)"; exit 77; }
cd "${SOURCE_DIR:?}"
scripts/package
lintian --fail-on error,warning --allow-root build/hindcast_*.deb
depends=$(dpkg-deb -f build/hindcast_*.deb Depends)
for library in libhdf5 libgsl libsnappy; do
    case $depends in *"$library"*) ;; *) echo "deb_lintian: $library is not Debian's shared library"; exit 1 ;; esac
done
# Its program is hardened too.
HINDCAST=build-package/hindcast BUILD_DIR=build-package bash tests/structure/program.sh

#!/usr/bin/env bash
# What a room shows to the linker starts with hc_, and some other file of the product uses it: what only
# its own file uses is static, and what only tests use belongs to tests/support.
set -euo pipefail
cd "$BUILD_DIR"
shopt -s nullglob
libraries=(libhc_{core,parsers,store,models,sim,study,reports,pipeline,cli}.a)
[ ${#libraries[@]} -gt 0 ] || { echo "no libraries in $BUILD_DIR"; exit 1; }
# Names with a leading underscore, or a dot in them, are the compiler's. HDF5 allocates by functions of
# core/base/memory.h (cmake/hdf5.cmake).
{
    nm -g "${libraries[@]}" CMakeFiles/hindcast.dir/cli/main.c.o
    nm -u libhdf5_with_own_memory.a
} 2>/dev/null | awk '
    NF == 2 { used[$2] = 1 }
    NF == 3 && $3 !~ /^_/ && $3 !~ /\./ && $3 != "main" {
        n++
        shown[$3] = 1
        if ($3 !~ /^hc_/) {
            print "not hc_: " $3
            bad++
        }
    }
    END {
        for (name in shown)
            if (!(name in used)) {
                print "no other file of the product uses it: " name
                bad++
            }
        printf "%d symbols, %d wrong\n", n, bad
        exit bad > 0 || n < 10
    }'

#!/usr/bin/env bash
# Every function and variable that a room shows to the linker starts with hc_.
set -euo pipefail
cd "$BUILD_DIR"
shopt -s nullglob
libraries=(libhc_{core,parsers,store,models,sim,study,reports,pipeline,cli}.a)
[ ${#libraries[@]} -gt 0 ] || { echo "no libraries in $BUILD_DIR"; exit 1; }
# Names with a leading underscore, or a dot in them, are the compiler's.
nm -g --defined-only "${libraries[@]}" 2>/dev/null | awk '
    NF == 3 {
        n++
        if ($3 !~ /^hc_/ && $3 !~ /^_/ && $3 !~ /\./) {
            print "not hc_: " $3
            bad++
        }
    }
    END {
        printf "%d symbols, %d without the prefix\n", n, bad
        exit bad > 0 || n < 10
    }'

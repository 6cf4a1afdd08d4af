#!/usr/bin/env bash
# Which room may include what: our own rooms, and the libraries that each may use (hdf5.h: only what
# writes segments; they are read without it). A breach is an error; so is an include that does not name its room (in tests/, a header beside the test need not).
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"

# room (or file): the rooms (or single headers) of ours | the library headers that it may include
rules='
core:    core                                  | nettle
parsers: core parsers                          | zlib.h libdeflate.h zstd.h lzma.h snappy-c.h yaml.h
store:   core store                            | libdeflate.h jansson.h
store/hdf5_util.h:                             | hdf5.h
store/column_dataset.h:                        | hdf5.h
store/dictionary.h:                            | hdf5.h
store/segment_meta.h:                          | hdf5.h
models:  core models                           | gsl
sim:     core models sim                       | gsl
reports: core reports models/reliability.h models/reliability_deep.h sim/whatif.h sim/timeline.h sim/fleet_row.h sim/fleet_summary.h sim/worker_wander.h sim/lifetime.h sim/lifetime_trace.h sim/account.h | jansson.h snappy-c.h zlib.h
cli:     core parsers store models sim reports cli | jansson.h
cli/help.c:                                    | H5public.h libdeflate.h lzma.h yaml.h zlib.h zstd.h
bench:   core parsers store models sim reports cli bench | jansson.h hdf5.h
tests:   core parsers store models sim reports cli tests | check.h jansson.h hdf5.h yaml.h zlib.h libdeflate.h zstd.h lzma.h snappy-c.h nettle gsl
'

find core parsers store models sim reports cli bench tests -name '*.[ch]' | sort |
    xargs awk -v rules="$rules" '
    BEGIN {
        n = split(rules, line, "\n")
        for (i = 1; i <= n; i++) {
            if (split(line[i], part, /[:|]/) < 3)
                continue
            room = part[1]
            n_own = split(part[2], word, " ")
            for (j = 1; j <= n_own; j++)
                own[room, word[j]] = 1
            n_libraries = split(part[3], word, " ")
            for (j = 1; j <= n_libraries; j++) {
                library[room, word[j]] = 1
                known[word[j]] = 1
            }
        }
    }
    function breach(what) {
        printf "%s:%d: %s\n", FILENAME, FNR, what
        n_breaches++
    }
    FNR == 1 { n_files++ }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        room = FILENAME
        sub(/\/.*/, "", room)
        slash = index(quoted[2], "/")
        if (!slash && room == "tests")
            next
        if (!slash)
            breach("\"" quoted[2] "\" does not name its room")
        else if (!((room, substr(quoted[2], 1, slash - 1)) in own) && !((room, quoted[2]) in own))
            breach("a file of " room "/ must not include \"" quoted[2] "\"")
        n_includes++
    }
    /^[ \t]*#[ \t]*include[ \t]*</ {
        split($0, angled, /[<>]/)
        room = FILENAME
        sub(/\/.*/, "", room)
        name = angled[2]
        if (name ~ /^H5/)
            name = "hdf5.h"
        if (!(name in known))
            sub(/\/.*/, "", name)
        if (name in known && !((room, name) in library) && !((FILENAME, angled[2]) in library))
            breach("a file of " room "/ must not include <" angled[2] ">")
        n_includes++
    }
    END {
        printf "%d files, %d includes, %d breaches\n", n_files, n_includes, n_breaches
        exit n_breaches > 0 || n_includes < 50
    }'

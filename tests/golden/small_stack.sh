#!/usr/bin/env bash
# Commands in a stack of 128 kB, also of their threads: they end as with the usual one, and what they
# write is the same. (The bound of a single function is -Wframe-larger-than in CMakeLists.txt.)
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
nm "$hindcast" 2>/dev/null | grep -q '__asan_init\|__tsan_init' && { echo "skipped: sanitizers need more"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
samples=$root/data/samples
hindcast() { "$hindcast" "$@"; }
source "$root/tests/support/small_night.bash"
small_night >/dev/null
hindcast ingest -q -a steps "$samples/trace-slow-worker.parquet" "$samples/trace-interleaved.csv" >/dev/null
gzip -k sacct.txt

# The commands; $out is where they write.
commands() {
    cat <<'END'
whatif --all -a steps --html $out/fleet --csv $out/fleet-csv --json -o $out/fleet.json --no-cache
whatif --all -a steps --fail-on 'straggling.jobs > 100'
whatif "$samples"/trace-slow-worker.parquet --html $out/page.html --csv $out/csv --figures $out/figures
compare "$samples"/trace-slow-worker.parquet "$samples"/trace-interleaved.csv --html $out/compare.html
report nightly -a a --date 2026-03-01 -o $out/nights
report failures -a a
report capacity -a a
compare --nights 2026-03-01 2026-03-02 -a a
ingest -a $out/archive sacct.txt.gz marks.log "$samples"/trace-slow-stage.csv.gz
report breakdown "$samples"/two-ranks
report stragglers "$samples"/two-ranks
diagnose collectives "$samples"/flight-recorder/late
simulate preset:llama3 --replicas 20 -o $out/study/
scenario schema
query jobs -a a --as csv
check -a a
show -a a 100
export jobs -a a --as parquet -o $out/jobs.parquet
END
}

# run OUT: all of them, and how they end.
run() {
    local out=$1 line
    mkdir "$out"
    while read -r line; do
        code=0
        eval "timeout 120 \"\$hindcast\" $line" >>"$out/stdout" 2>>"$out/stderr" </dev/null || code=$?
        echo "$code ${line//$out/OUT}" >>"$out/codes"
    done < <(commands)
}
# Names of one length, so that texts with paths in them break alike.
run usual
(
    ulimit -s 128
    export OMP_STACKSIZE=128k
    run tight
)
! grep -v '^[01] ' usual/codes || { cat usual/stderr; exit 1; }
diff usual/codes tight/codes
sed -i "s@tight/@usual/@g" tight/stdout
diff usual/stdout tight/stdout
diff <(cd usual && find . -type f | sort) <(cd tight && find . -type f | sort)

echo "$(wc -l <usual/codes) commands"

#!/usr/bin/env bash
# `hindcast simulate`: the same bytes for any number of threads, on the screen and in every file; and
# nothing is left behind when it is stopped.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
hindcast=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; exit 1; }

# A sweep whose points run side by side, variants in lock-step, a search, and bars.
cat >all.json <<END
{ "schema": "hindcast/scenario/1", "kind": "lifetime", "include": "$SOURCE_DIR/tests/scenarios/spec/standbys.json",
  "job": {"work_d": 20},
  "replicas": {"until": {"figure": "ettr", "half_width": 0.001}, "max": 400},
  "variants": {"fast": {"set": {"/faults/hang/detect_s": 10}}, "saved": {"set": {"/checkpoint/every_s": 150}},
               "both": {"use": ["fast", "saved"]}},
  "sensitivity": {"values": {"/recovery/reschedule_s": {"low": 60, "high": 900}}} }
END
for threads in 1 2 3 8; do
    "$hindcast" simulate --threads $threads -o "files-$threads/" all.json >"text-$threads"
    [ $threads = 1 ] || diff -r files-1 "files-$threads" || fail "$threads threads write other files"
    [ $threads = 1 ] || cmp text-1 "text-$threads" || fail "$threads threads print other text"
done
n_files=$(ls files-1 | wc -l)
[ "$n_files" -ge 10 ] || fail "only $n_files files"

# What parts bring together is counted over the scenario itself, whatever variants are compared with.
"$hindcast" simulate -q --set '/compare={"base": "fast"}' -o by-fast/ all.json >by-fast.txt
for files in files-1 by-fast; do
    grep '^both,' "$files/comparison.csv" | cut -d , -f 1,3,8- >"$files.interactions"
done
[ "$(grep -c 'both,wall_d,-\?[0-9.e-]*,' files-1.interactions)" = 1 ] || fail "no interaction of wall_d"
cmp files-1.interactions by-fast.interactions || fail "interactions depend on what is compared"

# The answer with another seed is another, but not by much.
"$hindcast" simulate --seed 2 --csv - all.json >seed-2.csv
"$hindcast" simulate --seed 1 --csv - all.json >seed-1.csv
cmp -s files-1/sweep.csv seed-1.csv || fail "--seed 1 is not the seed of the scenario"
paste -d , <(cut -d , -f 6 seed-1.csv) <(cut -d , -f 6 seed-2.csv) | awk -F , '
    NR > 1 { n++; off = $1 - $2; same += off == 0; far += off * off > 0.004 * 0.004 }
    END { print n " points, " same + 0 " the same, " far + 0 " far off"; exit n != 84 || same || far }' ||
    fail "the seed does not do what it should"

# Stopped by the user while lives run, and by a scenario that goes wrong: no directory, no output.
"$hindcast" simulate --replicas 10000000 -o stopped/ all.json >stopped.txt 2>stopped.err &
pid=$!
sleep 0.5
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[ "$code" = 143 ] || fail "stopped with exit status $code"
[ ! -e stopped ] && [ ! -s stopped.txt ] && [ ! -s stopped.err ] || fail "something is left: $(ls -a)"

# Stopped while files are written: whole ones at most, and no directory without any.
"$hindcast" simulate --replicas 2 -o written/ all.json >written.txt 2>written.err &
pid=$!
while [ ! -e written ] && kill -0 "$pid" 2>/dev/null; do :; done
kill -TERM "$pid" 2>/dev/null || true
wait "$pid" || true
[ -z "$(find written -name '*.tmp-*' 2>/dev/null)" ] || fail "half of a file is left: $(ls written)"
[ ! -e written ] || [ -n "$(ls written)" ] || fail "an empty directory is left"
echo "$n_files files"

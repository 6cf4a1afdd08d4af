#!/usr/bin/env bash
# Ingests that are killed, and many at once: the archive opens, checks clean, and has everything that
# was reported as done.
#
#   ROUNDS  ingests to kill (20; tests/long/kill_ingest_200.sh has 200)
#   SEED    of the moments of the kills (printed)
set -euo pipefail
# shellcheck source=tests/golden/kill_ingest.bash
source "$(dirname "$0")/kill_ingest.bash"

# The archive $1 checks clean and lists every job named after it.
check_archive() {
    local archive=$1 job
    shift
    "$hindcast" check -a "$archive" >check.out 2>&1 || fail "check: $(cat check.out)"
    "$hindcast" ls -a "$archive" --json >ls.json || fail "ls failed"
    for job in "$@"; do
        grep -Eq "\"$job\"" ls.json || fail "job '$job' was reported as done and is not listed"
    done
}

# A job of its own for each ingest: the id is in the file name, and the content is the same.
"$hindcast" synth steps --dp 4 --pp 4 --microbatches 16 --steps 40 --seed 1 -o input.csv
ingest() { # ARCHIVE JOB
    [ -e "trace-$2.csv" ] || ln -s input.csv "trace-$2.csv"
    exec "$hindcast" ingest -a "$1" "trace-$2.csv" >"$2.out" 2>"$2.err" </dev/null
}

time_ingest timing first
check_archive timing first

done_jobs=()
for ((round = 1; n_killed < rounds; round++)); do
    # A new archive now and then keeps the checks short, and covers the kill while one is made.
    if ((round % 20 == 1)); then
        archive=archive-$round done_jobs=()
    fi
    job=job$round
    kill_ingest "$archive" "$job"
    # Standard output has the closing line only: where it is, the job must be there.
    if [ "$code" = 0 ] || [ -s "$job.out" ]; then
        done_jobs+=("$job")
    fi
    # Killed before its first publication, an archive need not be one yet.
    if [ ${#done_jobs[@]} -gt 0 ] || [ -e "$archive/manifest.json" ]; then
        check_archive "$archive" "${done_jobs[@]}"
    fi
done
n_ingests=$((round - 1)) round=after
(ingest "$archive" again) || fail "an ingest after the kills failed: $(cat again.err)"
check_archive "$archive" "${done_jobs[@]}" again

# Eight at once into a new archive, then eight times the same input.
at_once() { # JOB...
    local pids=() job pid
    ln -sf input.csv "trace-$1.csv" # here, where no two make the same link
    for job in "$@"; do
        (ingest together "$job") &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || fail "an ingest among eight at once failed: $(cat -- *.err)"
    done
}
round='eight at once'
at_once e1 e2 e3 e4 e5 e6 e7 e8
check_archive together e1 e2 e3 e4 e5 e6 e7 e8
round='eight times the same'
at_once same same same same same same same same
check_archive together e1 e2 e3 e4 e5 e6 e7 e8 same
[ "$(jq '[.. | objects | select(.job? == "same" or .id? == "same")] | length' ls.json)" = 1 ] ||
    fail "the same input eight times at once is not there once: $(cat ls.json)"

echo "$n_killed of $n_ingests ingests were killed, within $((took / 1000)) ms of their start; all is there"

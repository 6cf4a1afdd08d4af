#!/usr/bin/env bash
# Ingests of the profiler traces of many ranks that are killed: the archive is as it was, or has all of them;
# the next ingest completes it; a rank that comes later does, too.
#
#   ROUNDS  ingests to kill (20; tests/long/kill_ingest_ranks_200.sh has 200)
#   SEED    of the moments of the kills (printed)
set -euo pipefail
# shellcheck source=tests/golden/kill_ingest.bash
source "$(dirname "$0")/kill_ingest.bash"

n_ranks() { # ARCHIVE: of the job that is ingested
    jq '[.segments[] | select(.job_id == "run")] | length' "$1/manifest.json"
}

# Six ranks into an archive that has another job, of two ranks.
"$hindcast" synth kineto -q --dp 2 --steps 2 --layers 2 -o before
"$hindcast" synth kineto -q --dp 6 --steps 2 --layers 12 -o run
rm run/truth.json
"$hindcast" ingest -q -a base before/rank-*.json >/dev/null
ingest() { # ARCHIVE
    exec "$hindcast" ingest -a "$1" run >run.out 2>run.err </dev/null
}

cp -r base whole
time_ingest whole
[ "$(n_ranks whole)" = 6 ] || fail "not all ranks are there"

n_all=0
for ((round = 1; n_killed < rounds; round++)); do
    rm -rf arch
    cp -r base arch
    kill_ingest arch
    case $(n_ranks arch) in
        0) cmp -s arch/manifest.json base/manifest.json || fail "the manifest has changed" ;;
        6) n_all=$((n_all + 1)) ;;
        *) fail "a part of the ranks is there: $(n_ranks arch)" ;;
    esac
    "$hindcast" check -a arch >check.out 2>&1 || fail "check: $(cat check.out)"
    (ingest arch) || fail "the next ingest failed: $(cat run.err)"
    diff <(jq -S .segments arch/manifest.json) <(jq -S .segments whole/manifest.json) ||
        fail "the next ingest does not complete it"
    # What the killed one left half written is gone; what it named but did not publish is the same file.
    diff <(cd arch && ls segments) <(cd whole && ls segments) || fail "something is left behind"
done
cmp -s <(cd arch && sha256sum segments/*) <(cd whole && sha256sum segments/*) || fail "other bytes"
round=after

# One rank later than the others: it completes the job, which is then that of all at once.
mkdir -p late/run
mv run/rank-3.pt.trace.json late/run
cp -r base arch-late
(ingest arch-late) || fail "five ranks are refused: $(cat run.err)"
"$hindcast" report breakdown -q -a arch-late default/run --json | jq -e '.missing == [{"first": 3, "last": 3}]' >/dev/null ||
    fail "the missing rank is not named"
"$hindcast" ingest -q -a arch-late late/run/rank-3.pt.trace.json >/dev/null || fail "the late rank is refused"
for archive in whole arch-late; do
    "$hindcast" whatif -q -a $archive default/run --json |
        jq -S 'del(.archive, .ranks[].path, .ranks[].segment)' >$archive.json
done
cmp whole.json arch-late.json || fail "other figures"
echo "$n_killed of $((n_killed + n_all)) or more were killed; all is there, or as it was"

#!/usr/bin/env bash
# Changes that `synth cluster --plant` makes are as large as truth/planted.csv says, by what the cluster did
# before and after; and until the day of the change nothing else happens than without it.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_planted: $*" >&2
    exit 1
}
size="--nodes 24 --days 60 --jobs 40000 --runs 4 --faults 60"
looks="--nodes 64 --days 60 --jobs 20000 --runs 4 --looks 600"
for seed in ${HINDCAST_SEEDS:-1 2}; do
    rm -rf clean
    "$hindcast" synth cluster -q $size --seed "$seed" -o clean
    for kind in lemon xid image ettr saves evaluations queue; do
        rm -rf "$kind"
        "$hindcast" synth cluster -q $size --seed "$seed" --plant "$kind:30" -o "$kind"
        python3 "$root/tests/support/cluster_planted.py" "$kind" clean | sed "s/^/$seed,/" >>found.csv
        # The records of the first 30 days: 2026-03-31 begins at 1774915200. A run that shall go on for longer
        # has another interval between lines of its log, but the same steps.
        for of in clean "$kind"; do
            awk -F, '$3 < 1774915200' "$of/truth/faults.csv" | sed 's/,[^,]*$//; s/^[^,]*,//' >"$of.faults"
            awk -F, '$9 != "" && $9 < 1774828800' "$of/truth/attempts.csv" | cut -d, -f2-9 >"$of.attempts"
        done
        cmp -s clean.faults "$kind.faults" || fail "$kind: other faults before its day"
        [[ $kind =~ ^(ettr|saves|evaluations)$ ]] || cmp -s clean.attempts "$kind.attempts" || fail "$kind: other attempts before its day"
    done
    # A scheduler that looks at what waits every ten minutes, then every fifteen.
    rm -rf clean looks
    "$hindcast" synth cluster -q $looks --seed "$seed" -o clean
    "$hindcast" synth cluster -q $looks --seed "$seed" --plant looks:30 -o looks
    python3 "$root/tests/support/cluster_planted.py" looks clean | sed "s/^/$seed,/" >>found.csv
done
# Seed, kind, subject, before, after, how much. Counts of faults by their Poisson spread: seven expected is few.
awk -F, '
    $2 == "lemon" && !($5 >= 6 && $5 <= 32) { print; bad = 1 } # 60 / 1,000 * 30 * 10 * 0.97 = 17.5
    $2 == "xid" && !($6 >= 1.7 && $6 <= 6) { print; bad = 1 }
    $2 == "image" && !($6 >= 1.8 && $6 <= 2.2) { print; bad = 1 }
    $2 == "ettr" && !($6 <= -0.03 && $6 >= -0.07) { print; bad = 1 }
    ($2 == "queue" || $2 == "looks") && !($6 >= 1.4 && $6 <= 1.6) { print; bad = 1 }
    ($2 == "saves" || $2 == "evaluations") && !($6 <= -0.04 && $6 >= -0.06) { print; bad = 1 }
    END { exit bad || NR < 16 }' found.csv || fail 'of another size than planted'
"$hindcast" synth cluster -q $size --seed 1 --plant lemon --plant xid:7 --plant queue:30 -o twice
"$hindcast" synth cluster -q $size --seed 1 --plant lemon --plant xid:7 --plant queue:30 -o again
diff -r twice again >/dev/null || fail 'the same options, other bytes'
[ "$(cut -d, -f1,3,4 twice/truth/planted.csv | tr '\n' ' ')" = 'kind,day,factor lemon,2026-03-31,10 xid,2026-03-08,3 queue,2026-03-31,1.5 ' ] ||
    fail "$(cat twice/truth/planted.csv)"
! "$hindcast" synth cluster -q --plant lemon:60 -o no 2>said || fail 'a day behind the record'
grep -q 'the record has 60 days' said || fail "$(cat said)"
! "$hindcast" synth cluster -q --plant lemons -o no 2>said || fail 'a kind that is none'
! "$hindcast" synth cluster -q --plant looks:3 -o no 2>said || fail 'a scheduler that looks at once looks less often'
grep -q 'say how often' said || fail "$(cat said)"
! "$hindcast" synth cluster -q --nodes 200 --jobs 100 --plant queue -o no 2>said || fail 'no queue can grow'
grep -q 'no queue can grow' said || fail "$(cat said)"
cat found.csv

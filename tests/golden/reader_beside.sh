#!/usr/bin/env bash
# Readers beside prune, rm, compact, gc and the ingests that bring back what they took: no read fails, and what is
# read is a state that was published. First at one call of a query after the other, between which another process
# does all of a command; then by chance, READS times (40) beside each. A segment that is taken by hand is damage, and
# one that leaves the archive on a file system without locks is none.
set -uo pipefail
. "$(dirname "$0")/../support/killed_case.bash"
reads=${READS:-40}
step=${STEP:-4}
export hindcast # the shell of FAIL_CALL_MEANWHILE expands it: its path may have blanks

records() { # USER DAYS: five jobs of cluster c each day
    echo 'JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList'
    for day in $2; do
        for job in 1 2 3 4 5; do
            at=2026-01-0$day
            echo "$job$day|c|$1|${at}T00:00:00|${at}T00:00:00|${at}T00:00:00|${at}T02:00:00|7200|FAILED|1|gres/gpu=8|n1"
        done
    done
}
records u '1 2 3 4 5 6 7 8 9' >sacct.txt
records v '1 2 3 4 5 6 7 8 9' >changed.txt
records w '9' | sed 's/|c|/|d|/' >other.txt
for i in 1 2; do
    "$hindcast" synth steps -q --dp 1 --pp 1 --microbatches 1 --steps 2 --seed $i -o trace-$i.csv
done
"$hindcast" ingest -q -a template other.txt sacct.txt trace-1.csv trace-2.csv >/dev/null || fail "ingest"

query=(query jobs -a archive --group-by "cluster,submit_ns,user")
# A published state: all five jobs of a day and of one user, days of c from the first on, and 8 and 9 where 'prune'
# leaves them; the jobs of d always. Without jobs of c where rm takes all of them.
is_state() { # FILE KIND
    awk -v kind="$2" '
        NR == 1 { next }
        $4 != 5 || seen[$1, $2]++ { wrong = "a day is there in part or twice" }
        $1 == "d" { d++ }
        $1 == "c" { day = substr($2, 10, 1) + 0; c[day] = 1; users[$3] = 1; n++ }
        END {
            if (d != 1) wrong = "the job of d is not there"
            for (k = 1; k < 9; k++)
                if (!c[k] && c[k + 1] && !(kind == "prune" && k < 8)) wrong = "days are not there: " k
            if (kind == "prune" && !(c[8] && c[9])) wrong = "days 8 and 9 are not there"
            if (kind == "gc" && n != 9) wrong = "a day is not there"
            if (wrong) { print wrong; exit 1 }
        }' "$1"
}

# ---- between two calls ----

for commands in "archive prune --older 2026-01-08" "archive rm --yes c/jobs" "archive compact --older 2026-03-01"; do
    for ((n = 1; n < 1000; n += step)); do
        point="call $n, $commands" code=0
        rm -rf archive
        cp -r template archive
        FAIL_CALL_MEANWHILE="\"\$hindcast\" $commands -q -a archive >said 2>&1 && \"\$hindcast\" archive gc -q -a archive >said 2>&1" \
            "$fail_call" --nth $n meanwhile -- "$hindcast" "${query[@]}" >out 2>err || code=$?
        [ $code != 77 ] || { echo "skipped: $(cat err)"; exit 77; }
        [ $code != 98 ] || break
        [ $code = 0 ] || fail "exit $code: $(cat err)"
        why=$(is_state out rm) || [[ $commands == *prune* ]] || fail "$why: $(cat out)"
        n_rows=$(awk 'NR > 1 && $1 == "c"' out | wc -l)
        case $commands:$n_rows in *:9 | *rm*:0 | *prune*:2) ;; *) fail "$n_rows days: $(cat out)" ;; esac
        # What the reader kept goes with the next writer.
        "$hindcast" archive gc -q -a archive >said 2>&1 || fail "gc: $(cat said)"
        [ -z "$(find archive -name '*.gone-*')" ] || fail "a file stays that nobody reads"
        "$hindcast" check -q -a archive >said 2>&1 || fail "check: $(cat said)"
        "$hindcast" check --repair -q -a archive >said 2>&1 || fail "repair: $(cat said)"
        "$hindcast" "${query[@]}" >after 2>&1 || fail "query: $(cat after)"
        case $commands:$(awk 'NR > 1 && $1 == "c"' after | wc -l) in
            *compact*:9 | *rm*:0 | *prune*:2) ;;
            *) fail "a repair brings back what was taken: $(cat after)" ;;
        esac
    done
    [ "$n" -gt 40 ] || fail "the query makes $n calls"
done

# ---- by chance ----

writes() { # KIND
    local once
    case $1 in
        prune) once='archive prune -q -a archive --table jobs --older 2026-01-08; ingest -q -a archive sacct.txt' ;;
        rm) once='archive rm -q -a archive --yes c/jobs 2; ingest -q -a archive sacct.txt trace-2.csv' ;;
        compact) once='archive compact -q -a archive --older 2026-03-01; archive gc -q -a archive; archive rm -q -a archive --yes c/jobs; ingest -q -a archive sacct.txt' ;;
        gc) once='ingest -q -a archive changed.txt; archive gc -q -a archive; ingest -q -a archive sacct.txt; archive gc -q -a archive' ;;
    esac
    while [ ! -e stop ]; do
        while IFS= read -r command; do
            # shellcheck disable=SC2086
            "$hindcast" $command >written 2>&1 || echo "$command: $(cat written)" >>failed
        done < <(tr ';' '\n' <<<"$once")
        echo >>rounds
    done
}
readers=("${query[*]}" "check -q -a archive" "export jobs -q -a archive --as csv -o rows.csv" "ls -a archive"
    "${query[*]}" "report failures -q -a archive -o rows.csv" "whatif --all -q -a archive -o rows.csv"
    "whatif * -q -a archive -o rows.csv" "show d/jobs -q -a archive" "report account -q -a archive -o rows.csv")
for kind in prune rm compact gc; do
    rm -rf archive stop failed rounds
    : >failed
    cp -r template archive
    writes $kind &
    writer=$!
    for ((i = 0; i < reads; i++)); do
        read -ra reader <<<"${readers[i % ${#readers[@]}]}"
        point="$kind: read $i: ${reader[*]}" code=0
        "$hindcast" "${reader[@]}" >out 2>err </dev/null || code=$?
        [ $code = 0 ] || { echo "$point: exit $code: $(head -c 500 err out)" >>failed; }
        [ "${reader[0]}" != query ] || is_state out $kind >why || echo "$point: $(cat why): $(cat out)" >>failed
    done
    : >stop
    wait $writer
    point=$kind
    [ ! -s failed ] || fail "$(wc -l <failed) of $reads: $(head -c 3000 failed)"
    [ "$(wc -l <rounds)" -ge 1 ] || fail "nothing was written meanwhile"
    "$hindcast" archive gc -q -a archive >said 2>&1 || fail "gc: $(cat said)"
    "$hindcast" check -a archive >said 2>&1 || fail "check: $(cat said)"
    [ -z "$(find archive -name '*.gone-*')" ] || fail "a file stays that nobody reads"
    echo "$kind: $reads reads, $(wc -l <rounds) rounds of writing"
done

# ---- damage ----

point=damage
rm -rf archive
cp -r template archive
segment=$(find archive/segments -name 'c~*' | head -1)
mv "$segment" aside
"$hindcast" "${query[@]}" --no-cache >out 2>err && fail "a segment is missing, and the query says nothing"
grep -q "is missing; ingest its source" err || "$hindcast" "${query[@]}" >out 2>err
grep -q "is missing; ingest its source" err || fail "$(cat err)"
"$hindcast" check -q -a archive >out 2>&1 && fail "check finds nothing missing"

# Nobody can tell that he reads: the file is gone with its entry.
point="no locks"
rm -rf archive
cp -r template archive
rm archive/readers
said_changed=0
for ((n = 20; n < 60; n += step)); do
    rm -rf archive
    cp -r template archive
    rm archive/readers
    code=0
    FAIL_CALL_MEANWHILE="\"\$hindcast\" archive rm -q --yes c/jobs -a archive >said 2>&1; rm -f archive/readers" \
        "$fail_call" --nth $n meanwhile -- "$hindcast" "${query[@]}" >out 2>err || code=$?
    case $code in
        0) ;;
        4) grep -q "changed while it was read" err && said_changed=1 || fail "$(cat err)" ;;
        *) fail "exit $code: $(cat err)" ;;
    esac
done
[ $said_changed = 1 ] || fail "no read met a segment that is gone"

#!/usr/bin/env bash
# A month of work on one archive by eight writers at once, with readers: ingests of new, changed and same sources, rm,
# prune, compact, migrate, gc, check --repair and reports with what they keep. Each writer has a cluster of its own, of
# which it knows what is to be there, and all of them share sources of another; so what is left is what a serial run
# leaves. No command fails, nothing is lost, brought back or there twice, and the archive checks clean.
#
#   MONTH_SECONDS  how long it takes (10)
#   SEED           of what the writers do (printed)
set -uo pipefail
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
old_segment=$(realpath "${OLD_SEGMENT:?the old_segment tool}")
work=$(mktemp -d)
trap ': >"$work/stop"; wait; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HINDCAST_ARCHIVE
export OMP_NUM_THREADS=1
seed=${SEED:-$((SRANDOM % 100000))}
n_writers=8 n_readers=2
echo "seed $seed, ${MONTH_SECONDS:=10} s"
fail() { echo "FAIL (seed $seed): $*"; exit 1; }

head='JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList'
day_rows() { # CLUSTER DAY VERSION: three jobs, whose user is the version
    local job at
    for job in 1 2 3; do
        at=2026-$2
        echo "${2/-/}$job|$1|v$3|${at}T00:00:00|${at}T00:00:00|${at}T00:00:00|${at}T02:00:00|7200|FAILED|1|gres/gpu=8|n1"
    done
}
days=(01-02 01-09 01-17 01-30 02-03 02-14 02-25)

# Every command of a writer must succeed.
do_write() {
    n_done=$((n_done + 1))
    timeout 300 "$hindcast" "$@" -a archive >"out.$writer" 2>&1 </dev/null ||
        echo "writer $writer: exit $?: $*: $(head -c 1000 "out.$writer")" >>failed
}

# What is there of the own cluster: version[DAY], whether January is one segment, and job[N], its version.
declare -A version job
ingest_days() { # DAY...: new, or changed by a higher version
    local day
    newest=$((newest + 1))
    last_days=("$@")
    {
        echo "$head"
        for day in "$@"; do
            day_rows "c$writer" "$day" "$newest"
            version[$day]=$newest
        done
    } >"source-$writer-$newest.txt"
    do_write ingest -q "source-$writer-$newest.txt"
}
remove_day() { # DAY, which is there
    if [ "$is_month" = 1 ] && [[ $1 == 01-* ]]; then
        do_write archive rm -q --yes "c$writer/jobs#2026-01"
        remove_january
    else
        do_write archive rm -q --yes "c$writer/jobs#2026-$1"
        unset "version[$1]"
    fi
}
remove_january() {
    local day
    for day in "${days[@]}"; do
        [[ $day == 01-* ]] && unset "version[$day]"
    done
    is_month=0
}
has_january() { [[ " ${!version[*]} " == *" 01-"* ]]; }
write_once() {
    local day=${days[RANDOM % ${#days[@]}]} other=${days[RANDOM % ${#days[@]}]} n=$((RANDOM % 3))
    case $((RANDOM % 20)) in
        0 | 1 | 2) if [ "$day" = "$other" ]; then ingest_days "$day"; else ingest_days "$day" "$other"; fi ;;
        3 | 4) # the last source again, which brings back what was removed of it
            do_write ingest -q "source-$writer-$newest.txt"
            for day in "${last_days[@]}"; do version[$day]=$newest; done ;;
        5) do_write ingest -q "shared-$((RANDOM % 4)).txt" ;;
        6 | 7) [ -z "${version[$day]:-}" ] || remove_day "$day" ;;
        8) if has_january; then
               do_write archive prune -q --older 2026-02-01 --cluster "c$writer"
               remove_january
           fi ;;
        9 | 10) if has_january; then
               do_write archive compact --older 2026-02-01 --cluster "c$writer"
               grep -q '/jobs 2026-01: ' "out.$writer" && is_month=1
           fi ;;
        11 | 12) do_write archive gc -q ;;
        13) do_write check --repair -q ;;
        14) do_write archive migrate -q ;;
        15) do_write report account -q -o "report.$writer" ;;
        16) do_write whatif --all -q -o "report.$writer" ;;
        17) cp "trace-$((RANDOM % 2)).csv" "t$writer-$n.csv"
            do_write ingest -q "t$writer-$n.csv"
            job[$n]=1 ;;
        18) if [ "${job[$n]:-}" ]; then
                do_write archive rm -q --yes "default/t$writer-$n"
                unset "job[$n]"
            fi ;;
        19) do_write report failures -q -o "report.$writer" ;;
    esac
}
write() { # WRITER
    local day n
    writer=$1 newest=0 is_month=0 n_done=0
    RANDOM=$((seed + writer))
    ingest_days 01-02 02-03
    while [ ! -e stop ]; do
        write_once
    done
    for day in "${!version[@]}"; do
        echo "c$writer 2026-${day}T00:00:00Z v${version[$day]} 3"
    done >"expected.$writer"
    for n in "${!job[@]}"; do echo "default/t$writer-$n"; done >>"expected.$writer"
    echo "$n_done" >"done.$writer"
}

readers=("query jobs --limit 100000 --group-by cluster,submit_ns,user" "check" "ls" "export jobs -q --as csv -o" "report account -q -o"
    "report failures -q -o" "whatif --all -q -o" "whatif default/* -q -o" "report nightly --date 2026-01-09 -q"
    "report findings --date 2026-01-09 -q -o" "top lost -q -o" "joins -q -o" "show s/jobs -q" "query phases")
read_on() { # READER
    local n=0 code command
    RANDOM=$((seed + 100 + $1))
    while [ ! -e stop ]; do
        n=$((n + 1)) code=0 command=${readers[RANDOM % ${#readers[@]}]}
        [[ $command != *-o ]] || command="$command read.$1.csv"
        # shellcheck disable=SC2086
        (set -f; exec timeout 300 "$hindcast" $command -a archive >"read.$1" 2>"read.err.$1" </dev/null) || code=$?
        [ $code = 0 ] || [[ $code:$command == 1:report\ findings* ]] || echo "read $n: exit $code: $command: $(head -c 1000 "read.err.$1")" >>failed
        : >"read.wrong.$1"
        [[ $command != query\ jobs* ]] || awk 'NR > 1 && $1 != "s" && $4 != 3' "read.$1" >"read.wrong.$1"
        [ ! -s "read.wrong.$1" ] || echo "read $n: a day is there in part or twice: $(cat "read.$1")" >>failed
    done
    echo $n >"reads.$1"
}

sum() { awk '{ n += $1 } END { print n }' "$@"; }

# ---- the month ----

for i in 0 1 2 3; do
    { echo "$head"; day_rows s "${days[i]}" 0; day_rows s "${days[i + 2]}" 0; } >shared-$i.txt
done
for i in 0 1; do
    "$hindcast" synth steps -q --dp 1 --pp 1 --microbatches 1 --steps 2 --seed $i -o trace-$i.csv
done
cp trace-0.csv t0.csv
"$old_segment" archive 2026-01-05 && "$hindcast" ingest -q -a archive shared-0.txt t0.csv >/dev/null 2>&1 || fail "first ingest"
: >failed
for ((i = 1; i <= n_writers; i++)); do write $i & done
for ((i = 1; i <= n_readers; i++)); do read_on $i & done
sleep "$MONTH_SECONDS"
: >stop
wait

[ ! -s failed ] || fail "$(wc -l <failed) commands: $(head -c 4000 failed)"
"$hindcast" ingest -q -a archive shared-?.txt >out 2>&1 || fail "ingest: $(cat out)"
"$hindcast" archive gc -q -a archive >out 2>&1 || fail "gc: $(cat out)"
"$hindcast" check -a archive >out 2>&1 || fail "check: $(cat out)"
tail -n 1 out | grep -q '^[0-9,]* ok, 0 damaged$' || fail "check: $(cat out)"
[ -z "$(find archive -name '*.gone-*' -o -name '*.tmp-*')" ] || fail "files are left: $(find archive -name '*.gone-*' -o -name '*.tmp-*')"
{
    cat expected.*
    for day in "${days[@]:0:6}"; do echo "s 2026-${day}T00:00:00Z v0 3"; done
    printf "%s\n" default/t0 default/phases
} | sort >expected
{
    "$hindcast" query jobs -a archive --limit 100000 --group-by cluster,submit_ns,user | awk 'NR > 1 { print $1, $2, $3, $4 }'
    "$hindcast" ls -a archive 'default/*' | awk 'NR > 1 { print $1 }'
} | sort >found
cmp -s expected found || fail "it is not what a serial run leaves: $(diff expected found)"
"$hindcast" check --repair -q -a archive >out 2>&1 || fail "repair: $(cat out)"
"$hindcast" query jobs -a archive --limit 100000 --group-by cluster,submit_ns,user | awk 'NR > 1 { print $1, $2, $3, $4 }' | sort >again
grep ' ' expected | cmp -s - again || fail "a repair changes what is there: $(grep ' ' expected | diff - again)"
echo "archive_month: $(sum done.*) commands of $n_writers writers, $(sum reads.*) reads, $(wc -l <expected) days and jobs are there"

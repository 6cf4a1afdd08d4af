#!/usr/bin/env bash
# Random histories of the files of a site: whatever happens to them between ingests, and where an
# ingest is killed, the table of jobs is that of one clean ingest of every whole line that an ingest
# could see.
#
#   HISTORIES  how many (4)
#   STEPS      what happens in each (30)
#   SEED       of the first (printed)
set -euo pipefail
histories=${HISTORIES:-4} steps=${STEPS:-30}
seed=${SEED:-$((SRANDOM % 100000))}
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HINDCAST_ARCHIVE HINDCAST_SITE
export LC_ALL=C
header='JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|AllocTRES|NodeList|JobName'
columns=cluster,job,user,state,submit_ns,start_ns,end_ns,elapsed_ns,gpus,node_list,name

fail() {
    echo "seed $((seed + history)), step ${step:-}: $*"
    exit 1
}

# One more look at one of 40 jobs on one of four days: a job goes on, and ends at the fourth.
row() {
    local job=$((1 + RANDOM % 40)) moment=$((RANDOM % 4)) end=Unknown state=RUNNING
    local day=2026-03-0$((1 + job % 4))
    [ "$moment" != 3 ] || { end=${day}T05:00:00 state=COMPLETED; }
    echo "$job|c|u$((job % 5))|${day}T01:00:00|${day}T01:00:00|${day}T02:00:00|$end|$((moment * 3600))|$state|cpu=8,gres/gpu=8,node=1|n$job|job $job"
}

rows() { # N
    local i
    for ((i = 0; i < $1; i++)); do row; done
}

old_file() { # one of those that are not written to any more, or nothing
    local files=(dumps/old-*)
    [ ! -e "${files[0]}" ] || echo "${files[RANDOM % ${#files[@]}]}"
}

# What an ingest sees now: the whole lines of all files, compressed or not.
see() {
    local file
    for file in dumps/*; do
        gzip -cdf "$file" | sed -n '$!p' # all lines but the last, and that where it is ended
        [ "$(gzip -cdf "$file" | tail -c 1 | wc -l)" = 0 ] || gzip -cdf "$file" | tail -n 1
    done | grep -v JobID >>seen.txt || true
}

happen() {
    local old
    old=$(old_file)
    n_old=$((n_old + 1))
    case $((RANDOM % 10)) in
    0 | 1) rows $((1 + RANDOM % 5)) >>dumps/live.txt ;;
    2) row >>dumps/live.txt ;;
    3) mv dumps/live.txt "dumps/old-$n_old.txt" && echo "$header" >dumps/live.txt ;;
    4) [ -z "$old" ] || case $old in *.gz) ;; *) gzip -n "$old" ;; esac ;;
    5) cp dumps/live.txt "dumps/old-$n_old.txt" && echo "$header" >dumps/live.txt ;;
    6) { echo "$header" && rows 4; } >dumps/new.tmp && mv dumps/new.tmp dumps/live.txt ;;
    7) [ -z "$old" ] || cp "$old" "dumps/old-$n_old.${old##*.}" ;;
    8) [ -z "$old" ] || rm "$old" ;;
    9) { echo "$header" && rows 6 | shuf; } >"dumps/old-$n_old.txt" ;;
    esac
}

# A line that is written in two pieces, with an ingest between them.
half_line() {
    local line
    line=$(row)
    printf '%s' "${line:0:$((5 + RANDOM % 90))}" >>dumps/live.txt
    ingest
    local written
    written=$(tail -n 1 dumps/live.txt)
    printf '%s\n' "${line:${#written}}" >>dumps/live.txt
}

ingest() {
    see
    "$hindcast" ingest -q -o - -a a --site site.json >out 2>err || fail "ingest: $(cat err)"
}

table() { "$hindcast" query -a "$1" jobs --columns "$columns" --as csv | sort; }

live() {
    mkdir dumps
    echo "$header" >dumps/live.txt
    : >seen.txt
    n_old=0
    echo '{"schema": "hindcast/site/1", "sources": [{"name": "s", "files": "dumps/{live,old-*}.{txt,gz,txt.gz}"}]}' >site.json
    for ((step = 0; step < steps; step++)); do
        if [ $((RANDOM % 6)) = 0 ]; then half_line; else happen; fi
        case $((RANDOM % 8)) in
        0) timeout -s KILL 0.0$((1 + RANDOM % 3)) "$hindcast" ingest -q -o - -a a --site site.json >out 2>err || true
           ingest ;;
        1) rm -rf a/derived ;;
        2 | 3 | 4 | 5) ingest ;;
        esac
    done
    ingest
    { echo "$header" && sort -u seen.txt; } >all.txt
    "$hindcast" ingest -q -o - -a clean all.txt >out 2>err || fail "clean ingest: $(cat err)"
    cmp <(table a) <(table clean) || fail "the tables differ: $(diff <(table a) <(table clean))"
    [ "$(table clean | wc -l)" -gt 10 ] || fail "too few jobs to tell"
    "$hindcast" ingest -a a --site site.json >out
    ! grep -q ' rows new' out || fail "an ingest of nothing new read something: $(cat out)"
    "$hindcast" archive gc -q -a a >out
    "$hindcast" check -a a >out || fail "check: $(cat out)"
}

for ((history = 0; history < histories; history++)); do
    RANDOM=$((seed + history))
    mkdir "$work/$history"
    cd "$work/$history"
    live
done
echo "seed $seed, $histories histories of $steps steps"

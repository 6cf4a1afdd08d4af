#!/usr/bin/env bash
# A day with more rows than are merged at a time (60,000 and 90,000 of 150,000 jobs, all submitted on two
# days): the table is the same from one dump in order, from many dumps that overlap and are in no order,
# in one command or a command each, and after a dump that tells how running jobs ended. What a command says of
# each dump is right whatever was read with it.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
export LC_ALL=C
header='JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|AllocTRES|JobName'

fail() { echo "$*" && exit 1; }

ingest() { "$hindcast" ingest -q -o - "$@" 2>>warnings; }

# rows FIRST LAST MOMENT: jobs as a dump of early (0: each third still runs) or later (1) has them.
rows() {
    awk -v first="$1" -v last="$2" -v later="$3" 'BEGIN {
        for (job = first; job <= last; job++) {
            second = int(job * 86399 / 60000) % 86400
            day = job <= 60000 ? "2026-03-01" : "2026-03-02"
            if (day == "2026-03-02") second = (job * 7) % 86400
            submit = sprintf("%sT%02d:%02d:%02d", day, second / 3600, second / 60 % 60, second % 60)
            runs = job % 3 == 0 && !later
            printf "%d|c|u%d|%s|%s|%s|%d|%s|gres/gpu=%d|job %d\n", job, job % 50, submit, submit, \
                runs ? "Unknown" : "2026-03-05T00:00:00", runs ? 5 : 60 + job % 1000, \
                runs ? "RUNNING" : "COMPLETED", job % 9, job % 1000
        }
    }'
}

table() {
    "$hindcast" query -a "$1" jobs --as csv --columns cluster,job,user,state,submit_ns,start_ns,end_ns,elapsed_ns,gpus,name |
        sort | sha256sum
}

{ echo "$header" && rows 1 150000 1; } >all.txt
{ echo "$header" && rows 1 150000 0 | shuf --random-source=<(yes); } >early.txt
for part in 0 1 2 3 4 5 6 7 8 9 10 11; do
    { echo "$header" && rows $((part * 12000 + 1)) $((part * 12000 + 18000)) 1 | shuf --random-source=<(yes); } >"part-$part.txt"
done

ingest -a one all.txt >one.out
grep -q '150,000 of 150,000 rows new, 0 changed, 0 as they were, in 2 days' one.out || fail "one dump: $(cat one.out)"
[ "$("$hindcast" query -a one jobs --agg count --as csv | tail -n 1)" = 150000 ] || fail "not every job is there"

ingest -a together part-*.txt >together.out
[ "$(table one)" = "$(table together)" ] || fail 'dumps of one command differ from one dump'
# What two dumps overlap in is new of the first that is read, and as it was of the next.
new=$(tr -d , <together.out | awk '{ for (i = 1; i + 3 <= NF; i++) if ($(i + 1) == "of" && $(i + 3) == "rows") n += $i } END { print n }')
[ "$new" = 150000 ] || fail "$new new rows of dumps that overlap: $(cat together.out)"

for part in 3 11 0 7 5 1 10 2 9 4 8 6; do
    ingest -a apart "part-$part.txt" >>apart.out
done
[ "$(table one)" = "$(table apart)" ] || fail 'a command for each dump gives another table'

ingest -a later early.txt >later.out
[ "$(table one)" != "$(table later)" ] || fail 'running jobs are not told apart'
ingest -a later all.txt >later.out
grep -q '0 of 150,000 rows new, 50,000 changed, 100,000 as they were, in 2 days' later.out || fail "later: $(cat later.out)"
[ "$(table one)" = "$(table later)" ] || fail 'a later dump does not complete an early one'
ingest -a later early.txt all.txt >again.out
[ "$(grep -c 'adds nothing' again.out)" = 2 ] || fail "the same again: $(cat again.out)"
"$hindcast" archive gc -q -a later >gc.out
"$hindcast" check -a later >check.out || fail "check: $(cat check.out)"

# More rows of one time than are written at a time, by the hash of their job in the key: in order of their line.
awk 'BEGIN { print "time_ns,job,line"; for (i = 1; i <= 70000; i++) print "2026-03-01T08:00:00Z," i * 7919 % 70000 + 1 "," i }' >queue.csv
{ sed -n 1p queue.csv && sed 1d queue.csv | awk 'NR % 2' | tac; } >half.csv
ingest -a queue half.csv >queue.out
ingest -a queue queue.csv >>queue.out
"$hindcast" query -a queue queue --as csv --columns line >lines
cut -d, -f 3 queue.csv | cmp - lines || fail "rows of one time are in another order: $(cat queue.out)"
ingest -a queue half.csv queue.csv >queue.out
[ "$(grep -c 'adds nothing' queue.out)" = 2 ] || fail "the same again: $(cat queue.out)"
echo 'days of 60,000 and 90,000 rows: the same from any dumps in any order'

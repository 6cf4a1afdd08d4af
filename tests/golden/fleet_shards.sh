#!/usr/bin/env bash
# The report of a fleet is the same bytes whether one process made it or 3 or 16 shards, on one
# thread or two, from the cache or not, as text, JSON, CSV and HTML with its pages; and what must
# not be merged is refused.
set -euo pipefail
: "${HINDCAST:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "fleet_shards: $*" >&2; exit 1; }
quietly() { "$HINDCAST" "$@" >>log 2>&1 || { cat log; fail "$* failed"; }; }

# 14 jobs: of several sizes, with 17 attempts, with few steps, with a damaged segment.
for i in $(seq 1 11); do
    causes=(--compute-cv 0.02)
    [ $((i % 3)) = 0 ] && causes=(--slow-worker 0,0,1.6)
    [ $((i % 4)) = 1 ] && causes=(--slow-stage 3,1.4)
    quietly synth steps -q --dp $((i % 4 + 1)) --microbatches 4 --steps $((i % 5 + 5)) --seed "$i" \
        "${causes[@]}" -o "trace-job-$i.csv"
done
quietly synth steps -q --steps 2 --microbatches 4 -o trace-short.csv
quietly synth steps -q --steps 8 --microbatches 4 -o trace-damaged.csv
quietly ingest -q -o - -a archive trace-*.csv
quietly synth steps -q --steps 5 --microbatches 4 -o trace-often.csv
for attempt in $(seq 0 16); do
    printf 'job_id: often\nrun_id: %d\n' "$attempt" >meta.yaml
    quietly ingest -q -o - -a archive --meta meta.yaml trace-often.csv
done
damaged=$(echo archive/segments/*damaged*)
printf 'x%.0s' {1..4000} | dd of="$damaged" bs=1 seek=$(($(stat -c %s "$damaged") / 2)) conv=notrunc status=none

# The damaged job makes the exit 1 where it is in what was done (fleet_incomplete.sh looks at that).
may_lack() {
    local code=0
    "$HINDCAST" "$@" >>log 2>&1 || code=$?
    [ "$code" -le 1 ] || { cat log; fail "$* ended in $code"; }
}
all() { may_lack whatif --all -a archive "$@"; }
all --no-cache --threads 1 -o text --csv csv --html html
all --no-cache --threads 1 --json -o json
grep -q '"fate": "restarted"' json || fail "no restarted job"
grep -q '"fate": "damaged"' json || fail "the damaged job can be read"
[ "$(ls html/jobs | wc -l)" -ge 10 ] || fail "only $(ls html/jobs | wc -l) pages"
[ "$(grep -o 'href="jobs/[^"]*' html/index.html | sort -u | wc -l)" = "$(ls html/jobs | wc -l)" ] ||
    fail "not every page is linked"
[ ! -e archive/derived ] || fail "--no-cache kept something"

same() { # what DIRECTORY
    cmp text "$2/text" || fail "$1: other text"
    cmp json "$2/json" || fail "$1: other JSON"
    diff -r csv "$2/csv" >&2 || fail "$1: other CSV"
    diff -r html "$2/html" >&2 || fail "$1: other HTML"
}

# Twice: the second run comes from the cache; then two threads; then a torn cache file.
for round in fill reuse; do
    mkdir "$round"
    all --threads 2 -o "$round/text" --csv "$round/csv" --html "$round/html"
    all --json -o "$round/json"
    same "$round" "$round"
done
tail -n 5 log | grep -q '12 kept from before' || fail "nothing was kept: $(tail -n 1 log)"
before=$(stat -c %y html/jobs/* | sort | tail -n 1)
all -o text2 --html html
[ "$before" = "$(stat -c %y html/jobs/* | sort | tail -n 1)" ] || fail "pages were made anew"
torn=$(ls archive/derived/* | head -n 1)
truncate -s 100 "$torn"
all --json -o torn
cmp json torn || fail "a torn cache file was believed"
[ "$(stat -c %s "$torn")" -gt 100 ] || fail "a torn cache file was not replaced"

for n in 1 3 16; do
    for cache in --no-cache --threads; do
        out=$n$cache
        mkdir "$out"
        for i in $(seq 1 "$n"); do
            option=$cache
            [ "$cache" = --threads ] && option=--threads=2
            all "$option" --shard "$i/$n" -o "$out/$i.json" --html "$out/html"
        done
        may_lack merge "$out"/[0-9]*.json -o "$out/text" --csv "$out/csv" --html "$out/html"
        may_lack merge "$out"/[0-9]*.json --json -o "$out/json"
        same "$n shards, $cache" "$out"
    done
done
# Shards do not depend on the cache either.
for i in $(seq 1 16); do
    cmp "16--no-cache/$i.json" "16--threads/$i.json" || fail "shard $i depends on threads or cache"
done

# Done with the same inputs: the file stays, unless something in it could not be read.
touch -d 2001-01-01 3--threads/*.json
for i in 1 2 3; do all --shard "$i/3" -o "3--threads/$i.json"; done
kept=$(find 3--threads -name '[123].json' ! -newermt 2002-01-01 | wc -l)
[ "$kept" = 2 ] || fail "$kept shards were skipped, not 2"
all --shard 1/3 --threshold 1.2 -o other.json

refused() { # expected message, partials...
    local expected=$1
    shift
    if "$HINDCAST" merge "$@" -o refused 2>err; then fail "merge took $*"; fi
    grep -q "$expected" err || fail "merge $*: $(cat err)"
    [ ! -e refused ] || fail "merge wrote something"
}
cd 3--threads
cp 1.json again.json
sed 's/"n_gpus": [0-9]*/"n_gpus": 99/' 2.json >changed.json
head -c 2000 3.json >cut.json
refused '1 of 3 shards is missing: 2/3' 1.json 3.json
refused "'1.json' and 'again.json' are both shard 1/3" 1.json 2.json again.json
refused "'changed.json' is damaged" 1.json changed.json 3.json
refused "'cut.json' is damaged" 1.json 2.json cut.json
refused 'one is of 3 shards, the other of 16' 1.json ../16--threads/2.json
refused 'their options or methods differ' ../other.json 2.json 3.json
refused "'../json' is a result of hindcast, which no command reads again, not a shard of a report" ../json
cd ..
quietly synth steps -q --steps 6 -o trace-new.csv
quietly ingest -q -o - -a archive trace-new.csv
all --shard 2/3 -o newer.json
refused 'something was ingested in between' 3--threads/1.json newer.json 3--threads/3.json

# What is kept of segments that are gone goes with them.
all -o with-new
n_before=$(ls archive/derived | wc -l)
quietly synth steps -q --steps 7 --seed 77 -o trace-new.csv
quietly ingest -q -o - -a archive trace-new.csv
"$HINDCAST" check -a archive >check 2>&1 || true
grep -q '^derived/.*leftover' check || fail "check does not know what is kept: $(cat check)"
quietly archive gc -a archive
[ "$(ls archive/derived | wc -l)" -lt "$n_before" ] || fail "gc left what is kept of a segment that is gone"
echo "fleet_shards: 1, 3 and 16 shards give the bytes of one process"

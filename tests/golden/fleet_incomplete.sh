#!/usr/bin/env bash
# A fleet report never leaves out a job in silence: what cannot be read, is damaged or finds no memory is
# named (also with --quiet), counted in the funnel and in every view, and decides the exit; the same for
# one process and for shards, whether or not rows were kept from before.
set -euo pipefail
: "${HINDCAST:?the program to test}"
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "fleet_incomplete: $*" >&2; exit 1; }
quietly() { "$HINDCAST" "$@" >>log 2>&1 || { cat log; fail "$* failed"; }; }

for i in 1 2 3 4; do
    quietly synth steps -q --dp 2 --microbatches 4 --steps 6 --seed "$i" -o "trace-job-$i.csv"
done
printf 'dp_size: 2\npp_size: 4\ntp_size: 8\ndsp_size: 1\n' >meta-job-2.yaml
quietly ingest -q -o - -a whole trace-job-*.csv
quietly whatif --all -a whole --json -o whole.json

# all ARCHIVE EXIT OPTION...: the report as JSON and text; what was said is in err
all() {
    local archive=$1 wanted=$2 code=0
    shift 2
    "$HINDCAST" whatif --all -q -a "$archive" --json -o json "$@" 2>err || code=$?
    [ "$code" = "$wanted" ] || fail "$archive $*: exit $code, not $wanted: $(cat err)"
    code=0
    "$HINDCAST" whatif --all -q -a "$archive" -o text --html html --csv csv "$@" 2>again || code=$?
    [ "$code" = "$wanted" ] || fail "$archive $*: exit $code of text, not $wanted: $(cat again)"
    cmp err again
}
fates() { jq -r '[.jobs[].fate] | join(" ")' json; }
has() { grep -qF -e "$1" "$2" || fail "$2 has no '$1': $(head -n 30 "$2")"; }

# What shards and merge say, after all() of the same archive.
same_in_shards() {
    local archive=$1 wanted=$2 code
    rm -rf parts && mkdir parts
    for i in 1 2 3; do
        code=0
        "$HINDCAST" whatif --all -q -a "$archive" --shard "$i/3" -o "parts/$i.json" 2>>parts/err || code=$?
        echo "$code" >>parts/exits
    done
    [ "$(sort -n parts/exits | tail -n 1)" = "$wanted" ] || fail "shards end in $(cat parts/exits)"
    for view in json text; do
        code=0
        option=--json
        [ "$view" = json ] || option=--html=parts/html
        "$HINDCAST" merge -q "$option" -o "parts/$view" parts/[123].json 2>parts/merge.err || code=$?
        [ "$code" = "$wanted" ] || fail "merge of $archive: exit $code, not $wanted"
        cmp "$view" "parts/$view"
        diff err parts/merge.err || fail "merge says something else"
    done
    diff <(grep -v 'the report lacks' err | sort) <(grep -v 'the report lacks' parts/err | sort) ||
        fail "the shards name others"
}
segment() { ls "$1"/segments/*job-"$2"~*.h5; }
overwrite() { # FILE: in the middle, without a change of its size
    printf 'x%.0s' {1..4000} | dd of="$1" bs=1 seek=$(($(stat -c %s "$1") / 2)) conv=notrunc status=none
}

# ---- whole: what was kept is believed, also in a copy of the archive
all whole 0
[ ! -s err ] || fail "something is said of a whole fleet: $(cat err)"
cp -r whole copy
"$HINDCAST" whatif --all -a copy -o copied 2>note
grep -q '4 kept from before' note || fail "a copy of an archive is analysed anew: $(cat note)"

# ---- damaged, behind a row that was kept
cp -r whole damaged
quietly whatif --all -a damaged
overwrite "$(segment damaged 2)"
all damaged 1
[ "$(fates)" = 'analysed damaged analysed analysed' ] || fail "damaged: $(fates)"
has "job 'default/job-2' attempt 0 is lacking: " err
has 'the report lacks 1 of 4 jobs: 1 damaged' err
has '1 of 4 jobs is lacking: 1 damaged; ' text
has 'LACKING JOBS' text
has 'This report is incomplete' html/index.html
has '1 of 4 jobs is lacking: 1 damaged; ' html/index.html
grep -q '^default,job-2,0,damaged,' csv/jobs.csv || fail "jobs.csv does not have it"
grep -q '^damaged,1,' csv/funnel.csv || fail "funnel.csv does not have it"
cp json cached.json
all damaged 1 --no-cache
cmp json cached.json
same_in_shards damaged 1

# Its hours are known as far as the segment says them: here the damage is in its ops, not in its steps.
jq -e '.figures.lacking | .jobs == 1 and (.gpu_hours > 0) == (.gpu_hours_unknown == 0)' json >/dev/null ||
    fail "lacking hours: $(jq -c .figures.lacking json)"

# ---- missing, of another size
cp -r whole missing
rm "$(segment missing 1)"
truncate -s -1 "$(segment missing 3)"
all missing 1
[ "$(fates)" = 'damaged analysed damaged analysed' ] || fail "missing: $(fates)"
has "is missing" err
jq -e '.figures.lacking | .jobs == 2 and .gpu_hours_unknown == 2' json >/dev/null || fail "hours of a missing segment"
has '2 damaged; their GPU-hours are not known' text

# ---- cannot be read now: a link that leads to itself, as root could read anything else
cp -r missing unreadable
file=$(segment unreadable 4)
mv "$file" kept.h5
ln -s "$(basename "$file")" "$file"
all unreadable 4
[ "$(fates)" = 'damaged analysed damaged unreadable' ] || fail "unreadable: $(fates)"
has "job 'default/job-4' attempt 0 is lacking: " err
same_in_shards unreadable 4
# A shard of it is not done; what can be read again is read again.
rm "$file"
mv kept.h5 "$file"
for i in 1 2 3; do "$HINDCAST" whatif --all -q -a unreadable --shard "$i/3" -o "parts/$i.json" 2>/dev/null || true; done
"$HINDCAST" merge -q --json -o json parts/[123].json 2>/dev/null || [ $? = 1 ] || fail "merge after the repair"
[ "$(fates)" = 'damaged analysed damaged analysed' ] || fail "again readable: $(fates)"

# ---- a job with too many attempts is judged by that alone, unless it cannot be read
printf 'job_id: job-1\nattempt: 1\n' >meta.yaml
cp -r whole often
quietly ingest -q -o - -a often --meta meta.yaml trace-job-1.csv
all often 0 --max-attempts 1
[ "$(fates)" = 'restarted analysed analysed analysed' ] || fail "often: $(fates)"
rm often/segments/*job-1~1*.h5
all often 1 --max-attempts 1
[ "$(fates)" = 'damaged analysed analysed analysed' ] || fail "often, missing: $(fates)"

# ---- other bytes that the figures do not rest on, and another job's: no row is made or kept of them
cp -r whole other
rm -r other/derived
printf X | dd of="$(segment other 2)" bs=1 seek=$(($(stat -c %s "$(segment other 2)") - 1)) conv=notrunc 2>dd.err
all other 1 --no-cache
[ "$(fates)" = 'analysed damaged analysed analysed' ] || fail "other bytes: $(fates)"
all other 1
cat "$(segment whole 2)" >"$(segment other 2)"
all other 0
cat "$(segment other 1)" >"$(segment other 2)"
for command in show 'whatif --quick'; do
    code=0
    # shellcheck disable=SC2086 # words
    "$HINDCAST" $command -a other job-2 -o answer >answer.out 2>&1 || code=$?
    [ "$code" = 3 ] || fail "$command answers for another job: exit $code"
done

# ---- no memory for one job: it is a row of the funnel (sanitizers need address space without a limit)
if ! (ulimit -v 4000000 && "$HINDCAST" --version >/dev/null 2>&1); then
    echo "skipped: no limit of memory with this build"
    exit 0
fi
quietly synth steps -q --dp 16 --pp 4 --microbatches 64 --steps 40 -o trace-large.csv
cp -r whole large
quietly ingest -q -o - -a large trace-large.csv
short=0
for mib in 24 32 40 48 56 64 72 80 96; do
    code=0
    (ulimit -v $((mib * 1024)) && OMP_NUM_THREADS=1 "$HINDCAST" whatif --all --quick -q --threads 1 \
        --no-cache -a large --json -o json 2>err) || code=$?
    [ "$code" != 0 ] || break
    [ "$code" = 5 ] || [ "$code" = 127 ] || fail "$mib MiB: exit $code: $(cat err)"
    [ -s json ] || continue
    [ "$(fates)" = 'analysed analysed analysed analysed no_memory' ] || continue
    has "job 'default/large' attempt 0 is lacking: " err
    has 'out of memory' err # the limit decides in which place
    short=1
done
[ "$short" = 1 ] || fail "no limit lets the small jobs pass and the large one fail"
echo "fleet_incomplete: nothing is left out in silence"

# Commands to be tried while the system fails under them, and what must hold afterwards. Sourced by
# failing_calls.sh and killed_calls.sh beside it, which run them under build/tests/fail_call.
#
# Every try starts from a copy of one template directory:
#   arch/     an archive of two jobs (one of them ingested twice, so that a replaced segment lies
#             there) and a list of incidents
#   recs/     an archive of the records of a cluster: jobs, events, a training log, phases in a segment
#             of an older schema; and site.json, whose sources are new to it
#   out/      the outputs of an earlier run with another seed or threshold, at the names to which
#             the tried command writes too
# After it, the archive checks clean or says what it cannot read, nothing
# that was published is lost (also after a repair and a gc), the exit code is of the right class, no
# output is partial, and no set of files mixes two runs.

hindcast=$(realpath "${HINDCAST:?the hindcast program}")
fail_call=$(realpath "${FAIL_CALL:?the fail_call tool}")
old_segment=$(realpath "${OLD_SEGMENT:?the old_segment tool}")
samples=$(realpath "${SOURCE_DIR:?}/data/samples")
unset HINDCAST_ARCHIVE
export LC_ALL=C OMP_NUM_THREADS=1 ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:allocator_may_return_null=1
kinds_of_error=(EIO ENOSPC EMFILE ENOMEM EACCES short)
# The address sanitizer ends the program where its own tables find no memory.
! grep -qa __asan_init "$hindcast" || kinds_of_error=(EIO ENOSPC EMFILE EACCES short)

# name | files and directories that it writes | arguments
all_cases=(
    'ingest-new      |        | ingest -q -o - -a new trace-b.csv.gz'
    'ingest          |        | ingest -q -o - -a arch trace-b.csv.gz'
    'ingest-again    |        | ingest -q -o - -a arch trace-a.csv'
    'ingest-changed  |        | ingest -q -o - -a arch changed/trace-a.csv'
    'ingest-parquet  |        | ingest -q -o - -a arch trace-p.parquet'
    'ingest-ranks    |        | ingest -q -o - -a arch ranks/rank-3.csv ranks/rank-0.csv ranks/rank-1.csv ranks/rank-2.csv'
    'ingest-traces   |        | ingest -q -o - -a arch traces'
    'ingest-incidents|        | ingest -q -o - -a arch records.csv'
    'ls              |        | ls -a arch --json'
    'show            |        | show -a arch a --json'
    'check           |        | check -a arch'
    'repair          |        | check --repair -a arch'
    'gc              |        | archive gc -a arch'
    'whatif          | out    | whatif -q -a arch a --json -o out/a.json --csv out/csv --html out/a.html'
    'whatif-file     | out    | whatif -q trace-a.csv --compat out/compat -o out/a.txt'
    'whatif-ranks    | out    | whatif -q ranks/rank-3.csv ranks/rank-0.csv ranks/rank-1.csv ranks/rank-2.csv -o out/a.txt'
    'compare         | out    | compare -q -a arch a trace-a.csv@10-20 --json -o out/a.json --csv out/csv --html out/a.html'
    'whatif-all      | out    | whatif -q --all -a arch --min-steps 1 --json -o out/all.json --csv out/csv --html out/html'
    'whatif-shard    | out    | whatif -q --all -a arch --min-steps 1 --no-cache --shard 1/2 -o out/shard.json'
    'merge           | out    | merge -q shard-1.json shard-2.json --json -o out/all.json --csv out/csv --html out/html'
    'export          | out    | export -q -a arch a --perfetto out/a.json.gz'
    'report          | out    | report reliability -q -a arch --json -o out/reliability.json'
    'diagnose        | out    | diagnose collectives -q dumps --json -o out/hang.json --csv out/hang --html out/hang.html'
    'simulate        | out    | simulate -q scenario.json -o out/sim/'
    'ingest-sacct    |        | ingest -q -o - -a recs sacct-2.txt'
    'ingest-kernel   |        | ingest -q -o - -a recs kern-2.log'
    'ingest-log      |        | ingest -q -o - -a recs logs/run-103.log'
    'ingest-site     |        | ingest -q -o - -a recs --site site.json'
    'prune           |        | archive prune -a recs --table jobs --older 2026-01-04'
    'rm              |        | archive rm -q -a recs c/jobs#2026-01-03 --yes'
    'compact         |        | archive compact -a recs --table jobs --older 2026-02-15'
    'migrate         |        | archive migrate -a recs'
    'query           | out    | query -q -a recs jobs --group-by user --agg count,sum(gpus) --as csv -o out/query.csv'
    'ls-table        |        | ls -a recs events'
    'show-record     |        | show -a recs 101'
    'joins           | out    | joins -q -a recs --json -o out/joins.json'
    'runs            | out    | runs propose -q -a recs --json -o out/runs.json'
    'account         | out    | report account -q -a recs --json -o out/account.json'
    'nightly         | out    | report nightly -q -a recs --date 2026-01-05 -o out/nights'
    'top             | out    | top lost -q -a recs --date 2026-03-05 --json -o out/top.json'
    'ettr            | out    | report ettr -q -a recs --json -o out/ettr.json'
    'startup         | out    | report startup -q -a recs --date 2026-03-05 --json -o out/startup.json'
    'subject         | out    | report node n1 -q -a recs --json -o out/subject.json'
    'nights          | out    | compare -q --nights 2026-01-05 2026-03-05 -a recs --json -o out/compared.json'
    'runs-compared   | out    | compare -q --runs run-a.json run-b.json --json -o out/runs-compared.json'
    'rates           | out    | report reliability -q --records -a recs --json -o out/rates.json'
    'failures        | out    | report failures -q -a recs --json -o out/failures.json'
    'capacity        | out    | report capacity -q -a recs --json -o out/capacity.json'
    'fit             | out    | fit -q -a recs -o out/fit.json'
    'part            | out    | report ettr -q -a recs --shard 1/2 -o out/ettr.part'
    'merge-parts     | out    | merge -q ettr-1.part ettr-2.part --json -o out/ettr.json'
    'export-csv      | out    | export -q -a recs jobs --as csv -o out/jobs.csv'
    'export-jsonl    | out    | export -q -a recs events --as jsonl -o out/events.jsonl'
    'export-parquet  | out    | export -q -a recs train_steps --as parquet -o out/steps.parquet'
    'site-check      |        | site check site.json'
    'site-init       | out    | site init -q out/site'
    'synth-kineto    | out    | synth kineto -q --dp 2 --steps 1 --layers 1 --microbatches 1 -o out/traces'
)

case_field() { # CASE N
    local field
    field=$(cut -d'|' -f"$2" <<<"$1")
    read -r field <<<"$field"
    printf '%s' "$field"
}

# ---- the template ----

make_template() {
    local synth=("$hindcast" synth steps --dp 2 --pp 2 --microbatches 4 --steps 6)
    mkdir -p template/changed template/out
    cd template
    "${synth[@]}" --seed 1 -o trace-a.csv
    "${synth[@]}" --seed 2 -o changed/trace-a.csv
    mkdir ranks # the same by ranks
    awk -F, 'NR == 1 { header = $0; next }
             { file = "ranks/rank-" $3 ".csv" }
             !seen[file]++ { print header ",job,dp_size,pp_size" >file }
             { print $0 ",by-ranks,2,2" >file }' trace-a.csv
    "${synth[@]}" --seed 3 -o trace-b.csv && gzip trace-b.csv
    "${synth[@]}" --seed 4 -o trace-c.csv
    cp "$samples/trace-slow-worker.parquet" trace-p.parquet
    cp "$samples/incidents/cluster.jsonl" "$samples/incidents/records.csv" .
    cp -r --no-preserve=mode "$samples/flight-recorder/healthy" dumps
    cat >scenario.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "include": "preset:llama3", "replicas": 2,
 "job": {"horizon_d": 3}}
END
    "$hindcast" synth kineto -q --dp 2 --steps 1 --layers 1 --microbatches 1 -o traces && rm traces/truth.json
    "$hindcast" ingest -q -a arch traces/rank-0.pt.trace.json >/dev/null # of two: the other comes or not
    "$hindcast" ingest -q -a arch changed/trace-a.csv trace-c.csv cluster.jsonl >/dev/null
    touch -d '2020-01-01' arch/segments/* # what is replaced is older
    "$hindcast" ingest -q -a arch trace-a.csv >/dev/null
    local i
    for i in 1 2; do
        "$hindcast" whatif -q --all -a arch --min-steps 1 --no-cache --shard $i/2 -o shard-$i.json
    done
    make_records
    for i in 1 2; do
        "$hindcast" report ettr -q -a recs --no-cache --shard $i/2 -o ettr-$i.part
    done
    make_old_outputs
    cd ..
}

# Two days of January, whose records may go or be put together, and one of March.
make_records() {
    local header='JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName'
    mkdir logs out/site
    sacct_row() { # JOB DAY STATE
        echo "$1|c|ada|2026-$2T00:00:00|2026-$2T00:00:00|2026-$2T02:00:00|7200|$3|1|gres/gpu=8|n1|/l/run-%j.log|big"
    }
    { echo "$header"; sacct_row 100 01-03 COMPLETED; sacct_row 101 01-05 NODE_FAIL; sacct_row 102 03-05 FAILED; } >sacct.txt
    { echo "$header"; sacct_row 101 01-05 NODE_FAIL; sacct_row 103 03-06 FAILED; } >sacct-2.txt
    echo '2026-01-05T01:59:00+00:00 n1 kernel: NVRM: Xid (PCI:0000:18:00): 79, pid=200, name=python3, GPU has fallen off the bus.' >kern.log
    echo '2026-03-06T01:59:00+00:00 n1 kernel: NVRM: Xid (PCI:0000:18:00): 48, pid=200, name=python3, DBE' >kern-2.log
    training_log 2026-03-05 >logs/run-102.log
    training_log 2026-03-06 >logs/run-103.log
    cp sacct-2.txt kern-2.log out/site
    cat >site.json <<'END'
{"schema": "hindcast/site/1", "sources": [
 {"name": "accounting", "files": "sacct*.txt"}, {"name": "kernel", "files": "kern*.log"},
 {"name": "training", "files": "logs/*.log"}]}
END
    "$hindcast" ingest -q -a recs sacct.txt kern.log logs/run-102.log >/dev/null
    "$hindcast" report run big -q -a recs --json -o run-a.json
    cp run-a.json run-b.json
    "$old_segment" recs 2026-01-05
}

# A launch that saves a checkpoint and fails.
training_log() { # DAY
    cat <<END
using world size: 8, data-parallel-size: 4
[after megatron is initialized] datetime: $1 00:01:00
 [$1 01:00:00.000000] iteration        1/      10 | consumed samples: 64 | elapsed time per iteration (ms): 1000.5 | lm loss: 3.1E+00 |
  successfully saved checkpoint from iteration       1 to /ckpt
RuntimeError: CUDA error: an illegal memory access was encountered
[$1 01:59:50,123] ends
END
}

# The same names with other contents.
make_old_outputs() {
    "$hindcast" whatif -q --threshold 3 -a arch a --json -o out/a.json --csv out/csv --html out/a.html
    "$hindcast" whatif -q --threshold 3 changed/trace-a.csv --compat out/compat -o out/a.txt
    "$hindcast" whatif -q --all --max-attempts 1 --threshold 1.7 -a arch --min-steps 1 --no-cache --json \
        -o out/all.json --csv out/csv --html out/html
    "$hindcast" whatif -q --all -a arch --min-steps 2 --no-cache --shard 1/2 -o out/shard.json
    "$hindcast" export -q -a arch c --perfetto out/a.json.gz
    "$hindcast" report reliability -q -a arch --from 2000-01-01 --json -o out/reliability.json
    "$hindcast" diagnose collectives -q "$samples/flight-recorder/late" --json -o out/hang.json --csv out/hang \
        --html out/hang.html || [ $? = 1 ]
    "$hindcast" query -q -a recs events --as csv -o out/query.csv
    "$hindcast" joins -q -a recs --top 1 -o out/joins.json
    "$hindcast" runs propose -q -a recs --as csv -o out/runs.json
    "$hindcast" report account -q -a recs --from 2026-03-01 --json -o out/account.json
    "$hindcast" report failures -q -a recs -o out/failures.json
    "$hindcast" report capacity -q -a recs -o out/capacity.json
    "$hindcast" top lost -q -a recs --date 2026-03-05 -o out/top.json
    "$hindcast" report ettr -q -a recs -o out/ettr.json
    "$hindcast" report ettr -q -a recs --top 1 --shard 1/2 -o out/ettr.part
    "$hindcast" report startup -q -a recs --date 2026-03-05 -o out/startup.json
    "$hindcast" report node n1 -q -a recs -o out/subject.json
    "$hindcast" compare -q --nights 2026-01-05 2026-03-05 -a recs -o out/compared.json
    "$hindcast" compare -q --runs run-a.json run-b.json -o out/runs-compared.json
    "$hindcast" report reliability -q --records -a recs -o out/rates.json
    "$hindcast" fit -q -a recs --from 2026-01-02 -o out/fit.json >/dev/null
    "$hindcast" report nightly -q -a recs --date 2026-01-05 --as-of 2026-01-05T01:00:00Z -o out/nights
    "$hindcast" export -q -a recs jobs --as csv --columns job -o out/jobs.csv
    "$hindcast" export -q -a recs events --as jsonl --columns time_ns -o out/events.jsonl
    "$hindcast" export -q -a recs train_steps --as parquet --columns iteration -o out/steps.parquet
    "$hindcast" simulate -q --seed 99 scenario.json -o out/sim/ >/dev/null
    echo 'not hindcast'"'"'s' >out/sim/notes.txt
}

# ---- what must hold ----

published() { # ARCHIVE: a line for each job, with what it was read from
    jq -r '.segments[] | [.cluster, .job_id, .attempt, .kind // "steps", .sha256] | @tsv' "$1/manifest.json" | sort
}

# Digests of all files below the paths given; of metrics without the one that asks the clock.
tree() {
    find "$@" -type f ! -name metrics.prom -print0 2>/dev/null | sort -z | xargs -0 -r sha256sum
    local file
    find "$@" -type f -name metrics.prom 2>/dev/null | sort | while read -r file; do
        echo "$(grep -v ^hindcast_nightly_last_success "$file" | sha256sum | cut -c1-64)  $file"
    done
}

complain() {
    echo "$point: $*"
    return 1
}

# Nothing temporary stays, in the archive or beside the outputs, but after SIGKILL.
nothing_is_left() {
    local left
    left=$(find . -name '*.tmp-*' -o -name '.tmp-*' | head -n 3)
    [ -z "$left" ] || complain "it leaves $left"
}

# The archive $1 must check clean and publish what file $2 or file $3 lists, also after a repair and a
# gc. Most tries leave the same few archives: one that was verified is not verified again.
verify_archive() {
    local archive=$1 old=$2 new=$3 step state
    state=$(tree "$archive" | grep -v "/derived/" | cat - "$old" "$new" | sha256sum)
    ! grep -qxF "$state" ../verified 2>/dev/null || return 0
    for step in 'check' 'check --repair' 'archive gc' 'check'; do
        # shellcheck disable=SC2086 # two words
        "$hindcast" $step -q -a "$archive" >verify.out 2>&1 ||
            complain "then '$step' ends with $?: $(tail -n 3 verify.out)" || return 1
        published "$archive" >verify.now
        cmp -s verify.now "$old" || cmp -s verify.now "$new" ||
            complain "after '$step' the archive has: $(diff verify.now "$old")" || return 1
    done
    echo "$state" >>../verified
}

# A report on a fleet is written without the jobs that could not be read, says so itself, and its
# files are all of one run.
is_incomplete_fleet() { # CASE CODE
    case $1:$2 in
        whatif-shard:[45]) grep -qE '"fate": *"(unreadable|no_memory)"' out/shard.json ;;
        whatif-all:[45])
            jq -e '.figures.lacking.jobs > 0' out/all.json >/dev/null &&
                (cd out/csv && sha256sum -c --quiet files.sha256) && (cd out/html && sha256sum -c --quiet files.sha256) &&
                [ "$(cat out/csv/files.sha256 out/html/files.sha256 | grep -c "$(jq -r .run_id out/all.json)")" = 2 ]
            ;;
        *) return 1 ;;
    esac
}

# What a try of case $1 is about: "new", "arch" or "recs".
archive_of() {
    case $1 in
        ingest-new) echo new ;;
        ingest-sacct | ingest-kernel | ingest-log | ingest-site | prune | rm | compact | migrate) echo recs ;;
        *) echo arch ;;
    esac
}

# The rows of all tables of records of an archive, by which it is the same whatever its segments.
rows_of() { # ARCHIVE
    local table
    for table in jobs events train_steps cycles checkpoints phases; do
        "$hindcast" query -q -a "$1" $table --as csv || return 1
    done
}

# What is ingested of records is published by day, and where one day fails, days that were ready
# before it are in the archive: what was there stays, and the same command brings in the rest, and
# nothing twice.
verify_rest() { # CASE
    local step arguments state
    state=$({ echo "$1" && tree recs; } | sha256sum)
    ! grep -qxF "$state" ../verified 2>/dev/null || return 0
    for step in 'check' 'check --repair' 'archive gc' 'check'; do
        # shellcheck disable=SC2086 # two words
        "$hindcast" $step -q -a recs >verify.out 2>&1 ||
            complain "then '$step' ends with $?: $(tail -n 3 verify.out)" || return 1
    done
    rows_of recs | sort >verify.now
    [ -z "$(sort ../template-recs.rows | comm -23 - verify.now)" ] ||
        complain "rows that were there are gone: $(sort ../template-recs.rows | comm -23 - verify.now | head -n 3)" || return 1
    arguments=$(case_field "$(printf '%s\n' "${cases[@]}" | grep "^$1 ")" 3)
    # shellcheck disable=SC2086 # words
    "$hindcast" $arguments >verify.out 2>&1 ||
        complain "the same ingest after it ends with $?: $(tail -n 3 verify.out)" || return 1
    rows_of recs >verify.now 2>&1
    cmp -s verify.now "../ref-$1.rows" ||
        complain "after the same ingest again there are other rows: $(diff verify.now "../ref-$1.rows" | head -n 4)" ||
        return 1
    echo "$state" >>../verified
}

# The archives after a try of case $1 that ended with $2.
verify_archives() {
    local name=$1 code=$2 ref=../ref-$1 about=
    about=$(archive_of "$name")
    if [ "$about" = new ] && [ "$code" = 0 ] && [ ! -e new/manifest.json ]; then
        complain "it ended with 0, and there is no archive"
        return 1
    fi
    if [ "$about" = new ] && [ -e new/manifest.json ]; then
        verify_archive new ../none "$ref.published" || return 1
    fi
    case $name in
        ingest* | prune | rm | compact | migrate)
            [ "$code" != 0 ] || { published "$about" | cmp -s - "$ref.published"; } ||
                complain "it ended with 0, and did not do what it was told" || return 1
            ;;
    esac
    if [ "$about" = recs ] && [[ $name = ingest-* ]]; then
        verify_rest "$name"
    elif [ "$about" = recs ]; then
        verify_archive recs ../template-recs.published "$ref.published"
    else
        verify_archive arch ../template-arch.published "$ref.published" || return 1
        [ "$(tree recs)" = "$(cat ../template-recs.tree)" ] || complain "'recs' was changed"
    fi
}

# After a try of case $1 that ended with $2; $3 tells how sets of files are compared: "whole" when
# a command must leave all new or all old, "each" when it was killed.
verify() {
    local name=$1 code=$2 way=$3 ref=../ref-$1
    verify_archives "$name" "$code" || return 1
    [ "$name" != nightly ] || (cd out/nights/latest && sha256sum -c --quiet files.sha256) >verify.out 2>&1 ||
        complain "out/nights/latest is no whole report: $(tail -n 3 verify.out)" || return 1
    tree out >out.now
    if cmp -s out.now "$ref.tree"; then
        return 0
    fi
    [ "$code" != 0 ] || complain "it ended with 0, and its outputs are others: $(diff out.now "$ref.tree" | head -n 4)" ||
        return 1
    cmp -s out.now ../template.tree && return 0
    is_incomplete_fleet "$name" "$code" && return 0
    [ "$way" = each ] ||
        complain "its outputs are neither all new nor all old: $(diff out.now ../template.tree | head -n 6)" || return 1
    # Killed: every file is the old or the new one, and nothing is beside them but what was being named.
    comm -23 <(sort out.now) <(sort ../template.tree "$ref.tree") | grep -v '\.tmp-' >out.odd || return 0
    complain "files that are neither new nor old: $(head -n 3 out.odd)"
}

# ---- references: each case once, undisturbed ----

# Segments and results name the absolute paths of their sources: references and tries are made in a
# directory of the same name, run/, below that of each worker.
fresh_run() {
    rm -rf run
    cp -a "$work/template" run
}

make_references() {
    local entry name
    : >none
    published "$work/template/arch" >template-arch.published
    published "$work/template/recs" >template-recs.published
    (cd "$work/template" && tree recs) >template-recs.tree
    rows_of "$work/template/recs" >template-recs.rows
    (cd "$work/template" && tree out) >template.tree
    for entry in "${cases[@]}"; do
        name=$(case_field "$entry" 1)
        fresh_run
        (
            cd run
            # shellcheck disable=SC2046 # words
            "$hindcast" $(case_field "$entry" 3) >../ref-"$name".stdout 2>../ref-"$name".stderr
        ) || { echo "$name fails undisturbed: $(cat ref-"$name".stderr)"; return 1; }
        (cd run && tree out) >ref-"$name".tree
        published "run/$(archive_of "$name")" >ref-"$name".published
        rows_of run/recs >ref-"$name".rows
    done
}

# ---- trying ----

# Make the template in the working directory; 77 where calls cannot be made to fail.
prepare() {
    local status=0
    "$fail_call" --count EIO -- "$hindcast" --version >/dev/null 2>count.err || status=$?
    if [ $status = 77 ]; then
        echo "skip: $(cat count.err)"
        return 77
    fi
    (set -e && make_template) 2>template.err # not in a condition, which would switch off -e
    [ $? = 0 ] || { echo "the template cannot be made: $(cat template.err)"; return 1; }
}

# A line "case kind n" for each point.
list_points() {
    local i k kinds counts n=${#kinds_of_error[@]}
    kinds=$(IFS=, && echo "${kinds_of_error[*]}")
    for i in "${!cases[@]}"; do
        fresh_run
        # shellcheck disable=SC2046 # words
        mapfile -t counts < <(cd run && "$fail_call" --count "$kinds" -- "$hindcast" \
            $(case_field "${cases[i]}" 3) 2>&1 >/dev/null | tail -n "$n")
        for ((k = 0; k < n; k++)); do
            seq -f "$i ${kinds_of_error[k]} %.0f" 1 "${counts[k]}"
        done
    done
}

# $points of the points ("all"), as many of each command and kind as of any other, chosen by $seed.
choose_some() {
    if [ "$points" = all ]; then
        cat
        return
    fi
    awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.12f %s\n", rand(), $0 }' | sort |
        awk '{ printf "%06d %s %s\n", n[$2 " " $3]++, $1, $2 " " $3 " " $4 }' | sort |
        head -n "$points" | cut -d' ' -f3-
}

choose_points() {
    choose_some
}

work_through() { # WORKER
    local i kind n
    mkdir "worker-$1" && cd "worker-$1" && make_references || return 1
    awk -v w="$1" -v n="$jobs" 'NR % n == w' ../points.chosen >points
    while read -r i kind n; do
        fresh_run
        (cd run && try_point "$i" "$kind" "$n") >>findings || echo >>failed
        echo >>tried
    done <points
}

# Try the chosen points of all cases in $jobs processes; the caller has defined try_point.
try_points() {
    local w tried failed
    list_points >points.all
    choose_points <points.all >points.chosen
    for ((w = 0; w < jobs; w++)); do
        (work_through "$w") &
    done
    wait
    cat worker-*/findings 2>/dev/null
    tried=$(cat worker-*/tried | wc -l) failed=$(cat worker-*/failed 2>/dev/null | wc -l)
    echo "seed $seed: $tried of $(wc -l <points.all) points tried, $failed with a finding"
    [ "$tried" -gt 0 ] && [ "$failed" = 0 ] && [ "$tried" = "$(wc -l <points.chosen)" ]
}

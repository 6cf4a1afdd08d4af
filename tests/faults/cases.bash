# Commands to be tried while the system fails under them, and what must hold afterwards. Sourced by
# failing_calls.sh and killed_calls.sh beside it, which run them under build/tests/fail_call.
#
# Every try starts from a copy of one template directory:
#   arch/     an archive of two jobs (one of them ingested twice, so that a replaced segment lies
#             there) and a list of incidents
#   out/      the outputs of an earlier run with another seed or threshold, at the names to which
#             the tried command writes too
# After it, the archive checks clean or says what it cannot read, nothing
# that was published is lost (also after a repair and a gc), the exit code is of the right class, no
# output is partial, and no set of files mixes two runs.

hindcast=$(realpath "${HINDCAST:?the hindcast program}")
fail_call=$(realpath "${FAIL_CALL:?the fail_call tool}")
samples=$(realpath "${SOURCE_DIR:?}/data/samples")
unset HINDCAST_ARCHIVE
export LC_ALL=C OMP_NUM_THREADS=1 ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:allocator_may_return_null=1
kinds_of_error=(EIO ENOSPC EMFILE ENOMEM EACCES short)
# The address sanitizer ends the program where its own tables find no memory.
! grep -qa __asan_init "$hindcast" || kinds_of_error=(EIO ENOSPC EMFILE EACCES short)

# name | files and directories that it writes | arguments
all_cases=(
    'ingest-new      |        | ingest -q -a new trace-b.csv.gz'
    'ingest          |        | ingest -q -a arch trace-b.csv.gz'
    'ingest-again    |        | ingest -q -a arch trace-a.csv'
    'ingest-changed  |        | ingest -q -a arch changed/trace-a.csv'
    'ingest-parquet  |        | ingest -q -a arch trace-p.parquet'
    'ingest-ranks    |        | ingest -q -a arch ranks/rank-3.csv ranks/rank-0.csv ranks/rank-1.csv ranks/rank-2.csv'
    'ingest-traces   |        | ingest -q -a arch traces'
    'ingest-incidents|        | ingest -q -a arch records.csv'
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
    cp -r "$samples/flight-recorder/healthy" dumps
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
    make_old_outputs
    cd ..
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
    "$hindcast" simulate -q --seed 99 scenario.json -o out/sim/ >/dev/null
    echo 'not hindcast'"'"'s' >out/sim/notes.txt
}

# ---- what must hold ----

published() { # ARCHIVE: a line for each job, with what it was read from
    jq -r '.segments[] | [.cluster, .job_id, .attempt, .kind // "steps", .sha256] | @tsv' "$1/manifest.json" | sort
}

# Digests of all files below the paths given.
tree() {
    find "$@" -type f -print0 2>/dev/null | sort -z | xargs -0 -r sha256sum
}

complain() {
    echo "$point: $*"
    return 1
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

# After a try of case $1 that ended with $2; $3 tells how sets of files are compared: "whole" when
# a command must leave all new or all old, "each" when it was killed.
verify() {
    local name=$1 code=$2 way=$3 ref=../ref-$1
    case $name in
        ingest-new) [ ! -e new/manifest.json ] || verify_archive new ../none "$ref.published" || return 1 ;;
        ingest*)
            [ "$code" != 0 ] || { published arch | cmp -s - "$ref.published"; } ||
                complain "it ended with 0, and the job is not there" || return 1
            ;;
    esac
    if [ "$name" = ingest-new ] && [ "$code" = 0 ] && [ ! -e new/manifest.json ]; then
        complain "it ended with 0, and there is no archive"
        return 1
    fi
    verify_archive arch ../template.published "$ref.published" || return 1
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
    published "$work/template/arch" >template.published
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
        if [ "$name" = ingest-new ]; then
            published run/new >ref-"$name".published
        else
            published run/arch >ref-"$name".published
        fi
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
    local i kind n
    for i in "${!cases[@]}"; do
        for kind in "${kinds_of_error[@]}"; do
            fresh_run
            # shellcheck disable=SC2046 # words
            n=$(cd run && "$fail_call" --count "$kind" -- "$hindcast" $(case_field "${cases[i]}" 3) \
                2>&1 >/dev/null | tail -n 1)
            seq -f "$i $kind %.0f" 1 "$n"
        done
    done
}

# $points of the points ("all"), as many of each command and kind as of any other, chosen by $seed.
choose_points() {
    if [ "$points" = all ]; then
        cat
        return
    fi
    awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.12f %s\n", rand(), $0 }' | sort |
        awk '{ printf "%06d %s %s\n", n[$2 " " $3]++, $1, $2 " " $3 " " $4 }' | sort |
        head -n "$points" | cut -d' ' -f3-
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
    [ "$failed" = 0 ] && [ "$tried" = "$(wc -l <points.chosen)" ]
}

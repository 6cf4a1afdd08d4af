#!/usr/bin/env bash
# examples/slurm without Slurm: a function in place of sbatch reads the options at the head of a script as Slurm does,
# those of the command line before them, and runs its tasks with the variables that Slurm sets. An array as it stands
# (--array=0-15), some of its tasks submitted again (--array=3,7) and another number of shards give the bytes of one
# process; a task without a shard and a merge without all shards are refused. (tests/long/slurm_array.sh has a real Slurm.)
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
examples=$(cd "${SOURCE_DIR:-$(dirname "$0")/../..}/examples/slurm" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "slurm_examples: $*" >&2; exit 1; }

option() { # name, words of the command line and of the head of the script: the first that gives it
    local name=$1 word
    shift
    for word in "$@"; do
        [ "${word%%=*}" != "--$name" ] || { echo "${word#*=}"; return; }
    done
}
tasks_of() { # 0-15%4, 3,7
    local part
    for part in ${1//,/ }; do
        part=${part%\%*}
        seq "${part%-*}" "${part#*-}"
    done
}
job=100
sbatch() { # --option=value... script: the worst status of its tasks
    local script=${*: -1} worst=0 head ids
    mapfile -t head < <(sed -n 's/^#SBATCH //p' "$script")
    set -- "${@:1:$#-1}" "${head[@]}"
    mapfile -t ids < <(tasks_of "$(option array "$@")")
    job=$((job + 1))
    local output
    output=$(option output "$@")
    output=${output//%[Aj]/$job}
    [ "${#ids[@]}" != 0 ] || { bash "$script" >"$output" 2>&1; return; }
    for id in "${ids[@]}"; do
        SLURM_ARRAY_JOB_ID=$job SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_COUNT=${#ids[@]} SLURM_ARRAY_TASK_MIN=${ids[0]} \
            SLURM_ARRAY_TASK_MAX=${ids[-1]} SLURM_CPUS_PER_TASK=$(option cpus-per-task "$@") \
            bash "$script" >"${output//%a/$id}" 2>&1 || worst=$?
    done
    return $worst
}
lines_of() { cat hindcast-*-"$job"*.out; } # what the last job printed
asks_for() { # script, options that its head must have
    local name
    for name in "${@:2}"; do
        grep -q "^#SBATCH --$name=" "$examples/$1" || fail "$1 asks for no --$name"
    done
}
for script in whatif-array night-array; do asks_for $script.sbatch array time mem output cpus-per-task; done
for script in merge night-merge; do asks_for $script.sbatch time mem output; done

for i in $(seq 1 5); do
    "$HINDCAST" synth steps -q --steps 5 --microbatches 4 --dp 2 --seed "$i" -o "trace-job-$i.csv"
done
"$HINDCAST" ingest -q -a archive trace-*.csv
"$HINDCAST" whatif --all --no-cache -q -a archive -o expected.txt
"$HINDCAST" whatif --all --no-cache -q -a archive --json -o expected.json

# ---- the array as it stands, and tasks of it again ----
export HINDCAST ARCHIVE=archive PARTS=parts REPORT=report
sbatch "$examples/whatif-array.sbatch" || fail "a task failed: $(lines_of)"
[ "$(ls parts)" = "$(seq -f 'shard-%g-of-16.json' 16 | sort)" ] || fail "0-15 are no 16 shards: $(ls parts)"
sbatch "$examples/merge.sbatch" || fail "the merge failed: $(lines_of)"
cmp expected.txt report.txt
cmp expected.json report.json
mv parts before
mkdir parts
cp before/shard-{1,2,3,5,6,7,9,10,11,12,13,14,15,16}-of-16.json parts
rm report.*
if sbatch "$examples/merge.sbatch"; then fail "a merge without shards 4 and 8 is a success"; fi
again=$(lines_of | sed -n 's/.*submit again with sbatch \(--array=[0-9,]*\) whatif-array.sbatch$/\1/p')
[ "$again" = --array=3,7 ] || fail "the merge says: $(lines_of)"
[ -z "$(ls report* 2>/dev/null)" ] || fail "a merge without all shards wrote something"
if "$HINDCAST" merge parts/*.json >out 2>err; then fail "hindcast merge takes 14 of 16 shards"; fi
grep -q '2 of 16 shards are missing: 4/16, 8/16' err || fail "merge says: $(cat err)"
sbatch "$again" "$examples/whatif-array.sbatch" || fail "a task that is submitted again failed: $(lines_of)"
diff -r before parts || fail "tasks that are submitted again make other shards"
sbatch "$examples/merge.sbatch" || fail "the merge failed: $(lines_of)"
cmp expected.txt report.txt

# ---- another number of shards; a task beyond it ----
if sbatch --array=16 "$examples/whatif-array.sbatch"; then fail "task 16 of 16 is a success"; fi
lines_of | grep -q 'task 16 has no shard: of SHARDS=16, tasks are 0 to 15 (--array=0-15)' || fail "task 16 says: $(lines_of)"
SHARDS=3 PARTS=three sbatch --array=0-2 "$examples/whatif-array.sbatch" || fail "of 3 shards: $(lines_of)"
SHARDS=3 PARTS=three REPORT=three sbatch "$examples/merge.sbatch" || fail "the merge of 3 failed: $(lines_of)"
cmp expected.txt three.txt
if (unset PARTS; sbatch "$examples/merge.sbatch"); then fail "a merge without PARTS is a success"; fi

# ---- a report of records ----
"$HINDCAST" synth cluster -q -o made --nodes 4 --days 4 --jobs 20 --runs 1 --faults 10
"$HINDCAST" ingest -q -a records made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json
"$HINDCAST" report nightly --no-cache -q -a records --date 2026-03-03 -o expected-nights
export ARCHIVE=records PARTS=night-parts REPORT=nights DATE=2026-03-03
sbatch "$examples/night-array.sbatch" || fail "a task of a night failed: $(lines_of)"
rm night-parts/night-6-of-16.part
if sbatch "$examples/night-merge.sbatch"; then fail "a night without shard 6 is a success"; fi
lines_of | grep -q 'sbatch --array=5 night-array.sbatch$' || fail "the merge of a night says: $(lines_of)"
sbatch --array=5 "$examples/night-array.sbatch" || fail "a task of a night failed: $(lines_of)"
sbatch "$examples/night-merge.sbatch" || fail "the merge of a night failed: $(lines_of)"
diff -r -x metrics.prom nights/2026-03-03 expected-nights/2026-03-03 || fail "another night than without shards"
echo "slurm_examples: 0-15, 3,7 and 0-2 give the bytes of one process"

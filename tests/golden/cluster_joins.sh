#!/usr/bin/env bash
# Logs joined to attempts and attempts to runs, against what was planted: every cycle with its attempt,
# every attempt with its run, every fork with the run and iteration that it began from, and none besides.
# The same where logs lie elsewhere than the records say, in another order, and one dump a job.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_joins: $*" >&2
    exit 1
}
# Another size, as of a large site: HINDCAST_CLUSTER="--nodes 5000 --days 60 --jobs 1000000 --runs 12 --faults 170".
size=${HINDCAST_CLUSTER:---nodes 32 --days 40 --jobs 400 --runs 6 --faults 90}
n_cycles=0
for seed in ${HINDCAST_SEEDS:-3 4 5 6}; do
    rm -rf made archive moved
    "$hindcast" synth cluster -q $size --seed "$seed" -o made
    mkdir -p moved && mv made/logs moved/logs # not where the records say: /work/USER/RUN/JOB.out
    "$hindcast" ingest -q -a archive made/slurm/sacct.txt >/dev/null
    "$hindcast" ingest -q -a archive --zone Europe/Berlin moved/logs/*/*.out >/dev/null

    # raw_job, first step, loaded, run. Cycles that never came to a step have no line in a log.
    "$hindcast" joins -a archive --as csv >joins.csv
    awk -F, 'NR == FNR { run[$1] = $6; start[$1] = $9; next }
        FNR > 1 && $5 != "" { print $2 "," run[$1] "," ($7 ? $7 : "") "," start[$1] }' \
        made/truth/attempts.csv made/truth/cycles.csv | sort >planted
    "$hindcast" query jobs -a archive --columns raw_job,submit_ns,start_ns --as csv >starts.csv
    awk -F, 'NR == FNR { start[$1 "," $2] = $3 / 1e9; next }
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["raw_job"] "," $at["run"] "," $at["loaded_iteration"] "," \
              start[$at["raw_job"] "," $at["submit_ns"]] }' starts.csv joins.csv | sort >got
    diff planted got >difference || fail "seed $seed: $(head -n 6 difference)"
    n_cycles=$((n_cycles + $(wc -l <planted)))

    # Timelines: each is of the attempt that it was recorded of.
    "$hindcast" ingest -q -a archive made/timelines/*/ >/dev/null
    "$hindcast" joins -a archive --json |
        sed -n 's/.*"timeline": "[^"]*\/\([0-9]*\)#0".*"joined": "\([a-z]*\)".*"raw_job": \([0-9]*\),.*/\1,\2,\3/p' | sort >got
    tail -n +2 made/truth/timelines.csv | awk -F, '{ print $1 ",joined," $1 }' | sort | diff - got >difference ||
        fail "seed $seed: timelines: $(head -n 6 difference)"

    # Forks: run, run that it began from.
    awk -F, 'NR == FNR { n[$6]++; next } FNR > 1 && n[$1] { print $1 "," $2 }' \
        <(awk -F, 'NR == FNR { seen[$1] = $5 != ""; any[$1] += $5 != ""; next } any[$1]' \
            made/truth/cycles.csv made/truth/attempts.csv) made/truth/runs.csv | sort >planted
    "$hindcast" runs propose -a archive --as csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { print $at["run"] "," $at["forked_from"] }' | sort >got
    diff planted got >difference || fail "seed $seed: runs: $(head -n 6 difference)"
done

if [ "${HINDCAST_CLUSTER:-}" ]; then
    echo "cluster_joins: $n_cycles cycles, $size"
    exit 0
fi

# In another order, a log at a time: the same answer to the byte, but for its name.
"$hindcast" joins -a archive --json | sed 's/"archive": "[^"]*"//' >whole.json
for log in $(find moved -name '*.out' | sort -r); do
    "$hindcast" ingest -q -a other --zone Europe/Berlin "$log" >/dev/null
done
"$hindcast" ingest -q -a other made/timelines/*/ >/dev/null
"$hindcast" ingest -q -a other made/slurm/sacct.txt >/dev/null
"$hindcast" joins -a other --json | sed 's/"archive": "[^"]*"//' | diff whole.json - >difference ||
    fail "order of sources: $(head -n 4 difference)"
echo "cluster_joins: $n_cycles cycles"

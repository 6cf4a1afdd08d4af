#!/usr/bin/env bash
# ThreadSanitizer over whole commands with two threads: it reports nothing of hindcast, and it reports
# the race that is planted in a function which the threads of that command call. Without the second
# half the first would prove nothing: where there are no threads, or the sanitizer does not see them
# or has forgotten the other access, it is silent too.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${RACY_HINDCAST:?the same with races}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# in_copy PROGRAM ARGUMENT...: run it in a directory that holds what `before` does; out and err are
# its output. Gives its exit status.
in_copy() {
    rm -rf here
    cp -r before here
    (cd here && exec "$@") >out 2>err
}

# run NAME FUNCTION ARGUMENT...: the command is clean, and the race in FUNCTION is found in one of some
# runs: on a busy machine one thread may have done all before the other is awake.
run() {
    local name=$1 function=$2 status=0 try
    shift 2
    in_copy "$HINDCAST" "$@" || status=$?
    if [ "$status" != 0 ] || grep -q ThreadSanitizer err; then
        echo "$name: exit $status" >&2
        head -n 60 err >&2
        failed=1
        return
    fi
    for try in 1 2 3 4 5 6 7 8; do
        in_copy "$RACY_HINDCAST" "$@" || true
        if grep -q 'ThreadSanitizer: data race' err && grep -q "__wrap_$function" err; then
            echo "$name: clean; the race planted in $function is found (run $try)"
            return
        fi
    done
    echo "$name: the race planted in $function is not found" >&2
    head -n 20 err >&2
    failed=1
}

mkdir before
for job in 1 2 3; do
    "$HINDCAST" synth steps -q --dp 4 --pp 3 --vpp 2 --microbatches 6 --steps 30 --seed "$job" \
        --slow-worker 1,1,1.5 -o "before/trace-j$job.parquet"
done
cp "$SOURCE_DIR"/tests/scenarios/right/several_jobs.json \
    "$SOURCE_DIR"/examples/scenarios/standbys.jsonc before/
"$HINDCAST" ingest -q -a before/archive before/trace-j*.parquet >/dev/null

run synth hc_synth_steps_next synth steps --threads 2 --fleet 4 -o fleet
run ingest hc_chunk_encode ingest --threads 2 -a new trace-j1.parquet trace-j2.parquet trace-j3.parquet
run check hc_chunk_decode check --threads 2 -a archive
run whatif hc_sweep_run whatif --threads 2 -a archive --html page.html --csv csv j1
run whatif_all hc_whatif_run whatif --threads 2 -a archive --all --html pages --csv csv
run whatif_all_json hc_sweep_run whatif --threads 2 -a archive --all --no-cache --json
run export hc_chunk_decode export --threads 2 -a archive j1 --perfetto x.json
run simulate hc_life_replica simulate --threads 2 --replicas 100 -o answer/ standbys.jsonc
run simulate_pool hc_shared_pool_replica simulate --threads 2 --replicas 20 several_jobs.json
exit "$failed"

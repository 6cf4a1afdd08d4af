# Profiler traces in which something is wrong (tests/support/bad_profiles.py): what is kept, counted and said of each.
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
python3 "$SOURCE_DIR"/tests/support/bad_profiles.py bad
for what in bad/*; do
    echo "== ${what#bad/}" && echo "== ${what#bad/}" >&2
    rm -f answer
    hindcast whatif "$what" --max-bad 20% --json >answer || echo "-> $?"
    [ -s answer ] || continue
    jq -c '.verdict, [.ranks[] | [.rank, .rank_origin, .events, .dropped, .gpu_events, .unlinked, .calls, .cpu_ops, .steps, .is_cut]],
        [.missing, .worlds_differ, .matching.local_kernels],
        [.breakdown[] | [.rank, .step, .window_ns, .compute_ns, .exposed_comm_ns, .exposed_memcpy_ns, .idle_ns]],
        [.collectives[] | [.last_rank, .transfer_ns, .is_complete]], [.stragglers[].offset_ns],
        [.whatif | .steps, .slowdown, .is_unreliable]' answer
done
hindcast whatif bad/no-duration 2>&1 >/dev/null | head -n 3
hindcast whatif bad/right --steps 7-9 || echo "-> $?"

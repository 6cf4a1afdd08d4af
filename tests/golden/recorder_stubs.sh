#!/usr/bin/env bash
# The recorder without torch: on a fake one whose clock the test moves, every call becomes the op that
# docs/record.md says, with its times to the nanosecond; hindcast reads what comes of FSDP and names the
# rank that was planted. With a real torch, tests/long/real_training.sh.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
for program in python3 jq; do
    command -v $program >/dev/null || { echo "skipped: '$program' is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/examples/recorders:$root/tests/support \
    python3 "$root/tests/support/recorder_stubs.py" "$work" 2>said || fail "$(cat said)"
grep -q 'rank 0: the ring of 10 ops was full' said || fail "a full ring is not told: $(cat said)"
grep -q 'absent_ops: \[gc, layernorm-grads-all-reduce, embedding-grads-all-reduce, optimizer-clip-main-grad, separate-grads-all-reduce\]' \
    fsdp/meta.yaml || fail "meta.yaml of FSDP: $(cat fsdp/meta.yaml)"

# FSDP: rank 1 takes 90 ms more in its passes. Nothing else delays anything, so the replay is the run.
"$hindcast" whatif --quiet --json fsdp >fsdp.json || fail "FSDP is not read"
jq -e '(.figures.discrepancy < 0.001) and (.cause.culprits | length) == 1 and .cause.culprits[0].rank == 1
       and (.cause.culprits[0].alone_s - 0.09 | fabs) < 0.001' fsdp.json >check ||
    fail "FSDP: $(jq -c '[.figures.discrepancy, .verdict.text, [.cause.culprits[] | [.name, .alone_s]]]' fsdp.json)"

# A job of one process, and the end of a long one.
for job in cuda ring; do
    jq -e '(.figures.slowdown - 1 | fabs) < 1e-6 and .figures.discrepancy < 1e-6' \
        <("$hindcast" whatif --quiet --json $job) >check || fail "$job: other figures: $(cat check)"
done

[ ! -e failures ] || exit 1
echo "recorder_stubs: as they must be"

#!/usr/bin/env bash
# Jobs without some of Megatron's ops (metadata: absent_ops): their figures are those of the same trace with
# these ops of duration 0, wherever the op is no barrier that nothing else makes; what lacks ops without
# saying so is refused with the line to write, and that line is right; what is there cannot be absent.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }

# figures NAME: what does not tell which ops there are.
figures() {
    "$hindcast" whatif "trace-$1.csv" --json --quiet 2>"$1.err" |
        jq '[.figures.slowdown, .figures.mean_replayed_s, .figures.mean_ideal_s, .m_s, .m_w,
             [.workers[] | {rank, slowdown, slowdown_exact, step_slowdown}],
             [.steps[] | {replayed_ns, ideal_ns, replayed_end_ns, ideal_end_ns}]]'
}

# pair NAME OPS SYNTH...: a trace without OPS (joined by |) against the same with OPS of duration 0.
pair() {
    local name=$1 ops=$2
    shift 2
    "$hindcast" synth steps --quiet --microbatches 3 --steps 12 --seed 5 "$@" -o "trace-$name.csv"
    # Pauses of 30 ms, where gc took no time.
    awk -F, -v OFS=, '$5 == "gc" { $7 = "0.03" } 1' "trace-$name.csv" >edited
    mv edited "trace-$name.csv"
    for kind in zero gone; do
        cp "meta-$name.yaml" "meta-$name-$kind.yaml"
    done
    # A collective transfers from its last start on: that of duration 0 starts and ends with its last end.
    awk -F, -v OFS=, -v ops="^($ops)\$" '
        $5 ~ ops { key = $5 " " $4 " " $2 " " $8; end = $6 + $7 }
        FNR == NR { if ($5 ~ ops && end > last[key]) last[key] = end; next }
        $5 ~ ops { $6 = sprintf("%.9f", last[key]); $7 = "0.0" } 1' \
        "trace-$name.csv" "trace-$name.csv" >"trace-$name-zero.csv"
    awk -F, -v ops="^($ops)\$" '$5 !~ ops' "trace-$name.csv" >"trace-$name-gone.csv"
    echo "absent_ops: [${ops//|/, }]" >>"meta-$name-gone.yaml"
    figures "$name-zero" >"$name-zero.json" || fail "$name: $(cat "$name-zero.err")"
    figures "$name-gone" >"$name-gone.json" || fail "$name: $(cat "$name-gone.err")"
    [ -s "$name-gone.json" ] && cmp "$name-zero.json" "$name-gone.json" ||
        fail "$name: without $ops is not as with them of duration 0"
    figures "$name" >"$name.json"
    ! cmp -s "$name.json" "$name-gone.json" || fail "$name: $ops make no difference"
}
slow=(--slow-worker 1,1,1.6)
pair layernorm layernorm-grads-all-reduce --dp 2 --pp 2 "${slow[@]}"
pair overlapped layernorm-grads-all-reduce --dp 2 --pp 2 --overlap-dp "${slow[@]}"
pair gc gc --dp 2 --pp 2 "${slow[@]}"
pair optimizer optimizer --dp 2 --pp 3 "${slow[@]}"
pair embedding embedding-grads-all-reduce --dp 3 --pp 1 --slow-worker 1,0,1.6
pair clip optimizer-clip-main-grad --dp 1 --pp 1 --slow-worker 0,0,1.6:steps=30-
pair separate separate-grads-all-reduce --dp 3 --pp 1 --overlap-dp --slow-worker 1,0,1.6
pair reductions grads-reduce-scatter --dp 3 --pp 2 "${slow[@]}"
pair several 'embedding-grads-all-reduce|gc|layernorm-grads-all-reduce' --dp 3 --pp 1 --slow-worker 1,0,1.6

# Without barriers each stage ends for itself: a job with untied embeddings and no clip.
"$hindcast" synth steps --quiet --dp 2 --pp 2 --microbatches 3 --steps 12 --seed 3 --nodes 2 "${slow[@]}" -o trace-all.csv
bare='embedding-grads-all-reduce|layernorm-grads-all-reduce|optimizer-clip-main-grad'
awk -F, -v ops="^($bare)\$" '$5 !~ ops' trace-all.csv >trace-bare.csv
cp meta-all.yaml meta-bare.yaml
said=$("$hindcast" whatif trace-bare.csv 2>&1) && fail "bare: was read"
line='absent_ops: [embedding-grads-all-reduce, layernorm-grads-all-reduce, optimizer-clip-main-grad]'
[[ $said == *"stage 0 has no layernorm-grads-all-reduce: "*"then its metadata needs the line $line" ]] || fail "bare: $said"
echo "${said##*needs the line }" >>meta-bare.yaml
"$hindcast" whatif trace-bare.csv >bare.txt || fail "bare: the line that was said is not enough"
tr -s ' \n' ' ' <bare.txt | grep -q 'slow worker: rank 3 (dp 1, stage 1) on gpu-001, GPU 1' || fail "bare: $(head -9 bare.txt)"

# The archive keeps what is absent.
"$hindcast" ingest --quiet -a nightly trace-bare.csv >ingested
"$hindcast" whatif -a nightly all --json --quiet | jq .figures >archived.json
"$hindcast" whatif trace-bare.csv --json --quiet | jq .figures >read.json
cmp archived.json read.json || fail "bare: another result from the archive"

# An op that one stage lacks is missing, not absent; one that is there is not absent.
awk -F, '!($2 == 0 && $5 == "gc")' trace-all.csv >trace-torn.csv
cp meta-all.yaml meta-torn.yaml
said=$("$hindcast" whatif trace-torn.csv 2>&1) && fail "torn: was read"
[[ $said == *"stage 0 has no gc: "*"or rows are missing" && $said != *absent_ops* ]] || fail "torn: $said"
said=$("$hindcast" whatif trace-all.csv --meta meta-bare.yaml 2>&1) && fail "all: was read"
[[ $said == *"stage 0 is there, but the metadata says that the job has no such ops; take embedding-grads-all-reduce out of absent_ops" ]] ||
    fail "all: $said"
"$hindcast" show -a nightly all --json | jq -e '.job.absent_ops | length > 0' >shown || fail "show does not say which ops are absent"
[ ! -e failures ]

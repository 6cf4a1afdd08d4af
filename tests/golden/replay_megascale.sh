#!/usr/bin/env bash
# MegaScale's table 2 (arXiv 2402.15627: a model of 175B, 300 billion tokens, A100 of 312 TFLOP/s) from the result of a
# scenario: steps are made as long as its iterations; tokens a second and days are those of the paper within 0.1 % and half a last digit (what its
# digits allow), MFU within 0.2 points for Megatron-LM and one point for MegaScale, whose sliding windows have fewer FLOPs.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
touch failures
"$hindcast" synth steps -q --dp 2 --pp 1 --steps 4 --compute-cv 0 --transfer-cv 0 --launch-ms 0 --launch-cv 0 -o trace-flat.csv
cat >flat.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "trace-flat.csv"},
 "edits": {"as_long": {"scale": 1}},
 "model": {"batch": 768, "sequence": 2048, "tokens": 300e9, "layers": 96, "hidden": 12288, "vocabulary": 51200,
           "gpus": 256, "peak_tflops": 312}}
END
step=$("$hindcast" simulate -q --json flat.json | jq '.runs[0].figures.step_s.mean')
# batch gpus iteration_s ktokens_per_s days mfu points
while read -r batch gpus iteration ktokens days mfu points; do
    "$hindcast" simulate -q --json --set "/edits/as_long/scale=$(awk -v t="$iteration" -v s="$step" 'BEGIN { printf "%.12g", t / s }')" \
        --set "/model/batch=$batch" --set "/model/gpus=$gpus" flat.json >answer.json
    jq -r '.runs[0].figures | [.step_s.mean, .tokens_per_s.mean, .days.mean, .mfu.mean] | join(" ")' answer.json |
        awk -v t="$iteration" -v k="$ktokens" -v d="$days" -v m="$mfu" -v p="$points" '
            function off(a, b) { return a > b ? a - b : b - a }
            { bad = off($1, t) > 1e-6 * t || (k > 0 && off($2, 1e3 * k) > 1e-3 * 1e3 * k) ||
                    (d > 0 && off($3, d) > 0.005 + 1e-3 * d) || off(100 * $4, m) > p
              printf "%s: %.4f s, %.1f k tokens/s, %.2f d, MFU %.1f %%\n", bad ? "FAIL" : "ok", $1, $2 / 1e3, $3, 100 * $4
              exit bad }' || echo "batch $batch, $gpus GPUs, $iteration s" >>failures
done <<'END'
768 256 40.0 0 0 53.0 0.2
768 512 21.2 0 0 49.9 0.2
768 768 15.2 0 0 46.7 0.3
768 1024 11.9 0 0 44.7 0.3
6144 3072 29.02 433.6 8.01 48.7 0.2
6144 6144 14.78 851.6 4.08 47.8 0.2
6144 8192 12.24 1027.9 3.38 43.3 0.2
6144 12288 8.57 1466.8 2.37 41.2 0.2
768 256 32.0 0 0 65.3 1.0
768 512 16.5 0 0 63.5 1.0
768 768 11.5 0 0 61.3 1.0
768 1024 8.9 0 0 59.0 1.0
6144 3072 23.66 531.9 6.53 59.1 1.0
6144 6144 12.21 1030.9 3.37 57.3 1.0
6144 8192 9.56 1315.6 2.64 54.9 1.0
6144 12288 6.34 1984.0 1.75 55.2 1.0
END
[ ! -s failures ]

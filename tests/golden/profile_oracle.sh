#!/usr/bin/env bash
# Profiler traces in the ways of several vendors and servers (tests/support/vendor_traces.py), the two-rank sample,
# synthetic ones and, where they are at hand, given ones: what hindcast says of them is what a second implementation
# (tests/support/profile_oracle.py) says; clocks that are hours off, another order of the events and the number of
# threads change nothing but the offsets; without one rank the others are still right, and what is a bound is said.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
for tool in jq python3; do command -v "$tool" >/dev/null || { echo "skipped: '$tool' is not installed"; exit 77; }; done
shared=$(realpath "${HINDCAST_SHARED:-$root/../shared}" 2>/dev/null || true)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
tools=$root/tests/support
fail() { echo "FAIL: $*" | tee -a failures; }
# The figures of a report without files and clocks: those of ranks are offsets, bounds and drift.
same() { jq -cS 'del(.command, .ranks[].path, .ranks[].sha256, .ranks[].size_bytes, .id)
    | del(.. | .offset_ns?, .offset_low_ns?, .offset_high_ns?, .drift?)' "$1"; }

python3 "$tools"/vendor_traces.py ways
cp -r --no-preserve=mode "$root"/data/samples/two-ranks ways/two-ranks
"$hindcast" synth kineto --dp 3 --steps 3 --layers 2 -o ways/synth -q && rm ways/synth/truth.json || fail "synth"
"$hindcast" synth kineto --dp 4 --steps 3 --layers 2 --no-seq --names-differ -o ways/synth-by-order -q &&
    rm ways/synth-by-order/truth.json || fail "synth by order"
if [ -r "$shared/data/chakra-param/dlrm_kineto.tar.gz" ]; then
    mkdir unpacked && tar xf "$shared/data/chakra-param/dlrm_kineto.tar.gz" -C unpacked
    mv "$(dirname "$(find unpacked -name '*.json' | head -1)")" ways/dlrm
fi

for way in ways/*; do
    name=${way##*/}
    "$hindcast" whatif "$way" --threads 1 --json >answer 2>warnings || fail "$name: $(cat warnings)"
    python3 "$tools"/profile_oracle.py answer "$way"/* >said || fail "$name: $(tail -n 5 said)"
    grep -q '^[1-9][0-9]* values compared' said || fail "$name: nothing was compared"
    same answer >expected
    "$hindcast" whatif "$way" --threads 3 --json 2>/dev/null | cmp -s - answer || fail "$name: threads differ"
    for seed in 1; do
        rm -rf other && python3 "$tools"/reclock_traces.py $seed "$way" other
        "$hindcast" whatif other --json >shifted 2>/dev/null
        cmp -s <(same shifted) expected || fail "$name: other clocks ($seed) give another answer"
        for report in breakdown collectives stragglers path; do
            "$hindcast" report $report "$way" --json >of_way 2>/dev/null
            "$hindcast" report $report other --json >of_other 2>/dev/null
            cmp -s <(same of_way) <(same of_other) || fail "$name: $report differs ($seed)"
        done
    done
done

# Given traces of one process, some of AMD's: the breakdown of each.
for file in "$shared"/data/kineto-tracelens/*/*.json.gz "$shared"/data/kineto-tracelens/inference/*/*.json.gz; do
    [ -r "$file" ] || continue
    "$hindcast" whatif "$file" --json >answer 2>/dev/null
    python3 "$tools"/profile_oracle.py answer "$file" >said || fail "$file: $(tail -n 5 said)"
done

# Without one rank: it is named, and what is left is a bound.
cp -r ways/mi300 without && rm without/*3*
"$hindcast" whatif without --json >answer 2>/dev/null
python3 "$tools"/profile_oracle.py answer without/* >said || true
jq -e '.missing == [{"first": 3, "last": 3}] and (.collectives | length == 12 and all(.is_complete | not))' answer >/dev/null ||
    fail "a missing rank: $(jq -c '.missing' answer)"
"$hindcast" whatif without 2>/dev/null | grep -q "missing: 3" || fail "the missing rank is not named in the text"
"$hindcast" report collectives without 2>/dev/null | grep -q "waits are lower, transfers upper bounds" || fail "bounds are not called bounds"

[ ! -s failures ]

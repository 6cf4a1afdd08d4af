#!/usr/bin/env bash
# Hangs of many kinds whose cause is known (tests/support/planted_hangs.py): hindcast suspects the planted ranks, nobody in
# a healthy job, and says what a second implementation of the rules says (tests/support/hang_oracle.py), also of the given
# incidents where they are at hand.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
for tool in jq python3; do command -v "$tool" >/dev/null || { echo "skipped: '$tool' is not installed"; exit 77; }; done
shared=$(realpath "${HINDCAST_SHARED:-$root/../shared}" 2>/dev/null || true)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
tools=$root/tests/support
fail() { echo "FAIL: $*" | tee -a failures; }
# check NAME SUSPECTS DUMP...
check() {
    local name=$1 suspects=$2 code=0
    shift 2
    "$hindcast" diagnose collectives --json "$@" >answer 2>warnings || code=$?
    [ "$code" -le 1 ] || fail "$name: $(cat warnings)"
    python3 "$tools"/hang_oracle.py answer "$@" "$suspects" >said || fail "$name: $(cat said)"
    [ "$suspects" != - ] || [ "$code" = 0 ] || fail "$name: a finding in a healthy job: $(jq -r .verdict answer)"
}

python3 "$tools"/planted_hangs.py hangs
while IFS=$'\t' read -r name suspects; do
    check "$name" "$suspects" hangs/"$name"/*
done < <(jq -r 'to_entries[] | [.key, if .value == null then "?" elif .value == [] then "-" else .value | map(tostring) | join(",") end] | @tsv' hangs/truth.json)
[ "$(jq length hangs/truth.json)" -gt 60 ] || fail "some incidents were not made"

traces=$shared/data/nvrx-flight-recorder/fr_traces
[ ! -d "$traces"/gpu_error_1st ] || check gpu_error_1st 12,14 "$traces"/gpu_error_1st/_dump_*
[ ! -d "$traces"/lock_gil_1st ] || check lock_gil_1st 9,14 "$traces"/lock_gil_1st/_dump_*

[ ! -s failures ]

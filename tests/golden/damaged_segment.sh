#!/bin/sh
# A damaged segment in a fleet, wherever the damage is: the job is reported as damaged and the exit is 1, or its
# damage lies where nothing is read; and nobody else writes to standard error.
# Needs HINDCAST (the program).
set -u

: "${HINDCAST:?must name the program}"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
archive=$out/archive
for job in a b; do
    "$HINDCAST" synth steps -q --dp 1 --pp 2 -o "$out/trace-$job.csv" &&
        "$HINDCAST" ingest -q -o - -a "$archive" "$out/trace-$job.csv" >"$out/text" || exit 1
done
failures=0 damaged=0
for segment in "$archive"/segments/*.h5; do
    cp "$segment" "$out/whole"
    chmod u+w "$segment"
    size=$(wc -c <"$segment")
    for part in $(seq 1 24); do
        cat "$out/whole" >"$segment"
        head -c 2500 /dev/zero | tr '\0' X | dd of="$segment" bs=1 seek=$((size * part / 25)) conv=notrunc 2>"$out/dd"
        "$HINDCAST" whatif -q -a "$archive" --all --no-cache --json --quick --threads 2 >"$out/text" 2>"$out/errors"
        status=$?
        found=0
        grep -q '"fate": "damaged"' "$out/text" && found=1
        damaged=$((damaged + found))
        if [ "$status" -ne "$found" ] || [ "$(wc -l <"$out/errors")" -ne $((2 * found)) ] ||
            [ "$(grep -c '^hindcast: ' "$out/errors")" -ne $((2 * found)) ]; then
            echo "FAIL damage at $part/25 of $segment, status $status:"
            head -n 3 "$out/errors"
            failures=$((failures + 1))
        fi
    done
    cat "$out/whole" >"$segment"
done
echo "$damaged of 48 runs found the damage"
[ "$damaged" -gt 0 ] && [ "$failures" -eq 0 ]

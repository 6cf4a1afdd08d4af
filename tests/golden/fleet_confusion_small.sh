#!/usr/bin/env bash
# A fleet of 60 jobs: there whole or not at all, the same for any number of threads, each job the
# same as alone, and its causes found.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${FLEET_CONFUSION:?the tool that scores}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$HINDCAST" synth steps -q --fleet 60 --with-discards --seed 20 -o fleet
"$HINDCAST" synth steps -q --fleet 60 --with-discards --seed 20 --threads 3 -o fleet-3
diff -r fleet fleet-3
[ "$(find fleet -type f | wc -l)" = 121 ]

# The command that truth.csv holds makes the job again.
for line in 2 17 40 61; do
    job=$(sed -n "${line}p" fleet/truth.csv | cut -d, -f1)
    command=$(sed -n "${line}p" fleet/truth.csv | sed 's/.*"hindcast \(.*\)"$/\1/')
    # shellcheck disable=SC2086 # a command line
    "$HINDCAST" $command -q -o "trace-$job.parquet"
    cmp "trace-$job.parquet" "fleet/trace-$job.parquet"
    cmp "meta-$job.yaml" "fleet/meta-$job.yaml"
done

# A failure leaves nothing: not the fleet, not a part of it.
mkdir -p locked && chmod a-w locked
if [ ! -w locked ] && "$HINDCAST" synth steps -q --fleet 3 -o locked/fleet 2>err; then
    echo "a fleet in a directory that cannot be written to" >&2
    exit 1
fi
if (ulimit -f 40 && trap '' XFSZ && exec "$HINDCAST" synth steps -q --fleet 20 -o cut) 2>err; then
    echo "a fleet although its files did not fit" >&2
    exit 1
fi
[ "$(echo cut*)" = 'cut*' ]
[ -s err ]

"$FLEET_CONFUSION" fleet --list --least-right 0.95 --most-false 0.02

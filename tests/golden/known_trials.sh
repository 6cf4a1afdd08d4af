#!/usr/bin/env bash
# Trials of the search for stragglers whose verdict was right must stay so, one or two of a kind; how
# many of all kinds are right is measured by tests/long/changing_trials.sh.
set -euo pipefail
while read -r seed n cases; do
    # shellcheck disable=SC2086
    "$TRIAL_TALLY" --right --list "$seed" "$n" $cases
done <<'TRIALS'
1 1 worker worker-forward worker-backward dp-rank stage lengths pauses link nic late-all
700 1 between since until recurrent periodic bursts some-passes throttled forward-part backward-part
700 1 dp-rank-part host-part nic-part link-part short-part mended worker+lengths part+part
1 1 clean-heavy clean-walk clean-warm-up clean-mixed
TRIALS

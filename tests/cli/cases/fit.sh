# Parameters of a small made-up cluster: of the fleet, of a run, as a scenario; periods held out; what cannot be.
hindcast synth cluster -q --nodes 16 --days 40 --jobs 200 --runs 2 --faults 150 --seed 5 -o made
hindcast ingest -q -o - -a a made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json
hindcast ingest -q -o - -a a --zone Europe/Berlin made/logs/*/*.out
hindcast fit -a a
hindcast fit -a a --run run-02 --from 2026-03-05 -o params.json >/dev/null
cat params.json
hindcast scenario check params.json
hindcast fit -a a --backtest 2 --period week
hindcast fit -a a --run run-99 || echo "exit $?" >&2
hindcast fit -a a --from 2027-01-01 || echo "exit $?" >&2
hindcast fit -a a --from 5d || echo "exit $?" >&2
hindcast fit -a a --from 2026-03-05 --to 2026-03-05 || echo "exit $?" >&2
hindcast fit -a a --backtest 2 || echo "exit $?" >&2
hindcast fit -a none || echo "exit $?" >&2

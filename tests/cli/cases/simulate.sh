# The scenario of the specification as it stands: 21 points, and the value that is sought.
cp "$SOURCE_DIR/tests/scenarios/spec/standbys.json" .
hindcast simulate standbys.json
hindcast simulate --csv - standbys.json | cut -d , -f 1-8 | head -n 4
hindcast simulate --json standbys.json | sed -n '1,9p;/"find"/,/"tries"/p'
hindcast simulate -q --replicas 20 --seed 2 -o answer/ standbys.json | head -n 3
ls answer
head -n 3 answer/runs.csv answer/account.csv answer/find.csv answer/comparison.csv
hindcast simulate --replicas 20 --set /seed=2 standbys.json | diff - answer/summary.txt | sed "s/[0-9a-f]\{16\}/ID/"

# The scenario of the specification as it stands: 21 points, and the value that is sought.
cp "$SOURCE_DIR/tests/scenarios/spec/standbys.json" .
hindcast simulate standbys.json
hindcast simulate --csv - standbys.json | cut -d , -f 1-8 | head -n 4
hindcast simulate --json standbys.json | sed -n '1,9p;/"find"/,/"tries"/p'
hindcast simulate -q --replicas 20 --seed 2 -o answer/ standbys.json | head -n 3
ls answer
head -n 3 answer/runs.csv answer/account.csv answer/find.csv
hindcast simulate --replicas 20 --set /seed=2 standbys.json | diff - answer/summary.txt | sed "s/[0-9a-f]\{16\}/ID/"
# What each replica had: its mean is that of the run, and a replica that is simulated alone has the same row. The points
# of the sweep once more, a row for each figure.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ettr") c = i; next } $1 == "base" { sum += $c; n++ }
         END { printf "%d replicas, mean %.9f\n", n, sum / n }' answer/replicas.csv
awk -F, '$1 == "base" && $2 == "ettr" { printf "%d replicas, mean %.9f\n", $8, $4 }' answer/runs.csv
hindcast simulate -q --replica 7 --seed 2 -o alone/ standbys.json >/dev/null
grep '^base,7,' answer/replicas.csv | diff - <(grep '^base,' alone/replicas.csv) && echo 'replica 7 is the same alone'
head -n 2 answer/sweep_long.csv
for figure in ettr wall_d; do
    awk -F, -v figure=$figure 'NR == FNR && FNR == 1 { for (i = 1; i <= NF; i++) if ($i == figure) c = i; next }
        NR == FNR { wide[$1 "," $2 "," $3] = $c "," $(c + 1) "," $(c + 2); next }
        $6 == figure { n++; differ += wide[$1 "," $2 "," $3] != $8 "," $9 "," $10 }
        END { print figure ": " n " points, " differ + 0 " differ" }' answer/sweep.csv answer/sweep_long.csv
done

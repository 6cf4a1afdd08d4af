# Planted causes by their options: what a what-if of each says first.
say() {
    hindcast synth steps -q --dp 4 --seed 3 "$@" -o trace-t.parquet
    echo "$*:"
    hindcast whatif trace-t.parquet | grep -E '^(slowdown|launch delays)'
}
say --sequence-cv 0.5
say --gc-pause-ms 400 --gc-every 5
say --slow-link 1,2,40
say --slow-collectives 2,10
say --slow-host 1,2,100
say --step-cv 0.2 --step-rho 0.9
say --wander 2
hindcast synth steps -q --cluster tests --steps 1 -o trace-c.csv
grep cluster meta-c.yaml

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
# What is slow in part of the time: the job until then has the bytes of the healthy one.
make() { hindcast synth steps -q --dp 4 --seed 3 --steps 6 --first-step 1 --step-stride 1 "$@"; }
for limited in --slow-{worker,host,nic}=1,2,9:steps=5- --slow-{worker,link}=1,2,9:steps=5-:duty=1:ops=forward; do
    diff <(make) <(make "$limited") | sed -n 's/^> //p' | cut -d, -f4 | sort | uniq -c |
        sed "s/\([0-9]*\)$/ops of step \1 differ ($limited)/"
done
for planted in --slow-worker=1,2,2:passes=0.3 --slow-worker=1,2,2:from=0.6 --moe-cv=0.3 \
    "--planned-pause-ms=900 --planned-pause-every=3" --warmup=3; do
    echo "$planted: $(make $planted | sha256sum)"
done
make --tp 2 --nodes 8,42 --start-time 2026-03-01T00:00:00Z -o trace-n.csv
sed -n '/start_time/,$p' meta-n.yaml | sed -n '1,4p;9,11p'

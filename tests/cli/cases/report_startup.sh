# What starting up cost. First the night that is worked out by hand; then records made with Bootseer's two figures
# (arXiv 2507.12619): 3.5 % of GPU-time, which its fixes halve.
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
hindcast report startup -a a --date 2026-03-01 --last 1d
hindcast report startup -a a --date 2026-03-01 --csv tables --html page.html --figures figures -o text && ls tables && cat tables/phases.csv && grep -c '<svg' page.html
hindcast report startup -a a --date 2020-01-01

# Seven runs a day of 32 GPUs and 10,000 s, a start each 3 hours. On the first day images take 100 s, but on n3 200 s;
# the environment 100 s; then 50 s to the first step: 350 s. On the second the image takes 50 s, the environment 75 s.
mark() { # phase, job, node, from, to (Unix time)
    local from to
    from=$(date -u -d "@$4" +%FT%TZ) to=$(date -u -d "@$5" +%FT%TZ)
    printf 'hindcast-phase 1 %s start %s job=%s restart=0 node=%s\n' "$from" "$1" "$2" "$3"
    printf 'hindcast-phase 1 %s end %s job=%s restart=0 node=%s began=%s\n' "$to" "$1" "$2" "$3" "$from"
}
start() { # job, Unix time, seconds of the image, of that on n3, of the environment
    local node steps=$((10000 - $4 - $5 - 50)) first=$(($2 + $4 + $5 + 50))
    printf '%s|c|ada|%s|%s|%s|10000|COMPLETED|4|gres/gpu=32|n[0-3]|/l/%%x-%%j.out|r%s|0\n' "$1" \
        "$(date -u -d "@$2" +%FT%T)" "$(date -u -d "@$2" +%FT%T)" "$(date -u -d "@$(($2 + 10000))" +%FT%T)" "$1" >>sacct2.txt
    for node in n0 n1 n2 n3; do
        mark image "$1" $node "$2" $(($2 + ($([ $node = n3 ] && echo "$4" || echo "$3"))))
        mark environment "$1" $node $(($2 + $4)) $(($2 + $4 + $5))
    done >>marks2.log
    {
        printf 'using world size: 32, data-parallel size: 32, tensor-model-parallel size: 1, pipeline-model-parallel size: 1\n'
        printf '[before the start of training step] datetime: %s \n' "$(date -u -d "@$first" '+%F %T')"
        printf ' [%s.000000] iteration %d/ %d | consumed samples: 1 | elapsed time per iteration (ms): 25000.0 | learning rate: 1.0E-04 | global batch size:   256 | lm loss: 2.0E+00 | loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   0 |\n' \
            "$(date -u -d "@$((first + steps / 25 * 25))" '+%F %T')" $((steps / 25)) $((steps / 25))
        printf '  successfully saved checkpoint from iteration %d to /ckpt/r%s\n' $((steps / 25)) "$1"
    } >"logs2/r$1-$1.out"
}
mkdir logs2
echo 'JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName|Restarts' >sacct2.txt
for i in 0 1 2 3 4 5 6; do
    start $((100 + i)) $((1772323200 + i * 10800)) 100 200 100
    start $((200 + i)) $((1772409600 + i * 10800)) 50 50 75
done
hindcast ingest -q -o - -a b sacct2.txt marks2.log
hindcast ingest -q -o - -a b --zone UTC logs2/*.out | wc -l
hindcast report startup -a b --date 2026-03-01 --last 1d | sed '/^RUNS/,$d' # 3.5 %, and n3
hindcast report startup -a b --date 2026-03-02 --last 1d | grep '^start-up  \|%),' # half of it
hindcast report startup -a b --date 2026-03-02 --last 2d | sed '/^RUNS/,$d' # what the fixes avoid

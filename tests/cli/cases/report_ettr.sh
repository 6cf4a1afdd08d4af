# ETTR of runs, over a night that is worked out by hand: 360 minutes of steps are kept; 430 minutes ran, 120 were queued,
# 490 passed since the first start; the hour up to 04:10 is the first in which nothing counted.
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
hindcast report ettr -a a
hindcast report ettr -a a --run big --csv - | cut -d, -f1-28
hindcast report ettr -a a --run big --json | grep '"least_hour\|"last_hour\|"day"\|"cumulative"'
hindcast report ettr -a a --min-gpus 17 | head -n 4 # does not count
hindcast report ettr -a a --from 2026-03-02 # none held GPUs then
hindcast report ettr -a a --as-of 2026-03-01T05:30:00Z | sed "/^HOURS/,\$d" # it ran: provisional
hindcast report ettr -a a --run big --csv tables --html page.html --figures figures -o text && ls tables figures && grep -c '<svg' page.html
# Of job 300, restart counts tell of an attempt that no record has; job 400 goes on from what nothing here saved; both
# have no meta. Job 300's clock is that of job 101, without its beginning.
sed -n 1p sacct.txt >more.txt
cat >>more.txt <<'END'
300|c|eve|lab|train|2026-03-01T04:00:00|2026-03-01T04:00:00|2026-03-01T05:00:00|2026-03-01T08:10:00|11400|COMPLETED|2|gres/gpu=16|n[4-5]|/l/%x-%j.out|again|1
400|c|eve|lab|train|2026-03-01T04:00:00|2026-03-01T04:00:00|2026-03-01T05:00:00|2026-03-01T08:10:00|11400|COMPLETED|2|gres/gpu=16|n[6-7]|/l/%x-%j.out|gap|0
END
small_log 300 0 180 | sed 's:/ckpt/big:/ckpt/again:' >again-300.out
small_log 300 180 360 | sed 's:/ckpt/big:/ckpt/gap:' >gap-400.out
hindcast ingest -q -o - -a b more.txt
hindcast ingest -q -o - -a b --zone UTC again-300.out gap-400.out
hindcast report ettr -a b | sed '/^HOURS/,$d'
for wrong in '--run none' '--from 5d' '--from 2026-03-02 --to 2026-03-01' '--min-gpus 0' '--date 2026-03-01'; do
    hindcast report ettr -a a $wrong || echo "exit $?" >&2
done

# Where lost GPU-hours are, over a night that is worked out by hand: 40 minutes of steps and the part of one up to the
# fault on 16 GPUs are lost (12 GPU-hours), 5 minutes detected (1.33), 10 minutes started again (2.67).
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
hindcast top lost -a a --date 2026-03-01 --last 1d
hindcast top lost -a a --from 2026-02-27 --to 2026-03-01 --by run,user,account,partition,size --csv - | cut -d, -f1-12
hindcast top lost -a a --date 2026-03-02 --last 1d --by cause # before: the day before
hindcast top lost -a a --date 2026-03-01 --what startup/first_start --by node --rows 1
hindcast top lost -a a --date 2026-03-01 --what all --by user,cause
hindcast top lost -a a --date 2026-03-01 --by user --json | grep -v '"tool\|"version\|"commit\|"command'
hindcast top lost -a a --date 2026-03-01 --csv tables --html page.html -o text && ls tables && grep -c '<svg' page.html
hindcast top lost -a a --date 2020-01-01 # nothing was held
for wrong in '--by color' '--by node,node' '--by node,,user' '--what loss' '--last 0d' '--last 2026-03-01' '--from 5d' \
    '--from 2026-03-02 --to 2026-03-01' '--from 2001-01-01 --to 2026-03-01' '--to 2026-03-01 --date 2026-03-01' \
    '--from 2026-03-01T12:00:00Z' '--last 3d --from 2026-03-01'; do
    hindcast top lost -a a $wrong || echo "exit $?" >&2
done

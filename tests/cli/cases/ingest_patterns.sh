# A site's own regular expressions for lines of training logs and of failures; and a mistake in them.
cat >site.conf <<'X'
# lines of our trainer
[step]
tells = step
literal = step=
regex = step=(?<iteration>\d+) loss=(?<loss>\S+) time=(?<elapsed_s>[\d.]+)s tok/s=(?<tokens_per_s>[\d,]+)
[start]
tells = cycle
literal = launching on
regex = launching on (?<world_size>\d+) ranks
[lost]
class = other
effect = stops
name = lost
literal = LOST NODE
regex = LOST NODE (?<node>\S+)
X
cat >run.log <<'X'
2026-03-01 10:00:00,100 launching on 16 ranks
2026-03-01 10:01:00,100 step=1 loss=8.5 time=2.5s tok/s=12,345
2026-03-01 10:01:02,600 step=2 loss=8.25 time=2.5s tok/s=12,400
2026-03-01 10:02:03,600 LOST NODE n17
X
hindcast ingest -a a --format training-log --patterns site.conf run.log
hindcast query train_steps -a a --columns iteration,duration_ns,loss
hindcast query train_measures -a a --columns iteration,name,value
hindcast query events -a a --columns class,name,node
# An expression whose steps do not suffice, as one of a failure and as one of a run: tried once in a line, and told.
{
    echo 'launching on 8 ranks'
    printf '%4000s' '' | tr ' ' a
    echo b
    echo '2026-03-01 10:03:00,100 step=3 loss=8 time=2.5s tok/s=12,500'
} >hard.log
printf '[hard]\nclass = watchdog\neffect = stops\nliteral = aaaa\nregex = (?=(a+))a*b\\1\n' | cat site.conf - >hard.conf
printf '[hard run]\ntells = stamp\nliteral = aaaaa\nregex = (a|a)+[yz]\n' >>hard.conf
hindcast ingest -q -a d --format training-log --patterns hard.conf hard.log
hindcast query train_steps -a d --columns iteration
sed 's/(?<node>/(?<noed>/' site.conf >wrong.conf
hindcast ingest -a b --patterns wrong.conf run.log || echo "exit $?" >&2
echo '{"schema": "hindcast/site/1", "log_patterns": "site.conf",
  "sources": [{"name": "runs", "files": "run.log", "format": "training-log"}]}' >site.json
hindcast ingest -q -o - -a c
hindcast query train_steps -a c --agg count
sed 's/site.conf/wrong.conf/' site.json >wrong.json
hindcast site check wrong.json

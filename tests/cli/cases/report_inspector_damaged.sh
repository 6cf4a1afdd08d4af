# Logs of NCCL Inspector that are cut, damaged, or odd.
good=$SOURCE_DIR/data/samples/inspector/node0-pid4000.log
report() { hindcast report collectives --max-bad 1 "$@" | sed -n '2,/^$/p'; }
echo "== cut in an object; in packed data"
head -c 1300 "$good" >cut.log && report cut.log
for i in {1..400}; do echo; sed "s/_sn\":/&$i/" "$good"; done | gzip | head -c 14000 >cut.log.gz && report cut.log.gz
echo "== an object cut in the middle of the log, and a control byte in a string"
{ head -c 700 "$good"; echo; sed 1,2d "$good" | sed $'s/node0/no\x01de/'; } >middle.log && report middle.log
hindcast report collectives middle.log || echo "-> $?"
echo "== missing, negative, not numbers, out of range"
{
    sed -n '1s/"id":"[^"]*",//p; 2s/"coll_sn":2,//p; 3s/"coll_exec_time_us":[0-9]*/"coll_exec_time_us":-5/p' "$good"
    sed -n '1s/"rank":0/"rank":4/p; 2s/"coll_msg_size_bytes":[0-9]*/"coll_msg_size_bytes":"many"/p' "$good"
    sed -n '3s/"coll_exec_time_us":[0-9]*/"coll_exec_time_us":1e30/p; 4s/"header":{[^}]*},//p' "$good"
    echo '{"header":{"id":"0x1"}} {} [1] {"coll_perf":null}'
    cat "$good"
} >odd.log
report odd.log
echo "== a record twice; two that differ; another bandwidth; another way of timing"
{
    cat "$good"
    sed -n '1p; 2s/"coll_exec_time_us":[0-9]*/"coll_exec_time_us":7/p' "$good"
    sed 's/"rank":0/"rank":1/; s/4000/4001/; s/"coll_busbw_gbs":/&1/; 5s/kernel_gpu/collective_cpu/' "$good"
    sed -n '3s/"rank":0/"rank":2/; s/4000/4002/; s/100000000/200000000/; 3p' "$good"
} >twice.log
report twice.log
echo "== versions: one that is not known; v4.3 with one marker for all"
sed 's/v4.0/v9.1/' "$good" >new.log && report new.log
{
    sed -n '1s/,"coll_perf".*/}/; 1s/^/{"dump_stats":/; 1s/$/}/; s/v4.0/v4.3/; 1p' "$good"
    sed 's/.*"\(coll_perf\|p2p_perf\)"/{"\1"/' "$good"
} >marker.log && report marker.log
echo "== escapes, a byte order mark, blanks, fractions of microseconds"
{ printf '\357\273\277\n\n  '; sed 's/node0/nöd\\u0065\\n/; s/:\([0-9{"]\)/ : \1/g; s/\("coll_exec_time_us" : [0-9]*\)/\1.25/' "$good"; } >odd2.log
report odd2.log
echo "== no host"
sed 's/"hostname":"[^"]*",//' "$good" >nohost.log && report nohost.log
echo "== two files of a process; the same bytes twice"
mkdir two && cp "$good" two/a.log && cp "$good" two/b.log && report two
hindcast ingest -q -o - -a kept two && hindcast ls -a kept | sed -E 's, +[0-9.]+ kB,,'
sed 1d "$good" >two/b.log
hindcast ingest -q -o - -a other two || echo "-> $?"
echo "== empty"
: >empty.log
hindcast report collectives empty.log || echo "-> $?"

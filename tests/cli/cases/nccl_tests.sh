# Tables of nccl-tests: read, kept, and what is no table of them.
cp -r "$SOURCE_DIR"/data/samples/inspector "$SOURCE_DIR"/data/samples/nccl-tests .
table=nccl-tests/node0.log
hindcast ingest -a kept $table && hindcast ls -a kept | sed -E 's, +[0-9.]+ kB,,'
expected() { hindcast report collectives inspector --json --baseline "$@" | jq -c '[.collectives[] | [.op, .bytes, .expected_gb_s, .baseline_ranks, .is_beyond]] | unique'; }
expected $table
echo "== old columns: no type of reduction, errors as N/A; lines of NCCL and tags of mpirun between"
grep -v '_perf' $table | sed -n '1,/bandwidth/p' | sed 's/redop    root//; s/    sum      -1//; s/#wrong/ error/g; s/      0/    N\/A/g' |
    sed 's/^/[1,0]<stdout>:/; 10i node0:1:1 [0] NCCL INFO Launch mode Parallel' >all_reduce.txt
expected all_reduce.txt
echo "== which operation: by the name of the file; not at all"
cp all_reduce.txt x.txt && expected x.txt || echo "-> $?"
cp all_reduce.txt all_gather.txt && expected all_gather.txt
echo "== out of place only; other numbers of ranks; a table cut in a row"
sed -E '/float/s/( +[^ ]+){4}$//; s/ +time +algbw +busbw +error$//' all_reduce.txt >one-all_reduce.txt && expected one-all_reduce.txt
sed '/Rank  [23]/d' $table >two.log && expected two.log
hindcast report collectives inspector --json --baseline two.log --baseline $table | jq -c '[.collectives[] | .baseline_ranks] | unique'
head -c 1400 $table >cut.log && expected cut.log
echo "== damaged"
sed 's/ float *[a-z]* *-1//' $table >bad.log && expected bad.log || echo "-> $?"
sed 's/busbw/bw/' $table >none.log && expected none.log || echo "-> $?"
sed -n 1,12p $table >empty.log && hindcast ingest -a kept empty.log || echo "-> $?"
hindcast whatif $table || echo "-> $?"

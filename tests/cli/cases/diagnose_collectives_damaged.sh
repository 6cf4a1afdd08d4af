# Dumps that are missing, empty, cut, with opcodes that are refused, twice there, or no dumps.
cp -r "$SOURCE_DIR"/data/samples/flight-recorder/* .
cp -r late missing && rm missing/*_3
hindcast diagnose collectives missing || echo "-> $?"
cp -r late empty && : >empty/nccl_trace_rank_3
hindcast diagnose collectives empty | head -9
cp -r late cut && head -c 1500 late/nccl_trace_rank_3 >cut/nccl_trace_rank_3
hindcast diagnose collectives cut | head -9
cp -r late opcode && printf '\200\002cos\nsystem\nq\000X\004\000\000\000echoq\001\205q\002Rq\003.' >opcode/nccl_trace_rank_3
hindcast diagnose collectives opcode | head -12
for bytes in '\200\002' '\200\002}(X\003' '\200\002}q\377.' '\200\002]h\005.' '\200\002K\001.' '\200\011}.' '\200\002}(K\001u.' \
    '\200\002}X\007\000\000\000entries]s.' '\200\002}X\007\000\000\000entriesK\001s\377' '{"entries": 3, "pg_status": {}}' \
    '{"pg_config": {}, "entries": [3]}' '{"pg_config": {}}' '{"pg_config": {}, "entries": [{"collective_seq_id": 1}]}'; do
    printf "$bytes" >nccl_trace_rank_0
    hindcast diagnose collectives nccl_trace_rank_0 || echo "-> $?"
done
hindcast diagnose collectives late/* stuck/nccl_trace_rank_1 || echo "-> $?"
mkdir copies && cp late/* copies && cp late/*_2 copies/_dump_2 && echo notes >copies/readme.txt
hindcast diagnose collectives copies | head -9
cp late/nccl_trace_rank_0 nameless && cp late/nccl_trace_rank_1 unnamed
hindcast diagnose collectives nameless | head -4
hindcast diagnose collectives nameless unnamed || echo "-> $?"
mkdir none && echo no dump >none/a_1
hindcast diagnose collectives none || echo "-> $?"
hindcast diagnose collectives absent || echo "-> $?"
hindcast diagnose collectives "$SOURCE_DIR"/data/samples/trace-interleaved.csv || echo "-> $?"
hindcast diagnose collectives --csv - --json late || echo "-> $?"

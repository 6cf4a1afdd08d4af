# Bad input: fatal with a message that names file, place and field; nothing is written.
try() { code=0; hindcast whatif -o report.txt "$@" || code=$?; echo "$* -> $code"; }
header=dp_rank,stage,rank,step,seq_id,mc,mb_id,gmc,optype,start_ts,duration
trace() { printf '%s\n' "$header" "$@" >trace-x.csv; }
good=0,0,0,3,0,0,0,0,forward-compute,0.5,0.25

trace && try trace-x.csv
printf '%s\n' "${header/stage,/}" "${good/0,/}" >trace-x.csv && try trace-x.csv
printf '%s\n' "$header,step" "$good,3" >trace-x.csv && try trace-x.csv
trace "${good/0.25/nan}" && try trace-x.csv
trace "${good/0.5/-inf}" && try trace-x.csv
trace "${good/0.25/-0.25}" && try trace-x.csv
trace "${good/forward/foward}" && try trace-x.csv
trace "$good" && printf '0,0,0,3,1,0' >>trace-x.csv && try trace-x.csv
trace "$good" "${good/,3,/,x,}" && try trace-x.csv
try --max-bad 1 trace-x.csv
trace "$good" && gzip -c trace-x.csv | head -c 60 >cut.csv.gz && try cut.csv.gz
: >empty && try empty
printf 'PAR1' >trace-x.parquet && try trace-x.parquet
head -c 4096 /dev/zero >zeros && try zeros
trace "$good"
echo 'dp_size: 1
world_size: many' >meta-x.yaml && try trace-x.csv
try --meta none trace-x.csv
try --meta absent.yaml trace-x.csv
try trace-x.csv absent.csv
ls

# Several arguments: texts one after the other, a JSON array, nothing when one fails.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
fixtures=$SOURCE_DIR/tests/fixtures/straggler
hindcast whatif "$fixtures/trace-dp1.csv" "$fixtures/trace-pp1.csv" | grep '^job'
cd "$fixtures"
hindcast whatif --json trace-dp1.csv | head -3
hindcast whatif --json trace-dp1.csv trace-pp1.csv | grep -E '^[][,{}]|"id"'
try whatif --json trace-dp1.csv trace-none.csv
hindcast whatif --json --steps 0-100000 --threads 1 trace-vpp2.csv | sha256sum >"$OLDPWD/one"
hindcast whatif --json --steps 0-100000 --threads 4 trace-vpp2.csv | sha256sum >"$OLDPWD/four"
cd "$OLDPWD"
cmp one four
try whatif --steps 100000 "$fixtures/trace-dp1.csv"
hindcast whatif --json --steps 12,13,14-15,16-99,100-200 "$fixtures/trace-dp1.csv" | grep -c '"traced_ns"'
hindcast whatif --compat out "$fixtures/trace-dp1.csv" >/dev/null
ls out
cp "$fixtures/trace-dp1.csv" dp1.csv
try whatif -q --compat twice "$fixtures/trace-dp1.csv" dp1.csv 2>&1
try whatif -q --csv twice-csv "$fixtures/trace-dp1.csv" dp1.csv 2>&1
# Nothing is printed when the files cannot be written; ids that differ may have one name in them;
# sizes that no metadata gives are the trace's.
: >blocked
try whatif --compat blocked dp1.csv 2>&1
cp dp1.csv 'a b.csv'
cp dp1.csv a_b.csv
try whatif -q --compat names 'a b.csv' a_b.csv 2>&1
ls names 2>&1 || true
try whatif -q --compat names a_b.csv >/dev/null 2>&1
sed -n 2,11p names/result-a_b.json

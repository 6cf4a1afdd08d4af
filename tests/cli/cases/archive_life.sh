# A job's way: ingested once, listed, shown, checked, analysed, replaced, cleared.
fixtures=$SOURCE_DIR/tests/fixtures/straggler
cp "$fixtures"/trace-dp1.csv "$fixtures"/meta-dp1.yaml "$fixtures"/trace-pp1.csv "$fixtures"/meta-pp1.yaml .
# Hashes and sizes of segments depend on the versions of libraries.
hide() { sed -E 's/[0-9a-f]{12}\.h5/HASH.h5/; s/[0-9.]+ [kM]?B(:|  )/SIZE\1/; s/[0-9.]+ k?B, [0-9.]+ to/SIZE, R to/'; }

hindcast ingest trace-dp1.csv trace-pp1.csv
hindcast ingest trace-dp1.csv trace-pp1.csv
hindcast ls | hide
hindcast show dp1 | hide
hindcast check -v | hide
hindcast check --stale
hindcast whatif dp1 >from-archive.txt
hindcast whatif trace-dp1.csv >from-file.txt
diff from-archive.txt from-file.txt | hide || true
gzip <trace-dp1.csv >trace-dp1.csv.gz
hindcast ingest trace-dp1.csv.gz
hindcast ingest --meta meta-dp1.yaml --format step-csv - <trace-dp1.csv
hindcast archive gc | hide
hindcast check

# What a scenario is made of, and from where.
cp "$SOURCE_DIR"/tests/scenarios/spec/standbys.json .
cat >more.json <<'END'
{
  "include": "standbys.json",
  "schema": "hindcast/scenario/1", "kind": "lifetime",
  "remove": ["/sweep", "/faults/code", "/faults/bad_code"],
  "job": {"nodes": 2400},   // twice as many
  "variants": {"quick": {"set": {"/faults/hang/detect_s": 60}}},
}
END
hindcast scenario show --resolved --set /seed=5 more.json
hindcast scenario show more.json >plain.json
hindcast scenario check plain.json
hindcast scenario show plain.json | cmp - plain.json
hindcast scenario show --resolved --variant quick more.json | grep hang
hindcast scenario show --json --set '/report/figures=["ettr"]' more.json && exit 1
hindcast scenario show --json more.json | head -n 14
hindcast scenario show --variant quik more.json && exit 1
hindcast scenario show "$SOURCE_DIR/tests/scenarios/wrong/many.json"

# The three scenarios of the grammar, and what may go wrong around them.
cp "$SOURCE_DIR"/tests/scenarios/spec/*.json .
hindcast scenario check standbys.json
hindcast scenario check mend.json combined.json && exit 1
hindcast scenario check --json standbys.json mend.json && exit 1
hindcast scenario check - <standbys.json
hindcast scenario check --set /job/nodes=2400 --set /checkpoint/mode=blocking standbys.json && exit 1
hindcast scenario check --set /replicas=10 --set '/checkpoint/load_s={"gamma": {"mean": 90, "shape": 4}}' standbys.json
hindcast scenario check --set /job/node=2400 --set /job/nodes=many --set /job/nodes= standbys.json && exit 1
hindcast scenario check --set /report=none --set /kind=replay standbys.json && exit 1
hindcast scenario check --set job standbys.json && exit 1
hindcast scenario check no_such_file.json && exit 1
hindcast scenario check -o report standbys.json mend.json && exit 1
cat report
hindcast scenario check

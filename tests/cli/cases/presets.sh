# The presets, one of them, and one that is not there.
hindcast presets | cut -c 1-60
hindcast presets meta-rsc2
hindcast presets --json meta-rsc2
hindcast presets lama3 && exit 1
hindcast presets llama3 | hindcast scenario check -
hindcast presets llama3 acme && exit 1
hindcast presets -o mine.json llama3 && hindcast scenario check mine.json
hindcast scenario check preset:meta-rsc2 preset:nothing && exit 1
hindcast simulate --preset transom-after --replicas 10 | head -n 1
hindcast simulate --preset transom-aftr && exit 1
hindcast simulate --preset transom-after mine.json && exit 1
# A preset by its bare name; a file that is there comes first. X.json finds X.jsonc.
hindcast simulate --replicas 2 llama3 | head -n 1
echo '{"schema": "hindcast/scenario/1", "question": "Mine?", "include": "preset:llama3"} // mine' >own.jsonc
hindcast simulate --replicas 2 own.json | head -n 1
hindcast scenario check own.jsonc
cp own.jsonc llama3
hindcast simulate --replicas 2 llama3 | head -n 1
hindcast simulate

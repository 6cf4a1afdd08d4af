#!/usr/bin/env bash
# The presets in the program are the files of data/presets; each is right, runs, is in docs/presets.md, and
# says of its numbers where they come from. A preset may be included and named instead of a file.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
n_failed=0
fail() { echo "FAIL: $*"; n_failed=$((n_failed + 1)); }

# Every number that stands in the preset itself is in its table, with that value: by key, or by a pattern whose
# value is a word ("by cause").
explained() {
    local key value row pattern wanted is
    awk -v name="$1" '/^###? / { inside = $0 == "### " name } inside && /^\| `/' "$root/docs/presets.md" >rows
    [ -s rows ] || fail "$1 is not in docs/presets.md"
    "$hindcast" scenario show --resolved "preset:$1" |
        sed -nE "s|^(/[^ ]+) = (-?[0-9][0-9.e+-]*)  # preset:$1:[0-9]+\$|\1 \2|p" >numbers
    while read -r key value; do
        case $key in /replicas | /seed) continue ;; esac
        row=
        while IFS='|' read -r _ pattern wanted is _; do
            pattern=${pattern//[ \`]/} wanted=${wanted// /} is=${is// /}
            # shellcheck disable=SC2053 # a pattern it is
            [[ $key == $pattern ]] || continue
            row=$pattern
            [[ $is == published || $is == derived || $is == assumed ]] || fail "$1: $key is '$is'"
            [[ $wanted == "$value" || $wanted == [a-z]* ]] || fail "$1: $key is $value, in the table $wanted"
            break
        done <rows
        [ -n "$row" ] || fail "$1: $key = $value is not in its table"
    done <numbers
    [ -s numbers ] || fail "$1 has no numbers of its own"
}

"$hindcast" presets | sed 's/ .*//' >listed
(cd "$root/data/presets" && printf '%s\n' *.json | sed 's/\.json$//' | LC_ALL=C sort) >there
# The file without a version is the newest: one more than the others of its name.
while read -r name; do
    n_older=$(grep -c "^$name@" there || true)
    [[ $name == *@* ]] && echo "$name" || echo "$name@$((n_older + 1))"
done <there | LC_ALL=C sort >versions
LC_ALL=C sort listed | diff versions - || fail "the list is not that of data/presets"
while read -r name; do
    file=$root/data/presets/$name.json
    "$hindcast" presets "$name" >mine.json
    cmp "$file" mine.json || fail "$name is not the file"
    "$hindcast" scenario check mine.json >/dev/null || fail "$name is not right"
    "$hindcast" simulate --json --replicas 2 mine.json >from_file
    "$hindcast" simulate --json --replicas 2 "preset:$name" >from_name
    diff <(grep -v '"path"\|"name"' from_file) <(grep -v '"path"\|"name"' from_name) >/dev/null ||
        diff <(grep -o '"figures".*' from_file) <(grep -o '"figures".*' from_name) >/dev/null ||
        fail "$name gives something else as a file"
    explained "$name"
done <there

# A preset as the base of a scenario; what it includes in turn is found, too.
cat >over.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "include": ["preset:transom-after"], "job": {"nodes": 64}}
END
"$hindcast" scenario show --resolved over.json >resolved
for line in '/job/nodes = 64  # over.json:3' '/checkpoint/stall_s = 30  # preset:transom-after:' \
    '/checkpoint/mode = "in_memory"  # preset:transom-after:' '/job/work_d = 30  # preset:transom-before@1:'; do
    line=${line/over.json:3/over.json:1}
    grep -qF "$line" resolved || fail "not in what an included preset gives: $line"
done
sed 's/transom-after/transom-aftr/' over.json >typo.json
"$hindcast" scenario check typo.json >out 2>err && fail "a preset that is not there was included"
grep -qF "typo.json:1:" out && grep -qF "there is no preset 'transom-aftr' (did you mean 'transom-after'?)" out ||
    fail "no such preset: $(cat out err)"
# Versions: the newest where none is named, with a warning in a file where there are several; a result names it.
base='{"schema": "hindcast/scenario/1", "kind": "lifetime", "include": "preset:'
echo "$base"'airesim"}' >open.json
echo "$base"'airesim@2"}' >second.json
echo "$base"'airesim@1"}' >first.json
echo "$base"'llama3"}' >only.json
for file in open second first only; do
    "$hindcast" scenario show --resolved $file.json 2>$file.err | sed 's/ *#.*//' >$file.shown
done
cmp open.shown second.shown || fail "the newest is not what a name alone stands for"
cmp -s first.shown second.shown && fail "versions do not differ"
grep -q "open.json:1: 'preset:airesim' is version 2, .*write 'preset:airesim@2' to keep" open.err || fail "no warning: $(cat open.err)"
for file in second first only; do [ ! -s $file.err ] || fail "$file.json is warned of: $(cat $file.err)"; done
"$hindcast" scenario check preset:airesim >/dev/null 2>err
[ ! -s err ] || fail "the command line is warned of: $(cat err)"
for name in airesim@2 airesim@1 llama3@1; do
    "$hindcast" simulate --json --replicas 2 "preset:$name" >versioned.json
    grep -q "\"path\": \"preset:$name\"" versioned.json || fail "a result does not say $name"
done
"$hindcast" simulate --json --replicas 2 open.json >versioned.json 2>/dev/null
grep -q '"path": "preset:airesim@2"' versioned.json ||
    fail "a result does not say which version it had"
for name in airesim@0 airesim@3 airesim@01 airesim@ llama3@2; do
    "$hindcast" presets "$name" >out 2>err && fail "there is a preset $name"
    grep -qE "has no version '.*': there (is only llama3@1|are airesim@1 to airesim@2)" err || fail "$name: $(cat err)"
done
"$hindcast" presets --cite airesim | cmp - "$root/data/presets/sources/airesim2026.bib" || fail "--cite"
"$hindcast" presets --cite 2>/dev/null && fail "--cite of all presets"
# A file of that name is another matter.
"$hindcast" presets llama3 >preset:llama4
"$hindcast" scenario check ./preset:llama4 >/dev/null || fail "a file whose name looks like a preset"
"$hindcast" scenario check preset:llama4 >out 2>err && fail "preset:llama4 is a file here"
grep -qF "there is no preset 'llama4' (did you mean 'llama3'?)" err || fail "preset:llama4: $(cat err)"
echo "$(wc -l <there) presets, $n_failed failures"
[ "$n_failed" = 0 ]

#!/usr/bin/env bash
# --help, the manual pages, the bash completion and the parser know the same commands and options.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cd "$work" # some option may write a file
fail() {
    echo "manual_agrees: $*" >&2
    failed=1
}
same() { # WHAT FILE1 FILE2
    diff -u "$2" "$3" >&2 || fail "$1"
}

"$hindcast" help --as bash >"$work/completion"
# shellcheck source=/dev/null
source "$work/completion"
complete -p hindcast | grep -q _hindcast || fail "the completion is not registered"

# offered WORD...: what completion offers for the last word, one a line.
offered() {
    COMP_WORDS=("$hindcast" "$@") COMP_CWORD=$#
    _hindcast
    printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort -u
}

"$hindcast" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z ]*[a-z]\)  .*/\1/p' >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 9 ] || fail "the help lists few commands"
{ echo hindcast; sed 's/ /-/; s/^/hindcast-/' "$work/commands"; } >"$work/expected"
"$hindcast" help --as names >"$work/names"
same "manual pages against commands" "$work/expected" "$work/names"
{ cut -d ' ' -f 1 "$work/commands"; printf '%s\n' --help --version; } | sort -u >"$work/expected"
offered '' >"$work/offered"
same "completion of the first word against commands" "$work/expected" "$work/offered"

while read -r command; do
    # shellcheck disable=SC2086 # one word or two
    set -- $command
    "$hindcast" "$@" --help >"$work/help"
    "$hindcast" help --as man "$@" >"$work/man"
    sed -nE 's/^  (-[a-z], |    )(--[a-z0-9-]+).*/\2/p' "$work/help" | sort >"$work/help.options"
    sed -nE 's/^(\*-[a-z]\*, )?\*(--[a-z0-9-]+)\*.*/\2/p' "$work/man" | sort >"$work/man.options"
    offered "$@" -- >"$work/offered.options"
    same "$command: --help against the manual page" "$work/help.options" "$work/man.options"
    same "$command: --help against completion" "$work/help.options" "$work/offered.options"
    grep -q -- --help "$work/help.options" || fail "$command: no options found in its help"
    # The parser knows each of them: it complains of the second one, which does not exist.
    while read -r option; do
        "$hindcast" "$@" "$option" --no-such-option >"$work/out" 2>&1 && continue
        grep -q "unknown option '$option'" "$work/out" && fail "$command: $option is not parsed"
    done <"$work/help.options"
    if command -v scdoc >/dev/null; then
        scdoc <"$work/man" >"$work/page" || fail "$command: scdoc refuses its manual page"
    fi
done <"$work/commands"

offered help --as '' | tr '\n' ' ' | grep -q 'bash fish glossary man names text zsh' || fail "choices of help --as"
offered whatif --format step- | grep -qx step-csv || fail "names of formats"
"$hindcast" ingest -q -o - -a "$work/archive" "${SOURCE_DIR:?}/data/samples/trace-slow-worker.parquet"
offered whatif -a "$work/archive" def | grep -qx default/slow-worker || fail "names of jobs"
offered whatif -a "$work/archive" slow | grep -qx slow-worker || fail "bare names of jobs"
offered simulate lla | grep -qx llama3 || fail "names of presets"
offered simulate x.json --set /job/no | grep -qx /job/nodes= || fail "keys of --set"

# The other shells load what is made for them, and offer the same; those that are not there are passed over.
"$hindcast" help --as fish >"$work/hindcast.fish"
"$hindcast" help --as zsh >"$work/_hindcast"
if command -v fish >/dev/null; then
    in_fish() { HOME=$work PATH=$(dirname "$hindcast"):$PATH fish --no-config -c "source '$work/hindcast.fish'; complete -C '$1'" | cut -f 1; }
    in_fish 'hindcast wha' | grep -qx whatif || fail "fish: commands"
    in_fish 'hindcast report rel' | grep -qx reliability || fail "fish: commands of a group"
    in_fish 'hindcast whatif --js' | grep -qx -- --json || fail "fish: options"
    in_fish "hindcast whatif -a archive slow" | grep -qx slow-worker || fail "fish: bare names of jobs"
    in_fish 'hindcast simulate lla' | grep -qx llama3 || fail "fish: names of presets"
    in_fish 'hindcast simulate x.json --set /job/no' | grep -qx /job/nodes= || fail "fish: keys of --set"
fi
if command -v zsh >/dev/null; then
    zsh -n "$work/_hindcast" || fail "zsh: the completion is no script"
    if command -v python3 >/dev/null; then
        in_zsh() { PATH=$(dirname "$hindcast"):$PATH python3 "${SOURCE_DIR:?}/tests/support/complete_in_zsh.py" "$work" "$1" "$2" | grep -q -- "$2"; }
        in_zsh 'hindcast wha' whatif || fail "zsh: commands"
        in_zsh 'hindcast report rel' reliability || fail "zsh: commands of a group"
        in_zsh 'hindcast whatif --js' --json || fail "zsh: options"
        in_zsh "hindcast whatif -a archive slow" slow-worker || fail "zsh: bare names of jobs"
        in_zsh 'hindcast simulate lla' llama3 || fail "zsh: names of presets"
    fi
fi
exit $failed

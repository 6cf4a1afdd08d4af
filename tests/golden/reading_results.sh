#!/usr/bin/env bash
# The blocks of docs/guide/reading-results.md do what the page says: each that follows "<!-- run LANGUAGE -->" is run
# in the directory that the page's commands make, and prints the text block behind it. A language that is not
# installed is named, and its blocks are left out.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
page=$root/docs/guide/reading-results.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$(realpath "${HINDCAST:-$root/build/hindcast}")" "$work/bin/hindcast"
ln -s "$root/data" "$work/run/data"
export PATH=$work/bin:$PATH LC_ALL=C.UTF-8
unset HINDCAST_ARCHIVE
cd "$work/run"
# The commands of the page, then its blocks: block-1.python with block-1.text, ...
awk -v out="$work" '
    /^```sh$/ && !made { to = out "/make"; made = 1; next }
    /^<!-- run / { language = $3; n++; next }
    /^```text$/ && language { to = out "/block-" n ".text"; printf "" >to; language = ""; next }
    /^```/ && language && !to { to = out "/block-" n "." language; next }
    /^```/ { to = ""; next }
    to { print >to }' "$page"
bash -eu "$work/make" >/dev/null

# How a language runs a file, or nothing where it is not there.
runs() {
    case $1 in
    python) for python in python3 /usr/bin/python3; do
        if "$python" -c 'import h5py, pandas' 2>/dev/null; then echo "$python" && return; fi
    done ;;
    r) ! Rscript -e 'library(jsonlite)' >/dev/null 2>&1 || echo Rscript ;;
    gnuplot) ! command -v gnuplot >/dev/null || echo gnuplot ;;
    sqlite3) ! command -v sqlite3 >/dev/null || echo sqlite3 ;;
    esac
}
failed=0 n=0 absent=
for block in "$work"/block-*; do
    language=${block##*.}
    [ "$language" != text ] || continue
    with=$(runs "$language")
    [ -n "$with" ] || { absent="$absent $language"; continue; }
    n=$((n + 1))
    # shellcheck disable=SC2086 # a command with its options
    case $language in
    sqlite3) sqlite3 :memory: <"$block" ;;
    *) $with "$block" </dev/null ;;
    esac >"$work/said" 2>&1 || { echo "FAIL: $(basename "$block") does not run"; failed=1; }
    diff "${block%.*}.text" "$work/said" || { echo "FAIL: $(basename "$block") ($(head -n 1 "$block"))"; failed=1; }
done
[ $failed = 0 ] || exit 1
[ "$n" -gt 0 ] || { echo "reading_results: skipped, no language is installed"; exit 77; }
echo "$n blocks; not installed:${absent:- none}"

#!/usr/bin/env bash
# `cmake --install` puts a program that runs, its manual, completion and docs under a prefix.
set -euo pipefail
command -v cmake >/dev/null || { echo "install: skipped, no cmake"; exit 77; }
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
# 'cmake --install' runs this script, whose list of files would go to the build directory; a test writes nothing there.
# shellcheck disable=SC2016 # variables of CMake
sed 's@"[^"]*/\${CMAKE_INSTALL_MANIFEST}"@"${CMAKE_INSTALL_PREFIX}/files"@' "${BUILD_DIR:?}/cmake_install.cmake" >"$prefix/install.cmake"
cmake -D CMAKE_INSTALL_PREFIX="$prefix" -P "$prefix/install.cmake" >/dev/null
"$prefix/bin/hindcast" --version | head -n 1 | grep -qE '^hindcast [0-9]+\.[0-9]+\.[0-9]+( \(commit [0-9a-f]+(-changed)?\))?$'
[ -s "$prefix/share/doc/hindcast/README.md" ]
# The help says where the docs, examples and samples are that it names, and there they are: what README.md and
# docs/ begin with runs from there.
"$prefix/bin/hindcast" help | grep -xF "$prefix/share/doc/hindcast." >/dev/null
(cd "$prefix/share/doc/hindcast" && "$prefix/bin/hindcast" whatif data/samples/trace-slow-worker.parquet) | grep STRAGGLING >/dev/null
[ "$(cd "$prefix/share/doc/hindcast" && "$prefix/bin/hindcast" scenario check examples/scenarios/[j-z]*.jsonc | grep -cv ': ok: ')" = 0 ]
test -s "$prefix/share/doc/hindcast/docs/scenario.schema.json"
# What its pages link to is installed too.
for page in README.md docs/README.md; do
    while read -r link; do
        [ -e "$prefix/share/doc/hindcast/$(dirname $page)/$link" ] || { echo "install: $page leads to $link, which is not installed"; exit 1; }
    done < <(grep -oE '\]\([a-zA-Z0-9./_-]+' "$prefix/share/doc/hindcast/$page" | cut -c 3-)
done
grep -q "^License: GPL-3+" "$prefix/share/doc/hindcast/copyright"
test -s "$prefix/share/doc/hindcast/CITATION.cff"
grep -q "Apache License" "$prefix/share/doc/hindcast/LICENSE"
[ -s "$prefix/share/doc/hindcast/docs/methods/straggler-whatif.md" ]
if [ ! -e "$BUILD_DIR/manual/done" ]; then
    echo "install: without manual (no scdoc)"
    exit 0
fi
"$prefix/bin/hindcast" help --as names | while read -r page; do
    [ "$(zcat "$prefix/share/man/man1/$page.1.gz" | grep -c '^\.TH')" = 1 ]
done
cmp <("$prefix/bin/hindcast" help --as bash) "$prefix/share/bash-completion/completions/hindcast"
cmp <("$prefix/bin/hindcast" help --as zsh) "$prefix/share/zsh/vendor-completions/_hindcast"
cmp <("$prefix/bin/hindcast" help --as fish) "$prefix/share/fish/vendor_completions.d/hindcast.fish"
zcat "$prefix/share/man/man1/hindcast.1.gz" | grep '^\.TH' | grep -qE '"20[2-9][0-9]-[0-9]{2}-[0-9]{2}"'
zcat "$prefix/share/man/man1/hindcast-whatif.1.gz" | grep -q '^\.SH TERMS' 

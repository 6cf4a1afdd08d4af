#!/usr/bin/env bash
# Files of one room that call each other in a circle cannot be read, tested or moved alone. Found in
# what the compiler made of them: which object file needs a function that which other one defines.
# Circles that are meant stand in the list, each with its sentence in docs/architecture.md.
# With --list: every circle, with its files, and a count by room.
set -euo pipefail
cd "$BUILD_DIR"
shopt -s nullglob

# The files of a circle that is meant, in the order of the alphabet, a line a circle.
meant='
'

for library in libhc_{core,parsers,store,models,sim,study,reports,pipeline,cli}.a; do
    nm -A -P "$library" 2>/dev/null | sed "s/^[^:[]*\[\?//; s/\]\?: / /; s|^|$library |"
done | awk -v meant="$meant" -v list="${1:-}" '
    {
        room = $1
        sub(/^libhc_/, "", room)
        sub(/\.a$/, "", room)
        object = $2
        sub(/\.c\.o$/, ".c", object)
        file = room "/" object
        files[file] = room
        if ($4 ~ /^[TDBRWViC]$/)
            definer[$3] = file
        else if ($4 == "U")
            needs[file] = needs[file] " " $3
    }
    function visit(file,    n, name, i, to) {
        reached[file] = 1
        n = split(needs[file], name, " ")
        for (i = 1; i <= n; i++) {
            to = definer[name[i]]
            if (to != "" && to != file && files[to] == files[file] && !(to in reached))
                visit(to)
        }
    }
    function sorted(text,    n, word, i, j, held, out) {
        n = split(text, word, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && word[j] < word[j - 1]; j--) {
                held = word[j]
                word[j] = word[j - 1]
                word[j - 1] = held
            }
        for (i = 1; i <= n; i++)
            out = out (i > 1 ? " " : "") word[i]
        return out
    }
    END {
        for (file in files) {
            n_files++
            split("", reached)
            visit(file)
            for (to in reached)
                reach[file, to] = 1
        }
        for (file in files) {
            if (file in done)
                continue
            circle = file
            for (to in files)
                if (to != file && ((file, to) in reach) && ((to, file) in reach))
                    circle = circle " " to
            if (split(circle, word, " ") == 1)
                continue
            for (i in word)
                done[word[i]] = 1
            circle = sorted(circle)
            n_circles++
            is_meant = index(meant, "\n" circle "\n") > 0
            if (list != "" || !is_meant)
                print "circle of " length(word) ": " circle
            bad += !is_meant
        }
        printf "%d files, %d circles, %d of them not meant\n", n_files, n_circles, bad
        exit bad > 0 || n_files < 50
    }'

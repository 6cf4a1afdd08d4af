#!/usr/bin/env bash
# Every source file that a page (.md) or a comment names is there: a path from the root of the tree, from
# tests/ or from the folder of who names it; a name without a folder, in pages, is that of some file. And
# the table of wings in docs/architecture.md has a row for each wing, and none besides. What was renamed or
# moved is thereby found where it is only spoken of.
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"

rooms=(core parsers store models sim study reports pipeline cli)
# Headers of libraries, which pages name as ours.
foreign='hdf5.h'

find . \( -path './.git' -o -path './build*' \) -prune -o -type f -printf '%P\n' | sort |
    awk -v foreign="$foreign" -v rooms="${rooms[*]}" '
    function folder_of(path) {
        return sub(/\/[^\/]*$/, "", path) ? path : "."
    }
    # "a/b/../c" as "a/c".
    function plain(path) {
        while (sub(/[^\/.]+\/\.\.\//, "", path))
            ;
        return path
    }
    function check(named, file, line, is_page) {
        n_named++
        if (named ~ /\//) {
            if (!(named in there) && !(("tests/" named) in there) &&
                !(plain(folder_of(file) "/" named) in there)) {
                printf "%s:%d: there is no %s\n", file, line, named
                n_wrong++
            }
        } else if (is_page && !(named in is_name) && !(named in is_foreign)) {
            printf "%s:%d: no file is called %s\n", file, line, named
            n_wrong++
        }
    }
    function read_file(file, is_page,    text, line, named) {
        while ((getline text < file) > 0) {
            line++
            if (is_page && file == "docs/architecture.md" && text ~ /^\| `[a-z]+\/[a-z\/]*[a-z]` \|/) {
                split(text, part, "`")
                row[part[2]] = line
            }
            if (!is_page && text ~ /^[ \t]*#[ \t]*include/)
                continue
            # A name may be of a pattern ("cmd_<name>.c", "study_html*.c"): such are not looked up.
            while (match(text, /[A-Za-z0-9_.\/<>*${}-]*[A-Za-z0-9_>*}]\.(c|h|sh|bash|cmake|py|md)([^A-Za-z0-9_.\/]|[.][^a-z]|[.]?$)/)) {
                named = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                match(named, /^.*\.(c|h|sh|bash|cmake|py|md)/)
                named = substr(named, 1, RLENGTH)
                if (named !~ /[<>*${}]/ && named !~ /^[.\/-]*$/ && named !~ /^\// &&
                    (is_page || named ~ ours))
                    check(named, file, line, is_page)
            }
        }
        close(file)
    }
    BEGIN {
        split(foreign, list, " ")
        for (i in list)
            is_foreign[list[i]] = 1
        n_rooms = split(rooms, room, " ")
        ours = "^(docs|bench|cmake|scripts|tests|golden|unit|support|structure"
        for (i = 1; i <= n_rooms; i++) {
            ours = ours "|" room[i]
            is_room[room[i]] = 1
        }
        ours = ours ")/"
    }
    {
        there[$0] = 1
        name = $0
        sub(/.*\//, "", name)
        is_name[name] = 1
        if ($0 ~ /\.[ch]$/ && (folder_of($0) ~ /\//)) {
            split($0, part, "/")
            if (part[1] in is_room)
                wing[folder_of($0)] = 1
        }
        if ($0 ~ /\.(md|c|h|sh)$/)
            files[++n_files] = $0
    }
    END {
        for (i = 1; i <= n_files; i++)
            read_file(files[i], files[i] ~ /\.md$/)
        for (path in wing)
            if (!(path in row)) {
                print "docs/architecture.md: the table of wings lacks " path
                n_wrong++
            }
        for (path in row)
            if (!(path in wing)) {
                printf "docs/architecture.md:%d: there is no wing %s\n", row[path], path
                n_wrong++
            }
        printf "%d files, %d names in them, %d wrong\n", n_files, n_named, n_wrong
        exit n_wrong > 0 || n_named < 100
    }'

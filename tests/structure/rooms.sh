#!/usr/bin/env bash
# Which room, and which wing of it, may include what: our own folders, and the libraries that each may
# use (hdf5.h: only what writes segments; they are read without it). A breach is an error; so are an
# include that does not name its folder, a header used outside the wing to which its first lines say
# that it is private ("Private to this wing"), a wing of more than 30 files, a wing without a rule,
# wings that include each other in a circle, and a library that a rule allows and nothing needs.
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"

# folder (or file): the folders, with what is below them, and single headers that it may include besides
# its own folder (not what is below it) | library headers. The rule of the longest path holds.
rules='
core/base:            | nettle
core/random:          core/base |
core/text:            core/base |
core/process:         core/base |
core/files:           core/base core/process core/text | nettle
core/tables:          core/base core/text core/process/made_by.h |
core/tables/collectives: core/tables |
core/tables/execution: core/tables |
core/tables/jobs:     core/base core/text core/tables |
core/tables/logs:     core/tables core/tables/events |
core/tables/nodes:    core/base core/tables |
core/tables/events:   core/base core/tables |
core/tables/incidents: core/base core/text core/tables |
core/tables/corrections: core/base core/tables core/tables/incidents |
core/tables/account: |

parsers/patterns:     core | pcre2.h
parsers/io:           core parsers/patterns | zlib.h zstd.h lzma.h
parsers/parquet:      core parsers/io | libdeflate.h zstd.h snappy-c.h
parsers/steps:        core parsers/io parsers/parquet | yaml.h
parsers/incidents:    core parsers/io |
parsers/profiles:     core parsers/io |
parsers/collectives:  core parsers/io |
parsers/execution:    core parsers/io |
parsers/jobs:         core parsers/io |
parsers/logs:         core parsers/io parsers/patterns parsers/failures |
parsers/nodes:        core parsers/io parsers/jobs |
parsers/kernel:       core parsers/io parsers/patterns |
parsers/failures:     core parsers/io parsers/patterns |
parsers/tabular:      core parsers/io parsers/patterns parsers/jobs |
parsers/registry:     core parsers |

store/codec:          core | libdeflate.h
store/folder:         core |
store/objects:        core store/codec store/folder |
store/segment:        core store/codec store/folder store/objects |
store/segment/hdf5_util.h:      | hdf5.h
store/segment/column_dataset.h: | hdf5.h
store/segment/dictionary.h:     | hdf5.h
store/segment/segment_meta.h:   | hdf5.h
store/pack:           core |
store/archive:        core store/codec store/folder store/objects store/segment store/pack | jansson.h

models/stats:         core | gsl
models/steps:         core models/stats |
models/incidents:     core models/stats |
models/clocks:        core |
models/profiles:      core models/clocks models/stats |
models/execution:     core models/profiles |
models/collectives:   core models/stats |
models/timings:       core |
models/account:       core models/evidence/corrections.h |
models/account/tree:  core models/account models/evidence models/joins |
models/account/night: core models/account/tree models/evidence |
models/capacity:      core |
models/account/ettr:  core models/account/tree models/account/night models/joins |
models/account/startup: core models/account/tree models/stats |
models/account/compare: core models/account/tree models/account/night models/stats |
models/account/rates: core models/account/tree models/account/night models/evidence models/stats |
models/account/subject: core models/account/tree models/account/night models/evidence |
models/account/top:   core models/account/tree models/account/night models/evidence |
models/query:         core |
models/joins:         core |
models/evidence:      core models/stats |
models/findings:      core models/stats |
models/fit:           core models/stats |

sim/engine:           core models |
sim/edits:            core models sim/engine sim/replay |
sim/edits/remedies:   core models sim/engine sim/replay sim/edits |
sim/replay:           core models |
sim/paths:            core sim/replay |
sim/whatif:           core models sim/replay sim/whatif/change |
sim/whatif/change:    core |
sim/whatif/cause:     core models sim/replay sim/whatif sim/whatif/change |
sim/compare:          core models sim/replay sim/whatif sim/whatif/change |
sim/fleet:            core models sim/replay sim/whatif |
sim/lifetime:         core models sim/engine |
sim/lifetime/nodes:   core models sim/engine sim/lifetime/compiled_lifetime.h sim/lifetime/life_calendar.h |
sim/lifetime/life:    core models sim/engine sim/lifetime/nodes sim/lifetime/compiled_lifetime.h sim/lifetime/life_calendar.h sim/lifetime/life_streams.h sim/lifetime/lifetime.h sim/lifetime/lifetime_faults.h sim/lifetime/lifetime_trace.h |
sim/lifetime/pool:    core models sim/engine sim/lifetime/nodes sim/lifetime/life sim/lifetime/compiled_lifetime.h sim/lifetime/lifetime.h sim/lifetime/lifetime_trace.h |
sim/lifetime/run:     core models sim/engine sim/lifetime |
sim/profiles:         core models |
sim/profiles/edits:   core models sim/engine sim/edits sim/profiles |
sim/rearrange:        core models sim/edits sim/replay |
sim/synth:            core models sim/whatif |
sim/synth/cluster:    core sim/engine |

study/grammar:        core models |
study/run:            core models study/grammar |
study/binding:        core models study/grammar sim/engine |
study/engines:        study/grammar study/engines/lifetime/lifetime_engine.h study/engines/replay/replay_engine.h |
study/engines/replay: core models study/grammar study/run study/binding sim/engine sim/replay sim/paths sim/edits sim/rearrange sim/profiles/profile_whatif.h sim/profiles/profile_timeline.h sim/profiles/edits |
study/engines/lifetime: core models study/grammar study/run study/binding sim/engine sim/lifetime |

reports/write:        core |
reports/page:         core reports/write |
reports/figure:       core reports/page |
reports/figure/gnuplot: core reports/page reports/figure |
reports/export:       core sim/synth/trace_event.h | zlib.h snappy-c.h
reports/export/perfetto: core reports/export/gzip_stream.h sim/replay/timeline.h sim/lifetime/lifetime_trace.h sim/profiles/profile_timeline.h |
reports/whatif:       core reports/write reports/page reports/figure reports/whatif/culprits sim/whatif/whatif.h sim/whatif/worker_wander.h |
reports/whatif/culprits: core reports/write reports/page reports/figure sim/whatif/whatif.h reports/export/perfetto/perfetto_writer.h |
reports/compare:      core reports/write reports/page reports/figure sim/compare/compare.h sim/whatif/straggler_causes.h |
reports/profiles:     core reports/write reports/page reports/figure models/profiles/breakdown.h models/profiles/profile.h models/profiles/collectives.h sim/profiles/profile_whatif.h |
reports/fleet:        core reports/write reports/page reports/figure sim/fleet/fleet_row.h sim/fleet/fleet_summary.h |
reports/study:        core reports/write reports/page reports/figure study/run/study_digest.h study/run/study_numbers.h study/run/study_ranges.h study/run/study_result.h |
reports/study/registry: core reports/study |
reports/study/lifetime: core reports/write reports/page reports/figure reports/export/perfetto/life_perfetto.h reports/study study/run/study_numbers.h study/run/study_result.h study/engines/lifetime/lifetime_findings.h study/engines/lifetime/lifetime_result.h |
reports/study/replay: core reports/write reports/page reports/figure reports/export/perfetto/perfetto_writer.h reports/export/perfetto/profile_perfetto.h reports/study sim/replay/timeline.h study/run/study_numbers.h study/run/study_result.h study/engines/replay/replay_jobs.h study/engines/replay/replay_result.h |
reports/collectives:  core reports/write reports/page models/collectives/collective_diagnosis.h models/collectives/collective_names.h models/collectives/collective_set.h |
reports/query:        core reports/write models/query/query_groups.h |
reports/night:        core reports/write reports/page reports/figure models/account/night models/account/tree models/capacity models/evidence models/findings |
reports/ettr:         core reports/write reports/page reports/figure models/account/ettr models/account/night models/account/tree models/joins |
reports/startup:      core reports/write reports/page reports/figure models/account/startup models/account/tree |
reports/days:         core reports/write reports/page models/account/compare models/account/night models/account/tree |
reports/rates:        core reports/write models/account/rates models/account/night models/account/tree models/evidence |
reports/subject:      core reports/write reports/page models/account/subject models/account/night models/account/tree models/evidence models/joins |
reports/top:          core reports/write reports/page reports/figure models/account/top models/account/night models/account/tree models/evidence |
reports/evidence:     core reports/write models/evidence/corrections.h models/evidence/recorded.h models/evidence/failures.h models/evidence/evidence.h |
reports/fit:          core reports/write models/fit/backtest.h models/fit/fit_parameter.h |
reports/joins:        core reports/write reports/evidence/recorded_report.h models/evidence/recorded.h models/joins/history.h models/joins/joins.h |
reports/account:      core reports/write reports/evidence/corrections_report.h models/account/account_result.h models/account/job_account.h models/account/usage_check.h models/evidence/corrections.h |
reports/capacity:     core reports/write reports/page reports/figure models/capacity/capacity_result.h |
reports/timings:      core reports/write reports/page models/timings/timed_result.h |
reports/reliability:  core reports/write reports/page reports/figure models/incidents/reliability.h models/incidents/reliability_analysis.h |

pipeline/records:     core parsers/io store study/grammar pipeline/kinds pipeline/inputs pipeline/ingest | jansson.h
pipeline/kinds:       core store/segment models sim/replay |
pipeline/sources:     core parsers/io parsers/registry parsers/steps models/steps/rank_clocks.h pipeline/kinds |
pipeline/inputs:      core parsers store models sim study/grammar study/engines/replay/replay_engine.h pipeline/kinds pipeline/sources |
pipeline/ingest:      core store models pipeline/kinds pipeline/inputs pipeline/sources |
pipeline/packs:       core store pipeline/kinds pipeline/fleet/shard.h | jansson.h
pipeline/daily:       core store models/account models/evidence models/joins models/steps/step_dates.h pipeline/choice/timeline_steps.h pipeline/site pipeline/packs |
pipeline/night:       core store models/account models/evidence models/findings models/joins pipeline/choice/timeline_steps.h pipeline/daily pipeline/fleet pipeline/site | jansson.h
pipeline/capacity:    core store/archive models/account/job_account.h models/capacity pipeline/daily/record_scan.h pipeline/site/site_file.h |
pipeline/fit:         core store/archive models/evidence models/fit models/joins pipeline/daily |
pipeline/site:        core parsers/registry parsers/io parsers/patterns parsers/logs parsers/tabular store/archive study/grammar pipeline/inputs pipeline/sources pipeline/ingest pipeline/records | jansson.h
pipeline/results:     core study/run/study_result.h | jansson.h
pipeline/fleet:       core store models sim reports/fleet reports/whatif pipeline/choice/entry_dates.h pipeline/records pipeline/inputs | jansson.h
pipeline/choice:      core store models/query models/steps/step_dates.h pipeline/kinds pipeline/records/archive_records.h |
pipeline/study:       core store/archive models/query study pipeline/fleet pipeline/inputs |
pipeline/synth:       core sim reports/export pipeline/fleet |
pipeline/synth/cluster: core sim/synth sim/synth/cluster pipeline/synth reports/export |
cli/frame:            core parsers store models sim study reports pipeline |
cli/manual:           core parsers study cli/frame |
cli/options:          core parsers store models sim study reports pipeline cli/frame |
cli/commands/site:     core parsers/registry pipeline/site cli/frame |
cli/commands/night:   core store models reports pipeline cli/frame cli/options |
cli/commands/records: core store models reports pipeline cli/frame cli/options |
cli/commands/synth:   core sim pipeline cli/frame |
cli/commands/profiles: core parsers store models sim study reports pipeline cli/frame cli/options |
cli/commands/study:   core study reports pipeline store/archive cli/frame cli/options |
cli/commands:         core parsers store models sim study reports pipeline cli/frame cli/manual cli/options cli/commands/profiles cli/commands/night cli/commands/records cli/commands/study |
cli:                  core parsers store models sim study reports pipeline cli |
cli/main.c:           | jansson.h
cli/manual/help.c:               | H5public.h gsl/gsl_version.h jansson.h libdeflate.h lzma.h yaml.h zlib.h zstd.h
bench:                bench tests/support core parsers store models sim study reports pipeline cli | jansson.h hdf5.h libdeflate.h gsl
tests:                tests core parsers store models sim study reports pipeline cli | check.h jansson.h hdf5.h yaml.h zlib.h libdeflate.h zstd.h lzma.h pcre2.h snappy-c.h nettle gsl
'
# Breaches that are known and shall go: "FILE HEADER". One that is gone must leave the list.
debts='
'

# Wings (folders) that may stand in a circle, in the order of the alphabet, a line a circle; each with its
# sentence in docs/architecture.md.
meant='
'

rooms=(core parsers store models sim study reports pipeline cli)

find "${rooms[@]}" bench tests -name '*.[ch]' | sort |
    xargs awk -v rules="$rules" -v debts="$debts" -v meant="$meant" '
    BEGIN {
        n = split(rules, line, "\n")
        for (i = 1; i <= n; i++) {
            if (split(line[i], part, /[:|]/) < 3)
                continue
            if (part[1] !~ /\.[ch]$/) {
                ruled[part[1]] = 1
                own[part[1]] = part[2]
            }
            n_libraries = split(part[3], word, " ")
            for (j = 1; j <= n_libraries; j++) {
                library[part[1], word[j]] = 1
                known[word[j]] = 1
            }
        }
    }
    function owed(header) {
        if (index(debts, "\n" FILENAME " " header "\n")) {
            paying[FILENAME " " header] = 1
            return 1
        }
        return 0
    }
    function breach(what) {
        printf "%s:%d: %s\n", FILENAME, FNR, what
        n_breaches++
    }
    # The longest path with a rule that path is, or lies in.
    function rule_of(path) {
        while (!(path in ruled) && sub(/\/[^\/]*$/, "", path))
            ;
        return path
    }
    function lies_in(path, folder) {
        return path == folder || substr(path, 1, length(folder) + 1) == folder "/"
    }
    function folder_of(path) {
        sub(/\/[^\/]*$/, "", path)
        return path
    }
    function may_include(rule, header,    word, n, i) {
        if (folder_of(header) == folder_of(FILENAME))
            return 1
        n = split(own[rule], word, " ")
        for (i = 1; i <= n; i++)
            if (lies_in(header, word[i]))
                return 1
        return 0
    }
    # Marks all wings that wing includes, itself or by others.
    function visit(wing,    n, word, i) {
        n = split(includes[wing], word, " ")
        for (i = 1; i <= n; i++)
            if (!((start, word[i]) in reach)) {
                reach[start, word[i]] = 1
                visit(word[i])
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
    function tell_circles(    wing, to, circle, pair, word, i) {
        for (start in in_wing)
            visit(start)
        for (wing in in_wing) {
            if (!((wing, wing) in reach) || (wing in told))
                continue
            circle = ""
            for (to in in_wing)
                if (((wing, to) in reach) && ((to, wing) in reach)) {
                    circle = circle " " to
                    told[to] = 1
                }
            circle = sorted(circle)
            if (index(meant, "\n" circle "\n")) {
                closed[circle] = 1
                continue
            }
            print "wings include each other in a circle: " circle
            for (pair in edge) {
                split(pair, word, SUBSEP)
                if (((wing, word[1]) in reach) && ((word[1], wing) in reach) &&
                    ((wing, word[2]) in reach) && ((word[2], wing) in reach))
                    print "    " edge[pair]
            }
            n_breaches++
        }
        n = split(meant, line, "\n")
        for (i = 1; i <= n; i++)
            if (line[i] != "" && !(line[i] in closed)) {
                print "no longer a circle, so take it from the list: " line[i]
                n_breaches++
            }
    }
    FNR == 1 {
        n_files++
        rule = rule_of(FILENAME)
        is_product = FILENAME !~ /^(bench|tests)\//
        wing = folder_of(FILENAME)
        if (is_product && ++in_wing[wing] == 1 && !(wing in ruled))
            breach("the wing " wing "/ has no rule")
        if (in_wing[wing] == 31)
            breach("the wing " wing "/ has more than 30 files")
    }
    FNR <= 30 && FILENAME ~ /\.h$/ && /Private to this wing/ { private[FILENAME] = 1 }
    FNR <= 30 && FILENAME ~ /\.h$/ && /Private( to( this)?)?$/ {
        breach("write \"Private to this wing\" in one line: this test reads line by line")
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        if (quoted[2] !~ /\//)
            breach("\"" quoted[2] "\" does not name its folder")
        else if (!may_include(rule, quoted[2]) && !owed(quoted[2]))
            breach("a file of " rule " must not include \"" quoted[2] "\"")
        if (is_product) {
            users[quoted[2]] = users[quoted[2]] " " FILENAME
            to = folder_of(quoted[2])
            if (to != wing && !((wing, to) in edge)) {
                edge[wing, to] = FILENAME ": " quoted[2]
                includes[wing] = includes[wing] " " to
            }
        }
        n_includes++
    }
    /^[ \t]*#[ \t]*include[ \t]*</ {
        split($0, angled, /[<>]/)
        name = angled[2]
        if (name ~ /^H5/)
            name = "hdf5.h"
        if (!(name in known))
            sub(/\/.*/, "", name)
        if (is_product)
            needed[rule, name] = needed[FILENAME, angled[2]] = needed[FILENAME, name] = 1
        if (name in known && !((rule, name) in library) && !((FILENAME, angled[2]) in library))
            breach("a file of " rule " must not include <" angled[2] ">")
        n_includes++
    }
    END {
        n = split(debts, line, "\n")
        for (i = 1; i <= n; i++)
            if (line[i] != "" && !(line[i] in paying)) {
                print "no longer a breach, so take it from the list: " line[i]
                n_breaches++
            }
        tell_circles()
        for (permission in library) {
            split(permission, word, SUBSEP)
            if (!(permission in needed) && word[1] !~ /^(bench|tests)$/) {
                print word[1] " may include <" word[2] ">, and does not: take that from its rule"
                n_breaches++
            }
        }
        for (header in private) {
            n = split(users[header], user, " ")
            for (i = 1; i <= n; i++)
                if (!lies_in(user[i], folder_of(header))) {
                    printf "%s: \"%s\" is private to its wing\n", user[i], header
                    n_breaches++
                }
        }
        printf "%d files, %d includes, %d breaches\n", n_files, n_includes, n_breaches
        exit n_breaches > 0 || n_includes < 50
    }'

#!/usr/bin/env bash
# 300 allocations, of all commands, find no memory, one at a time; and the last 8 of each command, where
# a cut manifest was once published. More of them: tests/long/failing_allocations_many.sh.
LAST=8 POINTS=${POINTS:-300} exec bash "${SOURCE_DIR:?}/tests/faults/failing_allocations.sh"

#!/usr/bin/env bash
# 10,000 commands are stopped, each before some system call, by each signal in turn.
POINTS=10000 exec bash "${SOURCE_DIR:?}/tests/faults/killed_calls.sh"

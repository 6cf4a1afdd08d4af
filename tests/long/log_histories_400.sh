#!/usr/bin/env bash
# 400 random histories of the logs and dumps of a site.
SEED=${SEED:-random} HISTORIES=${HISTORIES:-400} STEPS=${STEPS:-30} exec bash "${SOURCE_DIR:?}/tests/golden/log_histories.sh"

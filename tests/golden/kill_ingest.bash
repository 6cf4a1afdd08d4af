# Ingests that are killed at any moment: what kill_ingest.sh and kill_ingest_ranks.sh share. To be
# sourced; stands in a directory of its own then.
#
#   ROUNDS  ingests to kill (20)
#   SEED    of the moments of the kills (printed)
#   took    how long an ingest takes, microseconds: time_ingest finds it, kill_ingest keeps it so that
#           one in four or so gets through, however fast it is
#   code    how the ingest that was to be killed ended: 137 killed, 0 it was faster
rounds=${ROUNDS:-20}
seed=${SEED:-$((SRANDOM % 100000))}
# shellcheck disable=SC2034
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HINDCAST_ARCHIVE
RANDOM=$seed
echo "seed $seed, $rounds kills"
n_killed=0

fail() {
    echo "round ${round:-}: $*"
    exit 1
}

# `ingest` is a function of the test that becomes the program (exec), so that the kill hits it and
# nothing else. Arguments of both: its own.
time_ingest() {
    local started=${EPOCHREALTIME/[.,]/}
    (ingest "$@") || fail "the first ingest failed: $(tail -qn 1 ./*.err)"
    took=$((${EPOCHREALTIME/[.,]/} - started))
}

kill_ingest() {
    [ "$round" -le $((50 * rounds)) ] || fail "only $n_killed ingests were killed"
    local delay=$(((RANDOM * 32768 + RANDOM) % took)) pid
    (ingest "$@") &
    pid=$!
    sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
    kill -KILL "$pid" 2>/dev/null || true
    code=0
    wait "$pid" 2>/dev/null || code=$?
    case $code in
        0) took=$((took * 9 / 10 + 1)) ;;
        137)
            n_killed=$((n_killed + 1))
            took=$((took * 103 / 100 + 1))
            ;;
        *) fail "ingest ended with $code: $(tail -qn 1 ./*.err)" ;;
    esac
}

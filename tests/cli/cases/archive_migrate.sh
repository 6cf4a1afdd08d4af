# An archive that hindcast 0.1 wrote lacks the scope of incidents; what is asked wrongly is told.
cp -r "$SOURCE_DIR/tests/fixtures/archive-0.1/archive" a
hindcast archive migrate -a a --dry-run
hindcast archive migrate -a a
hindcast archive migrate -a a
fail() { hindcast archive migrate -a a "$@" || echo "exit $?" >&2; }
fail --older soon
fail -a absent

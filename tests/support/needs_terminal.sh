# For tests on a terminal of their own (tests/support/on_terminal.py): skips where there is none to be had, as in
# a chroot without /dev/pts.
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
python3 -c "import os; os.openpty()" 2>/dev/null || { echo "skipped: there are no terminals here (no /dev/pts)"; exit 77; }

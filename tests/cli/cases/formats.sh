hindcast formats
hindcast formats --json
hindcast formats slurm-sacct
hindcast formats step-csv
hindcast formats sacct || echo "exit $?" >&2
hindcast formats step-csv --json || echo "exit $?" >&2

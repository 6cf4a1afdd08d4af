hindcast check --help

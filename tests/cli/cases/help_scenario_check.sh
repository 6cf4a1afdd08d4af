hindcast scenario check --help

hindcast scenario schema --help

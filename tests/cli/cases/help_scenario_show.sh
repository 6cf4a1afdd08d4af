hindcast scenario show --help

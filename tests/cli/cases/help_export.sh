hindcast export --help

hindcast merge --help

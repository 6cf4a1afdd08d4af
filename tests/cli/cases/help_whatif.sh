hindcast whatif --help

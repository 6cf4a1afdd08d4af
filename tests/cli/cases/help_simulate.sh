hindcast simulate --help

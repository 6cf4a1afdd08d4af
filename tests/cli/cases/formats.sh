hindcast formats
hindcast formats --json

hindcast ingest --help

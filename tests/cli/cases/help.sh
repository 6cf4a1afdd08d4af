# The overview, and that `help` and `--help` say the same.
hindcast --help
hindcast help | diff - <(hindcast -h)
for command in ingest ls show check whatif formats "archive gc" help; do
    hindcast help $command | diff - <(hindcast $command --help)
done

# The commit is that of the tree; a release archive has none.
hindcast --version | sed -E 's/[0-9]+(\.[0-9]+)+/N/g; 1s/ \(commit [0-9a-f]{7,40}(-changed)?\)$//'

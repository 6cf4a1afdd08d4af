# A group of commands explains itself, and wants a command after it.
hindcast archive --help
hindcast archive

"""The service: campaigns over HTTP, by the same commands that the command line runs."""

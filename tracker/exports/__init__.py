"""Exports: a gang as files that this program and others read, and every fact that such a file cannot hold."""

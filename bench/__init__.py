"""What this program costs, measured: `python -m bench`, or `make bench`. See `bench/README.md`."""

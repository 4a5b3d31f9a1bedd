"""What this program costs, measured: `python -m bench`, or `make bench`. See `bench/README.md`."""

import sys
from pathlib import Path

# What runs a PostgreSQL, a service or a cluster for the tests runs it here too.
_TESTS = Path(__file__).parents[1] / "tests"
sys.path += [str(folder) for folder in (_TESTS, _TESTS / "server") if str(folder) not in sys.path]

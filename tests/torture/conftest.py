"""What is typed here is typed with the command line's own test helpers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))

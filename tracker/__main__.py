"""`python -m tracker` and the `arbitrator` command: where both begin."""

import os
import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Nothing is open yet while this program is read in, and Python would print where it was stopped.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from tracker.resident import handing_over


def run() -> None:
    """Run the command, here or by the resident, and leave with a documented exit code."""
    code = handing_over.handed_over(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    from tracker.cli import main  # not above: that is what takes its time

    main.run()


if __name__ == "__main__":
    run()

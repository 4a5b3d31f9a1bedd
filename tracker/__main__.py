"""`python -m tracker` and the `arbitrator` command: where both begin."""

import os
import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Nothing is open yet while this program is read in, and Python would print where it was stopped.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from tracker.cli.main import run

if __name__ == "__main__":
    run()

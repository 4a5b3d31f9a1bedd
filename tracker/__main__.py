"""`python -m tracker` and the `arbitrator` command: where both begin, and end."""

import atexit
import os
import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Nothing is open yet while this program is read in, and Python would print where it was stopped.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from tracker.resident import client


def run() -> None:
    """Run the command, here or by the resident, and leave with a documented exit code."""
    code = client.run_on_resident(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    from tracker.cli import main  # not above: that is what takes its time

    try:
        main.run()
    except SystemExit as over:
        if isinstance(over.code, int):
            _leave(over.code)
        raise


def _leave(code: int) -> None:
    """Leave without taking apart what was read in, which the system lets go at once: it took a twentieth of a
    short command. Who watches the process, or is still at work in it, sees it end as usual.
    """
    threads = sys._current_frames()  # noqa: SLF001  # the way to count them that imports nothing
    if sys.gettrace() is not None or sys.getprofile() is not None or len(threads) > 1:
        return
    try:
        atexit._run_exitfuncs()  # noqa: SLF001  # what Python does itself
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # Python says on leaving what it could not write
        return
    os._exit(code)


if __name__ == "__main__":
    run()

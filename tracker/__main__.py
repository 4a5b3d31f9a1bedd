"""`python -m tracker`: the same door as the `arbitrator` command."""

from tracker.cli.main import run

if __name__ == "__main__":
    run()

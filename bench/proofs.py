"""What a signed bundle takes to be made and checked, beside hashing the same bytes once."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from bench import raw
from bench.grown import Grown
from bench.measuring import Stopwatch, Table, in_turn, table
from tracker.service import verifiers
from tracker.service.verifying import Held, verdict_on_file

HASHED = "the events' bytes hashed once"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    season = grown.season(grown.large)
    tracker, campaign = season.tracker, season.campaign
    folder = grown.file(grown.large).parent
    signing = tracker.signing(folder / "proofs-keys")
    signing.new_key(campaign, origin="bench", passphrase=None)
    signing.checkpoint(campaign, lambda: "")
    bundle = folder / "proofs.zip"

    def hashed(watch: Stopwatch) -> None:
        with raw.connected(grown.file(grown.large)) as connection, watch.running():
            whole = sha256()
            for (body,) in connection.execute("SELECT body FROM events ORDER BY seq"):
                whole.update(body)

    def made(watch: Stopwatch) -> None:
        bundle.unlink(missing_ok=True)
        with watch.running():
            tracker.archives.export(campaign, bundle)

    def checked(watch: Stopwatch) -> None:
        with watch.running():
            assert verdict_on_file(str(bundle), Held()).exit_code == 0

    def by_script(watch: Stopwatch) -> None:
        script = Path(verifiers.__path__[0]) / "verify.py"
        with watch.running():
            subprocess.run([sys.executable, str(script), str(bundle)], check=True, stdout=subprocess.DEVNULL)

    whole = in_turn(
        {HASHED: hashed, "the bundle made": made, "checked by us": checked, "by verify.py": by_script},
        runs=runs,
    )
    title = f"A bundle of {season.events} events"
    return [table(title, whole, against=HASHED)]

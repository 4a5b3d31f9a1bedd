"""What proofs take: of an append, of a battle, and a signed bundle made and checked beside hashing its bytes.

Of an append: the leaves of its events, the frontier after them and its root, in a decision of ten events; and
all of it, with the head that is signed after so many decisions. For a head the rows since the last one are
read and hashed again, and it is written to the database and beside the key.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import combinations, cycle
from pathlib import Path

from bench import raw
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.reporting import DECISIONS, report
from bench.season import COPY_IDS_FROM, GANGS, hits_of_ten_events, open_tracker
from tracker.log.chain import Frontier, leaf_hash
from tracker.service import standalone_verifier
from tracker.service.application import Tracker
from tracker.service.file_verification import TrustAnchors, verdict_on_file
from tracker.service.signing import CampaignSigning

HASHED = "the events' bytes hashed once"
DECISION, LEAVES = "a decision of ten events", "its leaves, frontier and root"
BATTLE, HEAD = "a battle recorded", "its head signed"
DECISIONS_A_RUN = 64
ALL = f"all of it, with a head signed after {DECISIONS_A_RUN}"
SHARE_MAX = 0.05
PAGE_SECONDS = 300
BROWSERS = ("chromium", "chromium-headless-shell")


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    return [_of_an_append(grown, runs), _of_a_battle(grown, runs), _of_a_bundle(grown, runs)]


def _of_an_append(grown: Grown, runs: int) -> Table:
    tracker = open_tracker(grown.copied(grown.middle, "proofs-append.db"), ids_from=COPY_IDS_FROM)
    (campaign,) = tracker.repository.store.campaigns()
    signing = _with_a_head(tracker, campaign, grown.folder / "proofs-append-keys")
    hits = hits_of_ten_events(tracker, campaign)
    appended: list[tuple[Frontier, list[bytes]]] = []

    def decisions(watch: Stopwatch) -> None:
        appended.clear()
        for _ in range(DECISIONS_A_RUN):
            plan, store = next(hits), tracker.repository.store
            before = store.head(campaign)
            with watch.running():
                tracker.commands.play(campaign, [plan])
            appended.append(
                (before.frontier, [event.body for event in store.read(campaign, first_seq=before.size)])
            )

    def proofs(watch: Stopwatch) -> None:
        for frontier, bodies in appended:
            with watch.running():
                after = frontier.append(*map(leaf_hash, bodies))
                after.root()
                after.to_bytes()

    def all_of_it(watch: Stopwatch) -> None:
        proofs(watch)
        with watch.running():
            signing.checkpoint(campaign, lambda: "", whole=False)
        watch.spans = DECISIONS_A_RUN

    with ExitStack() as stack:
        stack.callback(tracker.close)
        figures = in_turn({DECISION: decisions, LEAVES: proofs, ALL: all_of_it}, runs=runs)
    title = f"Proofs of an append, SQLite, {grown.middle} events in the log"
    return table(title, figures, against=DECISION, bars=[Bar(of=ALL, against=DECISION, at_most=SHARE_MAX)])


def _with_a_head(tracker: Tracker, campaign: str, keys: Path) -> CampaignSigning:
    signing = tracker.signing(keys)
    signing.new_key(campaign, origin="bench", passphrase=None)
    signing.checkpoint(campaign, lambda: "")
    return signing


def _of_a_battle(grown: Grown, runs: int) -> Table:
    tracker = open_tracker(grown.copied(grown.middle, "proofs-battle.db"), ids_from=COPY_IDS_FROM)
    (campaign,) = tracker.repository.store.campaigns()
    signing = _with_a_head(tracker, campaign, grown.folder / "proofs-battle-keys")
    pairings = cycle(combinations(GANGS, 2))

    def recorded(watch: Stopwatch) -> None:
        plans = report(tracker, campaign, next(pairings))
        with watch.running():
            tracker.commands.play(campaign, plans, roll=True)

    def signed(watch: Stopwatch) -> None:
        with watch.running():
            signing.checkpoint(campaign, lambda: "", whole=False)

    with ExitStack() as stack:
        stack.callback(tracker.close)
        figures = in_turn({BATTLE: recorded, HEAD: signed}, runs=runs)
    title = f"Proofs of a battle of {DECISIONS} decisions, SQLite, {grown.middle} events in the log"
    return table(title, figures, against=BATTLE)


def _of_a_bundle(grown: Grown, runs: int) -> Table:
    size = grown.large if grown.is_at_length else grown.middle
    season = grown.season(size)
    tracker, campaign = season.tracker, season.campaign
    folder = grown.file(size).parent
    _with_a_head(tracker, campaign, folder / "proofs-keys")
    bundle = folder / "proofs.zip"

    def hashed(watch: Stopwatch) -> None:
        with raw.connected(grown.file(size)) as connection, watch.running():
            whole = sha256()
            for (body,) in connection.execute("SELECT body FROM events ORDER BY seq"):
                whole.update(body)

    def made(watch: Stopwatch) -> None:
        bundle.unlink(missing_ok=True)
        with watch.running():
            tracker.archives.export(campaign, bundle)

    def checked(watch: Stopwatch) -> None:
        with watch.running():
            assert verdict_on_file(str(bundle), TrustAnchors()).exit_code == 0

    def by_script(watch: Stopwatch) -> None:
        script = Path(standalone_verifier.__path__[0]) / "verify.py"
        with watch.running():
            subprocess.run([sys.executable, str(script), str(bundle)], check=True, stdout=subprocess.DEVNULL)

    jobs = {HASHED: hashed, "the bundle made": made, "checked by us": checked, "by verify.py": by_script}
    notes = []
    with _by_page(bundle) as by_page:
        if by_page is None:
            notes = ["Not by verify.html: no browser is here."]
        else:
            jobs["by verify.html in Chromium"] = by_page
        whole = in_turn(jobs, runs=runs)
    return table(f"A bundle of {season.events} events", whole, against=HASHED, notes=notes)


@contextmanager
def _by_page(bundle: Path) -> Iterator[Callable[[Stopwatch], None] | None]:
    """Checks the bundle with the page that travels in it, from disk; None where there is no browser."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        yield None
        return
    from playwright.sync_api import sync_playwright  # not above: only where there is a browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(offline=True).new_page()

        def by_page(watch: Stopwatch) -> None:
            file = bundle.with_name("verify.html")
            with zipfile.ZipFile(bundle) as members:
                file.write_bytes(members.read(file.name))
            page.goto(file.as_uri())
            with watch.running():
                page.set_input_files("#archive", bundle)
                page.locator("#verdict.good").wait_for(timeout=1_000 * PAGE_SECONDS)

        yield by_page
        browser.close()

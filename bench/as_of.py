"""The state as of an entry or a battle, against the nearest snapshot and the tail read by hand.

By hand is what `replaying` means by it: the driver's cursor on a connection that is open already, msgspec
into the same classes and past the same events, the same fold.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import msgspec

from bench import raw
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.replaying import INFORMING
from bench.season import GrownCampaign
from tracker.campaign.evolve import evolve
from tracker.campaign.state import CampaignState
from tracker.log.codec import Codec
from tracker.log.store import StoredEvent
from tracker.service.snapshot_parts import PartReader, StoredState
from tracker.service.snapshots import DIGEST_BYTES, fingerprint

DEPTHS = (99, 75, 50, 25, 1)
"""How much of the log lies before what is asked about, in percent."""
SNAPSHOT = (
    "SELECT entry, body FROM snapshots WHERE campaign_id = ? AND fingerprint = ? AND entry <= ?"
    " ORDER BY entry DESC LIMIT 1"
)
PART = "SELECT body FROM snapshots_parts WHERE campaign_id = ? AND fingerprint = ? AND name = ?"
ENDS = "SELECT entry, max(seq) FROM events WHERE campaign_id = ? GROUP BY entry"
TAIL = (  # as though no slot was ever filled again, which here is so
    "SELECT seq, entry, slot, type, body, leaf FROM events WHERE campaign_id = ? AND seq > ? AND seq <= ?"
    f" AND type NOT IN ({INFORMING}) ORDER BY seq"
)


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part."""
    season = grown.season(grown.large)
    with raw.connected(grown.file(grown.large)) as driver:
        return [_compared(season, driver, runs)]


def _compared(season: GrownCampaign, driver: sqlite3.Connection, runs: int) -> Table:
    jobs: dict[str, Callable[[Stopwatch], None]] = {}
    bars = []
    for depth in DEPTHS:
        entry = max(1, season.tracker.repository.store.head(season.campaign).entries * depth // 100)
        ours, by_hand = f"after an entry at {depth} %", f"by hand, at {depth} %"
        jobs[ours] = _as_of(season, entry)
        jobs[by_hand] = _by_hand(driver, season, entry)
        bars.append(Bar(of=ours, against=by_hand, at_most=3.0))
    if season.tracker.repository.state(season.campaign).battles:
        battle = f"up to a battle at {DEPTHS[2]} %"
        jobs[battle] = _as_of_battle(season, DEPTHS[2])
        bars.append(Bar(of=battle, against=f"by hand, at {DEPTHS[2]} %", at_most=3.0))
    for job in jobs.values():
        job(Stopwatch())
    title = f"The state as of a point in {season.events} events"
    return table(title, in_turn(jobs, runs=runs), against=f"by hand, at {DEPTHS[0]} %", bars=bars)


def _as_of(season: GrownCampaign, entry: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        with watch.running():
            season.tracker.repository.state(season.campaign, as_of_entry=entry)

    return run


def _as_of_battle(season: GrownCampaign, depth: int) -> Callable[[Stopwatch], None]:
    battles = list(season.tracker.repository.state(season.campaign).battles)

    def run(watch: Stopwatch) -> None:
        with watch.running():
            season.tracker.repository.state(
                season.campaign, as_of_battle=battles[len(battles) * depth // 100]
            )

    return run


def _by_hand(driver: sqlite3.Connection, season: GrownCampaign, entry: int) -> Callable[[Stopwatch], None]:
    expected = season.tracker.repository.state(season.campaign, as_of_entry=entry)
    kept = msgspec.json.Decoder(StoredState)
    codec = Codec()
    ends = {0: -1} | dict(driver.execute(ENDS, (season.campaign,)))

    def part(name: str) -> bytes | None:
        found = driver.execute(PART, (season.campaign, fingerprint(), name)).fetchone()
        return found[0] if found else None

    def run(watch: Stopwatch) -> None:
        with watch.running():
            found = driver.execute(SNAPSHOT, (season.campaign, fingerprint(), entry)).fetchone()
            base, state = 0, CampaignState()
            if found:
                base, body = found
                state = PartReader(base, part, CampaignState).state(kept.decode(body[DIGEST_BYTES:]))
            for row in driver.execute(TAIL, (season.campaign, ends[base], ends[entry])):
                state = evolve(state, codec.event(StoredEvent(*row)))
        assert state == expected

    return run

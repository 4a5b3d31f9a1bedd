"""All boards made again from the log, against `sqlite3` reading and json decoding the same rows."""

from __future__ import annotations

from bench import raw
from bench.grown import Grown
from bench.measuring import Stopwatch, Table, in_turn, table
from tracker.campaign.evolve import evolve
from tracker.campaign.state import CampaignState


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part."""
    season = grown.season(grown.large)
    tracker, campaign = season.tracker, season.campaign

    def rebuilt(watch: Stopwatch) -> None:
        with watch.running():
            tracker.audit.rebuild_boards(campaign)

    def folded(watch: Stopwatch) -> None:
        with watch.running():
            state = CampaignState()
            for recorded in tracker.repository.log.live(campaign):
                state = evolve(state, recorded.event)

    def verified(watch: Stopwatch) -> None:
        with watch.running():
            assert tracker.repository.store.verify(campaign).ok

    def read(watch: Stopwatch) -> None:
        with raw.connected(grown.file(grown.large)) as connection, watch.running():
            assert raw.read_and_decode(connection) == season.events

    figures = in_turn(
        {
            "all boards rebuilt": rebuilt,
            "only read, typed and folded": folded,
            "only the chain verified": verified,
            "sqlite3: read and json-decoded": read,
        },
        runs=runs,
    )
    title = f"Rebuild all boards from {season.events} events"
    return [table(title, figures, against="sqlite3: read and json-decoded")]

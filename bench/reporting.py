"""One battle report of 100 decisions, recorded whole: an append of the tracker against one transaction of the
driver.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import combinations, cycle

from bench import raw
from bench.appending import SAME, TRACKER
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, GANGS, GUN, open_tracker
from tracker.campaign import records
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray, read_die
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

DECISIONS = 100
SAVED = (read_die("wound", "D6", 6), read_die("save", "D6", 6))
"""It wounds and the armour holds: both fighters stay, so a battle holds as many as are wanted."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    return [_on_sqlite(grown, runs), _on_postgres(grown, runs)]


def _on_sqlite(grown: Grown, runs: int) -> Table:
    with ExitStack() as stack:
        files = [grown.copied(grown.middle, f"report-{who}.db") for who in ("tracker", "raw")]
        driver = stack.enter_context(raw.connected(files[1]))
        return _compared(stack, f"sqlite:///{files[0]}", driver, "SQLite", runs)


def _on_postgres(grown: Grown, runs: int) -> Table:
    with ExitStack() as stack:
        ours, theirs = (grown.on_postgres(grown.middle) for _ in range(2))
        driver = stack.enter_context(grown.server.connected(theirs))
        return _compared(stack, ours, driver, "PostgreSQL", runs)


def _compared(stack: ExitStack, url: str, driver: raw.Driver, engine: str, runs: int) -> Table:
    tracker = open_tracker(url, ids_from=COPY_IDS_FROM)
    stack.callback(tracker.close)
    raw.without_guards(driver)
    (campaign,) = tracker.repository.store.campaigns()
    pairings = cycle(combinations(GANGS, 2))
    listener = raw.Listener(tracker.engine)
    written: list[raw.Written] = []
    sizes: list[int] = []

    def by_tracker(watch: Stopwatch) -> None:
        plans = report(tracker, campaign, next(pairings))
        with watch.running():
            tracker.commands.play(campaign, plans, roll=True)
        sizes.append(tracker.repository.store.head(campaign).size)
        written[:] = [listener.taken()]

    def by_hand(watch: Stopwatch) -> None:
        with watch.running():
            raw.repeat(driver, written[0])

    sizes.append(tracker.repository.store.head(campaign).size)
    jobs = {TRACKER: by_tracker, SAME: by_hand}
    for job in jobs.values():  # statements compile once
        job(Stopwatch())
    return table(
        f"A battle report of {DECISIONS} decisions ({sizes[1] - sizes[0]} events) recorded whole, {engine}",
        in_turn(jobs, runs=runs),
        against=SAME,
        bars=[Bar(of=TRACKER, against=SAME, at_most=2.0)],
    )


def report(tracker: Tracker, campaign: str, gangs: tuple[str, str]) -> list[CommandWithDice]:
    """A battle from its beginning to its end, nobody the worse for it."""
    state = tracker.repository.state(campaign)
    battle = records.OpenBattle(
        battle=f"battle-{state.battle_number}",
        scenario="Ambush",
        date="2026-11-21",
        crews=dict.fromkeys(gangs, ()),
    )
    opened = decide_keeping_spare_dice(state, battle, DiceTray(), loader.rulebook, entry=1).state.under_way
    assert opened is not None, "everybody who is available takes part"
    crews = list(opened.crews.values())
    hits = [
        records.ResolveHit(
            target=crews[1][at % len(crews[1])], attacker=crews[0][at % len(crews[0])], weapon=GUN.weapon
        )
        for at in range(DECISIONS - 2)
    ]
    return [
        CommandWithDice(command=battle),
        *(CommandWithDice(command=hit, dice=SAVED) for hit in hits),
        CommandWithDice(command=records.CloseBattle(winner=None, drawn=True)),
    ]

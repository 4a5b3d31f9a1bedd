"""A battle's highlights: who took out whom, XP, advances, money, luck, and the turning point.

Knows recorded events and whom they are about. Knows no rule: chances come from the targets that rolls record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import D6, TWO_D6, ways_of
from tracker.records import Record
from tracker.reports.cards import counted, listed
from tracker.reports.names import Names
from tracker.reports.page import Block, DataTable, Heading, Row, Text

Luck = Literal["lucky", "unlucky", "as expected"]

_NET: Final = frozenset({"hit", "melee_hit", "save", "wound"})
"""Rolls of one die whose target includes the modifiers; a test on two dice adds them to the dice."""
_ROLLS_MIN: Final = 4
"""Fewer rolls say nothing about luck."""
_WORDS: Final[Mapping[Luck, str]] = {
    "lucky": "lucky", "unlucky": "unlucky", "as expected": "neither lucky nor unlucky",
}  # fmt: skip


class TakenOut(Record):
    """A model that went Out of Action or was wrecked, and who did it, if known."""

    fighter: str
    gang: str | None
    by: str | None
    by_gang: str | None


class GangTally(Record):
    """A gang's battle in numbers. `rolls` are its dice with a target, of which `expected` pass on average."""

    gang: str
    crew: int
    lost: int
    took_out: int
    experience: int
    advances: int
    credits: int
    rolls: int
    passed: int
    expected: float
    luck: Luck | None


class TurningPoint(Record):
    """The entry after which the winner stayed ahead, and its content."""

    entry: int
    fighter: str
    by: str | None
    winner: str


class Highlights(Record):
    """The highlights of a battle."""

    gangs: tuple[GangTally, ...]
    taken_out: tuple[TakenOut, ...]
    best: str | None
    """The fighter who took out the most models: at least two, and more than any other."""
    turning_point: TurningPoint | None
    deaths: tuple[str, ...]


def highlights(
    row: Row,
    during: Iterable[Sequence[RecordedEvent]],
    *,
    members: Mapping[str, str],
    after: Iterable[tuple[AbstractSet[str], Sequence[RecordedEvent]]] = (),
) -> Highlights:
    """The highlights from events that count; the parameters are those of `battle_story.story`."""
    gathering = _Gathering(row, members)
    for entry in during:
        for recorded in entry:
            gathering.during(recorded)
    for gangs, entry in after:
        for recorded in entry:
            gathering.after(recorded.event, gangs)
    return gathering.made(row["winner"])


def headline(row: Row, found: Highlights, names: Names) -> str:
    """One line for the whole battle: 'Krug takes out 3 as Iron Skulls beat The Gilded Cage'."""
    gangs = [crew["gang"] for crew in row["crews"]]
    if row["status"] != "closed":
        return f"{listed([names.gang(gang) for gang in gangs])} are fighting"
    if row["winner"] is None:
        how = "fight to a draw" if row["drawn"] else "part without a winner"
        return f"{listed([names.gang(gang) for gang in gangs])} {how}"
    winner = names.gang(row["winner"])
    beaten = listed([names.gang(gang) for gang in gangs if gang != row["winner"]]) or "Nobody"
    tallies = {tally.gang: tally for tally in found.gangs}
    losers = [tally for tally in found.gangs if tally.gang != row["winner"]]
    if losers and all(tally.crew and tally.lost >= tally.crew for tally in losers):
        return f"{winner} wipe out {beaten}"
    if found.deaths:
        dead = listed([names.fighter(who) for who in found.deaths])
        return f"{dead} {'dies' if len(found.deaths) == 1 else 'die'} as {winner} beat {beaten}"
    if found.best is not None:
        most = sum(out.by == found.best for out in found.taken_out)
        return f"{names.fighter(found.best)} takes out {most} as {winner} beat {beaten}"
    if not tallies[row["winner"]].lost and any(tally.lost for tally in losers):
        return f"{winner} beat {beaten} without a loss"
    return f"{winner} beat {beaten}"


def turning_words(found: Highlights, names: Names) -> str:
    """'Krug takes Mags out; from then on Iron Skulls were ahead.'; empty without a turning point."""
    turn = found.turning_point
    if turn is None:
        return ""
    whom = names.fighter(turn.fighter)
    what = f"{names.fighter(turn.by)} takes {whom} out" if turn.by is not None else f"{whom} goes out"
    return f"{what}; from then on {names.gang(turn.winner)} were ahead."


def luck_words(tally: GangTally) -> str:
    """'14 of 22 rolls passed, 12.3 were to be expected: lucky'; empty without rolls."""
    if not tally.rolls:
        return ""
    said = f": {_WORDS[tally.luck]}" if tally.luck is not None else ""
    passed = f"{tally.passed} of {counted(tally.rolls, 'roll')} passed"
    return f"{passed}, {tally.expected:.1f} were to be expected{said}"


def highlight_blocks(row: Row, found: Highlights, names: Names) -> Iterator[Block]:
    """The same as parts of a page."""
    turn = turning_words(found, names)
    lines = [headline(row, found, names) + "."] + ([f"Turning point: {turn}"] if turn else [])
    rolled = any(tally.rolls for tally in found.gangs)  # a battle that was recorded by outcomes has no dice
    columns = (
        names.game.Gang, "Crew", "Went out", "Took out", "XP", "Advances", names.game.Credits,
        *(("Rolls", "Passed", "Average", "Luck") if rolled else ()),
    )  # fmt: skip
    rows = [
        (
            names.gang(tally.gang), tally.crew, tally.lost, tally.took_out, tally.experience, tally.advances,
            f"{tally.credits:+d}" if tally.credits else "0",
            *((tally.rolls, tally.passed, f"{tally.expected:.1f}", tally.luck or "-") if rolled else ()),
        )
        for tally in found.gangs
    ]  # fmt: skip
    chat = [
        f"{names.gang(tally.gang)}: lost {tally.lost} of {tally.crew}, took out {tally.took_out},"
        f" {tally.experience} XP"
        for tally in found.gangs
    ]
    yield [Heading("At a glance", level=2), Text(lines), DataTable(columns, rows, chat=chat)]


def highlights_data(row: Row, found: Highlights, names: Names) -> dict[str, Any]:
    """The same for programs."""
    turn = found.turning_point
    return {
        "headline": headline(row, found, names),
        "turning_point": None
        if turn is None
        else {
            "entry": turn.entry, "fighter": turn.fighter, "by": turn.by, "winner": turn.winner,
            "words": turning_words(found, names),
        },
        "best": found.best,
        "deaths": list(found.deaths),
        "taken_out": [
            {"fighter": out.fighter, "gang": out.gang, "by": out.by, "by_gang": out.by_gang}
            for out in found.taken_out
        ],
        "gangs": [
            {
                "gang": tally.gang, "crew": tally.crew, "lost": tally.lost, "took_out": tally.took_out,
                "experience": tally.experience, "advances": tally.advances, "credits": tally.credits,
                "rolls": tally.rolls, "passed": tally.passed, "expected": round(tally.expected, 2),
                "luck": tally.luck, "luck_words": luck_words(tally),
            }
            for tally in found.gangs
        ],
    }  # fmt: skip


@cache
def chance_of(die: str, target: int, added: int) -> Fraction:
    """The chance that dice of that kind, plus `added`, reach the target."""
    ways = ways_of(die)
    return Fraction(sum(sum(way) + added >= target for way in ways), len(ways))


def expected_of(roll: records.RollMade) -> Fraction | None:
    """The chance that the roll passes; None if its target does not determine it."""
    if roll.target is None or roll.passed is None or not roll.faces or roll.die not in (D6, TWO_D6):
        return None
    added = sum(modifier.by for modifier in roll.modifiers)
    if roll.die == D6 and added and roll.purpose not in _NET:
        return None
    if roll.die == D6:
        added = 0
    if (sum(roll.faces) + added >= roll.target) != roll.passed:
        return None  # the target ignores a 1 that always fails and a 6 that always passes
    return chance_of(roll.die, roll.target, added)


class _Gathering:
    """The numbers so far."""

    def __init__(self, row: Row, members: Mapping[str, str]) -> None:
        self._crews: dict[str, Sequence[str]] = {crew["gang"]: crew["fighters"] for crew in row["crews"]}
        crews = {fighter: gang for gang, crew in self._crews.items() for fighter in crew}
        self._gang_of = {**members, **crews}
        self._out: dict[str, TakenOut] = {}
        self._when: list[tuple[int, str]] = []
        self._deaths: list[str] = []
        self._experience = dict.fromkeys(self._crews, 0)
        self._advances = dict.fromkeys(self._crews, 0)
        self._credits = dict.fromkeys(self._crews, 0)
        self._rolls: dict[str, list[tuple[Fraction, bool]]] = {gang: [] for gang in self._crews}

    def during(self, recorded: RecordedEvent) -> None:
        event = recorded.event
        if isinstance(event, records.FighterWentOutOfAction | records.VehicleWrecked | records.FighterFled):
            who = event.vehicle if isinstance(event, records.VehicleWrecked) else event.fighter
            if who not in self._out:
                by = None if isinstance(event, records.FighterFled) else event.by
                self._when.append((recorded.entry, who))
                if not isinstance(event, records.FighterFled):
                    self._out[who] = TakenOut(
                        fighter=who, gang=self._gang_of.get(who), by=by, by_gang=self._gang_of.get(by or "")
                    )
        elif isinstance(event, records.FighterDied):
            self._deaths.append(event.fighter)
        elif isinstance(event, records.RollMade):
            self._rolled(event)
        else:
            self._gained(event, self._crews.keys())

    def after(self, event: records.Event, gangs: AbstractSet[str]) -> None:
        self._gained(event, gangs)

    def made(self, winner: str | None) -> Highlights:
        return Highlights(
            gangs=tuple(self._tally(gang, crew) for gang, crew in self._crews.items()),
            taken_out=tuple(self._out.values()),
            best=self._best(),
            turning_point=self._turning_point(winner) if winner is not None else None,
            deaths=tuple(dict.fromkeys(self._deaths)),
        )

    def _rolled(self, roll: records.RollMade) -> None:
        gang = roll.rolled_by or self._gang_of.get(roll.fighter or "")
        chance = expected_of(roll)
        if chance is not None and gang in self._rolls:
            self._rolls[gang].append((chance, bool(roll.passed)))

    def _gained(self, event: records.Event, gangs: AbstractSet[str]) -> None:
        if isinstance(event, records.ExperienceGained):
            self._add(self._experience, self._gang_of.get(event.fighter), event.amount, gangs)
        elif isinstance(event, records.AdvancementTaken):
            self._add(self._advances, self._gang_of.get(event.fighter), 1, gangs)
        elif isinstance(event, records.CreditsMoved):
            self._add(self._credits, event.target, event.amount, gangs)
            self._add(self._credits, event.source, -event.amount, gangs)

    def _add(self, to: dict[str, int], gang: str | None, amount: int, gangs: AbstractSet[str]) -> None:
        if gang in to and gang in gangs:
            to[gang] += amount

    def _tally(self, gang: str, crew: Sequence[str]) -> GangTally:
        rolls = self._rolls[gang]
        expected = sum((chance for chance, _ in rolls), Fraction(0))
        passed = sum(did for _, did in rolls)
        return GangTally(
            gang=gang,
            crew=len(crew),
            lost=sum(out.gang == gang for out in self._out.values()),
            took_out=sum(out.by_gang == gang != out.gang for out in self._out.values()),
            experience=self._experience[gang],
            advances=self._advances[gang],
            credits=self._credits[gang],
            rolls=len(rolls),
            passed=passed,
            expected=float(expected),
            luck=_luck([chance for chance, _ in rolls], passed),
        )

    def _best(self) -> str | None:
        took = [out.by for out in self._out.values() if out.by is not None and out.by_gang != out.gang]
        ranked = sorted(set(took), key=lambda who: (-took.count(who), who))
        if not ranked or took.count(ranked[0]) < 2:
            return None
        if len(ranked) > 1 and took.count(ranked[1]) == took.count(ranked[0]):
            return None
        return ranked[0]

    def _turning_point(self, winner: str) -> TurningPoint | None:
        """By the share of each crew that still stands: the last time that the winner took the lead."""
        standing = {gang: len(crew) for gang, crew in self._crews.items() if crew}
        if winner not in standing or len(standing) < 2:
            return None
        whole = dict(standing)
        is_ahead, turn = False, None
        for entry, who in self._when:
            gang = self._gang_of.get(who)
            if gang not in standing or who not in self._crews[gang]:
                continue
            standing[gang] -= 1
            shares = {gang: Fraction(left, whole[gang]) for gang, left in standing.items()}
            was_ahead = is_ahead
            is_ahead = all(shares[winner] > share for gang, share in shares.items() if gang != winner)
            if is_ahead and not was_ahead:
                by = self._out[who].by if who in self._out else None
                turn = TurningPoint(entry=entry, fighter=who, by=by, winner=winner)
        return turn if is_ahead else None


def _luck(chances: Sequence[Fraction], passed: int) -> Luck | None:
    """Luck is more than one standard deviation from the average, good or bad."""
    if len(chances) < _ROLLS_MIN:
        return None
    off = passed - sum(chances)
    if off * off <= sum(chance * (1 - chance) for chance in chances):
        return "as expected"
    return "lucky" if off > 0 else "unlucky"

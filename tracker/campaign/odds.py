"""Odds: the exact chance of every end of an exchange, before a die is cast.

The dice are those that `decide` asks for and the rules are its own (`walking`); nothing is sampled and no
rule is told twice. Chances are fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from tracker.campaign.commands import Command
from tracker.campaign.decide import Library, carry_out
from tracker.campaign.decide.decision import Decision
from tracker.campaign.judging import (
    ENDS,
    LEFT_THE_BATTLE,
    Setting,
    begun,
    condition_changes,
    named_in,
    records_in_play,
    rulebook_of,
)
from tracker.campaign.state import CampaignState
from tracker.campaign.walking import End, Step, Walker
from tracker.dice import D66
from tracker.errors import BadInput, nearest
from tracker.rules.rulebook import Book, Rulebook
from tracker.rules.tables import ALL_CELLS

Changes: TypeAlias = tuple[tuple[str, Any, Any], ...]
USUAL_POOL = "2D6"
"""What a chart is read with when a rule gathers the dice and nothing adds any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOdds:
    """How a model can come out of it: its condition against a fresh model, each with its chance; () is fresh.

    `lasting` gives for each row of a lasting injury table the chance that at least one roll shows it,
    further rolls that a row brings not counted.
    """

    model: str
    ends: tuple[tuple[Changes, Fraction], ...]
    lasting: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The chances of an exchange. `together` are the ends of all models at once; `ways` is how many were told
    apart."""

    rulebook: Rulebook
    start: CampaignState
    commands: tuple[Command, ...]
    models: tuple[ModelOdds, ...]
    together: tuple[tuple[tuple[tuple[str, Changes], ...], Fraction], ...]
    ways: int


def odds(setting: Setting, library: Library, *, lasting: bool = False) -> Odds:
    """The chances of a setting's exchanges, one after the other, whatever dice lie there."""
    commands = tuple(planned.command for planned in setting.exchanges)
    fresh, state = begun(setting, library)
    return odds_from(state, commands, library, fresh=fresh, lasting=lasting)


def odds_from(
    state: CampaignState,
    commands: Sequence[Command],
    library: Library,
    *,
    fresh: CampaignState | None = None,
    lasting: bool = False,
) -> Odds:
    """The chances of commands from a state on. One whose fighters have left the battle is passed over.

    Ends are told against `fresh`, which is the state itself when nothing else is given.
    """
    rulebook = rulebook_of(state, library)
    walker = Walker(rulebook, lasting=lasting)
    chances = {walker.number_of(End(state=state)): Fraction(1)}
    for position, command in enumerate(commands):
        ends: defaultdict[int, Fraction] = defaultdict(Fraction)
        for number, chance in chances.items():
            for end, part in _walk(walker, command, walker.ends[number], may_pass=position > 0).items():
                ends[end] += chance * part
        chances = dict(ends)
    weighed = [(walker.ends[number], chance) for number, chance in chances.items()]
    assert sum(chances.values()) == 1, "the chances of all ends are one"
    together = _together(state, fresh or state, commands, weighed)
    return Odds(
        rulebook=rulebook,
        start=state,
        commands=tuple(commands),
        models=tuple(
            _model(model, place, together, weighed, rulebook)
            for place, (model, _) in enumerate(together[0][0])
        ),
        together=tuple(together),
        ways=walker.ways,
    )


def _walk(walker: Walker, command: Command, start: End, *, may_pass: bool) -> dict[int, Fraction]:
    def step(decision: Decision) -> None:
        carry_out(decision, command, entry=1)

    walked: Step = step
    try:
        return walker.walk(walked, start)
    except LEFT_THE_BATTLE:
        if not may_pass:
            raise
        return {walker.number_of(start): Fraction(1)}


def _together(
    state: CampaignState,
    fresh: CampaignState,
    commands: Sequence[Command],
    weighed: Sequence[tuple[End, Fraction]],
) -> list[tuple[tuple[tuple[str, Changes], ...], Fraction]]:
    start, unhurt = records_in_play(state), records_in_play(fresh)
    ends = [(records_in_play(end.state), chance) for end, chance in weighed]
    # Whom it may be about: the target of a command, and whoever comes out of it otherwise.
    targets = {
        name
        for command in commands
        for key in ("target", "targets", "fighter", "vehicle")
        for name in named_in(getattr(command, key, ()))
    }
    about = [
        name for name in start if name in targets or any(end[name] != start[name] for end, _ in ends)
    ] or [name for name in start if name in {one for command in commands for one in named_in(command)}]
    found: dict[str, tuple[tuple[tuple[str, Changes], ...], Fraction]] = {}
    for end, chance in ends:
        changes = tuple((name, condition_changes(unhurt[name], end[name])) for name in about)
        key = repr(changes)
        found[key] = (changes, chance + (found[key][1] if key in found else 0))
    return sorted(found.values(), key=lambda one: (-one[1], repr(one[0])))


def _model(
    model: str,
    place: int,
    together: Sequence[tuple[tuple[tuple[str, Changes], ...], Fraction]],
    weighed: Sequence[tuple[End, Fraction]],
    rulebook: Rulebook,
) -> ModelOdds:
    found: dict[str, tuple[Changes, Fraction]] = {}
    for changes, chance in together:
        own = changes[place][1]
        key = repr(own)
        found[key] = (own, chance + (found[key][1] if key in found else 0))
    return ModelOdds(
        model=model,
        ends=tuple(sorted(found.values(), key=lambda one: _gravity(one[0]))),
        lasting=_lasting(model, weighed, rulebook),
    )


def _gravity(changes: Changes) -> tuple[bool, bool, int, str]:
    """Fresh first, who has left the battle last, Seriously Injured before it."""
    now = {name: after for name, _, after in changes}
    return any(now.get(end) for end in ENDS), bool(now.get("seriously_injured")), len(changes), repr(changes)


def _lasting(
    model: str, weighed: Sequence[tuple[End, Fraction]], rulebook: Rulebook
) -> tuple[tuple[str, Fraction], ...]:
    chances: dict[str, Fraction] = {}
    for end, chance in weighed:
        for rolls in (one for one in end.home if one.fighter == model):
            if rolls.table not in rulebook.book.tables and rolls.table not in rulebook.book.charts:
                continue
            for line in table_chances(rulebook.book, rolls.table).lines:
                once = 1 - (1 - line.chance) ** rolls.rolls
                chances[line.name] = chances.get(line.name, Fraction(0)) + chance * once
    return tuple(chances.items())


# --- tables ----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class UnknownTable(BadInput):
    """The book has no table or chart of that name."""

    table: str
    book: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"The book {self.book} has no table {self.table!r}.{nearest(self.table, self.known)}"
            f" Known: {', '.join(self.known)}."
        )


@dataclass(eq=False)
class NoSuchPool(BadInput):
    """Dice that are written in no way we know."""

    pool: str

    def message(self) -> str:
        return (
            f"{self.pool!r} is no pool of dice: write D6, 2D6, D3 or D66, or with the dice that count"
            " 3D6kh2 (the two highest) or 3D6kl2 (the two lowest), up to six dice."
        )


@dataclass(eq=False)
class TableTakesNoPool(BadInput):
    """A D66 is two dice and no total."""

    table: str

    def message(self) -> str:
        return f"{self.table} is read by a D66 as it lies: it takes no other dice and no modifier."


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row or band: its place as printed (cells or totals), how many of `of` ways lead to it."""

    row: str
    name: str
    printed: str
    ways: int
    of: int

    @property
    def chance(self) -> Fraction:
        """Of one roll without modifiers."""
        return Fraction(self.ways, self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOdds:
    table: str
    title: str
    source: str
    dice: str
    lines: tuple[Line, ...]


def table_chances(book: Book, name: str, *, pool: str | None = None, modifier: int = 0) -> TableOdds:
    """How often each row of a table, or each band of a chart, comes on one roll.

    A chart may be read with another pool of dice and a modifier. Raises UnknownTable or NoSuchPool.
    """
    if name in book.tables:
        if pool is not None or modifier:
            raise TableTakesNoPool(table=name)
        table = book.tables[name]
        lines = tuple(
            Line(
                row=row.id,
                name=row.name,
                printed=cells_printed(row.cells),
                ways=len(row.cells),
                of=len(ALL_CELLS),
            )
            for row in table.rows
        )
        return TableOdds(table=name, title=table.title, source=table.source, dice=D66, lines=lines)
    if name not in book.charts:
        raise UnknownTable(table=name, book=book.book, known=(*book.tables, *book.charts))
    chart = book.charts[name]
    pool = pool or (USUAL_POOL if chart.roll == "total" else chart.roll)
    totals = [total + modifier for total in pool_totals(pool)]
    bands = tuple(
        Line(
            row=band.id,
            name=band.name,
            printed=totals_printed(band.lowest, band.highest),
            ways=sum(band.holds(total) for total in totals),
            of=len(totals),
        )
        for band in chart.bands
    )
    dice = pool + (f"{modifier:+d}" if modifier else "")
    return TableOdds(table=name, title=chart.title, source=chart.source, dice=dice, lines=bands)


def pool_totals(pool: str) -> list[int]:
    """The total of every way that a pool can fall: '2D6', 'D66', '3D6kh2' (the two highest count), '4D6kl2'.

    Raises NoSuchPool.
    """
    if pool == D66:
        return [10 * tens + units for tens, units in product(range(1, 7), repeat=2)]
    before, _, after = pool.partition("D")
    sides, _, kept = after.partition("k")
    keep = kept.removeprefix("h").removeprefix("l")
    count = before or "1"
    if not (count in tuple("123456") and sides in ("3", "6")) or (
        kept and (kept[0] not in "hl" or keep not in tuple("123456") or keep > count)
    ):
        raise NoSuchPool(pool=pool)
    counted = int(keep or count)
    return [
        sum(sorted(faces, reverse=kept[:1] != "l")[:counted])
        for faces in product(range(1, int(sides) + 1), repeat=int(count))
    ]


def cells_printed(cells: Sequence[str]) -> str:
    """'15-26' for a run of cells, '46' for one."""
    return cells[0] if len(cells) == 1 else f"{cells[0]}-{cells[-1]}"


def totals_printed(lowest: int | None, highest: int | None) -> str:
    """'7-8', '9+', '1-' as `rules.tables.band_ends` reads them."""
    if highest is None:
        return f"{lowest}+"
    if lowest is None:
        return f"{highest}-"
    return f"{lowest}" if lowest == highest else f"{lowest}-{highest}"

"""Dice statistics: how often each face fell, by person and kind of die, and the fate of the dice.

Knows thrown dice and their statistics. Accuses nobody: its words are "as expected", "worth a look" and "too
few to tell".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tracker.analytics.faces import faces_shown
from tracker.campaign.state import CampaignState
from tracker.dice import FROM_PEOPLE
from tracker.records import Record
from tracker.reports.cards import counted, lowercase_id
from tracker.reports.page import Bar, Bars, Block, DataTable, Heading, Row, Sheet, Text
from tracker.rules.fairness import LEAN, Assessment, Sample, assess
from tracker.rules.rulebook import Book
from tracker.service.thrown_dice import ThrownDie

TOOL = "rolled by the tool"
CANNOT_KNOW = (
    "What this cannot know: who threw a die, whether it fell as it was written down, and which throws nobody"
    " wrote down. Fair dice look odd now and then, and dice that are not may look as expected."
)
_READ_ONCE = (
    "'Live' may be looked at after every roll: fair dice say 'worth a look' in about one campaign of twenty,"
    " however often somebody looks. 'Test' holds for one reading at the end of the season: exact up to 100"
    " faces, chi-squared beyond, the p shown by itself and among all rows (Holm). 'Power' is about how"
    f" often so many dice would show a face that falls {LEAN:g} times as often as it should."
)
_PICTURED = 2
"""Fewer faces than this many times the number of sides make no picture."""
_RATES = ("Whose dice", "Dice", "Kept", "Voided", "Corrected", "Unwitnessed")
_TESTED = ("Whose dice", "Die", "Faces", "Live", "Test", "p", "Holm", "Power")


class FaceCounts(Record):
    """The faces of one person's dice of one kind. `named` counts rolls of which only the row is known."""

    who: str
    die: str
    shown: tuple[str, ...]
    assessment: Assessment

    @property
    def title(self) -> str:
        """'Anna, D6: 48 faces'."""
        return f"{self.who}, {self.die}: {counted(self.assessment.sample.rolls, 'face')}"


def whose(die: ThrownDie, state: CampaignState) -> str:
    """The person whose roll it is by the book: the gang's player, or the gang; otherwise who typed it in."""
    if die.source not in FROM_PEOPLE:
        return TOOL
    gang = die.rolled_by or (state.gang_of.get(die.fighter) if die.fighter else None)
    known = state.gangs.get(gang) if gang else None
    return (known.player or known.name) if known is not None else die.typed_in_by


def looked_at(dice: Sequence[ThrownDie], state: CampaignState, book: Book) -> list[FaceCounts]:
    """Each person's dice of each kind with their statistics. Voided dice fell too, and are counted."""
    counts: dict[tuple[str, str, tuple[str, ...]], dict[str, int]] = {}
    for die in dice:
        names, shown = faces_shown(book.book, die.purpose, die.die, die.symbol, die.faces)
        if not shown or die.fate == "corrected":
            continue
        tally = counts.setdefault((whose(die, state), die.die, names), {})
        for face in shown:
            tally[face] = tally.get(face, 0) + 1
    keys = sorted(counts)
    samples = {}
    for number, (who, die_name, names) in enumerate(keys):
        kinds = tuple(dict.fromkeys(names))
        tally = counts[who, die_name, names]
        samples[str(number)] = Sample(
            counts=tuple(tally.get(kind, 0) for kind in kinds), weights=tuple(map(names.count, kinds))
        )
    return [
        FaceCounts(who=who, die=die_name, shown=tuple(dict.fromkeys(names)), assessment=assessment)
        for (who, die_name, names), assessment in zip(keys, assess(samples).values(), strict=True)
    ]


def rates(dice: Sequence[ThrownDie], state: CampaignState) -> list[dict[str, Any]]:
    """What became of each person's dice. One that was written down wrongly first is one die."""
    people: dict[str, list[ThrownDie]] = {}
    for die in dice:
        people.setdefault(whose(die, state), []).append(die)
    return [
        {
            "who": who,
            "dice": sum(die.fate != "corrected" for die in own),
            "kept": sum(die.fate == "kept" for die in own),
            "voided": sum(die.fate == "voided" for die in own),
            "corrected": sum(die.fate == "corrected" for die in own),
            "unwitnessed": None
            if who == TOOL
            else sum(die.fate == "kept" and not die.witnessed for die in own),
        }
        for who, own in sorted(people.items())
    ]


def fair_dice_blocks(rows: Sequence[FaceCounts], shares: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """What became of the dice, what the faces say, their pictures, and what nobody can know from them."""
    yield [
        Heading("What became of the dice", level=2),
        DataTable(
            _RATES,
            [
                [share["who"], share["dice"]]
                + [_share(share[fate], share["dice"]) for fate in ("kept", "voided", "corrected")]
                + [_share(share["unwitnessed"], share["kept"])]
                for share in shares
            ],
        ),
    ]
    yield [
        Heading("How the faces fell", level=2),
        DataTable(
            _TESTED,
            [
                [
                    row.who,
                    row.die,
                    row.assessment.sample.rolls,
                    row.assessment.live,
                    row.assessment.test,
                    _chance(row.assessment.p),
                    _chance(row.assessment.p_holm),
                    f"{100 * row.assessment.power:.0f} %",
                ]
                for row in rows
            ],
        ),
    ]
    yield [Text([_READ_ONCE]), Text([CANNOT_KNOW])]
    for number, row in enumerate(rows):
        sample = row.assessment.sample
        if sample.rolls < _PICTURED * len(sample.counts):
            continue
        bars = [
            Bar(lowercase_id(name), count, expected)
            for name, count, expected in zip(row.shown, sample.counts, sample.expected, strict=True)
        ]
        yield [Bars(row.title, bars, f"dice-{number}")]


def fair_dice_data(rows: Sequence[FaceCounts], shares: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "rates": list(shares),
        "fairness": [
            {
                "who": row.who,
                "die": row.die,
                "faces": row.assessment.sample.rolls,
                "counts": dict(zip(row.shown, row.assessment.sample.counts, strict=True)),
                "weights": dict(zip(row.shown, row.assessment.sample.weights, strict=True)),
                "live": row.assessment.live,
                "e": row.assessment.e,
                "test": row.assessment.test,
                "method": "exact" if row.assessment.exact else "chi-squared",
                "p": row.assessment.p,
                "p_holm": row.assessment.p_holm,
                "power": row.assessment.power,
            }
            for row in rows
        ],
        "cannot_know": CANNOT_KNOW,
    }


def fair_dice_sheet(rows: Sequence[FaceCounts]) -> Sheet:
    """A row for each face of each person's dice."""
    columns = ("who", "die", "face", "fell", "expected", "live", "test", "p", "p_holm")
    lines: list[Row] = [
        {
            "who": row.who,
            "die": row.die,
            "face": name,
            "fell": count,
            "expected": f"{expected:.2f}",
            "live": row.assessment.live,
            "test": row.assessment.test,
            "p": f"{row.assessment.p:.6f}",
            "p_holm": f"{row.assessment.p_holm:.6f}",
        }
        for row in rows
        for name, count, expected in zip(
            row.shown, row.assessment.sample.counts, row.assessment.sample.expected, strict=True
        )
    ]
    return Sheet(columns, lines)


def _share(part: int | None, of: int) -> str:
    if part is None:
        return "-"
    return f"{part} ({100 * part / of:.0f} %)" if of else "0"


def _chance(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"

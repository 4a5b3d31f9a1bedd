"""The die of a ruling: as typed, or chosen so that the roll has the wanted outcome."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.rulings.redecision import Slot
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.campaign.unrolled_dice import showing_alike
from tracker.dice import D3, D6, D66, TWO_D6, DiceNeeded, DiceTray, Die, ImpossibleFace, read_die, ways_of
from tracker.errors import Refusal, nearest
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.rulebook import Book
from tracker.service.refusals import NoSuchOutcome, UnknownPurpose


def die_that_comes_out(state: CampaignState, slot: Slot, number: int, before: Die, outcome: str) -> Die:
    """The die nearest to the recorded one that has the wanted outcome: 'passed', a row's name, a symbol.

    `state` is the state before the slot. Raises NoSuchOutcome.
    """
    header = slot.header
    assert header is not None, "a slot with a die has a header"
    wanted, known = _tidy(outcome), dict[str, None]()
    for die in _nearest_first(before):
        dice = (*header.dice[:number], die, *header.dice[number + 1 :], *header.spare)
        made = _roll_made(state, header, dice, number, slot.slot)
        if made is None:
            continue
        words = [made.symbol or "", made.outcome]
        words += [] if made.passed is None else ["passed" if made.passed else "failed"]
        known |= dict.fromkeys(_tidy(word) for word in words if word)
        if wanted and wanted in map(_tidy, words):
            return replace(die, symbol=made.symbol, source="ruling")
    raise NoSuchOutcome(outcome=outcome, purpose=before.purpose, known=tuple(sorted(known)))


def read_die_for(book: Book, purpose: str, value: object) -> Die:
    """A typed die, by the purpose of its roll. Raises UnknownPurpose, and ImpossibleFace for a face that the
    die lacks or a row that no table of the book has.
    """
    known = book.purposes.get(purpose)
    if known is None:
        raise UnknownPurpose(purpose=purpose, known=tuple(book.purposes))
    die = read_die(purpose, known.die, value, special=known.special)
    if die.die == D66 and die.symbol is not None:
        rows = {row.id for table in book.tables.values() for row in table.rows}
        if die.symbol not in rows:
            expected = (
                f"two faces from 1 to 6, tens first, or a row's name.{nearest(die.symbol, sorted(rows))}"
            )
            raise ImpossibleFace(
                purpose=purpose, die=D66, given=repr(die.symbol), expected=expected.rstrip(".")
            )
    return die


def _roll_made(
    state: CampaignState, header: records.DecisionTaken, dice: tuple[Die, ...], number: int, slot: int
) -> records.RollMade | None:
    """The roll of one die of a slot if its dice were these; missing dice show their lowest face."""
    tray = DiceTray(dice, roller=showing_alike(1))
    try:
        judged = decide_keeping_spare_dice(state, header.command, tray, loader.rulebook, entry=slot)
    except (DiceNeeded, Refusal):
        return None
    rolls = (event.event for event in judged.events if isinstance(event.event, records.RollMade))
    return next((made for made in rolls if made.number == number), None)


def _nearest_first(before: Die) -> list[Die]:
    """Every face that the die could show, nearest to the recorded one first."""
    ways = ways_of(before.die)

    def place(faces: tuple[int, ...]) -> int:
        return sum(faces) if before.die in (D3, D6, TWO_D6) else ways.index(faces)

    was = place(before.faces) if before.faces in ways else 0
    plain = replace(before, symbol=None)
    return [replace(plain, faces=faces) for faces in sorted(ways, key=lambda pair: abs(place(pair) - was))]


def _tidy(word: str) -> str:
    return word.strip().lower().replace(" ", "_").replace("-", "_")

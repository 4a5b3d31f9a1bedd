"""Headers: what an entry claims that deciding it again does not look at.

Dice that can fall, disputed events that are there, house rules as the program has them. Knows no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import roll_in_force
from tracker.dice import D66, FROM_PEOPLE, PLAIN_DICE, Die, sides_of
from tracker.rules import loader
from tracker.service.past import Past
from tracker.service.ruling import key_of


def untrue(past: Past, entry: Sequence[RecordedEvent]) -> str:
    """What the headers of an entry say that cannot be so on this past; '' when there is nothing."""
    header = entry[0].event
    assert isinstance(header, records.DecisionTaken), "looked at before"
    return next(_untrue(past, entry, header), "")


def _untrue(past: Past, entry: Sequence[RecordedEvent], header: records.DecisionTaken) -> Iterator[str]:
    command = header.command
    for one in entry:
        if isinstance(one.event, records.DecisionTaken):
            for die in (*one.event.dice, *one.event.spare):
                if not _can_fall(die):
                    yield f"no {die.die} shows {die.shown()!r} ({die.purpose})"
    left = [die for die in header.spare if die.source in FROM_PEOPLE]
    if left:
        yield f"it holds a die that people gave and nothing asked for: {left[0].purpose} {left[0].shown()}"
    for text in _policies(command):
        name = f"{text.policy}@{text.version}"
        printed = loader.policies().get(name)
        if printed is not None and dict(printed.patch) != text.patch:
            yield f"its house rule {name} sets {text.patch}, and in this program {dict(printed.patch)}"
    if isinstance(command, records.OpenBattle) and (command.adopting or command.repealing):
        yield "it changes house rules for a battle, and only a ruling does"
    if isinstance(command, records.RuleOnDispute):
        yield from _of_a_ruling(entry[0], header, command)
    if isinstance(command, (records.DisputeRoll, records.ConfirmRoll)):
        yield from _of_a_target(past, command)


def _can_fall(die: Die) -> bool:
    sides = sides_of(die.die)
    if die.faces:
        fits = len(die.faces) == len(sides) and all(
            1 <= face <= most for face, most in zip(die.faces, sides, strict=True)
        )
        return fits and not (die.symbol and die.die in PLAIN_DICE)
    # A table row is named instead of a D66, a symbol instead of a special die's face.
    return bool(die.symbol) and (die.die == D66 or die.die not in PLAIN_DICE)


def _policies(command: records.Command) -> Iterator[records.PolicyText]:
    match command:
        case records.OpenCampaign():
            yield from command.policies
        case records.AdoptPolicy():
            yield command.text
        case records.RuleOnDispute(house_rules=records.HouseRules() as change):
            yield from (one.text for one in change.adopting)
        case _:
            pass


def _of_a_ruling(
    recorded: RecordedEvent, header: records.DecisionTaken, command: records.RuleOnDispute
) -> Iterator[str]:
    key = key_of(command, recorded.seq)
    if header.sent is not None and header.sent.key != key:
        yield f"it was sent under the key {header.sent.key!r}, and its key is {key!r}"
    change = command.house_rules
    if change is None:
        return
    for battle in (
        *(one.from_battle for one in change.adopting),
        *(one.from_battle for one in change.repealing),
    ):
        if battle != change.from_battle:
            yield f"its house rules hold from battle {change.from_battle}, and one from battle {battle}"


def _of_a_target(past: Past, command: records.DisputeRoll | records.ConfirmRoll) -> Iterator[str]:
    events = past.entry(command.target_entry)
    place = command.target_position
    address = f"{command.target_entry}.{place}"
    if not 1 <= place <= len(events):
        yield f"it is about event {address}, and there was none"
        return
    target = events[place - 1]
    if (target.seq, target.slot) != (command.target_seq, command.target_slot):
        yield (
            f"it is about event {address}, and names event {command.target_seq} of slot"
            f" {command.target_slot} for it"
        )
    elif isinstance(command, records.ConfirmRoll):
        yield from _of_a_witness(past, target, command)


def _of_a_witness(past: Past, target: RecordedEvent, command: records.ConfirmRoll) -> Iterator[str]:
    if not isinstance(target.event, records.RollMade):
        yield f"it confirms event {target.address}, which is no roll"
        return
    if command.entered_by != target.actor:
        yield f"it says that {command.entered_by} entered the roll of {target.address}, it was {target.actor}"
    held = past.slot(target.slot)
    found = roll_in_force(held, target)
    if found is None or held.header is None:
        yield f"it confirms the roll of {target.address}, which did not count any more"
    elif (command.number, command.die) != (found[0], held.header.dice[found[0]]):
        yield f"it confirms another die than that of {target.address}"

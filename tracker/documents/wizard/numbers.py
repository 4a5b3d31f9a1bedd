"""The number of each choice in a list, the same in every question, and its note, such as a price.

Knows where fighters, gangs and vehicles are in the state, and where prices are. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign.state import Gang
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Answers, Choice, Context, gang_of_answers, money
from tracker.documents.wizard.forms import Form
from tracker.records import replace


class ListNumbers:
    """The number of everybody and everything that a conversation lists; none is given twice or changed."""

    def __init__(self) -> None:
        self._given: dict[str, dict[str, int]] = {}

    def numbered(
        self, table: Context, form: Form, key: str, answers: Answers, choices: Sequence[Choice]
    ) -> tuple[Choice, ...]:
        """The choices in their order, each with its number and with what it costs."""
        everything = candidates(table, form, key, answers) or ()
        people = [*table.state.gang_of, *table.state.vehicle_of]
        if all(choice.value in table.state.gangs for choice in everything):
            numbers = self._numbers("gangs", [*table.state.gangs])
        elif all(choice.value in people for choice in everything):
            numbers = self._numbers("people", _in_the_campaign(table))
        else:
            numbers = self._numbers(f"{form.kind}.{key}", [choice.value for choice in everything])
        return tuple(
            replace(
                choice,
                number=numbers.get(choice.value, 0),
                note=note_of(table, form, key, answers, choice.value),
            )
            for choice in choices
        )

    def of_people(self, table: Context, choices: Sequence[Choice]) -> list[Choice]:
        """Fighters, each with their number."""
        numbers = self._numbers("people", _in_the_campaign(table))
        return [replace(choice, number=numbers[choice.value]) for choice in choices]

    def of_gangs(self, table: Context, choices: Sequence[Choice]) -> list[Choice]:
        """Gangs, each with its number; what is no gang of them has the next one."""
        numbers = self._numbers("gangs", [*table.state.gangs])
        return [replace(choice, number=numbers.get(choice.value, len(numbers) + 1)) for choice in choices]

    def highest(self, choices: Sequence[Choice]) -> int:
        """The highest number given to anything of their kind: what is listed beside them comes after it."""
        of = (given for given in self._given.values() if any(choice.value in given for choice in choices))
        return max((number for given in of for number in given.values()), default=len(choices))

    def _numbers(self, of: str, known: Sequence[str]) -> dict[str, int]:
        given = self._given.setdefault(of, {})
        for value in known:
            given.setdefault(value, len(given) + 1)
        return given


def _in_the_campaign(table: Context) -> list[str]:
    """Fighters, then vehicles, of the gangs concerned, gang by gang; then those of the others."""
    first = sorted(table.state.gangs, key=lambda gang: gang not in table.gangs)
    fighters = [fighter for gang in first for fighter in table.state.gangs[gang].fighters]
    return [*fighters, *(vehicle for gang in first for vehicle in table.state.gangs[gang].vehicles)]


def note_of(table: Context, form: Form, key: str, answers: Answers, value: str) -> str:
    """What a choice costs, or what there is to pay it with; nothing where neither is asked."""
    gang = table.state.gangs.get(str(gang_of_answers(table, answers)))
    match form.kind, key:
        case ("advance" | "ganger_roll", "fighter"):
            fighter = table.state.fighter(value)
            return f"{fighter.experience} XP" if fighter is not None else ""
        case ("advance", "take"):
            return _price_of_advancement(table, str(answers.get("fighter")), value)
        case ("buy" | "hire", "gang"):
            return f"has {money(table, table.state.gangs[value].credits)}"
        case ("buy", "item") if gang is not None:
            return _prices_of_thing(table, gang, value)
        case ("hire", "type") if gang is not None and table.armoury is not None:
            return money(table, table.armoury.fighter_type(value, gang.house).card.cost_credits)
        case ("sell", "item") if gang is not None:
            worth = [item.cost_credits for item in gang.stash if item.name == value]
            return f"worth {money(table, worth[0])}" if worth else ""
    return ""


def _price_of_advancement(table: Context, fighter: str, taken: str) -> str:
    card, rules = table.state.fighter(fighter), table.book.advancement_rules
    if card is None or rules is None or taken not in rules.advancements:
        return ""
    bought = rules.advancements[taken]
    times = card.times_improved.get(bought.characteristic or "", 0)
    return f"{rules.price(bought, category=card.category, times_improved=times)} XP"


def _prices_of_thing(table: Context, gang: Gang, item: str) -> str:
    """What it costs into the stash, and straight to a fighter where the gang's own list has another price."""
    if table.armoury is None:
        return ""
    price = table.armoury.offer(item).item.cost_credits
    own = table.armoury.lists.get(gang.house.casefold(), {}).get(item, price)
    straight = f", straight to a fighter {own}" if own != price else ""
    return f"{money(table, price)}{straight}"

"""The context of questions: the fighters, gangs and vehicles of the present state, for all chapters.

Knows where they are in the state. Knows no rule: `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import CATEGORIES
from tracker.campaign.state import CampaignState, Vehicle
from tracker.documents.armoury import Armoury
from tracker.records import Record
from tracker.rules.rulebook import Book

Answers: TypeAlias = Mapping[str, Any]


class Choice(Record):
    """One answer, and what people call it.

    `number` is what it is listed under, where that is not its place. `note` is what it costs, or has.
    `answer` is what stands in the file, where that is not `value`. Of those of one `one_of` a list names one
    at most; what stands `alone` is the only one that it names.
    """

    value: str
    name: str
    number: int = 0
    note: str = ""
    answer: Any = None
    one_of: str = ""
    alone: bool = False

    @property
    def written(self) -> Any:
        """What stands in the file."""
        return self.value if self.answer is None else self.answer


class Context(Record):
    """What answers are looked for in: the campaign as it stands, the gangs concerned, the table's armoury.

    `fought` are those who fought each other in the battle so far.
    """

    state: CampaignState
    book: Book
    gangs: tuple[str, ...]
    armoury: Armoury | None = None
    fought: frozenset[frozenset[str]] = frozenset()

    @property
    def in_battle(self) -> bool:
        """Whether a battle is under way."""
        return self.state.under_way is not None

    def fighters(self) -> Iterator[Fighter]:
        """Everybody concerned: in a battle who still stands on the table, else who is enlisted."""
        under_way = self.state.under_way
        if under_way is None:
            for gang in self.gangs:
                yield from self.state.gangs[gang].enlisted.values()
            return
        for fighter_id, combatant in under_way.combatants.items():
            card = self.state.fighter(fighter_id)
            if card is not None and not combatant.out_of_action and not combatant.fled:
                yield card

    def vehicles(self) -> Iterator[Vehicle]:
        """The vehicles concerned."""
        under_way = self.state.under_way
        for gang in self.gangs:
            for vehicle in self.state.gangs[gang].vehicles.values():
                if not vehicle.gone and (under_way is None or vehicle.vehicle in under_way.vehicles):
                    yield vehicle


def money(table: Context, amount: int) -> str:
    """'1 credit', '40 ducats'."""
    return table.book.words.money(amount)


def written_answer(choices: Iterable[Choice], said: Any) -> Any:
    """What stands in the file for the values that were chosen."""
    written = {choice.value: choice.written for choice in choices}
    return [written.get(one, one) for one in said] if isinstance(said, list) else said


def chosen_values(choices: Iterable[Choice], written: Any) -> Any:
    """The values of what stands in the file: the other way round."""
    known = [choice for choice in choices if choice.answer is not None]
    if not isinstance(written, list) or not known:
        return written
    return [next((choice.value for choice in known if choice.answer == one), one) for one in written]


def still_offered(choices: Iterable[Choice] | None, said: Any) -> Any:
    """An earlier answer as far as it can be given now; None where it cannot."""
    if choices is None or said is None:
        return said
    known = [choice.value for choice in choices]
    if isinstance(said, list):
        return [one for one in said if one in known] or None
    if isinstance(said, Mapping):
        return {one: count for one, count in said.items() if one in known} or None
    return said if isinstance(said, bool) or str(said) in known else None


def fighter_choices(fighters: Iterable[Fighter]) -> tuple[Choice, ...]:
    """Fighters, by id and name."""
    return tuple(Choice(value=fighter.fighter, name=fighter.name) for fighter in fighters)


def word_choices(words: Iterable[str]) -> tuple[Choice, ...]:
    """Words to choose from; ranks as cards write them."""
    return tuple(Choice(value=word, name=_shown(word)) for word in words)


def _shown(word: str) -> str:
    parts = word.split("_")
    if word in CATEGORIES:
        parts = [part if part == "on" else part.capitalize() for part in parts]
    return " ".join(parts)


def as_choices(names: Iterable[str]) -> tuple[Choice, ...]:
    """Words that are their own names, each once."""
    return tuple(Choice(value=name, name=name) for name in dict.fromkeys(names))


def all_fighters(table: Context, _: Answers) -> tuple[Choice, ...]:
    """Everybody concerned."""
    return fighter_choices(table.fighters())


def all_combatants(table: Context, _: Answers) -> tuple[Choice, ...]:
    """In a battle all who fought in it, whatever became of them."""
    under_way = table.state.under_way
    if under_way is None:
        return fighter_choices(table.fighters())
    cards = (table.state.fighter(fighter) for fighter in under_way.combatants)
    return fighter_choices(fighter for fighter in cards if fighter is not None)


def gangs(table: Context, _: Answers) -> tuple[Choice, ...]:
    """The gangs concerned."""
    return tuple(Choice(value=gang, name=table.state.gangs[gang].name) for gang in table.gangs)


def vehicles(table: Context, _: Answers) -> tuple[Choice, ...]:
    """The vehicles concerned."""
    return tuple(Choice(value=vehicle.vehicle, name=vehicle.name) for vehicle in table.vehicles())


def listed(answers: Answers, key: str) -> list[str]:
    """The ids in a list of models, some of which say more in a map; none where it is no list."""
    models = answers.get(key)
    return [_id_of(model) for model in models] if isinstance(models, list) else []


def _id_of(model: Any) -> str:
    if isinstance(model, Mapping):
        return str(model.get("fighter") or model.get("vehicle") or "")
    return str(model)


def gang_of_answers(table: Context, answers: Answers) -> str | None:
    """The gang that the answers so far are about."""
    for key in ("gang", "attacker", "fighter", "target", "patient", "captive", "vehicle"):
        named = answers.get(key)
        if not isinstance(named, str):
            continue
        if named in table.state.gangs:
            return named
        captive = table.state.fighter(named)
        if key == "captive" and captive is not None and captive.held_by is not None:
            return captive.held_by
        gang = table.state.gang_of.get(named) or table.state.vehicle_of.get(named)
        if gang is not None:
            return gang
    return None


def enemies_first(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Everybody not yet named: other gangs' fighters, then the own."""
    own = gang_of_answers(table, answers)
    named = {answers.get(key) for key in ("attacker", "fighter", "target")}
    others = [fighter for fighter in table.fighters() if fighter.fighter not in named]
    return fighter_choices(sorted(others, key=lambda fighter: fighter.gang == own))


def enemies(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The fighters of other gangs."""
    own = gang_of_answers(table, answers)
    return fighter_choices(fighter for fighter in table.fighters() if fighter.gang != own)


def friends(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The other fighters of the gang; everybody where none is named."""
    own = gang_of_answers(table, answers)
    named = {answers.get(key) for key in ("fighter", "patient")}
    ours = (fighter for fighter in table.fighters() if own in (None, fighter.gang))
    return fighter_choices(fighter for fighter in ours if fighter.fighter not in named)


def actor_candidates(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """In a battle anybody, enemies first; after it everybody concerned: who may act is for the rules."""
    if table.in_battle:
        return enemies_first(table, answers)
    if "gang" in answers:
        return None
    own = gang_of_answers(table, answers)
    others = [fighter for fighter in table.fighters() if fighter.fighter not in answers.values()]
    return fighter_choices(sorted(others, key=lambda fighter: fighter.gang != own))

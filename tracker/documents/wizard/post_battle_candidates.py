"""Who and what an answer can name after a battle: captives, territories, things, types, advancements."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.campaign.holdings import OUTSIDE
from tracker.campaign.state import Fighter
from tracker.documents.wizard.context import (
    Answers,
    Choice,
    Context,
    as_choices,
    fighter_choices,
    gang_of_answers,
    gangs,
)


def captured(table: Context, _: Answers) -> tuple[Choice, ...]:
    """Who may be captured yet."""
    return fighter_choices(one for one in table.fighters() if one.capture_pending)


def for_ransom(table: Context, _: Answers) -> tuple[Choice, ...]:
    """Who is in somebody's hands, where the book's warbands settle ransoms."""
    if table.book.warband_rules is None:
        return ()
    return fighter_choices(one for one in table.fighters() if one.captor is not None)


def critical(table: Context, _: Answers) -> tuple[Choice, ...]:
    """Who is Critically Injured."""
    return fighter_choices(one for one in table.fighters() if one.critical)


def captives(table: Context, _: Answers) -> tuple[Choice, ...]:
    """Captives held by the gangs concerned, or of them."""
    everybody = (one for gang in table.state.gangs.values() for one in gang.fighters.values())
    held = (one for one in everybody if one.held_by is not None)
    return fighter_choices(one for one in held if one.held_by in table.gangs or one.gang in table.gangs)


def territories(table: Context, _: Answers) -> tuple[Choice, ...]:
    """The territories of the gangs concerned."""
    held = (one for one in table.state.territories.values() if one.holder in table.gangs)
    return tuple(Choice(value=one.territory, name=one.name) for one in held)


def kinds_of_territory(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The book's territories, for one that is new to the campaign."""
    if answers.get("territory") in table.state.territories:
        return ()
    return tuple(Choice(value=kind, name=one.name) for kind, one in table.book.territories.items())


def names_of_territory(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Free for one of the table's own; the book's territories have their names."""
    known = answers.get("territory") in table.state.territories or "kind" in answers
    return () if known else None


def may_be_captured(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Everybody of the other gangs; who of them was left behind is for the rules to say."""
    return fighter_choices(one for one in table.fighters() if one.gang != answers.get("gang"))


def workplaces(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Where a captive may work, or nowhere."""
    return (*territories(table, answers), Choice(value="nowhere", name="nowhere"))


def on_offer(table: Context, _: Answers) -> tuple[Choice, ...] | None:
    """What the armoury has on offer; anything where there is none."""
    return as_choices(one.item.name for one in table.armoury.offers) if table.armoury is not None else None


def types(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """The types of fighter that the armoury has for the gang; anything where there is none."""
    if table.armoury is None:
        return None
    gang = table.state.gangs.get(str(gang_of_answers(table, answers)))
    house = gang.house if gang is not None else ""
    fitting = (one for one in table.armoury.types if one.is_of(house))
    return as_choices(one.card.kind for one in fitting)


def types_for_hire(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The types of fighter that the armoury has for the gang."""
    return types(table, answers) or ()


def stash(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """What is in the gang's stash."""
    gang = table.state.gangs.get(str(gang_of_answers(table, answers)))
    return as_choices(one.name for one in gang.stash) if gang is not None else ()


def items(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """What is in the stash and what the fighters carry."""
    carried = [name for one in _of_gang(table, answers) for name in _carried(one)]
    return (*stash(table, answers), *as_choices(name for name in carried))


def _of_gang(table: Context, answers: Answers) -> list[Fighter]:
    return [one for one in table.fighters() if one.gang == answers.get("gang")]


def _carried(fighter: Fighter) -> Iterator[str]:
    yield from (weapon.weapon for weapon in fighter.weapons)
    yield from (worn.name for worn in (fighter.armour, fighter.field_armour) if worn is not None)
    yield from fighter.wargear


def injuries(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The lasting injuries on the fighter's card."""
    card = table.state.fighter(str(answers.get("fighter")))
    suffered = card.injuries if card is not None else ()
    return tuple(Choice(value=one.injury, name=one.name) for one in suffered)


def characteristics(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The characteristics on the fighter's card."""
    card = table.state.fighter(str(answers.get("fighter")))
    return as_choices(card.characteristics if card is not None else ())


def bearers(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Who of the gang carries the thing."""
    holding = [one for one in _of_gang(table, answers) if str(answers.get("item")) in _carried(one)]
    return fighter_choices(holding)


def receivers(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Who else of the gang may get it."""
    own = [one for one in _of_gang(table, answers) if one.fighter != answers.get("from")]
    return fighter_choices(own)


def _on_own_list(table: Context, answers: Answers) -> bool:
    """Whether the list of the gang's house holds the thing: only then is it bought straight for a model."""
    gang = table.state.gangs.get(str(answers.get("gang")))
    if table.armoury is None or gang is None:
        return False
    wanted = str(answers.get("item")).casefold()
    return any(one.casefold() == wanted for one in table.armoury.lists.get(gang.house.casefold(), ()))


def buyers(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Whom the thing may be bought for: nobody, unless it is on the gang's own list."""
    return receivers(table, answers) if _on_own_list(table, answers) else ()


def vehicles_to_fit(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The gang's vehicles, unless the thing is for a fighter."""
    if not _on_own_list(table, answers):
        return ()
    own = [one for one in table.vehicles() if one.gang == answers.get("gang") and "for" not in answers]
    return tuple(Choice(value=one.vehicle, name=one.name) for one in own)


def advancements(table: Context, _: Answers) -> tuple[Choice, ...]:
    """The advancements that the book sells."""
    rules = table.book.advancement_rules
    if rules is None:
        return ()
    return tuple(Choice(value=one.id, name=one.name) for one in rules.advancements.values())


def _takes(table: Context, answers: Answers) -> frozenset[str]:
    """Whether the advancement taken is a skill, a new rank, both or neither."""
    rules = table.book.advancement_rules
    taken = rules.advancements.get(str(answers.get("take"))) if rules is not None else None
    if taken is None:
        return frozenset()
    given = {"skill": taken.skill_from, "rank": taken.becomes}
    return frozenset(word for word, what in given.items() if what is not None)


def sets(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """The sets of skills, where the advancement is a skill."""
    if "skill" not in _takes(table, answers):
        return ()
    return as_choices(one.name for one in table.armoury.skill_sets) if table.armoury is not None else None


def any_set(table: Context, _: Answers) -> tuple[Choice, ...] | None:
    """The sets of skills that the table's armoury lists."""
    return as_choices(one.name for one in table.armoury.skill_sets) if table.armoury is not None else None


def skills(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """The skills of the set, where one is chosen."""
    if "skill" not in _takes(table, answers) or not str(answers.get("take")).endswith("chosen"):
        return ()
    listed = table.armoury.skill_sets if table.armoury is not None else ()
    found = (one.skills for one in listed if one.name == answers.get("set"))
    return as_choices(next(found, ())) or None


def new_types(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """The types of fighter, where the advancement brings a new rank."""
    return types(table, answers) if "rank" in _takes(table, answers) else ()


def other_gangs(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Every gang but the one that holds the captive."""
    everybody = table.state.gangs.values()
    return tuple(
        Choice(value=one.gang, name=one.name)
        for one in everybody
        if one.gang != gang_of_answers(table, answers)
    )


def accounts(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The gangs concerned, and the accounts outside."""
    outside = tuple(Choice(value=account, name=name) for account, name in OUTSIDE.items())
    return (*gangs(table, answers), *outside)


def skill_tables(table: Context, _: Answers) -> tuple[Choice, ...] | None:
    """The tables of skills that the book has."""
    rules = table.book.warband_rules
    return as_choices(rules.skill_tables) if rules is not None else ()

"""The candidates for an answer, by key, or by kind of entry and key.

Knows where to find each, in a battle and after it. Knows no rule: `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.holdings import OUTSIDE
from tracker.campaign.steps.dispatch import is_known
from tracker.documents.armoury import skill_sets_of
from tracker.documents.wizard import (
    context,
    dice_pool_candidates,
    fight_candidates,
    impact_candidates,
    shot_candidates,
    standing_candidates,
    table_candidates,
    vehicle_candidates,
)
from tracker.documents.wizard.context import Answers, Choice, Context, word_choices
from tracker.documents.wizard.forms import Form
from tracker.rules.necromunda.post_battle import house_id, income_of
from tracker.rules.post_battle_tables import Income

Finder: TypeAlias = Callable[[Context, Answers], tuple[Choice, ...] | None]


def tested_to_flee(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Of those who test whether they flee, everybody."""
    return () if answers.get("voluntarily") else _of_list(table, answers)


def leaving(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Of those who flee of their own will, everybody."""
    return _of_list(table, answers) if answers.get("voluntarily") else ()


def _of_list(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    listed = answers.get("fighters")
    cards = (table.state.fighter(str(fighter)) for fighter in (listed if isinstance(listed, list) else ()))
    return context.fighter_choices(fighter for fighter in cards if fighter is not None)


def to_mutate(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who has a mutation to choose."""
    return context.fighter_choices(fighter for fighter in table.fighters() if fighter.mutations_to_choose)


def by_somebody(_: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Not asked of what nobody did."""
    return None if "by" in answers else ()


def not_charging(_: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """The free Fight of a Charge is no Reaction."""
    return () if answers.get("charging") else None


def not_engaged(_: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Who is Engaged does not run, and stays up."""
    return () if answers.get("engaged") else None


def with_dice(_: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Which dice, where any are rolled."""
    return context.as_choices(("D6", "D3")) if answers.get("dice") else ()


def without_dice(_: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """A number, where no dice are rolled."""
    return () if answers.get("dice") else None


def incomes_of(table: context.Context, answers: context.Answers) -> tuple[Income, ...]:
    """The income that the book gives the holder of the territory; nothing where no book tells of it."""
    territory = table.state.territories.get(str(answers.get("territory")))
    holder = table.state.gangs.get(territory.holder or "") if territory is not None else None
    kind = table.book.territories.get(territory.kind or "") if territory is not None else None
    if holder is None or kind is None:
        return ()
    held = frozenset(
        territory.kind for territory in table.state.territories.values() if territory.holder == holder.gang
    )
    house = house_id(holder.house)
    income = income_of(kind, house=house, alignment=holder.alignment, held=held)
    return (income,) if income is not None else ()


def _asked_of_income(needed: Callable[[Income], bool]) -> Finder:
    """Leaves a key free where an income of the territory needs it; of one of the table's own, always."""

    def finder(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
        incomes = incomes_of(table, answers)
        return None if not incomes or any(needed(income) for income in incomes) else ()

    return finder


def workers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who of its holder's may work a territory, where an income needs somebody."""
    incomes = incomes_of(table, answers)
    territory = table.state.territories.get(str(answers.get("territory")))
    needed = not incomes or any(income.on_double != "nothing" for income in incomes)
    return context.friends(table, {"gang": territory.holder}) if needed and territory is not None else ()


def price_stated(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Anything for a thing that no armoury lists a price of."""
    listed = table.armoury.offers if table.armoury is not None else ()
    return () if any(offer.item.name == answers.get("item") for offer in listed) else None


def for_ransom(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who is in somebody's hands, where the book's warbands settle ransoms."""
    if table.book.warband_rules is None:
        return ()
    return context.fighter_choices(fighter for fighter in table.fighters() if fighter.captor is not None)


def opponents(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The other gangs of the battle, where there are several."""
    battle, own = table.state.under_way, context.gang_of_answers(table, answers)
    others = [gang for gang in (battle.crews if battle is not None else ()) if gang != own]
    named = [context.Choice(value=gang, name=table.state.gangs[gang].name) for gang in others]
    return tuple(named) if len(named) > 1 else ()


def captives(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Captives held by the gangs concerned, or of them."""
    everybody = (fighter for gang in table.state.gangs.values() for fighter in gang.fighters.values())
    held = (fighter for fighter in everybody if fighter.held_by is not None)
    return context.fighter_choices(
        fighter for fighter in held if {fighter.held_by, fighter.gang} & {*table.gangs}
    )


def territories(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """The territories of the gangs concerned; of those called alike, with who holds which."""
    held = [territory for territory in table.state.territories.values() if territory.holder in table.gangs]
    called = Counter(territory.name.casefold() for territory in held)
    return tuple(
        context.Choice(
            value=territory.territory,
            name=territory.name,
            note=f"{table.state.gangs[territory.holder or ''].name}, {territory.territory}"
            if called[territory.name.casefold()] > 1
            else "",
        )
        for territory in held
    )


def kinds_of_territory(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The book's territories, for one that is new to the campaign."""
    if answers.get("territory") in table.state.territories:
        return ()
    return tuple(
        context.Choice(value=kind, name=territory.name) for kind, territory in table.book.territories.items()
    )


def names_of_territory(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Free for one of the table's own; the book's territories have their names."""
    known = answers.get("territory") in table.state.territories or "kind" in answers
    return () if known else None


def may_be_captured(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Everybody of the other gangs; who of them was left behind is for the rules to say."""
    return context.fighter_choices(
        fighter for fighter in table.fighters() if fighter.gang != answers.get("gang")
    )


def workplaces(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Where a captive may work, or nowhere."""
    return (*territories(table, answers), context.Choice(value="nowhere", name="nowhere"))


def on_offer(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...] | None:
    """What the armoury has on offer; anything where there is none."""
    if table.armoury is None:
        return None
    return context.as_choices(offer.item.name for offer in table.armoury.offers)


def types(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """The types of fighter that the armoury has for the gang; anything where there is none."""
    if table.armoury is None:
        return None
    gang = table.state.gangs.get(str(context.gang_of_answers(table, answers)))
    house = gang.house if gang is not None else ""
    fitting = (listed for listed in table.armoury.types if listed.is_of(house))
    return context.as_choices(listed.card.kind for listed in fitting)


def types_for_hire(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The types of fighter that the armoury has for the gang."""
    return types(table, answers) or ()


def stash(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """What is in the gang's stash."""
    gang = table.state.gangs.get(str(context.gang_of_answers(table, answers)))
    return context.as_choices(item.name for item in gang.stash) if gang is not None else ()


def items(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """What is in the stash and what the fighters carry."""
    carried = [name for fighter in _of_gang(table, answers) for name in _carried(fighter)]
    return (*stash(table, answers), *context.as_choices(name for name in carried))


def _of_gang(table: context.Context, answers: context.Answers) -> list[Fighter]:
    return [fighter for fighter in table.fighters() if fighter.gang == answers.get("gang")]


def _carried(fighter: Fighter) -> Iterator[str]:
    yield from (weapon.weapon for weapon in fighter.weapons)
    yield from (worn.name for worn in (fighter.armour, fighter.field_armour) if worn is not None)
    yield from fighter.wargear


def injuries(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The lasting injuries on the fighter's card."""
    card = table.state.fighter(str(answers.get("fighter")))
    suffered = card.injuries if card is not None else ()
    return tuple(context.Choice(value=injury.injury, name=injury.name) for injury in suffered)


def characteristics(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The characteristics on the fighter's card."""
    card = table.state.fighter(str(answers.get("fighter")))
    return context.as_choices(card.characteristics if card is not None else ())


def bearers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who of the gang carries the thing."""
    holding = [
        fighter for fighter in _of_gang(table, answers) if str(answers.get("item")) in _carried(fighter)
    ]
    return context.fighter_choices(holding)


def receivers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who else of the gang may get it."""
    own = [fighter for fighter in _of_gang(table, answers) if fighter.fighter != answers.get("from")]
    return context.fighter_choices(own)


def _on_own_list(table: context.Context, answers: context.Answers) -> bool:
    """Whether the list of the gang's house holds the thing: only then is it bought straight for a model."""
    gang = table.state.gangs.get(str(answers.get("gang")))
    if table.armoury is None or gang is None:
        return False
    wanted = str(answers.get("item")).casefold()
    return any(item.casefold() == wanted for item in table.armoury.lists.get(gang.house.casefold(), ()))


def buyers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Whom the thing may be bought for: nobody, unless it is on the gang's own list."""
    return receivers(table, answers) if _on_own_list(table, answers) else ()


def vehicles_to_fit(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The gang's vehicles, unless the thing is for a fighter."""
    if not _on_own_list(table, answers):
        return ()
    own = [
        vehicle
        for vehicle in table.vehicles()
        if vehicle.gang == answers.get("gang") and "for" not in answers
    ]
    return tuple(context.Choice(value=vehicle.vehicle, name=vehicle.name) for vehicle in own)


def advancements(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """The advancements that the book sells."""
    rules = table.book.advancement_rules
    if rules is None:
        return ()
    return tuple(
        context.Choice(value=advancement.id, name=advancement.name)
        for advancement in rules.advancements.values()
    )


def _takes(table: context.Context, answers: context.Answers) -> frozenset[str]:
    """Whether the advancement taken is a skill, a new rank, both or neither."""
    rules = table.book.advancement_rules
    taken = rules.advancements.get(str(answers.get("take"))) if rules is not None else None
    if taken is None:
        return frozenset()
    given = {"skill": taken.skill_from, "rank": taken.becomes}
    return frozenset(word for word, what in given.items() if what is not None)


def sets(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """The sets of skills, where the advancement is a skill."""
    return any_set(table, answers) if "skill" in _takes(table, answers) else ()


def any_set(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...] | None:
    """The sets of skills that the table's armoury lists, and the book's own besides."""
    return context.as_choices(skill_set.name for skill_set in _skill_sets(table)) or None


def _skill_sets(table: context.Context) -> tuple[records.SkillSet, ...]:
    listed = table.armoury.skill_sets if table.armoury is not None else ()
    named = {skill_set.name.casefold() for skill_set in listed}
    of_book = skill_sets_of(table.book)
    return (*listed, *(skill_set for skill_set in of_book if skill_set.name.casefold() not in named))


def skills(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """The skills of the set, where one is chosen."""
    if "skill" not in _takes(table, answers) or not str(answers.get("take")).endswith("chosen"):
        return ()
    found = (each.skills for each in _skill_sets(table) if each.name == answers.get("set"))
    return context.as_choices(next(found, ())) or None


def new_types(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """The types of fighter, where the advancement brings a new rank."""
    return types(table, answers) if "rank" in _takes(table, answers) else ()


def other_gangs(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Every gang but the one that holds the captive."""
    everybody = table.state.gangs.values()
    return tuple(
        context.Choice(value=gang.gang, name=gang.name)
        for gang in everybody
        if gang.gang != context.gang_of_answers(table, answers)
    )


def _payers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    return _accounts(table, answers, other=answers.get("to"))


def _payees(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    return _accounts(table, answers, other=answers.get("from"))


def _accounts(
    table: context.Context, answers: context.Answers, *, other: object
) -> tuple[context.Choice, ...]:
    """The gangs concerned, and the accounts outside, but the one on the other side."""
    said = table.book.words.said
    outside = tuple(
        context.Choice(value=account, name=said(name))
        for account, name in OUTSIDE.items()
        if account not in _ACCOUNT_OF or is_known(table.book, records.DECLARATIONS[_ACCOUNT_OF[account]])
    )
    both = (*context.gangs(table, answers), *outside)
    return tuple(choice for choice in both if choice.value != other)


_ACCOUNT_OF: Final[Mapping[str, type[records.Command]]] = {
    "@black_market": records.SeekRare,
    "@guilders": records.SellCaptive,
    "@doc": records.MedicalEscort,
    "@repairs": records.NegotiateRepairs,
    "@scrap": records.ClaimScrap,
    "@bounty": records.ClaimBounty,
    "@income": records.TakeIncome,
    "@territory": records.GainTerritory,
    "@exploration": records.Explore,
    "@reinforcements": records.CallReinforcements,
}
"""Accounts of some games only: a book that knows the command has the account."""


def skill_tables(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...] | None:
    """The tables of skills that the book has."""
    rules = table.book.warband_rules
    return context.as_choices(rules.skill_tables) if rules is not None else ()


def kept_table(_: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """One of the tables that were rolled on."""
    rolled_on = answers.get("tables")
    return context.as_choices(map(str, rolled_on)) if isinstance(rolled_on, list) else ()


def elite(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The models of the warband that gain XP."""
    rules = table.book.warband_rules
    rank = rules.elite.rank if rules is not None else None
    own = {choice.value for choice in context.friends(table, answers)}
    return context.fighter_choices(
        fighter for fighter in table.fighters() if fighter.fighter in own and fighter.category == rank
    )


_GENERAL: Final[Mapping[str, Finder]] = {
    "attacker": context.all_fighters,
    "assisted_by": context.friends,
    "by": context.actor_candidates,
    "captive": captives,
    "fighter": context.all_fighters,
    "fighters": context.friends,
    "friend": context.friends,
    "inspired_by": table_candidates.inspirers,
    "gang": context.gangs,
    "patient": standing_candidates.critical,
    "profile": shot_candidates.profiles,
    "target": context.enemies_first,
    "targets": context.enemies,
    "vehicle": context.vehicles,
    "weapon": shot_candidates.weapons,
    "without": context.friends,
    "weapons": shot_candidates.weapons,
    "worked_by": context.friends,
}
_SPECIAL: Final[Mapping[tuple[str, str], Finder]] = {
    ("advance", "set"): sets,
    ("advance", "skill"): skills,
    ("advance", "take"): advancements,
    ("advance", "type"): new_types,
    ("battle_experience", "deeds"): elite,
    ("bionic", "improves"): characteristics,
    ("bionic", "item"): stash,
    ("bionic", "place"): injuries,
    ("blaze", "lies_down"): not_engaged,
    ("buy", "for"): buyers,
    ("buy", "item"): on_offer,
    ("buy", "price"): price_stated,
    ("buy", "vehicle"): vehicles_to_fit,
    ("captive_works", "territory"): workplaces,
    ("capture", "captive"): may_be_captured,
    ("collision", "heavy_foot"): impact_candidates.moved_further,
    ("collision", "into"): impact_candidates.rammed,
    ("collision", "ram"): impact_candidates.ram,
    ("crash", "heavy_foot"): impact_candidates.moved_further,
    ("crash", "ram"): impact_candidates.ram,
    ("coup_de_grace", "target"): standing_candidates.lying_enemies,
    ("credits", "from"): _payers,
    ("credits", "to"): _payees,
    ("crew", "fighter"): context.friends,
    ("blood_markers", "count"): dice_pool_candidates.blood_markers,
    ("drive", "heavy_foot"): impact_candidates.moves_further,
    ("escape", "fighter"): standing_candidates.captured,
    ("equipment", "item"): on_offer,
    ("equipment", "territory"): territories,
    ("experience", "fighter"): context.all_combatants,
    ("fight", "assists"): fight_candidates.helpers,
    ("fight", "behind"): fight_candidates.fought_from_behind,
    ("fight", "facing"): vehicle_candidates.facing,
    ("fight", "follows"): fight_candidates.follows,
    ("fight", "in_contact"): fight_candidates.in_contact,
    ("fight", "interference"): fight_candidates.hinderers,
    ("fight", "mobile"): vehicle_candidates.mobile,
    ("fight", "named_die"): fight_candidates.named_die,
    ("fight", "psyker"): fight_candidates.psyker,
    ("fight", "reaction"): not_charging,
    ("fight", "targets"): vehicle_candidates.attacked_together,
    ("flee", "engaged"): leaving,
    ("flee", "near"): tested_to_flee,
    ("ganger_roll", "set"): any_set,
    ("hand_over", "from"): bearers,
    ("hand_over", "item"): items,
    ("hand_over", "to"): receivers,
    ("hire", "type"): types_for_hire,
    ("insane", "controlled_by"): opponents,
    ("headbutt", "target"): context.enemies,
    ("hurl", "meets"): standing_candidates.thrown_against,
    ("hurl", "target"): context.enemies,
    ("mentor", "fighter"): standing_candidates.friends_of_actor,
    ("treat_wounds", "fighter"): standing_candidates.to_treat,
    ("hit", "close_combat"): shot_candidates.in_close_combat,
    ("fearsome", "target"): context.enemies,
    ("income", "amount"): _asked_of_income(lambda income: income.stated),
    ("injury_chart", "attacker"): context.all_fighters,
    ("injury_chart", "bloodbath"): dice_pool_candidates.has_blood_markers,
    ("injury_chart", "spend_blessings"): dice_pool_candidates.blessings,
    ("injury_chart", "spend_markers"): dice_pool_candidates.blood_markers,
    ("income", "counted"): _asked_of_income(lambda income: income.counts != "nothing"),
    ("income", "dice"): _asked_of_income(lambda income: income.dice_max is not None),
    ("income", "territory"): territories,
    ("income", "worked_by"): workers,
    ("leap", "gap"): impact_candidates.gap,
    ("learn", "tables"): skill_tables,
    ("learn", "choose"): kept_table,
    ("lose_territory", "territory"): territories,
    ("mutation", "fighter"): to_mutate,
    ("flight", "mobile"): vehicle_candidates.in_a_vehicle,
    ("nerve", "because_of"): standing_candidates.hurt_friends,
    ("new_leader", "fighter"): context.friends,
    ("order", "friend"): context.friends,
    ("regroup", "friends"): context.friends,
    ("promotions", "troops"): context.friends,
    ("out_of_action", "close_combat"): by_somebody,
    ("patronage", "against"): other_gangs,
    ("ransom", "fighter"): for_ransom,
    ("recruit", "territory"): territories,
    ("reload", "fighter"): standing_candidates.out_of_ammo,
    ("reload", "on_vehicle"): vehicle_candidates.to_reload,
    ("reward", "credits"): without_dice,
    ("reward", "die"): with_dice,
    ("remove_upgrade", "upgrade"): vehicle_candidates.carried_on,
    ("run_over", "engaged"): impact_candidates.engaged,
    ("run_over", "heavy_foot"): impact_candidates.moved_further,
    ("sell", "item"): stash,
    ("seriously_injured", "close_combat"): by_somebody,
    ("shoot", "at_risk"): shot_candidates.in_the_way,
    ("fight", "ride_by"): table_candidates.ride_by,
    ("hit", "cannot_be_moved"): table_candidates.cannot_be_moved,
    ("shoot", "cannot_be_moved"): table_candidates.cannot_be_moved,
    ("shoot", "munitioneer"): table_candidates.munitioneers,
    ("shoot", "next_in_line"): table_candidates.next_in_line,
    ("shoot", "using"): table_candidates.shooting_skills,
    ("hit", "behind"): shot_candidates.from_behind,
    ("shoot", "behind"): shot_candidates.from_behind,
    ("shoot", "closest"): shot_candidates.closest,
    ("shoot", "cover"): shot_candidates.cover,
    ("shoot", "firepower_dice"): shot_candidates.firepower,
    ("shoot", "range"): shot_candidates.shot_range,
    ("shoot", "facing"): vehicle_candidates.facing,
    ("shoot", "from_vehicle"): vehicle_candidates.driven,
    ("shoot", "hull_down"): vehicle_candidates.mobile,
    ("shoot", "mobile"): vehicle_candidates.mobile,
    ("marker", "marker"): shot_candidates.lying,
    ("marker", "under"): shot_candidates.touched,
    ("shoot", "drawn_among"): shot_candidates.eligible,
    ("hit", "target_psyker"): shot_candidates.psyker,
    ("shoot", "target_psyker"): shot_candidates.psyker,
    ("fight", "target_psyker"): fight_candidates.target_psyker,
    ("fight", "wards_off"): fight_candidates.wards_off,
    ("fight", "weapons"): fight_candidates.weapons,
    ("shoot", "stays_beneath"): shot_candidates.stays_beneath,
    ("shoot", "target"): shot_candidates.shot_at,
    ("shoot", "under_marker"): shot_candidates.under_marker,
    ("shoot", "under_template"): shot_candidates.under_template,
    ("shoot", "weapon"): shot_candidates.fired,
    ("territory", "kind"): kinds_of_territory,
    ("territory", "name"): names_of_territory,
    ("stand", "minus_dice"): dice_pool_candidates.risky,
    ("stand", "plus_dice"): dice_pool_candidates.risky,
    ("stand", "spend_blessings"): dice_pool_candidates.blessings_on_risky,
    ("stand", "spend_markers"): dice_pool_candidates.blood_markers_on_risky,
    ("trade_captive", "to"): other_gangs,
    ("thrown_clear", "fighter"): vehicle_candidates.aboard_a_wreck,
    ("thrown_clear", "vehicle"): vehicle_candidates.own_wrecks,
    ("trauma", "fighter"): standing_candidates.out_of_action_fighters,
    ("unpin", "fighter"): standing_candidates.pinned,
    ("vehicle_hit", "vehicle"): vehicle_candidates.not_driven,
    ("vehicle_nerve", "wreck"): vehicle_candidates.own_wrecks,
}


def candidates(table: Context, form: Form, key: str, answers: Answers) -> tuple[Choice, ...] | None:
    """Everything that this key of an entry could name; None where it is free. Empty: nothing to ask."""
    question = form.question(key)
    finder = _SPECIAL.get((form.kind, key))
    if finder is None and question.shape != "number":  # what a key commonly names is no number
        finder = _GENERAL.get(key)
    if finder is not None:
        return finder(table, answers)
    return word_choices(question.words) or None

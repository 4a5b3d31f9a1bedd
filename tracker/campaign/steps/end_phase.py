"""The End phase: Bottle tests (Bottle checks) and fleeing.

Recovery tests are in `recovery_tests.py`.

The numbers are in `rules/necromunda/end_phase.py`; this file knows fighters and battles.
Source: Core Rulebook (2023) · The End Phase.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import BattleUnderWay
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import inspirational
from tracker.campaign.steps.conditions import initiative_needed, lies_helpless
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.nerve import cool_needed, crews_of_wrecks
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import end_phase as rules

# --- 1. Bottle checks ------------------------------------------------------------------------------------


@handles(records.CheckBottle)
def check_bottle(decision: Decision, command: records.CheckBottle) -> None:
    """D6 plus casualties against the crew; a gang over the limit has bottled out for good.

    Source: Core Rulebook (2023) · The End Phase · 1. Bottle Checks.
    """
    battle = _taking_part(decision, command.gang, what="a Bottle check")
    gang = decision.gang(command.gang).name
    if command.gang in battle.bottled:
        raise records.BottledAlready(gang=gang)
    limit = _bottle_limit(decision, command, battle)
    wrecks = crews_of_wrecks(decision)
    fallen = sum(
        lies_helpless(decision, battle.combatants[name])
        or battle.combatants[name].out_of_action
        or name in wrecks
        for name in _who_counts(decision, command.gang, battle)
    )
    casualties = fallen + command.vehicles_wrecked
    if not casualties:
        raise records.NoReasonToBottle(gang=gang)
    if command.voluntary:
        forfeit = decision.rulebook.knob("bottle.voluntary") == "loses"
        decision.emit(records.GangBottled(gang=command.gang, voluntary=True, forfeit=forfeit))
        return
    dice = rules.bottle_dice(home_turf=command.home_turf, rulebook=decision.rulebook)
    added = _iron_will(decision, command, battle)
    faces: list[int] = []
    rolled, bottled = 0, False
    for nth in range(1, dice + 1):
        why = "Bottle check" if dice == 1 else f"Bottle check, die {nth} of {dice}, the lowest counts"
        die = decision.tray.d6("bottle", why=why)
        faces.append(die.face)
        last = nth == dice
        shown = min(faces) + sum(by for _, by in added)
        bottled = last and rules.bottles_out(face=shown, casualties=casualties, limit=limit)
        total = shown + casualties
        result = f"{total} against {limit}: {'bottles out' if bottled else 'holds'}"
        rolled = decision.roll(
            die,
            outcome=result if last else f"die {nth} of {dice}, the lowest counts",
            section="bottle_checks",
            rolled_by=command.gang,
            modifiers=as_modifiers((("casualties", casualties), *added)) if last else (),
            passed=not bottled if last else None,
            cause=rolled,
        )
    if bottled:
        decision.emit(records.GangBottled(gang=command.gang, voluntary=False, forfeit=False), cause=rolled)


def _iron_will(decision: Decision, command: records.CheckBottle, battle: BattleUnderWay) -> Modifiers:
    """The modifier of a fighter with Iron Will who is neither down, out nor gone.

    Source: Core Rulebook (2023) · Skills · Iron Will.
    """
    for name in battle.crews[command.gang]:
        now = battle.combatants[name]
        up = not (now.seriously_injured or now.webbed or now.out_of_action or now.fled)
        if up and decision.has_skill_in_battle(name, "iron_will"):
            return (("Iron Will", decision.rulebook.book.skill_actions.iron_will),)
    return ()


def refuse_forfeit_result(decision: Decision, command: records.CloseBattle) -> None:
    """Refuses a victory or a draw of a gang that lost by bottling out of its own will."""
    for gang in decision.battle("its end").forfeit:
        if command.winner == gang or command.drawn:
            raise records.BattleLostByBottling(gang=decision.gang(gang).name)


def _who_counts(decision: Decision, gang: str, battle: BattleUnderWay) -> tuple[str, ...]:
    """The gang's crew, without ranks that Bottle checks do not count."""
    never = decision.rulebook.book.nerve.never_bottle
    return tuple(name for name in battle.crews[gang] if decision.fighter(name).category not in never)


def _bottle_limit(decision: Decision, command: records.CheckBottle, battle: BattleUnderWay) -> int:
    """The limit of the check. Refuses stated numbers that contradict each other or the crew."""
    listed, held_back = len(_who_counts(decision, command.gang, battle)), command.reinforcements
    if not listed:
        raise records.NobodyBottles(gang=decision.gang(command.gang).name)
    arrived = held_back if command.reinforcements_arrived is None else command.reinforcements_arrived
    why = ""
    if arrived > held_back:
        why = f"{arrived} Reinforcements arrived, but the crew holds {held_back}"
    elif held_back >= listed:
        why = f"{held_back} Reinforcements leave nobody of a crew of {listed} who began the battle"
    elif command.vehicles_wrecked > command.vehicles:
        why = f"{command.vehicles_wrecked} vehicles are Wrecked, but {command.vehicles} take part"
    if why:
        raise records.CrewDoesNotAddUp(gang=decision.gang(command.gang).name, why=why)
    return rules.bottle_limit(
        starting_crew=listed - held_back + command.vehicles,
        reinforcements_arrived=arrived,
        eligible=listed + command.others_eligible + command.vehicles,
        rulebook=decision.rulebook,
    )


# --- 2. Fleeing the battlefield --------------------------------------------------------------------------


@handles(records.TakeFleeingTests)
def take_fleeing_tests(decision: Decision, command: records.TakeFleeingTests) -> None:
    """A Cool test for each fighter, in the order given. A failed test means fleeing, unless a leader who
    stays sets an example.

    Source: Core Rulebook (2023) · The End Phase · 2. Fleeing the Battlefield; Gang Hierarchy (X).
    """
    _check_fleeing(decision, command.gang, command.fighters)
    _check_examples(decision, command)
    for name, leader in command.inspired_by.items():
        if name not in command.fighters:
            gang = decision.gang(command.gang).name
            why = f"{name} is inspired, but takes no test in this list"
            raise records.FleeingListWrong(gang=gang, why=why)
        inspirational.check(decision, name, leader)
    inspired: dict[str, str] = {}
    for name in command.fighters:
        fighter = decision.fighter(name)
        if name in inspired:
            why = f"{fighter.name} stays by the example of {inspired[name]}"
            decision.note_rule(name, why, section="fleeing")
            stays = True
        else:
            die = decision.tray.two_d6("flee", why=f"Cool test to stay, {cool_needed(fighter)}", fighter=name)
            stays, rolled = tests.take_on_two_dice(
                decision, die, name, "cool", section="fleeing", outcomes=("stays", "flees")
            )
            stays, rolled = inspirational.make_up(
                decision, name, command.inspired_by.get(name), passed=stays, cause=rolled
            )
            if not stays:
                _flee(decision, name, voluntary=False, cause=rolled)
        if stays:
            inspired.update(dict.fromkeys(command.near.get(name, ()), fighter.name))


@handles(records.FleeBattlefield)
def flee_battlefield(decision: Decision, command: records.FleeBattlefield) -> None:
    """Fighters leave of their own will; an engaged one passes an Initiative test or is Seriously Injured.

    Source: Core Rulebook (2023) · The End Phase · 2. Fleeing the Battlefield.
    """
    gang = _check_fleeing(decision, command.gang, command.fighters)
    for name in command.fighters:
        now = decision.combatant(name, what="flight")
        if lies_helpless(decision, now):
            down = "Seriously Injured" if now.seriously_injured else "Webbed"
            why = f"{decision.fighter(name).name} is {down} and cannot flee of the gang's own will"
            raise records.FleeingListWrong(gang=gang, why=why)
    for name in command.engaged:
        if name not in command.fighters:
            raise records.FleeingListWrong(gang=gang, why=f"{name} is engaged, but not among those who flee")
    for name in command.fighters:
        cause = 0
        if name in command.engaged:
            why = f"Initiative test to break away and flee, needs {initiative_needed(decision, name)}+"
            die = decision.tray.d6("flee_engaged", why=why, fighter=name)
            away, cause = tests.take_initiative(
                decision, die, name, section="fleeing", outcomes=("breaks away", "is cut down")
            )
            if not away:
                decision.emit(
                    records.SeriousInjurySuffered(fighter=name, by=None, in_close_combat=True), cause=cause
                )
                continue
        _flee(decision, name, voluntary=True, cause=cause)


def _flee(decision: Decision, fighter: str, *, voluntary: bool, cause: int) -> None:
    """A fighter leaves the battlefield; a crew leaves its vehicle as a wreck, without a Lasting Damage
    roll.
    """
    fled = decision.emit(records.FighterFled(fighter=fighter, voluntary=voluntary), cause=cause)
    if decision.rulebook.knob("fleeing.for_the_scenario") == "out_of_action":
        why = "counts as Out of Action for the scenario, unless it says otherwise"
        decision.note_rule(fighter, why, section="fleeing", cause=fled)
    for name, condition in decision.battle("flight").vehicles.items():
        vehicle = decision.state.vehicle(name)
        if vehicle is not None and vehicle.crew == fighter and not condition.wrecked:
            abandoned = records.VehicleWrecked(
                vehicle=name, by=None, causes=("abandoned",), mobile=False, lasting_damage_rolls=0
            )
            decision.emit(abandoned, cause=fled)


def _check_fleeing(decision: Decision, gang: str, fighters: tuple[str, ...]) -> str:
    """The gang's name. Refuses a gang that has not bottled out, and an impossible list of fighters."""
    battle = _taking_part(decision, gang, what="flight")
    name = decision.gang(gang).name
    if gang not in battle.bottled:
        raise records.NotBottled(gang=name)
    for place, listed in enumerate(fighters):
        decision.combatant(listed, what="flight")
        if listed not in battle.crews[gang]:
            raise records.FleeingListWrong(
                gang=name, why=f"{decision.fighter(listed).name} fights for another gang"
            )
        if listed in fighters[:place]:
            raise records.FleeingListWrong(gang=name, why=f"{decision.fighter(listed).name} is listed twice")
    return name


def _check_examples(decision: Decision, command: records.TakeFleeingTests) -> None:
    gang = decision.gang(command.gang).name
    for leader, friends in command.near.items():
        if leader not in command.fighters:
            raise records.FleeingListWrong(
                gang=gang, why=f"{leader} gives an example, but takes no test in this list"
            )
        rank = decision.fighter(leader).category
        if rules.example_reaches(rank, decision.rulebook) is None:
            raise records.FleeingListWrong(
                gang=gang, why=f"{decision.fighter(leader).name} is a {rank}, without Gang Hierarchy"
            )
        for friend in friends:
            if friend not in command.fighters or friend == leader:
                raise records.FleeingListWrong(
                    gang=gang, why=f"{friend} is near {leader}, but not another one of the list"
                )


def _taking_part(decision: Decision, gang: str, *, what: str) -> BattleUnderWay:
    battle = decision.battle(what)
    known = decision.gang(gang)
    if gang not in battle.crews:
        raise records.GangTakesNoPart(gang=known.name, battle=battle.battle)
    return battle


# --- the Wrap-up -----------------------------------------------------------------------------------------


def harm_of_old_injury(decision: Decision, fighter: str, *, grudge_against: str | None) -> Harm:
    """Harm without an attacker: it earns no XP, and a grudge is against the gang that caused the injury."""
    by = decision.battle("an injury").combatants[fighter].seriously_injured_by
    if grudge_against is None and by is not None:
        gang = decision.fighter(by).gang
        grudge_against = gang if gang != decision.fighter(fighter).gang else None
    return Harm(target=fighter, grudge_against=grudge_against)

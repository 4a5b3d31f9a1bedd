"""Nerve tests, and Broken fighters and vehicles. Rally tests: `rally_tests.py`.

A vehicle is represented by its crew: it tests by the crew's Cool, and only for wrecks. The numbers are in
`rules/necromunda/nerve.py`. Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import inspirational
from tracker.campaign.steps.conditions import lies_helpless, refuse_attack
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.vehicle_control import say_mobile
from tracker.rules.combat_tables import Model
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import nerve as rules

TWO_SIDES = 2


@handles(records.TakeNerveTest)
def take_nerve_test(decision: Decision, command: records.TakeNerveTest) -> None:
    """A Cool test because of a friend's fate. A model that fails is Broken and activates at once to flee."""
    tester = decision.combatant(command.fighter, what="a Nerve test")
    fighter = decision.fighter(command.fighter)
    kind = model_of(decision, fighter)
    inspirational.check(decision, command.fighter, command.inspired_by)
    fate = _fate(decision, command, fighter, kind)
    if (command.mobile is None) == (kind == "vehicle"):
        raise records.MovingOrNot(fighter=fighter.name, is_vehicle=kind == "vehicle")
    if tester.broken and decision.rulebook.knob("nerve.broken_retests") == "no":
        raise records.NoNerveTestFor(fighter=fighter.name, why="Broken already")
    _refuse_repeats(decision, command, fighter)
    within = decision.rulebook.book.nerve.friends_within_inches
    helped = friends_near(
        decision,
        fighter,
        command.friends_near,
        command.friends_near_count,
        kinds=(kind,),
        inches=within.vehicle if kind == "vehicle" else within.fighter,
        broken_help=rules.broken_friend_helps(tester=kind, rulebook=decision.rulebook),
    )
    die = decision.tray.two_d6(
        "nerve", why=f"Nerve test, {cool_needed(fighter, helped)}", fighter=command.fighter
    )
    section = "nerve_tests" if kind == "fighter" else "vehicle_nerve_tests"
    passed, rolled = tests.take_on_two_dice(
        decision,
        die,
        command.fighter,
        "cool",
        modifiers=helped,
        section=section,
        outcomes=("keeps calm", "breaks"),
    )
    passed, rolled = inspirational.make_up(
        decision, command.fighter, command.inspired_by, passed=passed, cause=rolled
    )
    tested = decision.emit(
        records.NerveTested(
            fighter=command.fighter,
            because_of=command.because_of,
            wreck=command.wreck,
            fate=fate,
            friends_near=sum(by for _, by in helped),
            passed=passed,
            activation=command.activation,
        ),
        cause=rolled,
    )
    if not passed:
        flight = rules.flight_of(kind=kind, mobile=bool(command.mobile), rulebook=decision.rulebook)
        decision.emit(records.FighterBroke(fighter=command.fighter, flight=flight), cause=tested)


def model_of(decision: Decision, fighter: Fighter) -> Model:
    """Whether somebody takes the field as a fighter or in a vehicle: by rank, or as a crew in this battle."""
    driven = [decision.state.vehicle(name) for name in decision.battle("a test").vehicles]
    drives = any(vehicle is not None and vehicle.crew == fighter.fighter for vehicle in driven)
    return "vehicle" if drives else rules.model(fighter.category)


def broken_attack(decision: Decision, attacker: str, *, reaction: bool) -> Modifiers:
    """The modifier of a Broken attacker's hit rolls. Refuses attacks that a condition forbids: a Broken
    fighter may only react.
    """
    if not refuse_attack(decision, attacker, reaction=reaction).broken:
        return ()
    if not reaction:
        raise records.BrokenMayNotAttack(fighter=decision.fighter(attacker).name)
    return (("Broken", rules.broken_reaction(decision.rulebook)),)


def cool_needed(fighter: Fighter, modifiers: Modifiers = ()) -> str:
    """What a Cool test needs, for the reason of a die: 'needs 7+', 'needs 7+ with +2'."""
    by = sum(by for _, by in modifiers)
    return f"needs {fighter.characteristics['cool']}+" + (f" with {by:+d}" if by else "")


def _fate(decision: Decision, command: records.TakeNerveTest, tester: Fighter, kind: Model) -> rules.Fate:
    """The victim's fate by the record. Refuses a cause that does not make this kind of model test."""
    if (command.because_of is None) == (command.wreck is None):
        raise records.NerveCauseUnclear(fighter=tester.name)
    of: Model = "fighter" if command.because_of is not None else "vehicle"
    within = rules.nerve_distance(tester=kind, because_of=of, rulebook=decision.rulebook)
    if within is None:
        raise records.NoNerveTestFor(fighter=tester.name, why=f"a {kind} takes none because of a {of}")
    _refuse_spared(command, tester, within_inches=within)
    if command.because_of is None:
        if command.fate is not None:
            raise records.NerveCauseUnclear(fighter=tester.name)
        _check_wreck(decision, command.wreck or "", tester)
        return "wrecked"
    victim = decision.fighter(command.because_of)
    if model_of(decision, victim) == "vehicle":
        raise records.NoNerveTestFor(
            fighter=tester.name, why=f"{victim.name} is in a vehicle; give a wreck as wreck"
        )
    if victim.fighter == tester.fighter:
        raise records.OwnFate(fighter=tester.name)
    if victim.gang != tester.gang:
        raise records.NotAFriend(fighter=tester.name, friend=victim.name)
    condition = decision.battle("a Nerve test").combatants.get(victim.fighter)
    out = condition is not None and condition.out_of_action
    injured = condition is not None and lies_helpless(decision, condition)
    fate = command.fate or ("out_of_action" if out else "seriously_injured")
    if not (out if fate == "out_of_action" else injured):
        said = {"out_of_action": "Out of Action", "seriously_injured": "Seriously Injured"}[fate]
        if command.fate is None:
            said = "Seriously Injured or Out of Action"
        raise records.NothingBefell(fighter=tester.name, victim=victim.name, fate=said)
    ranks = {"tester": tester.category, "victim": victim.category}
    if rules.spared_as_elder(**ranks, fate=fate, rulebook=decision.rulebook):
        why = f"{victim.name} is a {victim.category}, for whose going Out of Action only their like test"
        raise records.NoNerveTestFor(fighter=tester.name, why=why)
    if rules.spared_as_another_kind(**ranks, rulebook=decision.rulebook):
        rank = victim.category.replace("_", " ")
        why = f"{victim.name} is an {rank}, for whom only their like test"
        raise records.NoNerveTestFor(fighter=tester.name, why=why)
    return fate


def _refuse_spared(command: records.TakeNerveTest, tester: Fighter, *, within_inches: int) -> None:
    """Refuses a test by a model stated to be too far away, or immune."""
    if command.immune_by is not None:
        why = f"{command.immune_by}, as stated, makes immune to it"
        raise records.NoNerveTestFor(fighter=tester.name, why=why)
    distance = command.distance_hundredths
    if distance is not None and distance > within_inches * 100:
        why = f'it is {distance / 100:g}" away, and only models within {within_inches}" test'
        raise records.NoNerveTestFor(fighter=tester.name, why=why)


def _check_wreck(decision: Decision, wreck: str, tester: Fighter) -> None:
    """A wreck may be any words. If they are a vehicle's id, the record must have it wrecked."""
    vehicle = decision.state.vehicle(wreck)
    if vehicle is None:
        return
    if vehicle.crew == tester.fighter:
        raise records.OwnFate(fighter=tester.name)
    if vehicle.gang != tester.gang:
        raise records.NotAFriend(fighter=tester.name, friend=vehicle.name)
    condition = decision.battle("a Nerve test").vehicles.get(wreck)
    if condition is None or not condition.wrecked:
        raise records.NothingBefell(fighter=tester.name, victim=vehicle.name, fate="Wrecked")


def crews_of_wrecks(decision: Decision) -> frozenset[str]:
    """The crews whose vehicles are Wrecked in this battle."""
    wrecked = [name for name, vehicle in decision.battle("a wreck").vehicles.items() if vehicle.wrecked]
    vehicles = [vehicle for name in wrecked if (vehicle := decision.state.vehicle(name)) is not None]
    return frozenset(vehicle.crew for vehicle in vehicles)


def _refuse_repeats(decision: Decision, command: records.TakeNerveTest, tester: Fighter) -> None:
    """Refuses a second test for one victim in one activation or, by policy, for one attack.

    Without a stated activation a victim who is Out of Action is tested for once.
    """
    tests = decision.battle("a Nerve test").nerve_tested
    once_per_attack = decision.rulebook.knob("nerve.batch") == "once_per_attack"
    if command.activation is None:
        if once_per_attack:
            raise records.ActivationNotStated(fighter=tester.name)
        victim = decision.battle("a Nerve test").combatants.get(command.because_of or "")
        stated_twice = command.because_of in tests.get(records.nerve_key("", command.fighter), ())
        if stated_twice and victim is not None and victim.out_of_action:
            raise records.NerveTestedTwice(
                fighter=tester.name, victim=decision.fighter(command.because_of or "").name
            )
        return
    tested = tests.get(records.nerve_key(command.activation, command.fighter), ())
    if (command.because_of or command.wreck) in tested:
        why = "there is no second one for the same victim"
        raise records.NerveTestedAlready(fighter=tester.name, activation=command.activation, why=why)
    if tested and once_per_attack:
        why = "by this campaign's policies there is one for each attack"
        raise records.NerveTestedAlready(fighter=tester.name, activation=command.activation, why=why)


def friends_near(
    decision: Decision,
    fighter: Fighter,
    named: tuple[str, ...] | None,
    count: int | None,
    *,
    kinds: tuple[Model, ...],
    inches: int,
    broken_help: bool = False,
) -> Modifiers:
    """+1 for each friend within reach who counts. A named friend who does not count is listed with +0."""
    if (named is None) == (count is None):
        raise records.FriendsNearUnclear(
            fighter=fighter.name, why=f'list those within {inches}", or give their number (0 for none)'
        )
    why = f'friends within {inches}"'
    if named is None:
        _refuse_too_many(decision, fighter, count or 0, kinds, broken_help=broken_help)
        return ((why, count),) if count else ()
    counted: list[str] = []
    idle: list[tuple[str, int]] = []
    for place, name in enumerate(named):
        friend = decision.fighter(name)
        condition = decision.combatant(name, what="a friend near")
        if name == fighter.fighter:
            raise records.FriendsNearUnclear(fighter=fighter.name, why="nobody is their own friend here")
        if name in named[:place]:
            raise records.FriendsNearUnclear(fighter=fighter.name, why=f"{friend.name} is listed twice")
        if friend.gang != fighter.gang:
            raise records.NotAFriend(fighter=fighter.name, friend=friend.name)
        if model_of(decision, friend) not in kinds:
            where = "in a vehicle" if kinds == ("fighter",) else "no vehicle"
            raise records.FriendsNearUnclear(
                fighter=fighter.name, why=f"{friend.name} is {where} and does not help"
            )
        if rules.counts_as_friend_near(
            broken=condition.broken,
            seriously_injured=lies_helpless(decision, condition),
            wrecked=name in crews_of_wrecks(decision),
            broken_helps=broken_help,
        ):
            counted.append(name)
        else:
            down = "Seriously Injured" if condition.seriously_injured else "Webbed"
            state = down if lies_helpless(decision, condition) else "Wrecked"
            idle.append((f"{friend.name} is {'Broken' if condition.broken else state}", 0))
    return (*(((why, len(counted)),) if counted else ()), *idle)


def _refuse_too_many(
    decision: Decision,
    fighter: Fighter,
    count: int,
    kinds: tuple[Model, ...],
    *,
    broken_help: bool,
) -> None:
    """Refuses a stated number of friends that the battle does not have. Allies may be of another gang."""
    battle = decision.battle("a test")
    allies = len(battle.crews) > TWO_SIDES
    there = [
        name
        for name, combatant in battle.combatants.items()
        if name != fighter.fighter
        and (allies or decision.fighter(name).gang == fighter.gang)
        and model_of(decision, decision.fighter(name)) in kinds
        and not (combatant.out_of_action or combatant.fled)
        and rules.counts_as_friend_near(
            broken=combatant.broken,
            seriously_injured=lies_helpless(decision, combatant),
            wrecked=name in crews_of_wrecks(decision),
            broken_helps=broken_help,
        )
    ]
    if count > len(there):
        why = f"{count} are stated, but only {len(there)} of this battle could count"
        raise records.FriendsNearUnclear(fighter=fighter.name, why=why)


# --- a vehicle's Nerve test ---------------------------------------------------------------------------


@handles(records.TakeVehicleNerveTest)
def take_vehicle_nerve_test(decision: Decision, command: records.TakeVehicleNerveTest) -> None:
    """A vehicle's Nerve test because of a friendly wreck in this battle, the only cause there is."""
    card, lost = decision.vehicle(command.vehicle), decision.vehicle(command.wreck)
    decision.combat_vehicle(command.vehicle, what="a Nerve test")
    fate = decision.battle("a Nerve test").vehicles.get(command.wreck)
    if lost.gang != card.gang:
        raise records.NoWreckToTestFor(vehicle=card.name, wreck=lost.name, why="is no friend's")
    if fate is None or not fate.wrecked:
        raise records.NoWreckToTestFor(
            vehicle=card.name, wreck=lost.name, why="is not wrecked in this battle"
        )
    say_mobile(decision, command.vehicle, mobile=command.mobile, what="a Nerve test")
    test = records.TakeNerveTest(
        fighter=card.crew,
        wreck=lost.name,
        friends_near_count=command.friends_near,
        mobile=command.mobile,
        activation=command.activation,
        distance_hundredths=command.distance_hundredths,
        immune_by=command.immune_by,
        inspired_by=command.inspired_by,
    )
    take_nerve_test(decision, test)

"""Actions and tests that a skill gives: Treat Wounds, Headbutt, Hurl, Order, Regroup, Spring Up, Fearsome.

Distances and who is engaged are stated. The tests of mounted fighters are here too. Source: Core Rulebook
(2023) · Skills; Conditions · Mounted.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Combatant
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import engagement, resolve_hits
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.conditions import initiative_needed, lies_helpless
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.nerve import broken_attack
from tracker.rules.necromunda.rules_in_force import REST_OF_THE_BOOK


@handles(records.TreatWounds)
def treat_wounds(decision: Decision, command: records.TreatWounds) -> None:
    """Medicae: a D6; a friend regains a Wound or loses a Flesh Wound.

    Source: Core Rulebook (2023) · Skills · Medicae.
    """
    _may_act(decision, command.by, skill="medicae", action="Treat Wounds (Basic)")
    how = _friend(decision, command.by, command.fighter)
    patient = decision.fighter(command.fighter)
    if command.treats == "wound" and how.wounds_left >= patient.characteristics["wounds"]:
        raise records.NothingToTreat(fighter=patient.name, nothing="lost no Wound")
    if command.treats == "flesh_wound" and not how.flesh_wounds:
        raise records.NothingToTreat(fighter=patient.name, nothing="no Flesh Wound")
    needs = decision.rulebook.book.skill_actions.treat_wounds_from
    die = decision.tray.d6("treat_wounds", why=f"Medicae, needs {needs}+", fighter=command.fighter)
    treated = die.face >= needs
    rolled = decision.roll(
        die,
        outcome="treated" if treated else "no help",
        section="skills",
        rolled_by=decision.fighter(command.by).gang,
        target=needs,
        passed=treated,
    )
    if not treated:
        return
    if command.treats == "wound":
        regained = records.WoundRegained(
            fighter=command.fighter, by=command.by, wounds_left=how.wounds_left + 1
        )
        decision.emit(regained, cause=rolled)
        return
    toughness = decision.current_toughness(command.fighter) + 1
    lost = records.FleshWoundLost(fighter=command.fighter, by=command.by, toughness=toughness)
    decision.emit(lost, cause=rolled)


# --- against an enemy engaged ----------------------------------------------------------------------------


@handles(records.Headbutt)
def headbutt(decision: Decision, command: records.Headbutt) -> None:
    """Two D6 against the enemy's Toughness: one that reaches it hits the enemy; if none does, it hits the
    fighter.

    Source: Core Rulebook (2023) · Skills · Headbutt.
    """
    _check_engaged(decision, command.attacker, command.target, skill="headbutt")
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    numbers = decision.rulebook.book.skill_actions.headbutt
    fighter, toughness = decision.fighter(command.attacker), decision.current_toughness(command.target)
    why = f"Headbutt, either die at least Toughness {toughness}"
    die = decision.tray.two_d6("headbutt", why=why, fighter=command.attacker)
    strikes = max(die.faces) >= toughness
    decision.roll(
        die,
        outcome="hits" if strikes else "hits the fighter instead",
        section="skills",
        rolled_by=fighter.gang,
        target=toughness,
        passed=strikes,
    )
    strength = fighter.characteristics["strength"]
    if strikes:
        harm = Harm(
            target=command.target,
            attacker=command.attacker,
            attack=True,
            in_close_combat=True,
            activation=command.activation,
            grudge_against=command.grudge_against,
            keeps=command.keeps,
        )
        strength, damage = strength + numbers.strength_added, numbers.damage
    else:
        harm = Harm(target=command.attacker, grudge_against=command.grudge_against, keeps=command.keeps)
        damage = numbers.own_damage
    hit = resolve_hits.HitToResolve(
        strength=strength, armour_penetration=0, damage=damage, save_with=command.save_with
    )
    resolve_hits.resolve_without_weapon(decision, harm, hit, how="headbutt")


@handles(records.HurlFighter)
def hurl_fighter(decision: Decision, command: records.HurlFighter) -> None:
    """An Initiative test of the enemy. If it fails the enemy flies D3", is Pinned, and hits what is in the
    way.

    A fighter in the way is Pinned too. Source: Core Rulebook (2023) · Skills · Hurl.
    """
    lies = _may_hurl_lying(decision, command.target)
    _check_engaged(decision, command.attacker, command.target, skill="hurl", lies=lies)
    if command.meets is not None:
        decision.combatant(command.meets, what="Hurl")
        if command.meets in (command.attacker, command.target):
            raise records.ActsOnSelf(fighter=decision.fighter(command.meets).name)
    needs = initiative_needed(decision, command.target)
    why = f"Initiative test against Hurl, needs {needs}+"
    die = decision.tray.d6("hurl", why=why, fighter=command.target)
    stands, rolled = tests.take_initiative(
        decision, die, command.target, section="skills", outcomes=("stands firm", "is hurled")
    )
    if stands:
        return
    far = decision.tray.d3("hurl_distance", why="inches that the enemy is hurled", fighter=command.target)
    rolled = decision.roll(
        far,
        outcome=f'{far.total}"',
        section="skills",
        rolled_by=decision.fighter(command.attacker).gang,
        cause=rolled,
    )
    hurled = records.FighterHurled(fighter=command.target, by=command.attacker, inches=far.total)
    decision.emit(hurled, cause=rolled)
    if not lies:
        decision.emit(records.FighterPinned(fighter=command.target), cause=rolled)
    if command.meets is None and not command.obstacle:
        return
    numbers = decision.rulebook.book.skill_actions.hurl
    for struck in (command.target, *((command.meets,) if command.meets is not None else ())):
        if struck == command.meets:
            _knock_down(decision, struck, cause=rolled)
        enemy = decision.fighter(struck).gang != decision.fighter(command.attacker).gang
        harm = Harm(
            target=struck,
            attacker=command.attacker,
            attack=enemy,
            in_close_combat=True,
            activation=command.activation,
            keeps=command.keeps if struck == command.target else command.meets_keeps,
        )
        hit = resolve_hits.HitToResolve(
            strength=numbers.strength, armour_penetration=0, damage=numbers.damage
        )
        resolve_hits.resolve_without_weapon(decision, harm, hit, how="hurl")


def _knock_down(decision: Decision, fighter: str, *, cause: int) -> None:
    """A fighter hit by a hurled one becomes Prone and Pinned, in battles from REST_OF_THE_BOOK on (G-64)."""
    now = decision.combatant(fighter, what="Hurl")
    stays_up = decision.rulebook.knob("hurl.meets") == "stays_up"
    if stays_up or not decision.plays_by(REST_OF_THE_BOOK) or now.pinned or lies_helpless(decision, now):
        return
    decision.emit(records.FighterPinned(fighter=fighter), cause=cause)


def _may_hurl_lying(decision: Decision, target: str) -> bool:
    """Whether the target lies helpless and the rules allow hurling such fighters (G-95)."""
    allowed = decision.rulebook.knob("hurl.target") == "engaged_or_lying"
    return allowed and lies_helpless(decision, decision.combatant(target, what="Hurl"))


def _check_engaged(decision: Decision, attacker: str, target: str, *, skill: str, lies: bool = False) -> None:
    _may_act(decision, attacker, skill=skill, action=skill.capitalize())
    broken_attack(decision, attacker, reaction=False)
    fighter, enemy = decision.fighter(attacker), decision.fighter(target)
    if attacker == target:
        raise records.TargetsSelf(fighter=fighter.name)
    if fighter.gang == enemy.gang:
        raise records.NoEnemy(fighter=fighter.name, other=enemy.name)
    if not lies:
        engagement.refuse_prone(decision, target, attacking=False)


# --- friends ---------------------------------------------------------------------------------------------


@handles(records.GiveOrder)
def give_order(decision: Decision, command: records.GiveOrder) -> None:
    """Overseer: a Leadership test, if the book asks for one. If it passes, a friend makes two actions at
    once.

    Source: Core Rulebook (2023) · Skills · Overseer.
    """
    _may_act(decision, command.fighter, skill="overseer", action="Order (Double)")
    _friend(decision, command.fighter, command.friend)
    cause = 0
    if decision.rulebook.book.skill_actions.order_needs_leadership:
        needs = tests.needed(decision, command.fighter, "leadership")
        why = f"Leadership test for an order, needs {needs}+"
        die = decision.tray.two_d6("order", why=why, fighter=command.fighter)
        passed, cause = tests.take_on_two_dice(
            decision, die, command.fighter, "leadership", section="skills", outcomes=("obeyed", "not heard")
        )
        if not passed:
            return
    decision.emit(records.OrderGiven(fighter=command.friend, by=command.fighter), cause=cause)


@handles(records.RegroupFriends)
def regroup_friends(decision: Decision, command: records.RegroupFriends) -> None:
    """Regroup: a Leadership test. If it passes, no friend near is Broken any longer.

    Source: Core Rulebook (2023) · Skills · Regroup.
    """
    _may_act(decision, command.fighter, skill="regroup", action="Regroup")
    for place, name in enumerate(command.friends):
        if not _friend(decision, command.fighter, name).broken:
            raise records.NotBroken(fighter=decision.fighter(name).name)
        if name in command.friends[:place]:
            raise records.FighterListedTwice(fighter=decision.fighter(name).name)
    needs = tests.needed(decision, command.fighter, "leadership")
    why = f"Leadership test to regroup, needs {needs}+"
    die = decision.tray.two_d6("regroup", why=why, fighter=command.fighter)
    passed, cause = tests.take_on_two_dice(
        decision, die, command.fighter, "leadership", section="skills", outcomes=("regroups", "not heard")
    )
    if passed:
        for name in command.friends:
            decision.emit(records.FighterRallied(fighter=name), cause=cause)


# --- oneself ---------------------------------------------------------------------------------------------


@handles(records.StandUpByTest)
def stand_up_by_test(decision: Decision, command: records.StandUpByTest) -> None:
    """An Initiative test of a Pinned fighter with Spring Up or in the saddle. If it passes, the fighter
    stands.

    Source: Core Rulebook (2023) · Skills · Spring Up; Conditions · Mounted.
    """
    now, fighter = decision.combatant(command.fighter, what="standing up"), decision.fighter(command.fighter)
    if not fighter.mounted:
        _refuse_without(decision, command.fighter, "spring_up")
    if now.broken:
        raise records.BrokenStaysDown(fighter=fighter.name)
    if now.seriously_injured or not now.pinned:
        condition = "Seriously Injured" if now.seriously_injured else "Standing"
        raise records.NotPinned(fighter=fighter.name, condition=condition)
    needs = initiative_needed(decision, command.fighter)
    why = f"Initiative test to stand up, needs {needs}+"
    die = decision.tray.d6("stand_up", why=why, fighter=command.fighter)
    section = "conditions" if fighter.mounted else "skills"
    stands, rolled = tests.take_initiative(
        decision, die, command.fighter, section=section, outcomes=("stands up", "stays down")
    )
    if stands:
        decision.emit(records.FighterUnpinned(fighter=command.fighter), cause=rolled)


@handles(records.FaceFearsome)
def face_fearsome(decision: Decision, command: records.FaceFearsome) -> None:
    """A Willpower test to charge the fearsome. If it fails, the fighter does not move and the activation
    ends.

    Source: Core Rulebook (2023) · Skills · Fearsome.
    """
    engagement.refuse_prone(decision, command.fighter, attacking=True)
    broken_attack(decision, command.fighter, reaction=False)
    fighter, enemy = decision.fighter(command.fighter), decision.fighter(command.target)
    if fighter.gang == enemy.gang:
        raise records.NoEnemy(fighter=fighter.name, other=enemy.name)
    decision.combatant(command.target, what="a Charge")
    _refuse_without(decision, command.target, "fearsome")
    needs = tests.needed(decision, command.fighter, "willpower")
    why = f"Willpower test to charge {enemy.name}, needs {needs}+"
    die = decision.tray.two_d6("fearsome", why=why, fighter=command.fighter)
    passed, rolled = tests.take_on_two_dice(
        decision,
        die,
        command.fighter,
        "willpower",
        section="skills",
        outcomes=("may charge", "does not dare"),
    )
    if not passed:
        why = "does not move, and the activation ends"
        decision.note_rule(command.fighter, why, section="skills", cause=rolled)


@handles(records.StayInSaddle)
def stay_in_saddle(decision: Decision, command: records.StayInSaddle) -> None:
    """An Initiative test instead of being Pinned. If it fails, the fighter falls, with a hit by the mount's
    speed.

    Source: Core Rulebook (2023) · Conditions · Mounted.
    """
    now, fighter = decision.combatant(command.fighter, what="a hit"), decision.fighter(command.fighter)
    if not fighter.mounted:
        raise records.NotNeeded(fighter=fighter.name, why="is not Mounted")
    if now.seriously_injured:
        raise records.NotNeeded(fighter=fighter.name, why="is Seriously Injured and down already")
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    numbers = decision.rulebook.book.skill_actions
    modifiers = (("Blast or Knockback", numbers.saddle_blast),) if command.blast_or_knockback else ()
    needs = initiative_needed(decision, command.fighter)
    why = f"Initiative test to stay in the saddle, needs {needs}+"
    die = decision.tray.d6("saddle", why=why, fighter=command.fighter)
    stays, rolled = tests.take_initiative(
        decision,
        die,
        command.fighter,
        section="conditions",
        outcomes=("stays in the saddle", "is knocked down"),
        modifiers=modifiers,
    )
    if stays:
        if now.pinned:
            decision.emit(records.FighterUnpinned(fighter=command.fighter), cause=rolled)
        return
    if not now.pinned:
        decision.emit(records.FighterPinned(fighter=command.fighter), cause=rolled)
    band = numbers.knocked_down_by(command.inches)
    hit = resolve_hits.HitToResolve(
        strength=band.strength,
        armour_penetration=band.armour_penetration,
        damage=band.damage,
        save_with=command.save_with,
    )
    how: HowHit = "knocked_down"
    harm = Harm(target=command.fighter, grudge_against=command.grudge_against, keeps=command.keeps)
    resolve_hits.resolve_without_weapon(decision, harm, hit, how=how)


# --- who may -----------------------------------------------------------------------------------------------


def _may_act(decision: Decision, fighter: str, *, skill: str, action: str) -> None:
    """The fighter. Refuses one without the skill, or whose condition forbids the action."""
    now = decision.combatant(fighter, what=action)
    _refuse_without(decision, fighter, skill)
    states = (
        ("Broken", now.broken),
        ("Seriously Injured", now.seriously_injured),
        ("Webbed", now.webbed),
        ("Pinned", now.pinned),
    )
    for condition, holds in states:
        if holds:
            name = decision.fighter(fighter).name
            raise records.MayNotActSo(fighter=name, condition=condition, action=action)


def _refuse_without(decision: Decision, fighter: str, skill: str) -> None:
    card = decision.fighter(fighter)
    if not card.has_skill(skill):
        raise records.SkillNotHeld(fighter=card.name, skill=skill)


def _friend(decision: Decision, fighter: str, friend: str) -> Combatant:
    """The friend's condition in the battle. Refuses enemies and the fighter themselves."""
    card, other = decision.fighter(fighter), decision.fighter(friend)
    now = decision.combatant(friend, what="a friend near")
    if friend == fighter:
        raise records.ActsOnSelf(fighter=card.name)
    if card.gang != other.gang:
        raise records.NotAFriend(fighter=card.name, friend=other.name)
    return now

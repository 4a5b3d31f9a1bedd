"""Engagement: who is engaged with whom when close combat attacks are made, and whether they may be made.

Knows the statements of a Fight and the fighters' condition. Knows no weapons and no dice.
Source: Core Rulebook (2023) · Close Combat.
"""

from __future__ import annotations

from typing import NoReturn

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import LastFight
from tracker.campaign.steps.conditions import lies_helpless
from tracker.campaign.steps.decision import Decision
from tracker.records import Record
from tracker.rules.necromunda import close_combat as rules
from tracker.rules.necromunda import nerve
from tracker.rules.necromunda.close_combat import EnemyNow
from tracker.rules.necromunda.rules_in_force import FURTHER_READINGS, LATER_READINGS


class Engagement(Record):
    """Everybody in a Fight, and whom they are engaged with. `enemies` are the attacker's, targets first."""

    attacker: str
    engaged: dict[str, tuple[str, ...]]
    gang_of: dict[str, str]

    @property
    def enemies(self) -> tuple[str, ...]:
        """The enemies whom the attacker is engaged with."""
        return self.engaged[self.attacker]


def engagement_of(decision: Decision, command: records.Fight) -> Engagement:
    """The engagement as stated. Refuses contradictions, and models that cannot be engaged.

    Accepts Pinned enemies of a fighter who charges: being charged makes them stand (G-15).
    """
    _refuse_contradictions(command)
    for beside in command.in_contact:
        _check_beside(decision, beside)
        if beside.model == command.attacker:
            raise records.TargetsSelf(fighter=decision.fighter(command.attacker).name)
    engaged: dict[str, list[str]] = {}
    engaged[command.attacker] = []
    _refuse_own_vehicles(decision, command)
    pairs = [(command.attacker, target.model) for target in command.targets if target.vehicle is None]
    for name, other in (*pairs, *command.engaged):
        if name == other:
            raise records.TargetsSelf(fighter=decision.fighter(name).name)
        for first, second in ((name, other), (other, name)):
            known = engaged.setdefault(first, [])
            if second not in known:
                known.append(second)
    for name in engaged:
        _refuse_crew(decision, name, attacks=name == command.attacker)
    gang_of = {name: decision.fighter(name).gang for name in engaged}
    for name, others in engaged.items():
        for other in others:
            if gang_of[name] == gang_of[other]:
                raise records.NoEnemy(fighter=decision.fighter(name).name, other=decision.fighter(other).name)
    brawl = Engagement(
        attacker=command.attacker,
        engaged={name: tuple(others) for name, others in engaged.items()},
        gang_of=gang_of,
    )
    charged = brawl.enemies if command.charging else ()
    for name in engaged:
        refuse_prone(decision, name, attacking=name == command.attacker, charged=name in charged)
    after = command.coup_de_grace
    if after is None or after in brawl.enemies:
        return brawl
    if not _beside_the_fight(decision, command, after):
        raise records.NotEngaged(
            fighter=decision.fighter(after).name, attacker=decision.fighter(command.attacker).name
        )
    return brawl


def _beside_the_fight(decision: Decision, command: records.Fight, victim: str) -> bool:
    """Whether a free Coup de Grace may go to somebody outside the fight: an enemy on the battlefield."""
    if not rules.coup_de_grace_when_nobody_is_left(decision.rulebook):
        return False
    attacker, enemy = decision.fighter(command.attacker), decision.fighter(victim)
    if attacker.gang == enemy.gang:
        raise records.NoEnemy(fighter=attacker.name, other=enemy.name)
    decision.combatant(victim, what="a Coup de Grace")
    return True


def _refuse_crew(decision: Decision, fighter: str, *, attacks: bool = False) -> None:
    """Refuses fighters aboard a vehicle: by rank, or as the driver of one that is not wrecked."""
    card, battle = decision.fighter(fighter), decision.battle("close combat")
    drives = (decision.vehicle(name).crew for name, now in battle.vehicles.items() if not now.wrecked)
    if nerve.model(card.category) == "vehicle" or fighter in drives:
        raise records.CrewNotEngaged(crew=card.name, attacks=attacks)


def _check_beside(decision: Decision, beside: records.FightTarget) -> None:
    """Refuses models in contact who are not in the battle or are aboard a vehicle; and vehicles, in battles
    where no hit falls on one yet (ADR 29).
    """
    if beside.vehicle is None:
        decision.combatant(beside.model, what="close combat")
        if decision.plays_by(FURTHER_READINGS):
            _refuse_crew(decision, beside.model)
        return
    if not decision.plays_by(LATER_READINGS):
        why = "in this battle, recorded before hits fell on vehicles, who is in contact is a fighter"
        raise records.ContradictoryStatement(one="in_contact", other="a vehicle", why=why)
    decision.combat_vehicle(beside.model, what="close combat")


def _refuse_own_vehicles(decision: Decision, command: records.Fight) -> None:
    """Refuses vehicles that are unknown, absent, wrecked or of the attacker's gang. None is ever engaged."""
    attacker = decision.fighter(command.attacker)
    for target in command.targets:
        if target.vehicle is not None:
            card = decision.vehicle(target.model)
            decision.combat_vehicle(target.model, what="close combat")
            if card.gang == attacker.gang:
                raise records.NoEnemy(fighter=attacker.name, other=card.name)


def refuse_prone(decision: Decision, fighter: str, *, attacking: bool, charged: bool = False) -> None:
    """Refuses fighters who are gone, Out of Action or Prone. One who is charged while Pinned stands up."""
    combatant = decision.combatant(fighter, what="close combat")
    name = decision.fighter(fighter).name
    if combatant.seriously_injured or (not attacking and lies_helpless(decision, combatant)):
        next_step = "A Coup de Grace is an exchange of its own: coup_de_grace: {attacker: ..., target: ...}."
        if attacking:
            next_step = "Nobody fights in that condition: look at the entries before."
        condition = "Seriously Injured" if combatant.seriously_injured else "Webbed"
        raise records.FighterProne(fighter=name, condition=condition, next_step=next_step)
    if combatant.webbed and attacking:
        next_step = f"Record first the Recovery test that shed the web: recovery: {{fighter: {fighter}}}."
        raise records.FighterProne(fighter=name, condition="Webbed", next_step=next_step)
    if combatant.pinned and not charged:
        tests = decision.fighter(fighter).mounted and decision.plays_by(FURTHER_READINGS)
        stood_up = "stand_up" if tests else "unpin"
        next_step = f"Record first that this fighter stood up: {stood_up}: {{fighter: {fighter}}}."
        if not attacking:
            next_step += " If this fighter was charged, write `charging: true`."
        raise records.FighterProne(fighter=name, condition="Pinned", next_step=next_step)


def condition_now(decision: Decision, fighter: str) -> EnemyNow:
    """The condition of an enemy, fighter or vehicle, as the fight rules distinguish it."""
    battle = decision.battle("close combat")
    if fighter in battle.vehicles:
        return "wrecked" if battle.vehicles[fighter].wrecked else "fighting"
    combatant = battle.combatants[fighter]
    if combatant.out_of_action:
        return "out_of_action"
    return "seriously_injured" if lies_helpless(decision, combatant) else "fighting"


def may_attack(decision: Decision, command: records.Fight) -> bool:
    """Refuses attacks out of turn. Returns whether a reacting fighter was charged while Prone.

    Source: Core Rulebook (2023) · Close Combat · 7. Reaction Attacks.
    """
    attacker = decision.fighter(command.attacker)
    last = decision.battle("close combat").last_fight
    if command.reaction:
        return _reacts(decision, command, last)
    if last is not None and command.activation is not None and last.charging:
        same = (last.fighter, last.activation) == (command.attacker, command.activation)
        if same and last.fights >= _fights_of_a_charge(decision, attacker):
            raise records.ChargeFoughtAlready(fighter=attacker.name, activation=command.activation)
    return False


def refuse_out_of_arc(decision: Decision, command: records.Fight, *, turned: bool) -> None:
    """Refuses targets outside the vision arc of a fighter who has not turned to face.

    Source: Core Rulebook (2023) · Close Combat · 4. Declare Targets.
    """
    for target in command.targets:
        if target.in_arc is False and not (command.turn_to_face or turned):
            name = decision.fighter(command.attacker).name
            raise records.TargetOutOfArc(fighter=name, target=decision.name_of_model(target.model))


def who_may_react(decision: Decision, command: records.Fight, brawl: Engagement) -> tuple[str, ...]:
    """The enemies still Standing and Engaged with the attacker; nobody reacts to a reaction (G-43)."""
    if command.reaction:
        return ()
    all_engaged = decision.rulebook.knob("melee.reactors") == "all_engaged"
    attacked = [target.model for target in command.targets]
    return tuple(
        enemy
        for enemy in brawl.enemies
        if condition_now(decision, enemy) == "fighting" and (all_engaged or enemy in attacked)
    )


def _refuse_contradictions(command: records.Fight) -> None:
    if not command.targets:
        raise records.NobodyAttacked
    names = [target.model for target in (*command.targets, *command.in_contact)]
    for name in names:
        if names.count(name) > 1:
            raise records.TargetNamedTwice(fighter=name)
    for beside in command.in_contact:
        if beside.attack_dice:
            why = "who is only in contact takes no Attack dice"
            raise records.ContradictoryStatement(one="in_contact", other="dice", why=why)
    for target in command.targets:
        if target.follows and target.across != "nothing":
            why = "nobody follows across a barricade"
            raise records.ContradictoryStatement(one="follows", other=f"across: {target.across}", why=why)
    if command.charged_unseen and not command.charging:
        raise records.ContradictoryStatement(
            one="charged_unseen", other="charging: false", why="only a charge can be unseen"
        )
    if command.drives_off:
        vehicles = [target.vehicle for target in command.targets]
        if not command.reaction or len(vehicles) != 1 or vehicles[0] is None:
            why = "one vehicle drives off, and the attacks against it are reactions"
            raise records.ContradictoryStatement(one="drives_off", other="these attacks", why=why)
        if not vehicles[0].mobile:
            why = "only a Mobile vehicle drives off"
            raise records.ContradictoryStatement(one="drives_off", other="mobile: false", why=why)
    if command.reaction and command.charging:
        raise records.ContradictoryStatement(one="reaction", other="charging", why="a reaction is no Charge")
    if command.reaction and (command.consolidate or command.coup_de_grace is not None):
        why = "a reaction ends with its hits"
        raise records.ContradictoryStatement(one="reaction", other="after", why=why)


def _reacts(decision: Decision, command: records.Fight, last: LastFight | None) -> bool:
    targets = [target.model for target in command.targets]
    whom = last.fighter if last is not None and answers(command, last) else targets[0]
    at_attacker_only = decision.rulebook.knob("melee.reaction_targets") == "attacker_only"
    if at_attacker_only and targets != [whom]:
        _refuse_reaction(decision, command, whom, "reactions are made against the attacker alone")
    if last is None or not answers(command, last):
        return False  # What it answers was not recorded as a Fight.
    if command.attacker == last.fighter:
        _refuse_reaction(decision, command, targets[0], "that was a reaction itself")
    if command.attacker in last.reacted:
        _refuse_reaction(decision, command, whom, "this fighter has reacted already")
    if command.attacker not in last.may_react:
        why = "this fighter was not among those still Standing and Engaged afterwards"
        if decision.rulebook.knob("melee.reactors") == "attacked_only":
            why = "only those who were attacked and still stand may react"
        _refuse_reaction(decision, command, whom, why)
    return command.attacker in last.count_as_turned


def answers(command: records.Fight, last: LastFight) -> bool:
    """Whether a reaction belongs to the last recorded Fight: by one of its fighters, or against its
    attacker.
    """
    targets = {target.model for target in command.targets}
    if any(target.vehicle is not None for target in command.targets):
        return False  # A vehicle drove off: that is no Fight.
    if command.attacker == last.fighter:
        return targets <= set(last.reacted)
    return command.attacker in (*last.may_react, *last.reacted) or last.fighter in targets


def _refuse_reaction(decision: Decision, command: records.Fight, attacker: str, why: str) -> NoReturn:
    raise records.NoReaction(
        fighter=decision.fighter(command.attacker).name, attacker=decision.fighter(attacker).name, why=why
    )


def _fights_of_a_charge(decision: Decision, fighter: Fighter) -> int:
    house_rule = decision.rulebook.knob("melee.rain_of_blows") == "two_fights_on_a_charge"
    return 2 if house_rule and fighter.has_skill("rain_of_blows") else 1

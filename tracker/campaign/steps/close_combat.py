"""Close combat: a Fight from the turn to face to what follows it, a Coup de Grace, a fighter who stands up.

The order of asking for dice is the order at the table: every hit roll, weapon by weapon and within it target
by target (a Sidearm's Firepower die after its hit roll), what wards hits off, then each hit to its end. Who
is engaged is `engagement.py`, the sharing of dice `attack_dice.py`, who is hit `fight_hits.py`.
Source: Core Rulebook (2023) · Close Combat.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import (
    after_attack,
    ammo,
    conditions,
    engagement,
    fight_rules,
    injury_dice,
    inspirational,
    mounted_fights,
    resolve_hits,
    special_rules,
)
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps.annotations import FightOver
from tracker.campaign.steps.attack_dice import StrikePlan, share_attack_dice
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.fight_hits import FightHits, Scored
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.nerve import broken_attack
from tracker.campaign.steps.vehicle_damage import resolve_vehicle_hit
from tracker.records import Record, replace
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import close_combat as rules
from tracker.rules.necromunda.rules_in_force import LATER_READINGS, Situation
from tracker.rules.special_rules import AlwaysAssists, Consolidates

GONE = {"out_of_action": "Out of Action", "wrecked": "Wrecked"}


@handles(records.Fight)
def fight(decision: Decision, command: records.Fight) -> None:
    """One fighter's close combat attacks, all their hits, and what the fighter does afterwards.

    Refuses whoever is not engaged or not Standing, weapons and shares of dice that the book does not allow,
    and attacks out of turn. Source: Core Rulebook (2023) · Close Combat · 1 to 8.
    """
    battle = decision.battle("close combat")
    for target in command.targets:
        if target.grudge_against is not None:
            decision.gang(target.grudge_against)
        inspirational.check(decision, target.model, target.inspired_by)
    brawl = engagement.engagement_of(decision, command)
    broken_attack(decision, command.attacker, reaction=command.reaction)
    charged_while_prone = engagement.may_attack(decision, command)
    mounted_fights.check_ride_by(decision, command)
    engagement.refuse_out_of_arc(decision, command, turned=charged_while_prone)
    _refuse_both_afterwards(decision, command)
    if command.drives_off and not _reacts_to_vehicle(decision, command):
        return
    prone = _charged_enemies_stand_up(decision, command, brawl)
    struck_with = share_attack_dice(decision, command)
    modifiers = tuple(
        _modifiers(decision, command, brawl, target, charged_while_prone=charged_while_prone)
        for target in command.targets
    )
    label = command.activation or f"fight {battle.fights + 1}"
    fight_hits = FightHits(decision, command, struck_with, modifiers)
    scored = fight_hits.rolled()
    left = _left_behind(decision, command, brawl, fight_hits, scored)
    _resolve_hits(decision, command, struck_with, fight_hits, scored, left, label)
    _end_the_attack(decision, command, fight_hits, scored, label)
    if scored.unstable:
        ammo.blow_up(decision, command.attacker)
    may_react = tuple(
        enemy for enemy in engagement.who_may_react(decision, command, brawl) if enemy not in left.thrown_off
    )
    _note_what_may_follow(decision, command, brawl, may_react)
    resolved = decision.emit(
        records.FightResolved(
            fighter=command.attacker,
            reaction=command.reaction,
            attacked=tuple(target.model for target in command.targets),
            may_react=may_react,
            count_as_turned=prone,
            charging=command.charging,
            activation=command.activation,
            missed=left.missed,
            hampered=dict(left.hampered),
            ride_by=command.ride_by,
        )
    )
    _afterwards(decision, command, brawl, label, cause=resolved)


@handles(records.CoupDeGrace)
def coup_de_grace(decision: Decision, command: records.CoupDeGrace) -> None:
    """An enemy who is Prone and Seriously Injured goes Out of Action, with one Lasting Injury roll.

    Source: Core Rulebook (2023) · Close Combat · 8. Consolidate Or Coup De Grace.
    """
    decision.battle("a Coup de Grace")
    attacker, target = decision.fighter(command.attacker), decision.fighter(command.target)
    if command.attacker == command.target:
        raise records.TargetsSelf(fighter=attacker.name)
    if attacker.gang == target.gang:
        raise records.NoEnemy(fighter=attacker.name, other=target.name)
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    engagement.refuse_prone(decision, command.attacker, attacking=True)
    broken_attack(decision, command.attacker, reaction=False)
    if not conditions.lies_helpless(decision, decision.combatant(command.target, what="a Coup de Grace")):
        raise records.NoCoupDeGrace(fighter=attacker.name, target=target.name)
    harm = Harm(
        target=command.target,
        attacker=command.attacker,
        attack=True,
        in_close_combat=True,
        activation=command.activation,
        grudge_against=command.grudge_against,
    )
    injury_dice.go_out_of_action(decision, harm, reason="coup_de_grace", out_of_action_dice=0, cause=0)


@handles(records.Unpin)
def unpin(decision: Decision, command: records.Unpin) -> None:
    """A Pinned fighter stands up. Refuses fighters who are standing, Seriously Injured, or Mounted (they
    test).
    """
    combatant = decision.combatant(command.fighter, what="standing up")
    if combatant.seriously_injured or not combatant.pinned:
        condition = "Seriously Injured" if combatant.seriously_injured else "Standing"
        raise records.NotPinned(fighter=decision.fighter(command.fighter).name, condition=condition)
    if mounted_fights.stands_by_test(decision, command.fighter):
        raise records.StandsByTest(fighter=decision.fighter(command.fighter).name)
    decision.emit(records.FighterUnpinned(fighter=command.fighter))


# --- before the dice -------------------------------------------------------------------------------------


def _refuse_both_afterwards(decision: Decision, command: records.Fight) -> None:
    if command.coup_de_grace is None or not command.consolidate:
        return
    house_rule = decision.rulebook.knob("melee.impetuous") == "both"
    if not house_rule or not decision.fighter(command.attacker).has_skill("impetuous"):
        why = "a fighter does one or the other after a fight"
        raise records.ContradictoryStatement(one="coup_de_grace", other="consolidate", why=why)


def _reacts_to_vehicle(decision: Decision, command: records.Fight) -> bool:
    """The Initiative test of a fighter when a vehicle drives out of reach; if it fails, nobody attacks.

    Source: Core Rulebook (2023) · Close Combat · Attacking Vehicles.
    """
    needs = conditions.initiative_needed(decision, command.attacker)
    name = decision.name_of_model(command.targets[0].model)
    why = f"Initiative test, {name} drives off, {needs}+"
    die = decision.tray.d6("drive_off", why=why, fighter=command.attacker)
    reacts, _ = tests.take_initiative(
        decision,
        die,
        command.attacker,
        section="reaction_attacks",
        outcomes=("may react", "does not react"),
    )
    return reacts


def _charged_enemies_stand_up(
    decision: Decision, command: records.Fight, brawl: engagement.Engagement
) -> tuple[str, ...]:
    """Enemies charged while Prone and Pinned become Standing and Engaged, and have turned to face (G-15)."""
    prone = tuple(
        enemy
        for enemy in (brawl.enemies if command.charging else ())
        if decision.combatant(enemy, what="close combat").pinned
    )
    for enemy in prone:
        decision.emit(records.FighterUnpinned(fighter=enemy, charged_by=command.attacker))
    return prone


def _modifiers(
    decision: Decision,
    command: records.Fight,
    brawl: engagement.Engagement,
    target: records.FightTarget,
    *,
    charged_while_prone: bool,
) -> Modifiers:
    """The modifiers of the Hit rolls against one target. Notes assists and interference that do not count."""
    pair = (command.attacker, target.model)
    by_any = rules.held_by_any_enemy(decision.rulebook)
    assists = rules.assisting(*pair, engaged=brawl.engaged, gang_of=brawl.gang_of, by_any_enemy=by_any)
    interference = rules.interfering(*pair, engaged=brawl.engaged, gang_of=brawl.gang_of, by_any_enemy=by_any)
    everybody = decision.rulebook.knob("melee.interference") == "every_enemy"
    assists = tuple(_helping(decision, assist) for assist in assists)
    for bystander, interferes in (
        *((assist, False) for assist in assists),
        *((bystander, True) for bystander in interference),
    ):
        if not bystander.counts and not (interferes and everybody):
            decision.emit(
                records.HelpNotCounted(
                    fighter=bystander.fighter,
                    against=command.attacker if interferes else target.model,
                    interference=interferes,
                    held_by=bystander.held_by,
                    section=decision.rulebook.section("interference" if interferes else "assists"),
                )
            )
    broken = broken_attack(decision, command.attacker, reaction=command.reaction)
    printed = rules.hit_modifiers(
        turned_to_face=command.turn_to_face,
        charged_while_prone=charged_while_prone,
        charged_unseen=command.charged_unseen,
        broken=sum(by for _, by in broken),
        against_vehicle=target.vehicle is not None,
        across_barricade=rules.across_barricade(decision.rulebook) if target.across == "barricade" else 0,
        assists=sum(assist.counts for assist in assists),
        interference=sum(bystander.counts or everybody for bystander in interference),
    )
    return (*printed, *fight_rules.hampered(decision, command))


def _helping(decision: Decision, friend: rules.Bystander) -> rules.Bystander:
    """A friend who assists; some skills let no enemy keep the friend from it."""
    always = fight_rules.effect_of_fighter(decision, friend.fighter, "assist", AlwaysAssists)
    return friend if always is None else replace(friend, held_by=())


# --- hits ------------------------------------------------------------------------------------------------


class _LeftBehind(Record):
    """What the hits mean for the Reaction attacks: fighters moved away, fighters hampered, and the number of
    misses where a rule needs it.
    """

    thrown_off: tuple[str, ...]
    hampered: tuple[tuple[str, int], ...]
    missed: int


def _left_behind(
    decision: Decision,
    command: records.Fight,
    brawl: engagement.Engagement,
    fight_hits: FightHits,
    scored: Scored,
) -> _LeftBehind:
    """Known before any hit is resolved, because it depends on the Hit rolls alone."""
    thrown_off: list[str] = []
    hampered: dict[str, int] = {}
    for hit in scored.hits if special_rules.act_in_fights(decision) and not command.reaction else ():
        target, attack = fight_hits.everybody[hit.target], fight_hits.attack_of(hit)
        if attack is None or target.vehicle is not None:
            continue
        if fight_rules.is_thrown_off(attack) and not target.follows and target.model not in thrown_off:
            thrown_off.append(target.model)
        by = fight_rules.left_hampered(attack)
        if by:
            hampered[target.model] = min(by, hampered.get(target.model, 0))
    asked = not command.reaction and fight_rules.asks_for_misses(decision, brawl.enemies)
    return _LeftBehind(
        thrown_off=tuple(thrown_off), hampered=tuple(hampered.items()), missed=scored.missed if asked else 0
    )


def _resolve_hits(
    decision: Decision,
    command: records.Fight,
    struck_with: tuple[StrikePlan, ...],
    fight_hits: FightHits,
    scored: Scored,
    left: _LeftBehind,
    label: str,
) -> None:
    """Resolve one hit after the other. A model that is removed takes no more of them."""
    hits = scored.hits
    for nth, hit in enumerate(hits):
        waiting = tuple((hit.target, hit.strikes, hit.face, hit.named) for hit in hits[nth:])
        struck = tuple(dict.fromkeys((hit.target, hit.strikes) for hit in hits))
        decision.merge_point("hits", waiting, scored.unstable, left, struck)
        target, strikes = fight_hits.everybody[hit.target], struck_with[hit.strikes]
        now = engagement.condition_now(decision, target.model)
        if now in ("out_of_action", "wrecked"):
            why = f"{GONE[now]} before this hit ({strikes.weapon}) was resolved"
            decision.note_rule(target.model, why, section="melee_resolve_hits", cause=hit.cause)
            continue
        if target.vehicle is not None:
            first = all(earlier.target != hit.target for earlier in hits[:nth])
            fought = fight_hits.situation_of(hit) if decision.plays_by(LATER_READINGS) else None
            if fought is None:
                strikes = _struck_harder(decision, fight_hits.attack_of(hit), strikes)
            by = (hit.target, hit.strikes)
            last = all((later.target, later.strikes) != by for later in hits[nth + 1 :])
            _hit_vehicle(
                decision,
                command,
                target,
                target.vehicle,
                strikes,
                hit.face,
                label,
                first=first,
                last=last,
                fought=fought,
            )
            continue
        resolve_hits.resolve(
            decision,
            _harm(command, target, label),
            resolve_hits.HitToResolve(
                strength=strikes.strength,
                armour_penetration=strikes.profile.armour_penetration,
                damage=strikes.profile.damage,
                traits=strikes.traits,
                hit_roll=hit.face,
                save_with=target.save_with,
                attack=fight_hits.attack_of(hit),
            ),
            weapon=strikes.weapon,
            how="close_combat",
        )


def _end_the_attack(
    decision: Decision, command: records.Fight, fight_hits: FightHits, scored: Scored, label: str
) -> None:
    """Apply the effects of traits and skills after every hit is resolved: once for each weapon."""
    if not special_rules.act_in_fights(decision):
        return
    for hit in {(hit.target, hit.strikes): hit for hit in scored.hits}.values():
        target, attack = fight_hits.everybody[hit.target], fight_hits.attack_of(hit)
        if attack is not None and target.vehicle is None:
            harm = _harm(command, target, label)
            after_attack.after_the_attack(decision, attack, harm)


def _struck_harder(
    decision: Decision, attack: special_rules.Attack | None, strikes: StrikePlan
) -> StrikePlan:
    """The weapon against a vehicle, with what the attacker's own traits and skills add to the hit: in battles
    recorded before the rows held that themselves (ADR 29).
    """
    if attack is None or not special_rules.act_in_fights(decision):
        return strikes
    strength, damage = fight_rules.added_to_hit(attack)
    profile = strikes.profile
    if damage and profile.damage is not None:
        profile = replace(profile, damage=profile.damage + damage)
    return replace(strikes, strength=strikes.strength + strength, profile=profile)


def _hit_vehicle(
    decision: Decision,
    command: records.Fight,
    target: records.FightTarget,
    struck: records.VehicleAttacked,
    strikes: StrikePlan,
    hit_roll: int | None,
    label: str,
    *,
    first: bool,
    last: bool,
    fought: Situation | None,
) -> None:
    """A hit on a vehicle, with the additional Location die; whether it is Mobile is stated for the first.

    With the `last` hit of a weapon its attack is over.
    """
    now = decision.battle("close combat").vehicles[target.model].mobile
    # A Broken fighter's reaction was let in already; earlier battles took it for no attack.
    broken = fought is None and decision.combatant(command.attacker, what="close combat").broken
    resolve_vehicle_hit(
        decision,
        records.ResolveVehicleHit(
            vehicle=target.model,
            facing=struck.facing,
            mobile=struck.mobile if first else now,
            attacker=command.attacker,
            weapon=strikes.weapon,
            profile=replace(strikes.profile, strength=strikes.strength),
            in_close_combat=True,
            hit_roll=hit_roll,
            keep_location=struck.keep_location,
            keep_damage=struck.keep_damage,
            kept_by=struck.kept_by,
            cannot_be_hit=struck.cannot_be_hit,
            attack=not broken,
            activation=label,
            without=command.without,
        ),
        first=first,
        last=last,
        fought=fought,
    )


def _harm(command: records.Fight, target: records.FightTarget, label: str) -> Harm:
    return Harm(
        target=target.model,
        attacker=command.attacker,
        attack=True,
        in_close_combat=True,
        activation=label,
        grudge_against=target.grudge_against,
        without=command.without,
        keeps=target.keeps,
    )


# --- afterwards ------------------------------------------------------------------------------------------


def _afterwards(
    decision: Decision, command: records.Fight, brawl: engagement.Engagement, label: str, *, cause: int
) -> None:
    """The free Coup de Grace or consolidation that was asked for, if allowed; else a note why not.

    It is no refusal: the dice decide whether it is possible, and a ruling may change them.
    """
    if engagement.condition_now(decision, command.attacker) == "out_of_action":
        return
    victim = command.coup_de_grace
    if victim is not None:
        now = _enemies_now(decision, command, brawl)
        nobody_left = rules.coup_de_grace_when_nobody_is_left(decision.rulebook)
        allowed = rules.may_coup_de_grace(now, nobody_left=nobody_left)
        if allowed and engagement.condition_now(decision, victim) == "seriously_injured":
            stated = [target for target in command.targets if target.model == victim]
            harm = _harm(command, stated[0] if stated else records.FightTarget(model=victim), label)
            injury_dice.go_out_of_action(
                decision, harm, reason="coup_de_grace", out_of_action_dice=0, cause=cause
            )
        else:
            why = "no free Coup de Grace: not every enemy engaged is Prone and Seriously Injured"
            if nobody_left:
                why = "no free Coup de Grace: an enemy engaged still fights"
                if allowed:
                    why = "no free Coup de Grace: whoever it was meant for is not Seriously Injured"
            decision.note_rule(command.attacker, why, section="coup_de_grace", cause=cause)
    if command.consolidate:
        now = _enemies_now(decision, command, brawl)
        if rules.may_consolidate(now):
            further = fight_rules.effect_of_fighter(
                decision, command.attacker, "consolidation", Consolidates, command.without
            )
            inches = further.inches if isinstance(further, Consolidates) else rules.CONSOLIDATION_INCHES
            decision.emit(
                records.FighterConsolidated(fighter=command.attacker, up_to_inches=inches), cause=cause
            )
        else:
            why = "no consolidation: an enemy engaged is still fighting"
            decision.note_rule(command.attacker, why, section="coup_de_grace", cause=cause)


def _note_what_may_follow(
    decision: Decision, command: records.Fight, brawl: engagement.Engagement, may_react: tuple[str, ...]
) -> None:
    if decision.annotations is None:
        return
    done = command.reaction or command.consolidate or command.coup_de_grace is not None
    out = engagement.condition_now(decision, command.attacker) == "out_of_action"
    now = [] if done or out else _enemies_now(decision, command, brawl)
    nobody_left = rules.coup_de_grace_when_nobody_is_left(decision.rulebook)
    victims = tuple(
        enemy
        for enemy in brawl.enemies
        if engagement.condition_now(decision, enemy) == "seriously_injured"
        and now
        and rules.may_coup_de_grace(now, nobody_left=nobody_left)
    )
    decision.annotations.fight_over = FightOver(
        coup_de_grace=victims, consolidate=bool(now) and rules.may_consolidate(now), reactions=may_react
    )


def _enemies_now(
    decision: Decision, command: records.Fight, brawl: engagement.Engagement
) -> list[rules.EnemyNow]:
    """The condition of everybody who was engaged, and of attacked vehicles that were wrecked."""
    attacked = [target.model for target in command.targets if target.vehicle is not None]
    wrecks = [
        now for now in (engagement.condition_now(decision, name) for name in attacked) if now == "wrecked"
    ]
    return [*(engagement.condition_now(decision, enemy) for enemy in brawl.enemies), *wrecks]

"""Validation of new commands: refuses statements that older entries may still hold.

It runs when people record, judge or ask for odds. It is not part of `decide`, because recorded entries must
be decided again as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import BattleUnderWay, CampaignState, Gang
from tracker.campaign.steps import Library, rulebook_for
from tracker.campaign.steps.recovery_and_convalescence import why_not_available
from tracker.rules.necromunda import nerve
from tracker.rules.necromunda import shooting as rules
from tracker.rules.rulebook import Rulebook


def validate_new_command(state: CampaignState, command: records.Command, library: Library) -> None:
    """Refuses a statement that contradicts itself or the rules in force, before any die is asked for."""
    match command:
        case records.PlayInTurn():
            for each in command.commands:
                validate_new_command(state, each, library)
        case records.OpenBattle():
            _refuse_gang_of_nobody(state, command, library)
        case records.ResolveHit() | records.ResolveVehicleHit():
            _refuse_cover_for_nothing(state, command)
            _refuse_hit_roll_of_nothing(command)
        case records.Reload():
            _refuse_reload_of_the_helpless(state, command)
        case records.Unpin():
            _refuse_standing_up_broken(state, command)
            _refuse_standing_up_webbed(state, command)
        case records.StandUpByTest():
            _refuse_standing_up_webbed(state, command)
        case records.Shoot():
            _refuse_two_guns_as_a_double_action(command)
            _refuse_engaged_on_one_side(command)
            _refuse_big_guns_of_crew(state, command, library)
        case records.CheckMorale():
            _refuse_losing_of_the_last(state, command.gang, lost="routed")
        case records.CheckBottle() if command.voluntary:
            _refuse_losing_of_the_last(state, command.gang, lost="forfeit")
        case records.RetireFighter():
            _refuse_retiring_captive(state, command)
        case records.PromoteFighter():
            _refuse_promotion_out_of_phase(state, command, library)
        case _:
            pass


def engaged_shooters(commands: Iterable[records.Command], state: CampaignState) -> Iterator[str]:
    """Warn of shooters who are stated to be engaged: the chapter has no rule for them."""
    for command in commands:
        if isinstance(command, records.Shoot) and command.attacker in _engaged_with_somebody(command):
            fighter = state.fighter(command.attacker)
            name = fighter.name if fighter is not None else command.attacker
            yield (
                f"{name} shoots while Engaged, as stated: Shoot actions are for Active fighters, and a"
                " Sidearm is used at close quarters with 'fight'."
            )


def contradicted_claims(state: CampaignState, command: records.Command) -> Iterator[str]:
    """Warnings about claims that the record contradicts. Not refused: the table may know more."""
    match command:
        case records.Shoot():
            yield from _claims_of_harder_targets(state, command)
        case records.ClaimScrap() | records.RollCapture():
            yield from _claims_of_being_alone(state, command)
        case _:
            pass


def _claims_of_harder_targets(state: CampaignState, command: records.Shoot) -> Iterator[str]:
    """Warnings about a nearer enemy skipped as harder to hit, whom no cover or posture can make so.

    Source: Core Rulebook (2023) · Shooting · 1. Assess Target Priority; 4. Make The Hit Roll.
    """
    profile, battle = _profile(state, command), state.under_way
    if profile is None or battle is None or command.target is None:
        return
    penalty = -_penalty(
        profile,
        "long" if command.range_band == "beyond" else command.range_band or "long",
        cover="full" if command.hull_down else command.cover,
        engaged=command.engaged,
        prone=command.prone if command.prone is not None else _is_prone(battle, command.target),
    )
    bands: tuple[rules.RangeBand, ...] = ("short",) if command.range_band == "short" else ("short", "long")
    for enemy in command.nearer:
        if enemy.because != "harder_to_hit":
            continue
        prone, vehicle = _is_prone(battle, enemy.model), enemy.model in state.vehicle_of
        # A fighter who is Prone and in cover hides, and is no eligible target at all.
        cover: rules.Cover = "none" if prone else "full"
        engaged = not prone and not vehicle
        most = max(-_penalty(profile, band, cover=cover, engaged=engaged, prone=prone) for band in bands)
        if most <= penalty:
            name, target = _name_of(state, enemy.model), _name_of(state, command.target)
            posture = "Prone" if prone else "in full cover" if vehicle else "Engaged and in full cover"
            yield (
                f"{name} is skipped as harder to hit than {target}, which contradicts what is recorded:"
                f" {target} is hit at -{penalty}, and {name}, {posture}, at -{most} at worst."
            )


def _penalty(
    profile: WeaponProfile, band: rules.RangeBand, *, cover: rules.Cover, engaged: bool, prone: bool
) -> int:
    accuracy = profile.accuracy_short if band == "short" else profile.accuracy_long
    modifiers = rules.hit_modifiers(
        cover=cover,
        band=band,
        accuracy=accuracy,
        engaged=engaged,
        prone=prone,
        point=False,
        traits=profile.traits,
    )
    return sum(min(by, 0) for _, by in modifiers)


def _is_prone(battle: BattleUnderWay, model: str) -> bool:
    now = battle.combatants.get(model)
    return now is not None and (now.pinned or now.seriously_injured or now.webbed)


def _name_of(state: CampaignState, model: str) -> str:
    known = state.vehicle(model) or state.fighter(model)
    return known.name if known is not None else model


def _claims_of_being_alone(
    state: CampaignState, command: records.ClaimScrap | records.RollCapture
) -> Iterator[str]:
    """Warnings about a gang that claims to have remained alone, while the record leaves enemies on the field.

    Source: Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up.
    """
    after = state.after_battle.get(command.gang)
    if after is None:
        return
    there = [
        f"{', '.join(_name_of(state, fighter) for fighter in fighters)} of {state.gangs[gang].name}"
        for gang, fighters in after.remained.items()
        if gang != command.gang and fighters and gang in state.gangs
    ]
    if there:
        yield (
            f"{state.gangs[command.gang].name} claims to have remained alone on the battlefield, but by the"
            f" record {' and '.join(there)} remained too: no entry says that they fled."
        )


def _refuse_gang_of_nobody(state: CampaignState, command: records.OpenBattle, library: Library) -> None:
    """Refuses a battle with a gang that brings everybody available, and has nobody."""
    for name, named in command.crews.items():
        gang = state.gangs.get(name)
        if named or gang is None or state.under_way is not None:
            continue  # The decision itself refuses an unknown gang, and a battle within another.
        refusal = nobody_comes(gang, rulebook_for(state, command, library))
        if refusal is not None:
            raise refusal


def nobody_comes(gang: Gang, rulebook: Rulebook) -> records.NobodyComes | None:
    """The refusal of a battle for a gang with nobody who can take part; None if it has somebody."""
    kept_away = [(fighter.name, why_not_available(fighter, rulebook)) for fighter in gang.enlisted.values()]
    if any(why is None for _, why in kept_away):
        return None
    reasons = tuple(f"{fighter}: {why[0]}" for fighter, why in kept_away if why is not None)
    return records.NobodyComes(gang=gang.name, why=reasons)


def _refuse_losing_of_the_last(
    state: CampaignState, gang: str, *, lost: Literal["routed", "forfeit"]
) -> None:
    """Refuses to let the last gang lose: if all others have lost already, it has won."""
    battle = state.under_way
    others = {other for other in battle.crews if other != gang} if battle is not None else set()
    if others and others <= {*getattr(battle, lost)}:
        raise records.OthersHaveLost(gang=state.gangs[gang].name)


def _refuse_cover_for_nothing(
    state: CampaignState, command: records.ResolveHit | records.ResolveVehicleHit
) -> None:
    """Refuses cover on a hit without Blast and Template: it helps the save against those alone.

    Source: Core Rulebook (2023) · Shooting · Blast Markers, Flame Templates & Cover.
    """
    if command.save_cover == "none":
        return
    profile = _profile(state, command)
    if profile is None:
        return  # The decision itself refuses a weapon that nobody carries.
    if not any(rules.has_trait(profile.traits, area) for area in (rules.BLAST, rules.TEMPLATE)):
        raise records.SituationContradicts(
            said=f"'save_cover: {command.save_cover}'",
            against=f"{command.weapon or 'this weapon'}, neither Blast nor Template",
        )


def _refuse_hit_roll_of_nothing(command: records.ResolveHit | records.ResolveVehicleHit) -> None:
    """Refuses `hit_needs` on a hit that cannot be rolled again: one that is no attack in close combat.

    Source: Core Rulebook (2023) · Weapon Traits · Parry; Skills · Step Aside.
    """
    if not isinstance(command, records.ResolveHit) or command.hit_needs is None:
        return
    said = f"'hit_needs: {command.hit_needs}'"
    if not command.in_close_combat or not command.attack:
        what = "a hit that is no close combat attack: nothing parries it or steps aside from it"
        raise records.SituationContradicts(said=said, against=what)
    if command.hit_roll is not None and command.hit_roll < command.hit_needs:
        what = f"'hit_roll: {command.hit_roll}', which does not hit then"
        raise records.SituationContradicts(said=said, against=what)


def _refuse_reload_of_the_helpless(state: CampaignState, command: records.Reload) -> None:
    """Refuses a Reload by a fighter who is Broken, Seriously Injured or Webbed.

    A Broken fighter makes no action but Running for Cover. Source: Core Rulebook (2023) · Resolve Hits ·
    Nerve Tests.
    """
    fighter = state.fighter(command.fighter)
    now = state.under_way.combatants.get(command.fighter) if state.under_way is not None else None
    if fighter is None or now is None:
        return
    helpless = (("Broken", now.broken), ("Seriously Injured", now.seriously_injured), ("Webbed", now.webbed))
    for condition, applies in helpless:
        if applies:
            raise records.NoReloadNow(fighter=fighter.name, condition=condition)


def _refuse_standing_up_broken(state: CampaignState, command: records.Unpin) -> None:
    """Refuses to let a Broken fighter stand up: the only action allowed is Running for Cover.

    Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests.
    """
    fighter = state.fighter(command.fighter)
    now = state.under_way.combatants.get(command.fighter) if state.under_way is not None else None
    if fighter is not None and now is not None and now.broken and now.pinned and not now.seriously_injured:
        raise records.BrokenStaysDown(fighter=fighter.name)


def _refuse_standing_up_webbed(state: CampaignState, command: records.Unpin | records.StandUpByTest) -> None:
    """Refuses to let a Webbed fighter stand up: only a Recovery test frees them.

    Source: Core Rulebook (2023) · Conditions · Webbed.
    """
    fighter = state.fighter(command.fighter)
    now = state.under_way.combatants.get(command.fighter) if state.under_way is not None else None
    if fighter is not None and now is not None and now.webbed:
        raise records.NotPinned(fighter=fighter.name, condition="Webbed")


def _refuse_retiring_captive(state: CampaignState, command: records.RetireFighter) -> None:
    """Refuses to retire a fighter whom another gang holds: their own gang cannot let them or their gear go.

    Source: Core Rulebook (2023) · Captured.
    """
    fighter = state.fighter(command.fighter)
    if fighter is not None and fighter.held_by is not None:
        raise records.CaptiveCannotRetire(fighter=fighter.name, holder=state.gangs[fighter.held_by].name)


def _refuse_promotion_out_of_phase(
    state: CampaignState, command: records.PromoteFighter, library: Library
) -> None:
    """Refuses a promotion outside Downtime. In a campaign without cycles there is no phase to check.

    Source: Core Rulebook (2023) · Dominion Campaign · Campaign Phases.
    """
    if state.cycle is None or command.beyond_rules:
        return
    rulebook = rulebook_for(state, command, library)
    promoting = [phase for phase in rulebook.book.post_battle.phases if phase.promotes]
    if state.cycle.phase not in [phase.phase for phase in promoting]:
        raise records.NoPromotionsNow(
            phase=state.cycle.name,
            phases=tuple(phase.name for phase in promoting),
            section=rulebook.section("campaign"),
        )


def _refuse_two_guns_as_a_double_action(command: records.Shoot) -> None:
    """Refuses Twin Guns Blazing as a Double action: both guns are fired in one Basic action.

    Source: Core Rulebook (2023) · Shooting · Twin Guns Blazing.
    """
    if command.also is not None and command.action == "double":
        raise records.SituationContradicts(
            said="'action: double'", against="two Sidearms, fired in one Basic action"
        )


def _refuse_engaged_on_one_side(command: records.Shoot) -> None:
    """Refuse a model stated to be engaged with another and to be free: Engaged fighters are never Pinned.

    Source: Core Rulebook (2023) · Shooting · Hit Fighters Become Pinned.
    """
    engaged = _engaged_with_somebody(command)
    for model in chain(command.hits_on, *command.bystanders()):
        if model.fighter in engaged and not model.engaged:
            raise records.SituationContradicts(
                said=f"{model.fighter} without 'engaged: true'",
                against=f"{model.fighter} engaged with {engaged[model.fighter]}",
            )
    if command.target in engaged and not command.engaged:
        raise records.SituationContradicts(
            said="a target without 'engaged: true'",
            against=f"{command.target} engaged with {engaged[command.target or '']}",
        )


def _refuse_big_guns_of_crew(state: CampaignState, command: records.Shoot, library: Library) -> None:
    """Refuses weapons of their own to a vehicle's crew, except Sidearms; a house rule allows any pistol.

    Source: knob crew.own_weapons.
    """
    fighter = state.fighter(command.attacker)
    if fighter is None or command.from_vehicle is not None:
        return
    in_play = state.under_way.vehicles.items() if state.under_way is not None else ()
    vehicles = [state.vehicle(name) for name, condition in in_play if not condition.wrecked]
    drives = any(vehicle is not None and vehicle.crew == command.attacker for vehicle in vehicles)
    if nerve.model(fighter.category) != "vehicle" and not drives:
        return
    profile = _profile(state, command)
    if profile is None or rules.has_trait(profile.traits, rules.SIDEARM):
        return
    rulebook = rulebook_for(state, command, library)
    if "crew.own_weapons" in rulebook.book.knobs and rulebook.knob("crew.own_weapons") == "sidearms":
        raise records.CrewFiresSidearms(crew=fighter.name, weapon=command.weapon)


def _engaged_with_somebody(command: records.Shoot) -> dict[str, str]:
    """Each fighter named as engaged with a model of the shot, and that model."""
    return {
        other: model.fighter
        for model in chain(command.hits_on, *command.bystanders())
        for other in model.engaged_with
    }


def _profile(
    state: CampaignState, command: records.ResolveHit | records.ResolveVehicleHit | records.Shoot
) -> WeaponProfile | None:
    """The weapon profile used, or None if the command leaves it open."""
    if command.profile is not None:
        return command.profile
    fighter = state.fighter(command.attacker or "")
    named = (command.weapon or "").lower()
    for weapon in fighter.weapons if fighter is not None else ():
        if weapon.weapon.lower() == named:
            of_that_name = [
                profile for profile in weapon.profiles if command.profile_name in (None, profile.name)
            ]
            return of_that_name[0] if len(of_that_name) == 1 else None
    return None

"""After the Wrap-up's injuries: who of the Captured escapes, who takes a captive, who picks up the scrap.

Source: Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up; Archived rules · Captives.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.steps import ledger
from tracker.campaign.steps.captives import capture
from tracker.campaign.steps.decision import Decision, with_reason
from tracker.campaign.steps.drawing import draw_fighter
from tracker.campaign.steps.handlers import handles
from tracker.campaign.steps.sequence import after_battle, once, printed, reach
from tracker.rules.necromunda import post_battle as rules


@handles(records.RollEscape)
def roll_escape(decision: Decision, command: records.RollEscape) -> None:
    """A Captured fighter gets away into Convalescence, or becomes a captive. The dead roll no more (G-23)."""
    fighter = decision.enlisted(command.fighter)
    if not fighter.capture_pending:
        raise records.NotCaptured(fighter=fighter.name)
    escape = printed(decision, decision.rulebook.book.post_battle.escape, "escape roll")
    if fighter.critical and decision.rulebook.knob("captured.with_critical") == "critical_first":
        raise records.CriticalFirst(fighter=fighter.name)
    after = after_battle(decision, fighter.gang, what="an escape roll")
    # Who was at the Doc first rolls late by the rules; else lateness is the Arbitrator's to answer for.
    reached = 0
    if command.fighter not in after.escorted and command.late is None:
        reached = reach(decision, fighter.gang, "escape", required=True)
    holder = _holder(decision, command, after)
    fought = command.fighter in after.crews.get(fighter.gang, ())
    if command.result is None and not fought:
        raise records.ResultMissing(fighter=fighter.name)
    webbed = command.webbed if command.webbed is not None else command.fighter in after.webbed
    result = command.result if command.result is not None else after.result_of(fighter.gang)
    modifiers = rules.escape_modifiers(escape, result=result, webbed=webbed)
    die = decision.tray.d6("escape", why="Captured: escape roll", fighter=command.fighter)
    away = rules.escapes(escape, die.face, sum(by for _, by in modifiers))
    rolled = decision.roll(
        die,
        outcome="escapes" if away else f"a captive of {decision.gang(holder).name}",
        section="captives",
        rolled_by=fighter.gang,
        modifiers=with_reason(modifiers),
        target=escape.target,
        passed=away,
        cause=reached,
    )
    if not away:
        capture(decision, command.fighter, holder, cause=rolled)
        return
    escaped = decision.emit(records.FighterEscaped(fighter=command.fighter), cause=rolled)
    if not fighter.convalescing:
        decision.emit(records.WentIntoConvalescence(fighter=command.fighter), cause=escaped)


@handles(records.RollCapture)
def roll_capture(decision: Decision, command: records.RollCapture) -> None:
    """Who alone holds the field rolls for a captive: an enemy Out of Action at random, no Critical one."""
    levels = printed(decision, decision.rulebook.book.post_battle.capture, "capture roll")
    after = after_battle(decision, command.gang, what="a capture roll")
    reached = reach(decision, command.gang, "capture", required=True)
    _refuse_if_not_alone(decision, after, command.gang)
    reached = once(decision, command.gang, "capture", said="a capture roll", cause=reached)
    down = [name for name in after.out_of_action if decision.fighter(name).gang != command.gang]
    webbed = sum(name in after.webbed for name in down)
    counted = (
        ("enemies Out of Action", len(down), levels.out_of_action),
        ("Bounty Hunters hired", command.bounty_hunters, levels.bounty_hunter),
        ("enemies Out of Action while Webbed", webbed, levels.webbed),
        ("enemies restrained", command.restrained, levels.restrained),
        ("Water Guild fighters up with their Master", command.water_guild, levels.water_guild),
    )
    modifiers = tuple(records.Modifier(why=why, by=count * each) for why, count, each in counted if count)
    die = decision.tray.two_d6("capture", why="capture roll")
    total = die.total + sum(modifier.by for modifier in modifiers)
    taken, level = rules.takes_captive(
        levels, total, law_and_misrule=command.law_and_misrule, rulebook=decision.rulebook
    )
    rolled = decision.roll(
        die,
        outcome="takes a captive" if taken else "takes nobody",
        section="captives",
        rolled_by=command.gang,
        modifiers=modifiers,
        target=level,
        passed=taken,
        cause=reached,
    )
    possible = tuple(
        name
        for name in down
        if not decision.fighter(name).critical
        and decision.fighter(name).standing == "enlisted"
        and decision.fighter(name).held_by is None
    )
    if not taken or not down:
        return
    if not possible:
        nobody = "nobody who could be captured: every enemy Out of Action is Critically Injured, dead or held"
        section = decision.rulebook.section("captives")
        decision.emit(records.RuleNoted(fighter=down[0], why=nobody, section=section), cause=rolled)
        return
    captive, drawn = draw_fighter(
        decision, possible, stated=command.captive, what="capture", section="captives", cause=rolled
    )
    capture(decision, captive, command.gang, cause=drawn)


@handles(records.ClaimScrap)
def claim_scrap(decision: Decision, command: records.ClaimScrap) -> None:
    """D3 x 10 credits for each enemy wreck, for the gang that alone remained on the battlefield."""
    after = after_battle(decision, command.gang, what="scrap")
    reached = reach(decision, command.gang, "scrap", required=True)
    _refuse_if_not_alone(decision, after, command.gang)
    recorded = tuple(name for gang, names in after.wrecked.items() if gang != command.gang for name in names)
    wrecks = recorded if command.wrecks is None else command.wrecks
    if not wrecks:
        raise records.NoWreck(gang=decision.gang(command.gang).name, vehicle=None)
    for place, name in enumerate(wrecks):
        if name not in recorded or name in wrecks[:place]:
            raise records.NoWreck(gang=decision.gang(command.gang).name, vehicle=name)
    claimed = once(decision, command.gang, "scrap", said="scrap", cause=reached)
    pip = decision.rulebook.book.post_battle.scrap_credits_per_pip
    for name in wrecks:
        vehicle = ledger.known_vehicle(decision, name)
        die = decision.tray.d3("scrap", why=f"scrap of {vehicle.name}", fighter=name)
        rolled = decision.roll(
            die,
            outcome=f"{die.face * pip} credits",
            section="wrap_up",
            rolled_by=command.gang,
            cause=claimed,
        )
        ledger.receive(
            decision,
            command.gang,
            die.face * pip,
            "@scrap",
            why=f"scrap of {vehicle.name}",
            section="wrap_up",
            cause=rolled,
        )


def _holder(decision: Decision, command: records.RollEscape, after: AfterBattle) -> str:
    fighter = decision.fighter(command.fighter)
    holder = command.holder if command.holder is not None else fighter.captor
    if holder is None:
        others = [gang for gang in after.crews if gang != fighter.gang]
        if len(others) != 1:
            raise records.HolderMissing(fighter=fighter.name, gangs=tuple(others))
        holder = others[0]
    if holder == fighter.gang:
        raise records.HolderImpossible(fighter=fighter.name, holder=decision.gang(holder).name)
    return decision.gang(holder).gang


def _refuse_if_not_alone(decision: Decision, after: AfterBattle, gang: str) -> None:
    """The entry says that the gang remained alone; only what was recorded can speak against it."""
    name = decision.gang(gang).name
    if after.crews.get(gang) and not after.remained.get(gang):
        raise records.NotAloneOnField(gang=name, why="none of its own fighters remained")
    for other in after.crews:
        theirs = decision.state.after_battle.get(other)
        if other == gang or theirs is None or theirs.battle != after.battle:
            continue
        if {"scrap", "capture"} & set(theirs.done):
            raise records.NotAloneOnField(
                gang=name, why=f"{decision.gang(other).name} did, as recorded already"
            )

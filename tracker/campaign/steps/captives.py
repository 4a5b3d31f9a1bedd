"""Captives: taken, escaped, held by exactly one gang, traded, rescued, let go, sold.

The record is kept with the captive, so that both rosters read the same fact.
Source: Core Rulebook (2023) · The Post-battle Sequence · Captives.
"""

from __future__ import annotations

from typing import Literal

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle, Alignment
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import (
    advance_to,
    after_battle,
    note_done_once,
    require_in_book,
    take_action,
)
from tracker.campaign.steps.random_fighter import draw_fighter
from tracker.rules.necromunda import post_battle as rules
from tracker.rules.necromunda.post_battle import percent_of

HANDED_OVER = "a trade of captives"


def capture(decision: Decision, fighter: str, holder: str, *, cause: int) -> None:
    """A fighter becomes a captive of a gang. Whether their cost still counts is a knob (G-18)."""
    decision.emit(
        records.FighterCaptured(
            fighter=fighter,
            holder=holder,
            off_rating=decision.rulebook.knob("rating.captives") == "excluded",
            section=decision.rulebook.section("captives"),
        ),
        cause=cause,
    )


@handles(records.TradeCaptive)
def trade_captive(decision: Decision, command: records.TradeCaptive) -> None:
    """An agreed trade, at any time between battles: the captive goes home or to another holder.

    In exchange for credits, another captive, both or nothing.
    """
    decision.refuse_during_battle()
    captive = known_captive(decision, command.captive)
    holder = _holder(captive)
    decision.gang(command.to)
    if command.to == holder:
        raise records.HeldByAnother(
            fighter=captive.name, holder=decision.gang(holder).name, asked="somebody who would give them away"
        )
    cause = 0
    if command.price:
        cause = ledger.move_credits(
            decision,
            command.to,
            holder,
            command.price,
            why=f"for the captive {captive.name}",
            section="captives",
            fighter=command.captive,
        )
    if command.for_captive is not None:
        other = known_captive(decision, command.for_captive)
        if _holder(other) != command.to:
            raise records.HeldByAnother(
                fighter=other.name,
                holder=decision.gang(_holder(other)).name,
                asked=decision.gang(command.to).name,
            )
        _hand_over(decision, other, holder, cause=cause)
    _hand_over(decision, captive, command.to, cause=cause)


@handles(records.EndRescue)
def end_rescue(decision: Decision, command: records.EndRescue) -> None:
    """The end of a Rescue Mission: rescued is home; after failed or declined the holder may sell the captive
    or dispose of them.
    """
    decision.refuse_during_battle()
    captive = known_captive(decision, command.captive)
    holder = _holder(captive)
    if captive.rescue is not None:
        raise records.RescueDone(captive=captive.name, result=captive.rescue)
    ended = decision.emit(records.RescueEnded(fighter=command.captive, holder=holder, result=command.result))
    if command.result == "rescued":
        free(decision, captive, why="rescued", cause=ended)


@handles(records.ReturnCaptive)
def return_captive(decision: Decision, command: records.ReturnCaptive) -> None:
    """The holder lets a captive go."""
    decision.refuse_during_battle()
    free(decision, known_captive(decision, command.captive), why=command.why, cause=0)


@handles(records.PutCaptiveToWork)
def put_to_work(decision: Decision, command: records.PutCaptiveToWork) -> None:
    """A captive works in a territory of the holder, where the book lets captives work."""
    decision.refuse_during_battle()
    captive = known_captive(decision, command.captive)
    holder = _holder(captive)
    if command.territory is not None:
        territory = decision.state.territories.get(command.territory)
        if territory is None or territory.holder != holder:
            raise records.TerritoryHeldByAnother(territory=command.territory, gang=decision.gang(holder).name)
        kind = decision.rulebook.book.territories.get(territory.kind)
        if kind is None or not kind.captives_work:
            raise records.NoCaptivesWorkHere(territory=territory.name)
    decision.emit(
        records.CaptivePutToWork(fighter=command.captive, holder=holder, territory=command.territory)
    )


@handles(records.SellCaptive)
def sell_captive(decision: Decision, command: records.SellCaptive) -> None:
    """Sell a captive to the Guilders for half the full cost, gear included, rounded up."""
    prices = require_in_book(decision, decision.rulebook.book.post_battle.captives, "prices of captives")
    captive = _forfeit(decision, command.captive, command.by)
    acted = take_action(decision, command.by, "sell_captive")
    _give_up(
        decision,
        captive,
        to="@guilders",
        percent=prices.guilders_percent,
        why="sold to the Guilders",
        cause=acted,
    )


@handles(records.ClaimBounty)
def claim_bounty(decision: Decision, command: records.ClaimBounty) -> None:
    """A law-abiding gang hands an outlaw over for the full cost."""
    prices = require_in_book(decision, decision.rulebook.book.post_battle.captives, "prices of captives")
    captive = _forfeit(decision, command.captive, command.by)
    _refuse_side(decision, _holder(captive), "law_abiding", what="claiming a bounty")
    _refuse_side(decision, captive.gang, "outlaw", what="being handed over for a bounty")
    acted = take_action(decision, command.by, "claim_bounty")
    _give_up(
        decision,
        captive,
        to="@bounty",
        percent=prices.bounty_percent,
        why="handed over for a bounty",
        cause=acted,
    )


@handles(records.DisposeOfCaptive)
def dispose_of_captive(decision: Decision, command: records.DisposeOfCaptive) -> None:
    """An outlaw gang disposes of a captive, who dies. It brings no credits."""
    captive = _forfeit(decision, command.captive, command.by)
    holder = _holder(captive)
    _refuse_side(decision, holder, "outlaw", what="disposing of a captive")
    acted = take_action(decision, command.by, "dispose_of_captive")
    name = decision.gang(holder).name
    freed = decision.emit(
        records.CaptiveFreed(fighter=captive.fighter, holder=holder, why="disposed of"), cause=acted
    )
    decision.emit(records.FighterDied(fighter=captive.fighter, why=f"disposed of by {name}"), cause=freed)


@handles(records.StateAlignment)
def state_alignment(decision: Decision, command: records.StateAlignment) -> None:
    """A gang states its side of the law. It may switch once in a campaign; its Hangers-on leave then.

    Source: Core Rulebook (2023) · Gangs · Alignment.
    """
    gang = decision.gang(command.gang)
    if gang.alignment == command.alignment:
        raise records.AlignmentSame(gang=gang.name, alignment=command.alignment)
    if gang.alignment is not None and gang.alignment_switched:
        raise records.AlignmentSwitched(gang=gang.name)
    stated = decision.emit(
        records.AlignmentStated(
            gang=command.gang, before=gang.alignment, after=command.alignment, why=command.why
        )
    )
    if gang.alignment is None:
        return
    for fighter in gang.enlisted.values():
        if fighter.category == "hanger_on":
            left = records.FighterRetired(fighter=fighter.fighter, reason=f"{gang.name} changed sides")
            decision.emit(left, cause=stated)


def free(decision: Decision, captive: Fighter, *, why: str, cause: int) -> int:
    """A captive is home and free to do anything."""
    return decision.emit(
        records.CaptiveFreed(fighter=captive.fighter, holder=_holder(captive), why=why), cause=cause
    )


def known_captive(decision: Decision, fighter: str) -> Fighter:
    """The captive. Raises NotACaptive, which says what became of the fighter."""
    card = decision.fighter(fighter)
    if card.held_by is None:
        why = "the escape roll is still to come" if card.capture_pending else "they are at home"
        if card.standing != "enlisted":
            why = f"they are {card.standing}"
        raise records.NotACaptive(fighter=card.name, why=why)
    return card


def _holder(captive: Fighter) -> str:
    assert captive.held_by is not None, f"{captive.fighter} is held by nobody"
    return captive.held_by


def _hand_over(decision: Decision, captive: Fighter, to: str, *, cause: int) -> None:
    if to == captive.gang:
        free(decision, captive, why=HANDED_OVER, cause=cause)
        return
    decision.emit(
        records.CaptivePassedOn(fighter=captive.fighter, before=_holder(captive), holder=to, why=HANDED_OVER),
        cause=cause,
    )


def _forfeit(decision: Decision, fighter: str, by: str) -> Fighter:
    """A captive whom the holder may sell or dispose of; `by` must be of the holder's gang."""
    captive, actor = known_captive(decision, fighter), decision.fighter(by)
    holder = _holder(captive)
    if actor.gang != holder:
        raise records.HeldByAnother(
            fighter=captive.name,
            holder=decision.gang(holder).name,
            asked=f"{actor.name}'s gang {decision.gang(actor.gang).name}",
        )
    if captive.rescue not in ("failed", "declined"):
        raise records.RescueComesFirst(
            captive=captive.name,
            owner=decision.gang(captive.gang).name,
            section=decision.rulebook.section("captives"),
        )
    if captive.works_at is not None:
        raise records.CaptiveAtWork(
            captive=captive.name, territory=decision.state.territories[captive.works_at].name
        )
    return captive


def _give_up(
    decision: Decision,
    captive: Fighter,
    *,
    to: Literal["@guilders", "@bounty"],
    percent: int,
    why: str,
    cause: int,
) -> None:
    holder = _holder(captive)
    # Only a share is rounded: the full cost is what it is.
    to_multiple = 1 if percent == 100 else decision.rulebook.book.post_battle.round_up_to
    value = percent_of(captive.cost_credits, percent, to=to_multiple)
    sold = decision.emit(
        records.CaptiveSold(
            fighter=captive.fighter,
            holder=holder,
            to=to,
            value=value,
            section=decision.rulebook.section("captives"),
        ),
        cause=cause,
    )
    ledger.move_credits(
        decision,
        to,
        holder,
        value,
        why=f"{captive.name}, {why}",
        section="captives",
        fighter=captive.fighter,
        cause=sold,
    )


def _refuse_side(decision: Decision, gang: str, needed: Alignment, *, what: str) -> None:
    card = decision.gang(gang)
    if card.alignment != needed:
        raise records.WrongSideOfTheLaw(who=card.name, alignment=card.alignment, needed=needed, what=what)


# --- the Wrap-up: escape and capture ------------------------------------------------------------------


@handles(records.RollEscape)
def roll_escape(decision: Decision, command: records.RollEscape) -> None:
    """A Captured fighter gets away into Convalescence, or becomes a captive. The dead do not roll (G-23)."""
    fighter = decision.enlisted(command.fighter)
    if not fighter.capture_pending:
        raise records.NotCaptured(fighter=fighter.name)
    escape = require_in_book(decision, decision.rulebook.book.post_battle.escape, "escape roll")
    if fighter.critical and decision.rulebook.knob("captured.with_critical") == "critical_first":
        raise records.CriticalFirst(fighter=fighter.name)
    after = after_battle(decision, fighter.gang, what="an escape roll")
    # Who was at the Doc first rolls late by the rules; else lateness is the Arbitrator's to answer for.
    reached = 0
    if command.fighter not in after.escorted and command.late is None:
        reached = advance_to(decision, fighter.gang, "escape", required=True)
    holder = _holder_after_battle(decision, command, after)
    fought = command.fighter in after.crews.get(fighter.gang, ())
    if command.result is None and not fought:
        raise records.ResultMissing(fighter=fighter.name)
    webbed = command.webbed if command.webbed is not None else command.fighter in after.webbed
    result = command.result if command.result is not None else after.result_of(fighter.gang)
    modifiers = rules.escape_modifiers(escape, result=result, webbed=webbed)
    by = sum(by for _, by in modifiers)
    why = f"Captured: escape roll, needs {escape.target}+" + (f" with {by:+d}" if by else "")
    die = decision.tray.d6("escape", why=why, fighter=command.fighter)
    away = rules.escapes(escape, die.face, by)
    rolled = decision.roll(
        die,
        outcome="escapes" if away else f"a captive of {decision.gang(holder).name}",
        section="captives",
        rolled_by=fighter.gang,
        modifiers=as_modifiers(modifiers),
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
    """The gang alone on the field rolls for a captive: a random enemy Out of Action, not a Critical one."""
    levels = require_in_book(decision, decision.rulebook.book.post_battle.capture, "capture roll")
    after = after_battle(decision, command.gang, what="a capture roll")
    reached = advance_to(decision, command.gang, "capture", required=True)
    refuse_if_not_alone(decision, after, command.gang)
    reached = note_done_once(decision, command.gang, "capture", what="a capture roll", cause=reached)
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
        decision.note_rule(down[0], nobody, section="captives", cause=rolled)
        return
    captive, drawn = draw_fighter(
        decision, possible, stated=command.captive, what="capture", section="captives", cause=rolled
    )
    capture(decision, captive, command.gang, cause=drawn)


def _holder_after_battle(decision: Decision, command: records.RollEscape, after: AfterBattle) -> str:
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


def refuse_if_not_alone(decision: Decision, after: AfterBattle, gang: str) -> None:
    """Refuses a gang that states it remained alone, if the record says otherwise."""
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

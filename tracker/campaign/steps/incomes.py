"""Incomes: the credits that territories bring, their dice, and territories that strike back.

Source: Core Rulebook (2023) · The Post-battle Sequence · 4. Income; Dominion Campaign · Territories.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.after_battle import Territory
from tracker.campaign.state import Gang
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.lasting_injuries import suffer_lasting_injuries
from tracker.campaign.steps.post_battle_sequence import (
    advance_to,
    after_battle,
    note_done_once,
    take_action,
    why_cannot_act,
)
from tracker.campaign.steps.random_fighter import draw_fighter
from tracker.dice import Die
from tracker.rules.necromunda import post_battle as rules
from tracker.rules.post_battle_tables import Income, TerritoryRules


@handles(records.TakeIncome)
def take_income(decision: Decision, command: records.TakeIncome) -> None:
    """Take the income of one territory, once in a sequence; a territory just won counts."""
    territory, gang = decision.held_territory(command.territory)
    after_battle(decision, gang.gang, what="income")
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    if command.worked_by is not None:
        _check_worker(decision, gang, command.worked_by)
    reached = advance_to(decision, gang.gang, "income", required=True)
    cause = note_done_once(
        decision,
        gang.gang,
        f"income:{territory.territory}",
        what=f"the income of {territory.name}",
        cause=reached,
    )
    territory_rules = decision.rulebook.book.territories.get(territory.kind)
    if territory_rules is None:
        if command.amount is None:
            raise records.IncomeWrong(
                territory=territory.name, why="no book says what it brings: say the `amount`"
            )
        _pay_out(decision, gang, territory, command.amount, cause=cause)
        return
    _roll_income(decision, command, gang, territory, territory_rules, cause=cause)


def _roll_income(
    decision: Decision,
    command: records.TakeIncome,
    gang: Gang,
    territory: Territory,
    territory_rules: TerritoryRules,
    *,
    cause: int,
) -> None:
    held = frozenset(
        territory.kind for territory in decision.state.territories.values() if territory.holder == gang.gang
    )
    income = rules.income_of(
        territory_rules, house=rules.house_id(gang.house), alignment=gang.alignment, held=held
    )
    if income is None:
        section = decision.rulebook.section("campaign")
        raise records.NoIncome(territory=territory.name, gang=gang.name, section=section)
    if income.stated:
        if command.amount is None:
            raise records.IncomeNotSaid(territory=territory.name)
        _pay_out(decision, gang, territory, command.amount, cause=cause)
        return
    if command.amount is not None:
        raise records.IncomeWrong(territory=territory.name, why="dice say what it brings: take `amount` out")
    faces, total, cause = _roll_dice(decision, command, gang, territory, income, cause=cause)
    if income.on_double != "nothing" and len(set(faces)) < len(faces):
        _strike(decision, command, gang, territory, income, cause=cause)
        if income.on_double == "lasting_injury" or command.reading == 1:
            return
    _pay_out(decision, gang, territory, total * income.times, cause=cause)


def _roll_dice(
    decision: Decision,
    command: records.TakeIncome,
    gang: Gang,
    territory: Territory,
    income: Income,
    *,
    cause: int,
) -> tuple[list[int], int, int]:
    """The faces, their sum with what is counted, and the place of the last roll."""
    dice = _how_many(command, territory, income)
    counted = command.counted
    if income.counts == "nothing" and counted:
        raise records.IncomeWrong(
            territory=territory.name, why="nothing is counted for it: take `counted` out"
        )
    if income.counts == "times":
        dice *= counted
    if income.counts == "added":
        at_work = sum(
            fighter.works_at == territory.territory
            for gang in decision.state.gangs.values()
            for fighter in gang.members.having("works_at")
        )
        dice += at_work * income.dice
    each = counted if income.counts == "each_die" else 0
    modifiers = (records.Modifier(why=income.counted, by=each),) if each else ()
    faces: list[int] = []
    for nth in range(1, dice + 1):
        why = f"income of {territory.name}" + (f", die {nth} of {dice}" if dice > 1 else "")
        die = _die(decision, income, why)
        faces.append(die.face)
        cause = decision.roll(
            die,
            outcome=_brings(command, income, faces, each=each, last=nth == dice),
            section="income",
            rolled_by=gang.gang,
            modifiers=modifiers,
            cause=cause,
        )
    return faces, sum(faces) + each * len(faces), cause


def _brings(command: records.TakeIncome, income: Income, faces: list[int], *, each: int, last: bool) -> str:
    """The meaning of the die just rolled. If equal dice bring nothing, only the last die can tell."""
    if income.on_double != "lasting_injury" or command.reading == 1:
        return f"{(faces[-1] + each) * income.times} credits"
    if len(set(faces)) < len(faces):
        return "a double: nothing is paid"
    return f"{sum(faces) * income.times} credits" if last else "counts"


def _die(decision: Decision, income: Income, why: str) -> Die:
    if income.die == "D3":
        return decision.tray.d3("income_d3", why=why)
    return decision.tray.d6("income", why=why)


def _how_many(command: records.TakeIncome, territory: Territory, income: Income) -> int:
    if income.dice_max is None:
        if command.dice is not None and command.dice != income.dice:
            raise records.IncomeWrong(
                territory=territory.name, why=f"it rolls {income.dice}{income.die}: take `dice` out"
            )
        return income.dice
    chosen = command.dice if command.dice is not None else income.dice
    if not income.dice <= chosen <= income.dice_max:
        raise records.IncomeWrong(
            territory=territory.name, why=f"choose from {income.dice} to {income.dice_max} `dice`"
        )
    return chosen


def _strike(
    decision: Decision,
    command: records.TakeIncome,
    gang: Gang,
    territory: Territory,
    income: Income,
    *,
    cause: int,
) -> None:
    """Equal dice bring no credits, and hurt a random fighter, outside any battle."""
    at_home = tuple(
        fighter.fighter
        for fighter in gang.enlisted.values()
        if fighter.held_by is None and not fighter.critical
    )
    struck, drawn = draw_fighter(
        decision,
        at_home,
        stated=command.struck,
        what=f"equal dice at {territory.name}",
        section="income",
        cause=cause,
    )
    if income.on_double == "lasting_injury":
        harm = Harm(target=struck, grudge_against=command.grudge_against)
        suffer_lasting_injuries(decision, harm, rolls=1, cause=drawn)
        return
    after = decision.state.after_battle[gang.gang]
    decision.emit(
        records.FighterMissesBattle(fighter=struck, battle=after.number, why=territory.name), cause=drawn
    )


def _pay_out(decision: Decision, gang: Gang, territory: Territory, amount: int, *, cause: int) -> None:
    ledger.move_credits(
        decision,
        "@income",
        gang.gang,
        amount,
        why=f"income of {territory.name}",
        section="income",
        cause=cause,
    )


def _check_worker(decision: Decision, gang: Gang, fighter: str) -> None:
    """Refuses a worker who is Convalescent, in Recovery or held; some books need an action, too."""
    card = decision.fighter(fighter)
    if card.gang != gang.gang:
        raise records.FighterOfAnotherGang(
            fighter=card.name, gang=gang.name, own_gang=decision.gang(card.gang).name
        )
    why = why_cannot_act(card, (), decision.rulebook)
    if why is not None:
        raise records.CannotWork(fighter=card.name, why=why, section=decision.rulebook.section("income"))
    if "work_territory" in decision.rulebook.book.post_battle.actions:
        take_action(decision, fighter, "work_territory")

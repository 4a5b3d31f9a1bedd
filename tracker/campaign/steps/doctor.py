"""The Doc: the fate of the Critically Injured.

Source: Core Rulebook (2023) · The Post-battle Sequence · 5. Post-battle Actions · Medical Escort; Archived
rules · The Post-battle Sequence · Actions.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import ledger, post_battle_sequence
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.lasting_injuries import apply_effect, suffer_row
from tracker.dice import D66, Die
from tracker.rules.post_battle_tables import DoctorRules

STABILISED = "stabilised"


@handles(records.MedicalEscort)
def medical_escort(decision: Decision, command: records.MedicalEscort) -> None:
    """A fighter takes a Critically Injured friend to the Doc. If the fee is not paid, the patient dies."""
    rules = post_battle_sequence.require_in_book(
        decision, decision.rulebook.book.post_battle.doctor, "doctor"
    )
    patient, friend = decision.fighter(command.patient), decision.fighter(command.by)
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    if command.patient == command.by:
        raise records.EscortsThemselves(fighter=friend.name)
    if patient.gang != friend.gang:
        raise records.NotOfOneGang(one=patient.name, other=friend.name, what="Medical Escort")
    after = post_battle_sequence.after_battle(decision, friend.gang, what="a Medical Escort")
    if not patient.critical and command.patient in after.escorted:
        raise records.NotCritical(
            fighter=patient.name, treated=after.escorted[command.patient].replace("_", " ")
        )
    if patient.standing != "enlisted":
        raise records.FighterGone(fighter=patient.name, standing=patient.standing)
    if not patient.critical:
        raise records.NotCritical(fighter=patient.name, treated=None)
    acted = post_battle_sequence.take_action(decision, command.by, "medical_escort")
    paid, cause = _pay(decision, command, rules, cause=acted)
    if paid:
        _treat(decision, command, rules, cause=cause)
    else:
        _note_treated(decision, command.patient, "unpaid", "the Doc was not paid", cause=cause)
        died = records.FighterDied(fighter=command.patient, why="Critical Injury, and the Doc was not paid")
        decision.emit(died, cause=cause)


@handles(records.EndActions)
def end_actions_stated(decision: Decision, command: records.EndActions) -> None:
    """The gang takes no more actions: the Critically Injured who were not escorted die."""
    after = post_battle_sequence.after_battle(decision, command.gang, what="the end of the actions")
    if post_battle_sequence.ACTIONS_DONE in after.done:
        raise records.OncePerSequence(
            gang=decision.gang(command.gang).name, what="the step of post-battle actions"
        )
    reached = post_battle_sequence.advance_to(decision, command.gang, "actions", required=True)
    post_battle_sequence.end_actions(decision, command.gang, cause=reached)


def _pay(
    decision: Decision, command: records.MedicalEscort, rules: DoctorRules, *, cause: int
) -> tuple[bool, int]:
    """Whether the fee is paid, and the place of the last event."""
    gang = decision.gang(decision.fighter(command.by).gang)
    die = decision.tray.two_d6("doctor_fee", why="what the Doc asks", fighter=command.patient)
    fee = die.total * rules.credits_per_pip
    paid = command.paid and gang.credits >= fee
    why_not = "not paid" if not command.paid else f"more than the {gang.credits} that there are"
    rolled = decision.roll(
        die,
        outcome=f"{fee} credits" + ("" if paid else f", {why_not}"),
        section="post_battle_actions",
        rolled_by=gang.gang,
        cause=cause,
    )
    if not paid:
        return False, rolled
    name = decision.fighter(command.patient).name
    return True, ledger.move_credits(
        decision,
        gang.gang,
        "@doc",
        fee,
        why=f"Medical Escort of {name}",
        section="post_battle_actions",
        fighter=command.patient,
        cause=rolled,
    )


def _treat(decision: Decision, command: records.MedicalEscort, rules: DoctorRules, *, cause: int) -> None:
    chart = decision.rulebook.book.chart("doctor")
    die = decision.tray.d6("doctor", why="what the Doc can do", fighter=command.patient)
    band = chart.read(die.face)
    rolled = decision.roll(
        die,
        outcome=band.name,
        section="post_battle_actions",
        rolled_by=decision.fighter(command.by).gang,
        cause=cause,
    )
    treated = _note_treated(decision, command.patient, band.id, band.name, cause=rolled)
    harm = Harm(target=command.patient, grudge_against=command.grudge_against)
    if band.id == STABILISED:
        _stabilise(decision, harm, rules, cause=treated)
    row = band.as_row(f"Critical Injury: {band.name}")
    if decision.fighter(command.patient).standing == "enlisted":
        for effect in band.effects:
            apply_effect(decision, harm, effect, row, occurrence=1, cause=treated)


def _stabilise(decision: Decision, harm: Harm, rules: DoctorRules, *, cause: int) -> None:
    """The injury that stays: a roll on the table without the worst rows, or among the rows of one ten."""
    table = decision.rulebook.book.lasting_injuries
    own = decision.fighter(harm.target).gang
    if rules.tens is not None:
        die = decision.tray.d6("doctor_injury", why="Stabilised: which injury stays", fighter=harm.target)
        read = Die(purpose=die.purpose, die=D66, faces=(rules.tens, die.face), fighter=harm.target)
        row = table.read(read)
        rolled = decision.roll(
            die, outcome=row.name, section="lasting_injury_table", rolled_by=own, cause=cause
        )
        suffer_row(decision, harm, row, read, cause=rolled)
        return
    may_roll_again = True
    while True:
        die = decision.tray.d66("stabilised", why="Stabilised: Lasting Injury roll", fighter=harm.target)
        row = table.read(die)
        again = may_roll_again and row.id in rules.rerolls
        cause = decision.roll(
            die,
            outcome=f"{row.name}: rolled again" if again else row.name,
            section="lasting_injury_table",
            rolled_by=own,
            cause=cause,
        )
        if not again:
            suffer_row(decision, harm, row, die, cause=cause)
            return
        may_roll_again = decision.rulebook.knob("tables.rerolls") == "until_valid"


def _note_treated(decision: Decision, fighter: str, outcome: str, name: str, *, cause: int) -> int:
    return decision.emit(
        records.CriticalTreated(
            fighter=fighter,
            outcome=outcome,
            name=name,
            section=decision.rulebook.section("post_battle_actions"),
        ),
        cause=cause,
    )

"""Effects of Trauma: Battle Scars, gear lost, ransom, rank lost, retirement.

Knows one effect at a time. Which row it came from, and why, is the caller's.
Source: Trench Crusade (1.6) · Campaign · Trauma.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.gangs import gear_to_stash
from tracker.campaign.steps.harm import Harm, culprit
from tracker.rules import effects as fx
from tracker.rules.tables import Row
from tracker.rules.trench_crusade import trauma

TraumaEffect: TypeAlias = (
    fx.BattleScar
    | fx.InjuryDiceAgainst
    | fx.BeforeBattle
    | fx.GearLost
    | fx.Ransom
    | fx.RankLost
    | fx.NoExperience
    | fx.Retirement
)


def apply_trauma_effect(
    decision: Decision,
    harm: Harm,
    effect: TraumaEffect,
    row: Row,
    *,
    occurrence: int,
    cause: int,
    ransom: Literal["paid", "unpaid"] | None = None,
) -> None:
    """Apply one effect of Trauma to the fighter."""
    match effect:
        case fx.BattleScar():
            _scar(decision, harm, effect, row, cause=cause)
        case fx.InjuryDiceAgainst():
            pass  # Counted at every injury roll to come: rules/trench_crusade/trauma.py.
        case fx.BeforeBattle():
            pass  # Rolled before each battle to come: steps/warbands.py.
        case fx.GearLost():
            lose_gear(decision, harm.target, why=row.name, cause=cause)
        case fx.Ransom():
            _hold_for_ransom(decision, harm, effect, row, ransom=ransom, cause=cause)
        case fx.RankLost():
            fighter = decision.fighter(harm.target)
            if fighter.category == effect.rank:
                decision.emit(
                    records.RankChanged(
                        fighter=harm.target, before=effect.rank, after=effect.becomes, why=row.name
                    ),
                    cause=cause,
                )
        case fx.NoExperience():
            pass  # Asked whenever XP would be gained: rules/trench_crusade/trauma.py.
        case fx.Retirement():
            if occurrence >= effect.from_occurrence:
                _retire(decision, harm, why=row.name, cause=cause)
        case _:
            assert_never(effect)


def lose_gear(decision: Decision, fighter: str, *, why: str, cause: int) -> None:
    """The fighter loses everything on the card, if there is anything."""
    card = decision.fighter(fighter)
    if card.weapons or card.wargear or card.armour or card.field_armour:
        decision.emit(records.GearForfeited(fighter=fighter, why=why), cause=cause)


def earns_nothing(decision: Decision, fighter: Fighter) -> bool:
    """Whether an old injury keeps the fighter from earning XP."""
    suffered = tuple(injury.counted_as for injury in fighter.injuries)
    return not fighter.earns_again and trauma.earns_no_experience(suffered, decision.rulebook)


def _scar(decision: Decision, harm: Harm, scar: fx.BattleScar, row: Row, *, cause: int) -> None:
    scars = decision.fighter(harm.target).scars + 1
    means, cause = _means(decision, harm, scar, row, cause=cause)
    taken = decision.emit(
        records.BattleScarTaken(
            fighter=harm.target,
            scar=row.id,
            means=means,
            scars=scars,
            slots=scar.slots,
            against=culprit(decision, harm) if scar.against_culprit else None,
        ),
        cause=cause,
    )
    if scars <= scar.slots or decision.fighter(harm.target).standing != "enlisted":
        return
    why = f"Battle Scar {scars} of {scar.slots}"
    if scar.beyond == "death":
        died = decision.emit(records.FighterDied(fighter=harm.target, why=why), cause=taken)
        lose_gear(decision, harm.target, why=why, cause=died)
    else:
        _retire(decision, harm, why=why, cause=taken)
        if scar.kit_to_stash:
            gear_to_stash(decision, harm.target, cause=taken)


def _means(decision: Decision, harm: Harm, scar: fx.BattleScar, row: Row, *, cause: int) -> tuple[str, int]:
    """The meaning of a scar, with a die if it is one of several; and the place of that roll."""
    if not scar.which:
        return scar.means, cause
    die = decision.tray.d6(scar.which_purpose, why=f"{row.name}: which", fighter=harm.target)
    which = scar.which[(die.face - 1) * len(scar.which) // 6]
    rolled = decision.roll(
        die,
        outcome=which,
        section="lasting_injury_table",
        rolled_by=decision.fighter(harm.target).gang,
        cause=cause,
    )
    return scar.means.format(which=which), rolled


def _hold_for_ransom(
    decision: Decision,
    harm: Harm,
    effect: fx.Ransom,
    row: Row,
    *,
    ransom: Literal["paid", "unpaid"] | None,
    cause: int,
) -> None:
    if ransom == "paid":
        return
    if ransom == "unpaid" and effect.unpaid == "death":
        why = f"{row.name}, ransom unpaid"
        died = decision.emit(records.FighterDied(fighter=harm.target, why=why), cause=cause)
        if effect.unpaid_loses_gear:
            lose_gear(decision, harm.target, why=why, cause=died)
        return
    decision.emit(records.HeldForRansom(fighter=harm.target, captor=culprit(decision, harm)), cause=cause)


def _retire(decision: Decision, harm: Harm, *, why: str, cause: int) -> None:
    if decision.fighter(harm.target).standing == "enlisted":
        decision.emit(records.FighterRetired(fighter=harm.target, reason=why), cause=cause)

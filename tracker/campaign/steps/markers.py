"""Blood Markers and Blessing Markers: put on a model, and spent by its opponent or its owner.

Source: Trench Crusade (1.6) · Injury Chart · Minor Hit.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.rules.trench_crusade import injuries as rules


@handles(records.SpendBloodMarkers)
def spend_blood_markers(decision: Decision, command: records.SpendBloodMarkers) -> None:
    """The opponent spends a model's markers on its ACTION or on an attack against it."""
    decision.rulebook.book.chart("injury_chart")
    if command.use == "attack" and decision.rulebook.knob("blood_markers.attack_rolls") == "no":
        section = decision.rulebook.section("blood_markers")
        raise records.NotOnAttacks(fighter=decision.fighter(command.fighter).name, section=section)
    harm_between(decision, command.fighter, command.attacker, what="Blood Markers")
    refuse_overspending(decision, command.fighter, command.count)
    spend(decision, command.fighter, command.count, use=command.use, cause=0)


def gain_markers(decision: Decision, harm: Harm, gained: int, *, cause: int) -> int:
    """Put markers on the model that was hit. Returns the place of the event."""
    held = decision.combatant(harm.target, what="an injury").blood_markers
    markers = rules.markers_after(held=held, gained=gained)
    return decision.emit(
        records.BloodMarkersGained(
            fighter=harm.target,
            by=harm.attacker,
            gained=gained,
            lost=held + gained - markers,
            markers=markers,
        ),
        cause=cause,
    )


def spend(decision: Decision, fighter: str, count: int, *, use: str, cause: int) -> int:
    """Take Blood Markers off a model, if any are spent. Returns the place of the event."""
    if not count:
        return cause
    left = decision.combatant(fighter, what="Blood Markers").blood_markers - count
    return decision.emit(
        records.BloodMarkersSpent(fighter=fighter, spent=count, use=use, markers=left), cause=cause
    )


def refuse_overspending(decision: Decision, fighter: str, wanted: int) -> None:
    """Raises TooFewBloodMarkers."""
    held = decision.combatant(fighter, what="Blood Markers").blood_markers
    if wanted > held:
        raise records.TooFewBloodMarkers(fighter=decision.fighter(fighter).name, held=held, wanted=wanted)


def harm_between(decision: Decision, target: str, attacker: str | None, *, what: str) -> Harm:
    """The harm of one model to another, both in play. Refuses a model that hits itself."""
    decision.battle(what)
    if attacker is not None:
        if attacker == target:
            raise records.TargetsSelf(fighter=decision.fighter(target).name)
        decision.combatant(attacker, what=what)
    decision.combatant(target, what=what)
    return Harm(
        target=target,
        attacker=attacker,
        attack=attacker is not None,
    )


# --- Blessing Markers ---------------------------------------------------------------------------------


@handles(records.GainBlessingMarkers)
def gain_blessing_markers(decision: Decision, command: records.GainBlessingMarkers) -> None:
    """Put Blessing Markers on a model, six at most."""
    assert decision.rulebook.section("blessing_markers"), "a book with the chart has them"
    if not 1 <= command.count <= rules.BLOOD_MARKERS_MAX:
        raise records.NoMarkers(count=command.count)
    held = decision.combatant(command.fighter, what="Blessing Markers").blessing_markers
    markers = rules.markers_after(held=held, gained=command.count)
    decision.emit(
        records.BlessingMarkersGained(
            fighter=command.fighter,
            gained=command.count,
            lost=held + command.count - markers,
            markers=markers,
            why=command.why,
        )
    )


@handles(records.SpendBlessingMarkers)
def spend_blessing_markers(decision: Decision, command: records.SpendBlessingMarkers) -> None:
    """The owner spends a model's markers on its ACTION."""
    if not 1 <= command.count <= rules.BLOOD_MARKERS_MAX:
        raise records.NoMarkers(count=command.count)
    refuse_overspending_blessings(decision, command.fighter, command.count)
    spend_blessings(decision, command.fighter, command.count, use="action", cause=0)


def refuse_overspending_blessings(decision: Decision, fighter: str, wanted: int) -> None:
    """Raises TooFewBlessingMarkers."""
    held = decision.combatant(fighter, what="Blessing Markers").blessing_markers
    if wanted > held:
        raise records.TooFewBlessingMarkers(fighter=decision.fighter(fighter).name, held=held, wanted=wanted)


def check_dice_stated(
    command: records.RollInjuryChart | records.StandUp | records.CheckMorale,
    faces: Sequence[int],
    kept: Sequence[int],
    total: int,
) -> None:
    """Checks the kept dice and total that an entry states. Raises DiceCountOtherwise.

    Source: Trench Crusade (1.6) · Injury Chart.
    """
    if command.kept is not None and sorted(command.kept) != sorted(kept):
        stated = f"kept: {_dashed(command.kept)}"
    elif command.total is not None and command.total != total:
        stated = f"total: {command.total}"
    else:
        return
    raise records.DiceCountOtherwise(faces=_dashed(faces), kept=_dashed(kept), total=total, stated=stated)


def _dashed(faces: Sequence[int]) -> str:
    return "-".join(map(str, faces))


def spend_blessings(decision: Decision, fighter: str, count: int, *, use: str, cause: int) -> int:
    """Take Blessing Markers off a model, if any are spent. Returns the place of the event."""
    if not count:
        return cause
    left = decision.combatant(fighter, what="Blessing Markers").blessing_markers - count
    spent = records.BlessingMarkersSpent(fighter=fighter, spent=count, use=use, markers=left)
    return decision.emit(spent, cause=cause)

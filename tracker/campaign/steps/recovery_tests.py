"""Recovery tests in the End phase, of the Seriously Injured and the Webbed.

Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart.
"""

from __future__ import annotations

from typing import Final

from tracker.campaign import records
from tracker.campaign.steps import experience, injury_dice
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.end_phase import harm_of_old_injury
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.lasting_injuries import apply_effect
from tracker.rules.necromunda import end_phase as rules
from tracker.rules.tables import Band

_PICKED_OF: Final = 2
"""An entry picks the first die or the second; a third one, of a skill, counts where it is the kindest."""


@handles(records.TakeRecoveryTest)
def take_recovery_test(decision: Decision, command: records.TakeRecoveryTest) -> None:
    """Roll one Injury die, or with assistance two of which one is picked, and apply it."""
    combatant = decision.combatant(command.fighter, what="a Recovery test")
    fighter = decision.fighter(command.fighter)
    if not combatant.seriously_injured and not combatant.webbed:
        raise records.NoRecoveryTest(fighter=fighter.name)
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    helper = command.assisted_by
    if helper is None and command.picked is not None:
        raise records.NothingToPick(fighter=fighter.name)
    if helper is not None:
        _check_helper(decision, command, helper)
        decision.emit(records.RecoveryAssisted(fighter=command.fighter, by=helper, round=command.round))
    more = _unstoppable(decision, command)
    symbol, cause = _roll(decision, command, more=more)
    harm = harm_of_old_injury(decision, command.fighter, grudge_against=command.grudge_against)
    outcome = rules.recovery_outcome(
        symbol, webbed=combatant.webbed, assisted=helper is not None, rulebook=decision.rulebook
    )
    if outcome.now == "out_of_action":
        if combatant.webbed and "webbed_out_of_action" in decision.rulebook.book.charts:
            _lost_in_the_web(decision, harm, cause=cause)
        else:
            injury_dice.go_out_of_action(
                decision, harm, reason="recovery_test", out_of_action_dice=1, cause=cause
            )
        return
    if outcome.flesh_wounds and _flesh_wounds(decision, harm, outcome.flesh_wounds, cause=cause):
        return
    if outcome.now == "stays":
        return
    if combatant.webbed:
        cause = decision.emit(records.WebShed(fighter=command.fighter), cause=cause)
    if combatant.seriously_injured:
        cause = decision.emit(records.SeriousInjuryOvercome(fighter=command.fighter), cause=cause)
    if helper is not None:
        reason = f"assisted {fighter.name}'s Recovery test"
        amount = decision.rulebook.book.experience.assisted_recovery
        experience.award(decision, helper, amount, reason, cause=cause)


def _check_helper(decision: Decision, command: records.TakeRecoveryTest, helper: str) -> None:
    """Refuses a helper who is not a Standing and Active friend, or has assisted in this End phase. Whether
    they are near is stated.
    """
    condition = decision.combatant(helper, what="a Recovery test")
    friend, fighter = decision.fighter(helper), decision.fighter(command.fighter)
    earlier = decision.battle("a Recovery test").assisted.get(helper, ())
    why = ""
    if helper == command.fighter:
        why = "nobody assists their own"
    elif friend.gang != fighter.gang:
        why = "they fight against each other"
    elif condition.seriously_injured or condition.pinned or condition.webbed:
        posture = (
            "Seriously Injured" if condition.seriously_injured else "Webbed" if condition.webbed else "Pinned"
        )
        why = f"who assists stands and is Active, and {friend.name} is {posture}"
    elif command.round is not None and command.round in earlier:
        why = f"{friend.name} has assisted in the End phase of round {command.round} already"
    elif earlier and (command.round is None or None in earlier):
        why = (
            f"{friend.name} has assisted in this battle already, and once in an End phase is all; say round:"
            " at both, if they were two"
        )
    if why:
        raise records.CannotAssist(helper=friend.name, fighter=fighter.name, why=why)


def _unstoppable(decision: Decision, command: records.TakeRecoveryTest) -> int:
    """A D6 that may remove a Flesh Wound. Without one, returns how many more Recovery dice are rolled and
    discarded.

    Source: Core Rulebook (2023) · Skills · Unstoppable.
    """
    if not decision.has_skill_in_battle(command.fighter, "unstoppable"):
        return 0
    needs = decision.rulebook.book.skill_actions.unstoppable_from
    die = decision.tray.d6("unstoppable", why=f"Unstoppable, needs {needs}+", fighter=command.fighter)
    passed = die.face >= needs
    hurt = decision.combatant(command.fighter, what="a Recovery test").flesh_wounds > 0
    gains = "loses a Flesh Wound" if hurt else "one more Recovery die"
    rolled = decision.roll(
        die,
        outcome=gains if passed else "no help",
        section="skills",
        rolled_by=decision.fighter(command.fighter).gang,
        target=needs,
        passed=passed,
    )
    if not passed:
        return 0
    if hurt:
        toughness = decision.current_toughness(command.fighter) + 1
        lost = records.FleshWoundLost(fighter=command.fighter, by=None, toughness=toughness)
        decision.emit(lost, cause=rolled)
        return 0
    return 1


def _roll(decision: Decision, command: records.TakeRecoveryTest, *, more: int) -> tuple[str, int]:
    """The symbol that counts, and the place of the last die in the entry."""
    dice = (1 if command.assisted_by is None else 2) + more
    symbols: list[str] = []
    rolled = 0
    for nth in range(1, dice + 1):
        why = "Recovery test" if dice == 1 else f"Recovery test, die {nth} of {dice}, one is picked"
        die = decision.tray.special(
            decision.rulebook.injury_die, "recovery", why=why, fighter=command.fighter
        )
        assert die.symbol is not None, "an Injury die always shows a symbol"
        symbols.append(die.symbol)
        if nth == dice:
            _leave_to_player(decision, command, symbols)
        outcome = records.symbol_in_words(die.symbol)
        if dice > 1:
            picked = _picked(command, symbols) if nth == dice else None
            outcome = f"die {nth} of {dice}: {outcome}" + (
                f", {records.symbol_in_words(picked)} is picked" if picked else ""
            )
        rolled = decision.roll(
            die,
            outcome=outcome,
            section="recovery_tests",
            rolled_by=decision.fighter(command.fighter).gang,
            cause=rolled,
        )
    return _picked(command, symbols), rolled


def _leave_to_player(decision: Decision, command: records.TakeRecoveryTest, symbols: list[str]) -> None:
    """Of dice that show different things somebody may pick the worse, of the two that an assist brings."""
    kept = _picked(command, symbols)
    if command.assisted_by is None or command.picked is not None or kept not in symbols[:_PICKED_OF]:
        return
    rolled = tuple(symbols[:_PICKED_OF])
    if len(set(rolled)) > 1:
        name = decision.fighter(command.fighter).name
        decision.leave_to_player(records.RecoveryDieNotPicked(fighter=name, rolled=rolled, kept=kept))


def _picked(command: records.TakeRecoveryTest, symbols: list[str]) -> str:
    return symbols[rules.kinder_die(symbols) if command.picked is None else command.picked - 1]


def _flesh_wounds(decision: Decision, harm: Harm, wounds: int, *, cause: int) -> bool:
    """Suffer Flesh Wounds. Returns whether the fighter is Out of Action, with no Toughness left."""
    left = max(decision.current_toughness(harm.target) - wounds, 0)
    suffered = decision.emit(
        records.FleshWoundsSuffered(fighter=harm.target, by=None, flesh_wounds=wounds, toughness=left),
        cause=cause,
    )
    if left:
        return False
    injury_dice.go_out_of_action(decision, harm, reason="toughness", out_of_action_dice=0, cause=suffered)
    return True


def _lost_in_the_web(decision: Decision, harm: Harm, *, cause: int) -> None:
    """Out of Action while Webbed: no Lasting Injury roll, but a D6 for Out Cold or Captured."""
    gone = decision.emit(
        records.FighterWentOutOfAction(
            fighter=harm.target, by=None, reason="webbed", out_of_action_dice=1, lasting_injury_rolls=0
        ),
        cause=cause,
    )
    chart = decision.rulebook.book.chart("webbed_out_of_action")
    die = decision.tray.d6("webbed_out_of_action", why="Out of Action while Webbed", fighter=harm.target)
    band = chart.read(die.face)
    rolled = decision.roll(
        die, outcome=band.name, section="recovery_tests", rolled_by=opponent(decision, harm), cause=gone
    )
    _suffer(decision, harm, chart.id, band, cause=rolled)


def _suffer(decision: Decision, harm: Harm, chart: str, band: Band, *, cause: int) -> None:
    earlier = sum(suffered.injury == band.id for suffered in decision.fighter(harm.target).injuries)
    suffered = decision.emit(
        records.LastingInjurySuffered(
            fighter=harm.target,
            by=None,
            table=chart,
            cell=None,
            injury=band.id,
            name=band.name,
            counts_as=None,
            occurrence=earlier + 1,
            within=None,
            battle=decision.battle("a lasting injury").number,
            section=decision.rulebook.section("recovery_tests"),
        ),
        cause=cause,
    )
    row = band.as_row()
    for effect in band.effects:
        apply_effect(decision, harm, effect, row, occurrence=earlier + 1, cause=suffered)

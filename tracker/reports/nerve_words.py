"""Nerve words: the events and commands of nerve and the End phase, each as one plain line."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.nerve import NerveEvent
from tracker.reports.cards import plain
from tracker.reports.names import Names
from tracker.reports.paper import safe

NERVE_ROLLS = {
    "nerve": "Nerve test",
    "rally": "Rally test",
    "flee": "Cool test to stay",
    "flee_engaged": "Initiative test to break away",
    "bottle": "Bottle check",
    "recovery": "Recovery test",
    "webbed_out_of_action": "Webbed roll",
    "succumb": "succumb roll",
}
WHY_OUT = {
    "recovery_test": ", by the Recovery test",
    "succumbed": ", succumbing after the battle",
    "webbed": ", still Webbed",
}

_FATES = {
    "seriously_injured": "Seriously Injured",
    "out_of_action": "Out of Action",
    "wrecked": "Wrecked",
}
_FLIGHTS = {
    "running_for_cover": "Running for Cover (Double)",
    "break_for_air": "Break For Air (Double)",
    "burn_out": "Burn Out (Double)",
}


def nerve_sentence(event: NerveEvent, names: Names) -> str:
    """One line for one event of the chapter."""
    match event:
        case records.NerveTested():
            whose = (
                names.fighter(event.because_of) if event.because_of is not None else plain(event.wreck or "")
            )
            nerve = "keeps their nerve" if event.passed else "loses their nerve"
            return f"{names.fighter(event.fighter)} {nerve}: {whose} is {_FATES[event.fate]}"
        case records.FighterBroke():
            at_once = f"loses any Ready marker and activates at once for {_FLIGHTS[event.flight]}"
            return f"{names.fighter(event.fighter)} is Broken: {at_once}"
        case records.RallyTestTaken():
            return f"{names.fighter(event.fighter)} has taken the Rally test of round {event.round}"
        case records.FighterRallied():
            return f"{names.fighter(event.fighter)} rallies and is Broken no more"
        case records.GangBottled():
            how = " of its own will" if event.voluntary else ""
            lost = ", which loses it the battle" if event.forfeit else ""
            return f"{names.gang(event.gang)} bottles out{how}{lost}"
        case records.FighterFled():
            how = " of the gang's own will" if event.voluntary else ""
            return f"{names.fighter(event.fighter)} flees the battlefield{how}"
        case records.RecoveryAssisted():
            when = f" in round {event.round}" if event.round is not None else ""
            return f"{names.fighter(event.by)} assists {names.fighter(event.fighter)}'s Recovery test{when}"
        case records.SeriousInjuryOvercome():
            return f"{names.fighter(event.fighter)} is Seriously Injured no more, but Prone and Pinned"
        case records.WebShed():
            return f"{names.fighter(event.fighter)} sheds the web and is Prone and Pinned"
        case _:
            assert_never(event)


def nerve_asked(command: records.NerveCommand | records.EndPhaseCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.TakeNerveTest():
            cause = (
                names.fighter(command.because_of) if command.because_of is not None else command.wreck or ""
            )
            return f"Nerve test: {names.fighter(command.fighter)} because of {safe(cause)}"
        case records.CheckBottle():
            what = "Bottle check failed of its own will" if command.voluntary else "Bottle check"
            return f"{what}: {names.gang(command.gang)}"
        case records.TakeFleeingTests():
            return f"who flees: {names.gang(command.gang)} ({_listed(command.fighters, names)})"
        case records.FleeBattlefield():
            return f"{names.gang(command.gang)} leaves the battlefield ({_listed(command.fighters, names)})"
        case records.TakeRecoveryTest():
            by = f", {names.fighter(command.assisted_by)} assists" if command.assisted_by is not None else ""
            return f"Recovery test: {names.fighter(command.fighter)}{by}"
        case records.TakeRallyTest():
            return f"Rally test: {names.fighter(command.fighter)}"
        case _:
            assert_never(command)


def _listed(fighters: tuple[str, ...], names: Names) -> str:
    return ", ".join(names.fighter(name) for name in fighters)

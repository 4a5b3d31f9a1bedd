"""What outlives a battle, one line for each event."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.reports.cards import characteristic_name, characteristic_shown, plain, titled
from tracker.reports.names import Names, by_whom
from tracker.reports.paper import safe

InjuryEvent: TypeAlias = (
    records.LastingInjurySuffered
    | records.WentIntoConvalescence
    | records.ConvalescenceEnded
    | records.WentIntoRecovery
    | records.RecoveryEnded
    | records.CharacteristicChanged
    | records.CharacteristicKept
    | records.SkillGained
    | records.CapturePending
    | records.CriticalInjuryPending
    | records.FighterDied
    | records.BattleScarTaken
    | records.GearForfeited
    | records.HeldForRansom
    | records.RankChanged
)

_ORDINALS = {2: "2nd", 3: "3rd"}


def injury_sentence(event: InjuryEvent, names: Names) -> str:
    """One line for one event of a Lasting Injury or a battle scar."""
    who = names.fighter(event.fighter)
    match event:
        case records.LastingInjurySuffered():
            return _lasting_injury(event, names)
        case records.WentIntoConvalescence():
            return f"{who} goes into Convalescence"
        case records.ConvalescenceEnded():
            return f"{who} is out of Convalescence"
        case records.WentIntoRecovery():
            return f"{who} goes into Recovery and misses the gang's next battle"
        case records.RecoveryEnded():
            return f"{who} is out of Recovery"
        case records.CharacteristicChanged():
            before = characteristic_shown(event.characteristic, event.before)
            after = characteristic_shown(event.characteristic, event.after)
            changed = f"{characteristic_name(event.characteristic)} {before} -> {after}"
            return f"{who}: {changed} ({titled(event.why)})"
        case records.CharacteristicKept():
            value = characteristic_shown(event.characteristic, event.value)
            limit = "its limit"
            if event.with_characteristic is not None:
                limit = f"as {characteristic_name(event.with_characteristic)} is at its limit"
            kept = f"{characteristic_name(event.characteristic)} stays {value}, {limit}"
            return f"{who}: {kept} ({titled(event.why)})"
        case records.SkillGained():
            against = f" against {names.gang(event.against)}" if event.against is not None else ""
            return f"{who} gains {titled(event.skill)}{against} ({titled(event.why)})"
        case records.CapturePending():
            captor = f" by {names.anyone(event.captor)}" if event.captor is not None else ""
            return f"{who} might be captured{captor}: the escape roll is still to come"
        case records.CriticalInjuryPending():
            return f"{who} is critically injured and dies unless the Doc helps"
        case records.FighterDied():
            return f"{who} dies ({titled(event.why)})"
        case records.BattleScarTaken():
            borne = f"Battle Scar {event.scars} of {event.slots}"
            against = f" ({names.gang(event.against)})" if event.against is not None else ""
            return f"{who} bears {borne}, {titled(event.scar)}: {plain(event.means)}{against}"
        case records.GearForfeited():
            return f"{who} loses everything carried ({titled(event.why)})"
        case records.HeldForRansom():
            captor = f" by {names.gang(event.captor)}" if event.captor is not None else ""
            return f"{who} is held for ransom{captor}"
        case records.RankChanged():
            return f"{who}: {plain(event.before)} -> {plain(event.after)} ({titled(event.why)})"
        case _:
            assert_never(event)


def _lasting_injury(event: records.LastingInjurySuffered, names: Names) -> str:
    cell = f" ({cell_shown(event.cell)})" if event.cell is not None else ""
    within = f", one of {titled(event.within)}" if event.within is not None else ""
    again = ""
    if event.occurrence > 1:
        again = f" for the {_ORDINALS.get(event.occurrence, f'{event.occurrence}th')} time"
    counts = f", counts as {titled(event.counts_as)}" if event.counts_as is not None else ""
    return (
        f"{names.fighter(event.fighter)} suffers {safe(event.name)}{cell}{again}"
        f"{by_whom(event.by, names, 'from')}{within}{counts}"
    )


def cell_shown(cell: str) -> str:
    """'46' as people say it: '4-6'."""
    return "-".join(cell) if len(cell) == 2 and cell.isdecimal() else safe(cell)

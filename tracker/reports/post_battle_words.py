"""Words about the post-battle sequence, captives, territories and cycles: events and commands as one line."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.post_battle import PostBattleEvent
from tracker.reports.cards import plain
from tracker.reports.names import Names
from tracker.reports.paper import safe

POST_BATTLE_ROLLS = {
    "escape": "escape roll",
    "capture": "capture roll",
    "scrap": "scrap",
    "reward": "reward die",
    "reward_d3": "reward die",
    "doctor_fee": "the Doc's fee",
    "doctor": "the Doc",
    "stabilised": "Lasting Injury roll at the Doc",
    "doctor_injury": "injury at the Doc",
    "repairs": "repairs",
    "seek_rare": "search for rare things",
    "seek_illegal": "search for illegal things",
    "random_fighter": "drawn at random",
    "random_fighter_of_many": "drawn at random",
    "income": "income die",
    "income_d3": "income die",
}


def post_battle_sentence(event: PostBattleEvent, names: Names) -> str:
    """One line for one event."""
    match event:
        case records.StepReached():
            return f"{names.gang(event.gang)} come to {safe(event.name)}"
        case records.PostBattleActionTaken():
            return f"{names.fighter(event.fighter)} acts: {safe(event.name)}"
        case records.CriticalTreated():
            return f"{names.fighter(event.fighter)}'s Critical Injury: {plain(event.name)}"
        case records.RareItemsSought():
            illegal = f", Illegal ({event.illegal_up_to})" if event.illegal_up_to is not None else ""
            where = plain(event.market.replace("_", " "))
            return f"{names.gang(event.gang)} may buy up to Rare ({event.rare_up_to}){illegal} at the {where}"
        case records.VehicleRepaired():
            left = f", but for {safe(event.left_name)}" if event.left is not None else ""
            return f"{safe(event.name)} is repaired{left}"
        case records.FighterMissesBattle():
            return f"{names.fighter(event.fighter)} misses the gang's next battle: {safe(event.why)}"
        case records.PostBattleDone():
            return f"{names.gang(event.gang)} are done with {_done(event.what)}"
        case records.ReputationChanged():
            why = "gains count before losses" if event.by > 0 else f"but {event.after} is the least"
            otherwise = f", {why}" if event.after != event.before + event.by else ""
            moved = f"Reputation {event.before} -> {event.after} ({event.by:+d}{otherwise})"
            return f"{names.gang(event.gang)}: {moved}: {safe(event.why)}"
        case records.AlignmentStated():
            side = safe(event.after).replace("_", "-")
            return f"{names.gang(event.gang)} are {side}: {plain(event.why)}"
        case records.TerritoryGained():
            before = f" from {names.gang(event.before)}" if event.before is not None else ""
            return f"{names.gang(event.gang)} take {safe(event.name)}{before}: {plain(event.why)}"
        case records.TerritoryLost():
            to = f" to {names.gang(event.to)}" if event.to is not None else ""
            return f"{names.gang(event.gang)} lose {safe(event.name)}{to}: {plain(event.why)}"
        case records.CycleBegan():
            return f"cycle {event.number} begins: {safe(event.name)} ({plain(event.reason)})"
        case records.SpendingGranted():
            granted = names.money(event.amount)
            return f"{names.gang(event.gang)} have {granted} to spend in this phase; what is left lapses"
        case records.BoonTaken():
            what = names.fighter(event.recruit) if event.recruit is not None else _things(event.items)
            return f"{names.gang(event.gang)} have {what} of {safe(event.name)}, as long as they hold it"
        case records.ModelPainted():
            return f"{names.fighter(event.fighter)}'s model is painted"
        case _:
            assert_never(event)


def post_battle_asked(
    command: records.PostBattleCommand
    | records.TerritoryCommand
    | records.AwardCommand
    | records.BoonCommand,
    names: Names,
) -> str:
    """One line that says what was asked for."""
    match command:
        case records.ClaimScrap():
            return f"{names.gang(command.gang)} alone remained and take the scrap"
        case records.TakeReward():
            dice = f"{command.dice}{command.die} x {command.times}" if command.dice else ""
            fixed = names.money(command.credits_fixed) if command.credits_fixed else ""
            what = " and ".join(one for one in (dice, fixed) if one)
            return f"reward for {names.gang(command.gang)}, {what}: {plain(command.why)}"
        case records.ChangeReputation():
            return f"Reputation of {names.gang(command.gang)} {command.by:+d}: {plain(command.why)}"
        case records.StateAlignment():
            side = command.alignment.replace("_", "-")
            return f"{names.gang(command.gang)} are {side}: {plain(command.why)}"
        case records.MedicalEscort():
            unpaid = "" if command.paid else ", unpaid"
            return f"{names.fighter(command.by)} takes {names.fighter(command.patient)} to the Doc{unpaid}"
        case records.EndActions():
            return f"{names.gang(command.gang)} take no more actions"
        case records.NegotiateRepairs():
            return f"{names.fighter(command.by)} has {names.fighter(command.vehicle)} repaired"
        case records.Trade():
            return f"{names.fighter(command.by)} trades"
        case records.SeekRare():
            where = command.market.replace("_", " ")
            return f"{names.gang(command.gang)} seek rare things at the {where}"
        case records.GainTerritory():
            what = safe(command.name or command.territory)
            stake = ", the stake" if command.staked else ""
            return f"{names.gang(command.gang)} take {what}{stake}: {plain(command.why)}"
        case records.LoseTerritory():
            return f"{safe(command.territory)} is nobody's: {plain(command.why)}"
        case records.TakeIncome():
            return f"income of {safe(command.territory)}"
        case records.BeginCycle():
            phase = f" ({plain(command.phase)})" if command.phase is not None else ""
            return f"the next cycle begins{phase}: {plain(command.reason)}"
        case records.AwardSeveral():
            everybody = ", ".join(names.fighter(one) for one in command.fighters)
            return f"award: {command.amount} XP each for {everybody}: {plain(command.reason)}"
        case records.AwardTakingPart():
            amount = f", {command.amount} XP by the scenario" if command.amount is not None else ""
            return f"XP for taking part, {names.gang(command.gang)}{amount}"
        case records.RollPraise():
            what = "a painted model" if command.praise == "painted" else "the best of the gang"
            return f"XP for {what}: {names.fighter(command.fighter)}"
        case records.TakeRecruit():
            return f"recruit of {safe(command.territory)}"
        case records.TakeEquipment():
            return f"equipment of {safe(command.territory)}: {safe(command.item.name)}"
        case records.TakePatronage():
            return f"patronage for {names.gang(command.gang)}, to fight {names.gang(command.against)}"
        case _:
            assert_never(command)


def _things(items: tuple[str, ...]) -> str:
    """Three of one name as '3 choke gas grenades'."""
    return ", ".join(f"{items.count(one)} {safe(one)}" for one in dict.fromkeys(items))


def _done(what: str) -> str:
    """'income:old-ruins' as 'the income of old-ruins'."""
    kind, _, which = what.partition(":")
    if which:
        return f"the {plain(kind)} of {safe(which)}"
    return {
        "actions": "their actions",
        "capture": "the capture roll",
        "took_part": "the XP for taking part",
        "mvp": "the XP for their best",
    }.get(kind, f"the {plain(kind)}")

"""Affairs: what gangs do between two battles, for the quarrels. Captives taken, sold and let go, XP and credits
spent, things bought and handed on."""

from __future__ import annotations

import random

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Item
from tracker.campaign.state import CampaignState

ADVANCEMENTS = ("cool", "willpower", "leadership", "intelligence", "weapon_skill", "toughness")


ROLLED = ("weapon_skill", "movement", "strength", "leadership", "toughness", "willpower")


def affair(state: CampaignState, dice: random.Random) -> records.Command:
    """Something that a gang may try; the rules may refuse it."""
    people = [fighter for gang in state.gangs.values() for fighter in gang.fighters.values()]
    everybody = [fighter for fighter in people if fighter.standing == "enlisted"]
    waiting = [fighter for fighter in everybody if fighter.capture_pending]
    held = [fighter for fighter in everybody if fighter.held_by is not None]
    critical = [fighter for fighter in everybody if fighter.critical]
    chance = dice.random()
    if waiting and chance < 0.5:
        captured = dice.choice(waiting)
        others = [name for name in state.gangs if name != captured.gang]
        return records.RollEscape(
            fighter=captured.fighter,
            holder=dice.choice(others),
            result=dice.choice(["won", "drawn", "lost"]),
            webbed=False,
            late="it was forgotten",
        )
    if held and chance < 0.6:
        return _of_a_captive(state, dice.choice(held), dice)
    if critical and chance < 0.7:
        patient = dice.choice(critical)
        friends = [fighter.fighter for fighter in everybody if fighter.gang == patient.gang]
        return records.MedicalEscort(patient=patient.fighter, by=dice.choice(friends))
    gang = dice.choice(list(state.gangs.values()))
    best = sorted(
        gang.fighters.values(), key=lambda fighter: (fighter.standing != "enlisted", -fighter.experience)
    )
    who = dice.choice([best[0], best[0], *best]).fighter
    late = dice.choice([None, "it was forgotten"])
    amount = dice.randint(1, 60)
    return dice.choice(
        [
            records.BuyAdvancement(fighter=who, advancement=dice.choice(ADVANCEMENTS), reason=late),
            records.BuyAdvancement(
                fighter=who, advancement=dice.choice(ADVANCEMENTS), reason="it was forgotten"
            ),
            records.RollAdvancement(fighter=who, choose=ROLLED, reason=late),
            records.TakeReward(gang=gang.gang, why="a strongbox", dice=1),
            records.MoveCredits(source=gang.gang, target="@campaign", amount=amount, reason="a fine"),
            records.MoveCredits(source="@rewards", target=gang.gang, amount=amount, reason="a prize"),
            records.MoveCredits(
                source=gang.gang, target=dice.choice(list(state.gangs)), amount=amount, reason="a debt"
            ),
            records.BuyItem(
                gang=gang.gang,
                item=Item(name=f"charm {dice.randint(1, 3)}", kind="wargear", cost_credits=amount),
                market="common",
                reason=late,
            ),
            records.MoveItem(
                item=f"charm {dice.randint(1, 3)}",
                source=f"stash:{gang.gang}",
                target=f"fighter:{who}",
                reason=late,
            ),
            records.SellItem(gang=gang.gang, item=f"charm {dice.randint(1, 3)}", reason=late),
            records.ChangeReputation(gang=gang.gang, by=dice.choice([-1, 1]), why="talk"),
            records.EndActions(gang=gang.gang),
        ]
    )


def _of_a_captive(state: CampaignState, captive: Fighter, dice: random.Random) -> records.Command:
    assert captive.held_by is not None, "somebody holds them"
    holders = [fighter.fighter for fighter in state.gangs[captive.held_by].fighters.values()]
    return dice.choice(
        [
            records.EndRescue(captive=captive.fighter, result=dice.choice(["declined", "failed", "rescued"])),
            records.SellCaptive(captive=captive.fighter, by=dice.choice(holders)),
            records.SellCaptive(captive=captive.fighter, by=dice.choice(holders)),
            records.ReturnCaptive(captive=captive.fighter, why="mercy"),
            records.TradeCaptive(captive=captive.fighter, to=captive.gang, price=dice.randint(0, 40)),
        ]
    )

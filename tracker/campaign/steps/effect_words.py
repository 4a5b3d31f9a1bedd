"""The effects of traits and skills in a few words, for notes in the record."""

from __future__ import annotations

from typing import assert_never

from tracker.rules import special_rules as rules
from tracker.rules.special_rules import DeclaredEffect


def words_for(effect: DeclaredEffect) -> str:
    """What an effect does, in a few words."""
    match effect.then:
        case rules.OneHanded():
            return "used in one hand"
        case rules.BesideTheWeapons():
            return "used beside other weapons"
        case rules.ChangesAttackDice():
            return "more Attack dice"
        case rules.AlwaysAssists():
            return "assists"
        case rules.NoPriorityTest():
            return "no test for target priority"
        case rules.OutOfReach():
            return "no target"
        case rules.ChangesRoll(by=by):
            return f"{by:+d} to hit" if effect.when == "hit_roll" else f"{by:+d} to the save"
        case rules.WithoutModifiers():
            return "modifiers do not count"
        case rules.RollsAgain():
            return "rolled again"
        case rules.CannotBeParried():
            return "not parried"
        case rules.Parries():
            return "the Hit roll is made again"
        case rules.SpreadsHits():
            return "hits fall at random"
        case rules.AmmoTestEachTime():
            return "an Ammo test after each attack"
        case rules.AlwaysPins():
            return "Pinned whatever would keep them up"
        case rules.ChangesStrength(by=by):
            return f"Strength {by:+d}"
        case rules.ChangesToughness(by=by):
            return f"Toughness {by:+d}"
        case rules.ChangesArmourPenetration():
            return "AP changes"
        case rules.KnockedBack(inches=inches):
            return f'knocked back {inches}"'
        case rules.Inflicts(condition=condition):
            return CONDITIONS[condition]
        case rules.WoundRolls():
            return "several wound rolls"
        case rules.Wounds(location=location):
            return "wounds" if location is None else f"hits the {location}"
        case rules.NoFurtherEffect(moves=moves) if moves:
            return f'moves up to {moves}"'
        case rules.NoFurtherEffect():
            return _SPARED.get(effect.when, "no further effect")
        case rules.AllowsSaves(saves=saves):
            return "no save" if saves == "none" else "no armour save"
        case rules.BreaksShields():
            return "shields do not count"
        case rules.HitsNext():
            return "goes on to the next in line"
        case rules.ChangesDamage(times=times, by=by):
            return f"Damage times {times}" if times > 1 else f"Damage {by:+d}"
        case rules.FewerInjuryDice():
            return "fewer Injury dice"
        case rules.OutOfActionUnrolled():
            return "Out of Action without a roll"
        case rules.NerveTestInstead():
            return "breaks"
        case rules.WorsensFleshWound():
            return "a Flesh Wound becomes a Serious Injury"
        case rules.MoreFleshWounds():
            return "a Flesh Wound more"
        case rules.DraggedAlong():
            return "dragged along"
        case rules.Consolidates(inches=inches):
            return f'consolidates {inches}"'
        case rules.MarkerGoes():
            return "the marker goes"
        case rules.TestsControl():
            return "a Loss of Control test"
        case rules.MovesFurther():
            return "moves further"
        case rules.HardensFront():
            return "a harder front"
    assert_never(effect.then)


_SPARED = {"hits_scored": "misses", "pinning": "not Pinned"}
CONDITIONS = {
    "blind": "Blind",
    "concussed": "Initiative 2 worse to the end of the round",
    "insane": "Insane",
    "on_fire": "on fire",
    "dosed": "takes effect as a dose",
    "disarmed": "Reaction attacks are unarmed to the end of the round",
    "revealed": "Revealed",
    "entangled": "Reaction attacks against this are harder",
}

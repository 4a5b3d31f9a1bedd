"""Words about dice: what each was rolled for, what it shows, and who rolled it."""

from __future__ import annotations

from typing import Final

from tracker.dice import Die
from tracker.reports.cards import lowercase_id

_ROLLS = {
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
    "morale": "morale die",
    "shell_shock": "Shell Shocked die",
    "skill_roll": "skill roll",
    "promotion": "promotion die",
    "exploration": "exploration die",
    "exploration_reroll": "exploration die, rolled again,",
    "priority_cool": "Cool test for target priority",
    "hit": "hit roll",
    "improbable_hit": "Improbable Shot roll",
    "firepower": "Firepower die",
    "ammo": "Ammo test",
    "unstable": "Unstable roll",
    "scatter": "Scatter die",
    "scatter_distance": "scatter distance",
    "scatter_distance_far": "scatter distance",
    "misfire": "misfire roll",
    "unseen_template": "roll for a Template unseen",
    "template_spill": "roll for a Template that spills",
    "stray": "stray shot roll",
    "wound": "wound roll",
    "save": "save roll",
    "location": "Location die",
    "vehicle_damage": "Damage die",
    "handling": "Handling test",
    "control": "Control die",
    "control_direction": "direction",
    "weapon_at_random": "weapon at random",
    "crew_injury": "Lasting Injury roll of the crew",
    "lasting_damage": "Lasting Damage roll",
    "thrown_clear": "Initiative test",
    "melee_hit": "hit roll",
    "injury": "Injury die",
    "lasting_injury": "Lasting Injury roll",
    "multiple_injuries_count": "number of further Lasting Injury rolls",
    "multiple_injuries": "further Lasting Injury roll",
    "lesson_learned": "Lesson Learned roll",
    "old_battle_wound": "Old Battle Wound roll",
    "nerve": "Nerve test",
    "rally": "Rally test",
    "flee": "Cool test to stay",
    "flee_engaged": "Initiative test to break away",
    "bottle": "Bottle check",
    "recovery": "Recovery test",
    "webbed_out_of_action": "Webbed roll",
    "succumb": "succumb roll",
    "retreat": "Initiative test to retreat",
    "retreat_reaction": "Initiative test to react",
    "running_for_cover": "Running for Cover",
    "break_for_air": "Break For Air",
    "burn_out": "Burn Out",
    "ram": "inches of the Ram",
    "moves_further": "Heavy Foot roll",
    "turn_over": "inches of the Turn-over",
    "free_wheel": "inches of the Free Wheel",
    "free_wheel_way": "way of the Free Wheel",
    "front_toughness": "T-Bone roll",
    "run_over": "Initiative test in a vehicle's way",
    "leap": "Initiative test to leap",
    "jump": "Initiative test to jump down",
    "edge": "Initiative test at an edge",
    "catfall": "Initiative test with Catfall",
    "unstoppable": "Unstoppable roll",
    "inspirational": "Leadership test",
    "treat_wounds": "Treat Wounds roll",
    "hurl": "Initiative test against Hurl",
    "hurl_distance": "inches hurled",
    "headbutt": "Headbutt",
    "order": "Leadership test",
    "regroup": "Leadership test to regroup",
    "fixer": "Fixer's credits",
    "mentor": "Leadership test of a Mentor",
    "own_rule": "die of a rule of the table's own",
    "own_test": "test of a rule of the table's own",
    "stand_up": "Initiative test to stand up",
    "fearsome": "Willpower test",
    "saddle": "Initiative test in the saddle",
    "catch_fire": "roll to catch fire",
    "blaze_scatter": "Scatter die of who is on fire",
    "blaze_run": "run of who is on fire",
    "blaze_cool": "Cool test on fire",
    "blaze_out": "roll to put the fire out",
    "insanity": "insanity roll",
    "sanity": "Willpower test",
    "mutation": "mutation roll",
    "injury_chart": "Injury Chart die",
    "bloodbath": "Bloodbath die",
    "risky_stand": "die of the RISKY ACTION to stand",
    "troop_fate": "fate roll",
    "trauma": "Trauma roll",
    "bitter_lessons": "Bitter Lessons roll",
}


def roll_words(purpose: str) -> str:
    """'wound' as 'wound roll'."""
    return _ROLLS.get(purpose) or f"{lowercase_id(purpose)} roll"


def die_words(die: Die) -> str:
    """A die in words: 'wound roll 4', 'Lasting Injury roll 4-6'."""
    return f"{roll_words(die.purpose)} {face_words(die)}"


def face_words(die: Die) -> str:
    """What a die shows: '4', '4-6, rolled by the tool'."""
    return f"{lowercase_id(die.shown())}{by_tool(die.source)}"


def dice_words(dice: tuple[Die, ...]) -> str:
    """Several dice in a row; 'none' for none."""
    return ", ".join(die_words(die) for die in dice) or "none"


def by_tool(source: str) -> str:
    """', rolled by the tool' and the like, by the die's source; empty for typed dice."""
    return _SOURCES.get(source, "")


_SOURCES: Final = {
    "generated": ", rolled by the tool",
    "reported": ", rolled by the tool as the report says",
    "ruling": ", set by ruling",
}

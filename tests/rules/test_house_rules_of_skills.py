"""Every house rule that the sheet prints beside a skill (HR) is a policy, and moves the knob that it says.

What each of them decides is tested where the skill is; what only the table can see, it says itself.
"""

import pytest

from tracker.rules import loader

# The skill, its policy, the knob and its value, and whether the table alone carries it out.
HOUSE_RULES = [
    ("rain of blows", "rain-of-blows-on-a-charge@1", "melee.rain_of_blows", "two_fights_on_a_charge", False),
    ("backstab", "backstab-pierces@1", "backstab.armour_penetration", "-1", False),
    ("infiltrate", "infiltrate-is-two-moves@1", "infiltrate.how", "two_moves", True),
    ("impetuous", "impetuous-does-both@1", "melee.impetuous", "both", False),
    ("ballistics expert", "ballistic-experts-measure@1", "ballistic_expert.premeasure", "yes", True),
    ("fast shot", "shooting-skills-at-minus-1@1", "fast_shot.hit_modifier", "-1", False),
    ("trick shot", "trick-shot-saves-ammo@1", "trick_shot.ammo_modifier", "1", False),
]


@pytest.mark.parametrize(("skill", "name", "knob", "value", "at_the_table"), HOUSE_RULES)
def test_each_house_rule_of_a_skill_is_a_policy(
    skill: str, name: str, knob: str, value: str, *, at_the_table: bool
) -> None:
    policy, known = loader.policy(name), loader.book("necromunda_2023").knobs
    assert policy.patch[knob] == value, skill
    assert known[knob].printed != value
    assert known[knob].at_the_table == at_the_table
    assert ("at_the_table" in policy.tags) == at_the_table

"""Odds against every die, for every trait and skill with effects in an attack, and for actions with dice.

No number is expected by hand here: each way the dice can fall is decided by itself, and the odds are to be
the same fractions. The rows come from the book, so that a new one is tried without a word.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from fights import weapon
from scenario import CLOSING, KRUG, MAGS, MESH, SKULLS, VEX, Table, card, given, hit, opening
from special_rules import dice, exactly
from tables import every

from tracker.campaign import records
from tracker.rules import loader
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.special_rules import SkillRow

BOOK = loader.book("necromunda_2023")
TRAITS = [row for row in BOOK.traits.values() if row.name and row.effects]
SKILLS = [row for row in BOOK.skills.values() if row.effects]
OF_A_HIT = ("hit", "wound_roll", "wounded", "save", "damage", "injury_dice", "injured", "after_attack")
"""The triggers of one hit; those before it have tests of their own, by hand and against every die."""


def names(row: WeaponTrait | SkillRow) -> str:
    return str(getattr(row, "name", row))


def bears(row: WeaponTrait | SkillRow, bearer: str) -> bool:
    return any(effect.bearer == bearer for effect in row.effects)


def acts_on(row: WeaponTrait | SkillRow, model: str) -> bool:
    return any(effect.against in (model, "any") for effect in row.effects)


def counted(row: WeaponTrait | SkillRow) -> bool:
    """Whether every die of a hit is few enough to be tried; Scattershot's six wound rolls are not, and have a
    test by hand in `test_special_rules.py`."""
    resolves = getattr(row, "resolves", False)
    return names(row) != "Scattershot" and (
        resolves or any(effect.when in OF_A_HIT for effect in row.effects)
    )


@pytest.mark.slow
@every("row", [row for row in TRAITS if acts_on(row, "fighter") and counted(row)], ids=names)
def test_the_odds_of_a_hit_with_each_trait_are_those_of_every_die(row: WeaponTrait) -> None:
    carried = (weapon("kit", "Melee", names(row), strength=None),) if bears(row, "target") else ()
    table = given(card(VEX, armour=MESH, weapons=carried))
    traits = () if bears(row, "target") else (names(row),)
    struck = hit(VEX, by=MAGS, traits=traits, hit_roll=6, range_band="short", behind=not carried or None)
    ends = exactly(table, struck, VEX)
    assert len(ends) > 1 or row.name == "Chem Delivery"  # what a dose does is the table's word


@pytest.mark.slow
@every(
    ("row", "melee"),
    [(row, melee) for row in SKILLS for melee in (True, False) if acts_on(row, "fighter") and counted(row)],
    ids=names,
)
def test_the_odds_of_a_hit_with_each_skill_are_those_of_every_die(
    row: WeaponTrait | SkillRow, *, melee: bool
) -> None:
    ours = (names(row),) if bears(row, "attacker") else ()
    theirs = (names(row),) if bears(row, "target") else ()
    table = given(card(MAGS, skills=ours), card(VEX, skills=theirs, armour=MESH))
    how = {"in_close_combat": True, "traits": ("Melee",)} if melee else {"range_band": "short"}
    struck = hit(VEX, by=MAGS, hit_roll=6, behind=bool(ours) or None, **how)
    assert len(exactly(table, struck, VEX)) > 1


# --- actions with dice -----------------------------------------------------------------------------------


def skilled(skill: str, *others: records.FighterCard) -> Table:
    return given(card(KRUG, skills=(skill,)), *others)


def test_the_odds_of_medicae_are_those_of_every_die() -> None:
    table = skilled("Medicae", card(VEX, wounds=2)).when(hit(VEX), *dice(wound=6))
    treated = exactly(table, records.TreatWounds(by=KRUG, fighter=VEX, treats="wound"), VEX)
    assert {ends: part for ends, part in treated.items() if ends} == {
        (("wounds_left", 1, 2),): Fraction(4, 6)
    }


@pytest.mark.parametrize("model", [MAGS, KRUG])
def test_the_odds_of_headbutt_are_those_of_every_pair_of_faces(model: str) -> None:
    table = skilled("Headbutt", card(MAGS, toughness=5, armour=MESH))
    assert len(exactly(table, records.Headbutt(attacker=KRUG, target=MAGS), model)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("model", [MAGS, VEX])
def test_the_odds_of_hurl_are_those_of_every_die(model: str) -> None:
    thrown = records.HurlFighter(attacker=KRUG, target=MAGS, meets=VEX)
    assert len(exactly(skilled("Hurl"), thrown, model)) > 1


def test_the_odds_of_spring_up_are_those_of_every_die() -> None:
    pinned = given(card(VEX, skills=("Spring Up",))).when(
        records.ResolveFall(target=VEX, distance_hundredths=300), *dice(wound=1)
    )
    stands = exactly(pinned, records.StandUpByTest(fighter=VEX), VEX)
    assert stands[(("pinned", True, False),)] == Fraction(3, 6)


# --- after a battle: nothing of the board, so every die is counted by itself --------------------------------


def after(*skills: str) -> Table:
    table = given(card(KRUG, category="leader", skills=skills), battle=False)
    lawful = records.StateAlignment(gang=SKULLS, alignment="law_abiding", why="founded so")
    return table.when(lawful).when(opening(1)).when(CLOSING)


def test_fixer_brings_10_20_or_30_credits_alike_often() -> None:
    table = after("Fixer")
    before = table.state.gangs[SKULLS].credits
    earned = Counter(
        table.when(records.EarnAsFixer(by=KRUG), *dice(fixer=face)).state.gangs[SKULLS].credits - before
        for face in (1, 2, 3)
    )
    assert earned == {10: 1, 20: 1, 30: 1}


def test_mentor_gives_1_xp_in_as_many_of_36_as_pass_a_leadership_test() -> None:
    table = after("Mentor")
    test = records.TakeMentorTest(by=KRUG, fighter=VEX)
    needs = table.state.fighter(KRUG).characteristics["leadership"]  # type: ignore[union-attr]
    gained = sum(
        table.when(test, *dice(mentor=f"{one}+{other}")).state.fighter(VEX).experience  # type: ignore[union-attr]
        - table.state.fighter(VEX).experience  # type: ignore[union-attr]
        for one, other in product(range(1, 7), repeat=2)
    )
    passing = sum(
        (one + other >= needs or one + other == 12) and one + other != 2
        for one, other in product(range(1, 7), repeat=2)
    )
    assert gained == passing


@pytest.mark.parametrize(("skills", "trades", "more"), [
    ((), 1, 0), (("Savvy Trader",), 1, 1), (("Connected",), 2, 0), (("Connected", "Savvy Trader"), 2, 1),
])  # fmt: skip
def test_savvy_trader_adds_1_to_every_search_and_connected_nothing(
    skills: tuple[str, ...], trades: int, more: int
) -> None:
    table = after(*skills)
    for _ in range(trades):
        table = table.when(records.Trade(by=KRUG))
    plain = after().when(records.Trade(by=KRUG))
    for one, other in product(range(1, 7), repeat=2):
        rolled = dice(seek_rare=f"{one}+{other}")
        found = _found(table.when(records.SeekRare(gang=SKULLS), *rolled))
        assert found == _found(plain.when(records.SeekRare(gang=SKULLS), *rolled)) + more


def _found(table: Table) -> int:
    rare = table.state.after_battle[SKULLS].rare
    assert rare is not None
    return rare.rare_up_to

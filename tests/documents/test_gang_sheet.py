"""The gang sheet as people write it."""

from pathlib import Path

import jsonschema
import pytest
from document_examples import GANG_SHEETS, example_in, gang_of
from tables import every

from tracker.campaign.profiles import Armour, Characteristics, Weapon, WeaponProfile
from tracker.documents import card_numbers
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.refusals import DocumentRefused, FormatNotExpected
from tracker.documents.schemas import json_schema
from tracker.documents.weapon_sheet import ProfileNumbers
from tracker.documents.yaml_reader import parse_document, read_document
from tracker.records import replace
from tracker.rules import loader

CHARACTERISTICS = "{M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}"
SHEET = f"""\
format: gang-sheet/1
name: Iron Skulls
house: Forge Clans
player: Dana
fighters:
  - name: Krug
    category: leader
    type: Forge Boss
    cost: 100
    characteristics: {CHARACTERISTICS}
"""


def with_weapon(weapon: str) -> str:
    return f"{SHEET}    weapons:\n      - {weapon}\n"


def weapon_of(weapon: str) -> Weapon:
    return gang_of(with_weapon(weapon)).fighters[0].weapons[0]


def faults(text: str) -> list[str]:
    with pytest.raises(DocumentRefused) as raised:
        gang_of(text)
    assert "pydantic" not in raised.value.message().lower()
    return raised.value.message().splitlines()[1:]


# --- what is read ----------------------------------------------------------------------------------------


@every("sheet", GANG_SHEETS, ids=lambda sheet: sheet.stem)
def test_every_sample_gang_can_be_enlisted(sheet: Path) -> None:
    gang = gang_sheet_command(read_document(sheet))
    assert gang.gang == sheet.stem
    assert 5 <= len(gang.fighters) <= 7
    assert gang.fighters[0].category == "leader"


def test_the_sample_gangs_share_no_fighter() -> None:
    ids = [
        card.fighter for sheet in GANG_SHEETS for card in gang_sheet_command(read_document(sheet)).fighters
    ]
    assert len(ids) == len(set(ids))


def test_the_example_in_the_docs_can_be_enlisted() -> None:
    gang = gang_of(example_in("gang-sheet.md"))
    assert [profile.name for profile in gang.fighters[0].weapons[1].profiles] == [
        "solid shot",
        "sleeper shell",
    ]


def test_numbers_may_be_written_as_cards_print_them() -> None:
    printed = SHEET.replace(
        CHARACTERISTICS,
        '{M: 5", WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}',
    )
    assert gang_of(printed) == gang_of(SHEET)
    assert gang_of(SHEET).fighters[0].characteristics == Characteristics(
        movement=5, weapon_skill=4, ballistic_skill=4, strength=3, toughness=3, wounds=1, initiative=4, attacks=1,
        leadership=7, cool=7, willpower=7, intelligence=7,
    )  # fmt: skip


def test_ids_left_out_are_made_from_the_names() -> None:
    gang = gang_of(SHEET)
    assert (gang.gang, gang.fighters[0].fighter) == ("iron-skulls", "krug")


def test_credits_reputation_and_experience_left_out_are_none() -> None:
    gang = gang_of(SHEET)
    assert (gang.credits, gang.reputation, gang.fighters[0].experience) == (0, 0, 0)


def test_a_single_profile_stands_beside_the_weapons_name() -> None:
    written = (
        'name: autogun, cost: 15, S: 3, AP: -1, D: 1, range: {short: 8", long: 24}, accuracy: {short: +1, long: "-"},'
        " ammo: 4+, traits: [Rapid Fire (1)]"
    )
    assert weapon_of("{" + written + "}") == Weapon(
        weapon="autogun",
        cost_credits=15,
        profiles=(
            WeaponProfile(
                strength=3,
                armour_penetration=-1,
                damage=1,
                traits=("Rapid Fire (1)",),
                range_short_inches=8,
                range_long_inches=24,
                accuracy_short=1,
                ammo=4,
            ),
        ),
    )


@every(("written", "strength"), [("user", None), ("S", None), ('"-"', 0), ("4", 4), ('"4"', 4)])
def test_strength_is_a_number_or_the_wielders_own(written: str, strength: int | None) -> None:
    assert weapon_of(f"{{name: x, S: {written}, AP: 0, D: 1}}").profiles == (
        WeaponProfile(strength=strength),
    )


@every(("written", "added"), [("S+1", 1), ("s+2", 2), ("S + 3", 3), ("user+1", 1), ("S-1", -1)])
def test_strength_may_be_the_wielders_with_something_added(written: str, added: int) -> None:
    profile = WeaponProfile(strength=None, strength_added=added)
    assert weapon_of(f"{{name: x, S: {written}, AP: 0, D: 1}}").profiles == (profile,)
    shot = f"{{name: x, S: {written}, AP: 0, D: 1, range: {{long: 12}}, ammo: 4}}"
    assert weapon_of(shot).profiles == (replace(profile, range_long_inches=12, ammo=4),)


@every(
    ("written", "kept"),
    [("long: Sx3", (None, 3)), ("short: s x 2, long: S×4", (2, 4)), ("short: Sx3", (3, None))],
)
def test_ranges_may_be_times_the_wielders_strength(written: str, kept: tuple[int | None, int | None]) -> None:
    (profile,) = weapon_of(f"{{name: x, S: 3, AP: 0, D: 1, range: {{{written}}}, ammo: 4}}").profiles
    assert (profile.range_short_inches, profile.range_long_inches) == kept
    assert profile.range_of_strength
    again = ProfileNumbers.stated_of(profile)["range"]
    assert list(again.values()) == [f"Sx{times}" for times in kept if times is not None]


@every(("written", "said"), [
    ("short: 4, long: Sx3", "write both in inches"), ("short: Sx4, long: Sx2", "Short range of Sx4 does not go"),
    ("long: Sx0", "Strength times 3"), ("long: Sx3x3", "Strength times 3"),
])  # fmt: skip
def test_ranges_of_two_kinds_or_the_wrong_way_round_are_refused(written: str, said: str) -> None:
    (fault,) = faults(with_weapon(f"{{name: x, S: 3, AP: 0, D: 1, range: {{{written}}}, ammo: 4}}"))
    assert said in fault


def test_an_ap_of_plus_1_is_kept() -> None:
    (profile,) = weapon_of("{name: club, S: S, AP: +1, D: 2, traits: [Melee]}").profiles
    assert profile.armour_penetration == 1


@every("written", ["S+", "S+0", "S+10", "T+1", "S1", "S+1+1"])
def test_other_sums_are_no_strength(written: str) -> None:
    (fault,) = faults(with_weapon(f"{{name: x, S: {written}, AP: 0, D: 1}}"))
    assert f"found '{written}'" in fault


TRENCH_SHEET = """\
format: gang-sheet/2
name: Iron Procession
house: Trench Pilgrims
player: Dana
stash:
  - {name: trench club, kind: weapon, cost: 3}
fighters:
  - name: Anselm
    category: elite
    type: War Prophet
    cost: 80
    characteristics: {Mv: 6", Rng: +1 DICE, Mel: +2 DICE, Arm: -2}
    weapons:
      - {name: rifle, cost: 10, range: {long: 24}, traits: [Heavy]}
      - {name: bayonet lug, profiles: [{name: stab}, {name: throw, range: {long: 8}}]}
"""


def test_weapons_need_no_s_ap_and_d_where_the_books_cards_have_none() -> None:
    book = loader.book("trench_crusade").characteristics
    document = parse_document(TRENCH_SHEET, file="gang.yaml")
    gang = gang_sheet_command(document, characteristics=book)
    bare = WeaponProfile(strength=0, armour_penetration=0, damage=None)
    rifle, lug = gang.fighters[0].weapons
    assert rifle.profiles == (replace(bare, range_long_inches=24, traits=("Heavy",)),)
    assert lug.profiles == (replace(bare, name="stab"), replace(bare, name="throw", range_long_inches=8))
    assert gang.stash[0].weapon == Weapon(weapon="trench club", profiles=(bare,), cost_credits=3)
    jsonschema.Draft202012Validator(json_schema("gang-sheet")).validate(document.root.plain())


@every("key", ["S", "AP", "D"])
def test_in_the_other_books_a_weapon_needs_each_of_them(key: str) -> None:
    numbers = ", ".join(f"{name}: 1" if name != "AP" else "AP: 0" for name in ("S", "AP", "D") if name != key)
    (fault,) = faults(with_weapon(f"{{name: x, {numbers}}}"))
    assert fault.endswith(f"fighters[1].weapons[1]: the key '{key}' is missing.")


def test_a_dash_means_no_penetration_no_damage_and_no_range() -> None:
    profile = weapon_of('{name: x, S: 3, AP: "-", D: "-", range: {short: E, long: T}}').profiles[0]
    assert profile == WeaponProfile(strength=3, armour_penetration=0, damage=None)


def test_armour_and_field_armour_keep_their_saves() -> None:
    card = gang_of(
        SHEET + "    armour: {name: mesh, save: 5}\n    field_armour: {name: shimmer, save: 4+}\n"
    ).fighters[0]
    assert (card.armour, card.field_armour) == (Armour(name="mesh", save=5), Armour(name="shimmer", save=4))


# --- what is refused -------------------------------------------------------------------------------------


def test_an_unknown_key_is_refused_with_the_nearest_known_one() -> None:
    assert faults(SHEET.replace("category:", "catgory:")) == [
        "  gang.yaml:7:5 fighters[1].catgory: unknown key. Did you mean 'category'?"
    ]


def test_an_unknown_category_is_refused_with_the_nearest_known_one() -> None:
    (fault,) = faults(SHEET.replace("category: leader", "category: Leader"))
    assert fault.startswith(
        "  gang.yaml:7:15 fighters[1].category: found 'Leader', expected one of leader, champion"
    )
    assert fault.endswith("Did you mean 'leader'?")


def test_a_missing_key_is_refused_where_it_should_stand() -> None:
    assert faults(SHEET.replace("    cost: 100\n", "")) == [
        "  gang.yaml:6:5 fighters[1]: the key 'cost' is missing."
    ]


def test_a_misspelt_characteristic_is_refused_with_the_known_ones() -> None:
    assert faults(SHEET.replace("Cl: 7", "Coolness: 7")) == [
        "  gang.yaml:10:80 fighters[1].characteristics.Coolness: unknown key. Known here: M, WS, BS, S, T, W, I, A, Ld, Cl, Wil, Int."
    ]


@every("written", ["100", "-1", "4.5", "five", "true", "4++", '"４"', "[4]"])
def test_a_characteristic_out_of_all_bounds_is_refused(written: str) -> None:
    (fault,) = faults(SHEET.replace("WS: 4", f"WS: {written}"))
    assert "fighters[1].characteristics.WS: found" in fault
    assert fault.endswith('expected a whole number from 0 to 99, such as 4 or 4+, or "-" for none.')


@every("none", ["-", "N/A", "n/a", "–", "—"])
def test_a_dash_and_not_applicable_mean_that_a_weapon_has_none(none: str) -> None:
    numbers = (
        f"S: '{none}', AP: '{none}', D: '{none}', ammo: '{none}', range: {{short: '{none}', long: '{none}'}}"
    )
    assert weapon_of(f"{{name: web, {numbers}}}") == weapon_of("{name: web, S: 0, AP: 0, D: '-'}")


@every("written", ["+2 DICE", "+2 Dice", "+2 dice", "+2DICE", "+2", "2"])
def test_dice_are_understood_in_any_case(written: str) -> None:
    assert card_numbers.DICE.read(written) == 2


def test_two_fighters_with_one_id_written_are_refused() -> None:
    first = SHEET.replace("  - name: Krug", "  - id: krug\n    name: Krug")
    assert faults(first + first.split("fighters:\n", 1)[1]) == [
        "  gang.yaml:12:5 fighters[2]: the id 'krug' is fighter 1's already. Give this one an `id` of its own."
    ]


def test_a_name_in_any_script_gives_an_id() -> None:
    assert [card.fighter for card in gang_of(SHEET.replace("Krug", "骷髅")).fighters] == ["kulou"]
    assert [card.fighter for card in gang_of(SHEET.replace("Krug", "'!!!'")).fighters] == ["fighter-1"]


def test_ids_that_are_made_are_numbered_where_they_collide() -> None:
    second = SHEET.split("fighters:\n", 1)[1]
    assert [card.fighter for card in gang_of(SHEET + second + second).fighters] == [
        "krug",
        "krug-2",
        "krug-3",
    ]


def test_a_gang_without_fighters_is_refused() -> None:
    head = SHEET.split("fighters:", 1)[0]
    assert faults(head + "fighters: []\n") == [
        "  gang.yaml:5:11 fighters: found an empty list, expected at least 1 of them."
    ]


def test_profiles_that_cannot_be_distinguished_are_refused() -> None:
    profile = "{S: 3, AP: 0, D: 1}"
    (fault,) = faults(with_weapon(f"{{name: x, profiles: [{profile}, {profile}]}}"))
    assert "fighters[1].weapons[1].profiles[2]: this profile needs a `name` of its own" in fault


def test_a_fault_in_a_single_profile_is_given_where_it_stands() -> None:
    (fault,) = faults(with_weapon("{name: x, S: T+1, AP: 0, D: 1}"))
    assert fault == (
        "  gang.yaml:12:22 fighters[1].weapons[1].S: found 'T+1', expected a whole number from 0 to 99, S or S+1 for the"
        ' wielder\'s own and what is added to it, or "-" for none.'
    )


def test_a_weapon_with_both_kinds_of_profile_is_refused() -> None:
    (fault,) = faults(with_weapon("{name: x, S: 3, profiles: [{S: 3, AP: 0, D: 1}]}"))
    assert "fighters[1].weapons[1].S: unknown key." in fault


def test_an_armour_penetration_that_no_card_has_is_refused() -> None:
    (fault,) = faults(with_weapon("{name: x, S: 3, AP: 10, D: 1}"))
    assert "found 10, expected a whole number from -99 to 9, such as -1" in fault


@every("name", ['"a\\u202eb"', '"a\\nb"', '"\\u200b"', "''", '"   "', '"' + "x" * 81 + '"'])
def test_names_that_hide_something_are_refused(name: str) -> None:
    (fault,) = faults(SHEET.replace("name: Krug", f"name: {name}"))
    assert fault.isprintable()
    assert "fighters[1].name: found" in fault


def test_a_number_for_a_name_is_refused_with_a_hint_at_quotes() -> None:
    assert faults(SHEET.replace("name: Krug", "name: 42")) == [
        "  gang.yaml:6:11 fighters[1].name: found 42, expected a name; put it in quotes."
    ]


def test_every_problem_is_listed_up_to_twenty() -> None:
    wrong = "format: gang-sheet/1\nname: 1\nhouse: 2\nplayer: 3\ncredits: -1\nreputation: x\nfighters: y\n"
    assert len(faults(wrong)) == 6
    listed = faults(wrong + "".join(f"key{number}: 1\n" for number in range(26)))
    assert len(listed) == 21
    assert listed[-1] == "  ... and 6 more"


def test_a_battle_report_given_as_a_gang_sheet_says_where_it_belongs() -> None:
    with pytest.raises(FormatNotExpected, match="arbitrator battle record"):
        gang_of("format: battle-report/1\n")


# --- what was before: gang-sheet/2 -------------------------------------------------------------------------

MOVED_IN = example_in("gang-sheet.md", 3)


def moved_in(*changes: tuple[str, str]) -> str:
    text = MOVED_IN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_a_sheet_says_what_was_before_and_where_that_comes_from() -> None:
    gang = gang_of(MOVED_IN)
    brakka, mik = gang.fighters
    assert gang.origin is not None
    assert (gang.origin.source, len(gang.origin.digest)) == ("our spreadsheet, week 5", 64)
    assert gang.so_far is not None
    assert (gang.so_far.battles, gang.so_far.won, gang.so_far.alignment) == (5, 3, "outlaw")
    assert [(item.name, item.kind, item.cost_credits) for item in gang.stash] == [
        ("spare mesh", "armour", 15)
    ]
    assert brakka.so_far is not None
    assert brakka.so_far.improved == ("WS", "attacks")
    assert mik.so_far is not None
    assert (mik.so_far.gone, mik.so_far.when) == ("dead", "week 3")


def test_an_injury_is_written_as_the_book_prints_it_and_counts_as_the_sheet_says_unless_it_says_itself() -> (
    None
):
    past = gang_of(MOVED_IN).fighters[0].so_far
    assert past is not None
    assert [(injury.injury, injury.counted) for injury in past.injuries] == [
        ("eye_injury", True),
        ("hobbled", False),
    ]


def test_without_a_word_on_where_it_comes_from_the_file_is_named() -> None:
    origin = gang_of(moved_in(("brought_from: our spreadsheet, week 5\n", ""))).origin
    assert origin is not None
    assert origin.source == "gang.yaml"


def test_the_digest_is_of_what_the_sheet_says_whatever_its_layout() -> None:
    origin = gang_of(MOVED_IN).origin
    assert gang_of(MOVED_IN + "\n# a remark\n").origin == origin
    assert gang_of(moved_in(("kills: 5", "kills: 6"))).origin != origin


@every(
    "key",
    [
        "brought_from: a sheet",
        "injuries_counted: true",
        "stash: [{name: rope, cost: 5}]",
        "so_far: {battles: 2, won: 1}",
    ],
)
def test_a_sheet_of_the_first_format_has_no_past(key: str) -> None:
    (fault,) = faults(
        f"{key}\n{SHEET}".replace(f"{key}\nformat: gang-sheet/1\n", f"format: gang-sheet/1\n{key}\n")
    )
    assert key.partition(":")[0] in fault
    assert "write `format: gang-sheet/2` at the top" in fault


def test_a_fighter_of_the_first_format_has_no_past() -> None:
    (fault,) = faults(f"{SHEET}    so_far: {{kills: 2}}\n")
    assert "write `format: gang-sheet/2` at the top" in fault


def test_a_sheet_without_a_past_comes_from_nowhere_else() -> None:
    assert gang_of(SHEET.replace("gang-sheet/1", "gang-sheet/2")).origin is None


# --- less typing: like and names -----------------------------------------------------------------------------

ALIKE = f"""\
format: gang-sheet/2
name: Iron Skulls
house: Forge Clans
player: Dana
fighters:
  - name: Krug
    category: leader
    type: Forge Boss
    cost: 100
    xp: 6
    characteristics: {CHARACTERISTICS}
    weapons: [{{name: maul, S: 4, AP: 0, D: 1}}]
    so_far: {{kills: 2}}
  - {{name: Grit, like: Krug, category: ganger, type: Forge Hand, cost: 60}}
  - {{names: [Yol, Mik], like: grit, cost: 55}}
"""


def test_a_fighter_like_another_has_that_card_but_for_what_is_written() -> None:
    krug, grit, yol, mik = gang_of(ALIKE).fighters
    assert (grit.category, grit.kind, grit.cost_credits) == ("ganger", "Forge Hand", 60)
    assert (grit.characteristics, grit.weapons) == (krug.characteristics, krug.weapons)
    assert (grit.experience, grit.so_far) == (0, None)
    assert [(card.fighter, card.kind, card.cost_credits) for card in (yol, mik)] == [
        ("yol", "Forge Hand", 55),
        ("mik", "Forge Hand", 55),
    ]


def test_fighters_alike_come_to_the_same_gang_as_fighters_written_out() -> None:
    whole = f"""\
format: gang-sheet/2
name: Iron Skulls
house: Forge Clans
player: Dana
fighters:
  - {{name: Yol, category: ganger, type: Hand, cost: 55, characteristics: {CHARACTERISTICS}}}
  - {{name: Mik, category: ganger, type: Hand, cost: 55, characteristics: {CHARACTERISTICS}}}
"""
    short = whole.partition("  - {name: Mik")[0].replace("name: Yol", "names: [Yol, Mik]")
    assert gang_of(short) == gang_of(whole)


@every(
    ("old", "new", "said"),
    [
        ("like: Krug", "like: Krugg", "14:24 fighters[2].like: no fighter of this sheet is called 'Krugg'. Did you mean 'krug'?"),
        ("like: Krug", "like: Grit", "in a circle"),
        ("like: Krug", "like: [Krug]", "`like` names another fighter of this sheet"),
        ("names: [Yol, Mik]", "names: []", "expected a list of 1 to 20 names"),
        ("names: [Yol, Mik]", "names: [Yol], id: yol", "has no `id`"),
        ("names: [Yol, Mik]", "names: [3]", "expected a name; put it in quotes"),
    ],
)  # fmt: skip
def test_slips_in_like_and_names_are_named_where_they_stand(old: str, new: str, said: str) -> None:
    assert old in ALIKE
    assert said in " ".join(faults(ALIKE.replace(old, new)))


def test_too_many_of_a_kind_are_refused() -> None:
    names = ", ".join(f"N{number}" for number in range(20))
    crowd = "".join(f"  - {{names: [{names.replace('N', letter)}], like: Krug}}\n" for letter in "ABCDEF")
    assert "these are 124 fighters, and a sheet has at most 100" in " ".join(faults(ALIKE + crowd))


def test_a_sheet_of_the_first_format_knows_neither() -> None:
    assert "unknown key" in " ".join(faults(ALIKE.replace("gang-sheet/2", "gang-sheet/1")))


# --- weapons by name -----------------------------------------------------------------------------------------

NAMED = ALIKE.replace(
    "weapons: [{name: maul, S: 4, AP: 0, D: 1}]", "weapons: [Maul, {name: knife, S: user, AP: 0, D: 1}]"
)
MAUL = Weapon(weapon="maul", profiles=(WeaponProfile(strength=4),), cost_credits=15)


def armed(sheet: str, weapon: Weapon | None = MAUL) -> list[str]:
    def listed(name: str) -> Weapon | None:
        return weapon if weapon is not None and name.casefold() == weapon.weapon else None

    document = parse_document(sheet, file="gang.yaml")
    gang = gang_sheet_command(document, weapons=listed)
    return [weapon.weapon for weapon in gang.fighters[0].weapons]


def test_a_weapon_that_the_sheet_names_has_the_numbers_of_the_armoury() -> None:
    assert armed(NAMED) == ["maul", "knife"]


def test_a_named_weapon_needs_an_armoury_that_lists_it() -> None:
    assert "'Maul' needs its numbers" in " ".join(faults(NAMED))
    with pytest.raises(DocumentRefused, match="the armoury lists no weapon 'Maul'"):
        armed(NAMED, None)


def test_a_sheet_of_the_first_format_names_no_weapon() -> None:
    first = SHEET + "    weapons: [maul]\n"
    with pytest.raises(DocumentRefused, match="expected a map with the weapon's name and numbers"):
        armed(first)

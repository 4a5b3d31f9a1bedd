"""Close combat in numbers: who has how many dice, who gets them, what hits, who helps, what may follow."""

from itertools import combinations, product
from typing import get_args

from tables import every

from tracker.rules.necromunda import close_combat

# --- weapons ---------------------------------------------------------------------------------------------


@every(
    ("traits", "counts_as"),
    [
        (("Melee",), "melee"),
        (("Sidearm",), "sidearm"),
        (("Melee", "Parry", "Power"), "melee"),
        (("Rapid Fire (1)", "Sidearm"), "sidearm"),
        (("Melee", "Sidearm"), "sidearm"),
        (("Sidearm", "Melee"), "sidearm"),
        (("Rapid Fire (1)",), None),
        (("Versatile",), None),
        (("Unwieldy",), None),
        ((), None),
    ],
)
def test_a_weapon_is_used_in_close_combat_by_its_melee_or_sidearm_trait(traits, counts_as) -> None:
    assert close_combat.fights_as(traits) == counts_as


def test_unwieldy_and_versatile_are_read_off_the_traits() -> None:
    assert close_combat.takes_both_hands(("Melee", "Unwieldy"))
    assert not close_combat.takes_both_hands(("Melee",))
    assert close_combat.reaches_across(("Melee", "Versatile"))
    assert not close_combat.reaches_across(("Melee",))


# --- attack dice -----------------------------------------------------------------------------------------


@every("attacks", range(1, 11))
def test_attack_dice_are_attacks_and_1_for_a_second_weapon_and_1_for_charging(attacks: int) -> None:
    two, charge = ("two weapons", 1), ("charging", 1)
    assert close_combat.attack_dice(attacks=attacks, weapons=0, charging=False) == (attacks, ())
    assert close_combat.attack_dice(attacks=attacks, weapons=0, charging=True) == (attacks + 1, (charge,))
    assert close_combat.attack_dice(attacks=attacks, weapons=1, charging=False) == (attacks, ())
    assert close_combat.attack_dice(attacks=attacks, weapons=1, charging=True) == (attacks + 1, (charge,))
    assert close_combat.attack_dice(attacks=attacks, weapons=2, charging=False) == (attacks + 1, (two,))
    assert close_combat.attack_dice(attacks=attacks, weapons=2, charging=True) == (attacks + 2, (two, charge))


# By hand, for Attacks 1 to 6: the dice of each weapon, then unarmed. Two rows where the player chooses.
STANDING = {
    (): ["1", "2", "3", "4", "5", "6"],
    ("melee",): ["1 0", "2 0", "3 0", "4 0", "5 0", "6 0"],
    ("sidearm",): ["1 0", "1 1", "1 2", "1 3", "1 4", "1 5"],
    ("melee", "melee"): ["1 1 0", "2 1 0|1 2 0", "2 2 0", "3 2 0|2 3 0", "3 3 0", "4 3 0|3 4 0"],
    ("melee", "sidearm"): ["1 1 0", "2 1 0", "3 1 0", "4 1 0", "5 1 0", "6 1 0"],
    ("sidearm", "melee"): ["1 1 0", "1 2 0", "1 3 0", "1 4 0", "1 5 0", "1 6 0"],
    ("sidearm", "sidearm"): ["1 1 0", "1 1 1", "1 1 2", "1 1 3", "1 1 4", "1 1 5"],
}
CHARGING = {
    (): ["2", "3", "4", "5", "6", "7"],
    ("melee",): ["2 0", "3 0", "4 0", "5 0", "6 0", "7 0"],
    ("sidearm",): ["1 1", "1 2", "1 3", "1 4", "1 5", "1 6"],
    ("melee", "melee"): ["2 1 0|1 2 0", "2 2 0", "3 2 0|2 3 0", "3 3 0", "4 3 0|3 4 0", "4 4 0"],
    ("melee", "sidearm"): ["2 1 0", "3 1 0", "4 1 0", "5 1 0", "6 1 0", "7 1 0"],
    ("sidearm", "melee"): ["1 2 0", "1 3 0", "1 4 0", "1 5 0", "1 6 0", "1 7 0"],
    ("sidearm", "sidearm"): ["1 1 1", "1 1 2", "1 1 3", "1 1 4", "1 1 5", "1 1 6"],
}


@every("weapons", STANDING, ids=lambda kinds: "+".join(kinds) or "unarmed")
@every(("charging", "table"), [(False, STANDING), (True, CHARGING)])
def test_attack_dice_are_shared_evenly_but_1_at_most_to_a_sidearm(weapons, charging: bool, table) -> None:
    for attacks, expected in enumerate(table[weapons], start=1):
        dice, _ = close_combat.attack_dice(attacks=attacks, weapons=len(weapons), charging=charging)
        ways = close_combat.attack_splits(dice, weapons)
        assert ways == tuple(tuple(int(word) for word in way.split()) for way in expected.split("|"))


@every("dice", range(2, 14))
def test_no_attack_dice_is_lost_or_made_in_sharing(dice: int) -> None:
    for count in (0, 1, 2):
        for kinds in product(("melee", "sidearm"), repeat=count):
            for way in close_combat.attack_splits(dice, kinds):
                assert sum(way) == dice
                assert min(way) >= 0
                assert len(way) == count + 1
                assert all(way[place] == 1 for place, kind in enumerate(kinds) if kind == "sidearm")
                if "melee" in kinds:
                    assert way[-1] == 0


@every("dice", range(2, 9))
def test_attack_dice_are_shared_in_whole_numbers(dice: int) -> None:
    kinds = get_args(close_combat.FightsAs)
    for weapons in ((), *((kind,) for kind in kinds), *product(kinds, repeat=2)):
        for split in close_combat.attack_splits(dice, weapons):
            assert [type(share) for share in split] == [int] * len(split)


# --- hit rolls -------------------------------------------------------------------------------------------


@every("weapon_skill", range(2, 7))
@every("modifier", range(-4, 5))
def test_a_hit_needs_weapon_skill_after_modifiers_and_never_a_1(weapon_skill: int, modifier: int) -> None:
    for face in range(1, 7):
        hits = close_combat.strikes(face, weapon_skill=weapon_skill, modifier=modifier)
        assert hits == (face > 1 and face >= weapon_skill - modifier)
        assert hits == (face >= close_combat.hit_threshold(weapon_skill=weapon_skill, modifier=modifier))


@every(
    ("weapon_skill", "modifier", "lowest"),
    [(2, 4, 2), (2, 0, 2), (3, 0, 3), (4, -1, 5), (4, -2, 6), (4, -3, 7), (6, -1, 7), (6, 4, 2), (3, 1, 2), (6, -4, 10)],
)  # fmt: skip
def test_a_hit_needs_these_d6_at_these_weapon_skills_and_modifiers(
    weapon_skill: int, modifier: int, lowest: int
) -> None:
    assert close_combat.hit_threshold(weapon_skill=weapon_skill, modifier=modifier) == lowest


def test_a_natural_6_misses_in_close_combat_where_7_is_needed() -> None:
    assert not close_combat.strikes(6, weapon_skill=4, modifier=-3)


def test_a_natural_1_misses_in_close_combat_whatever_helps() -> None:
    assert not close_combat.strikes(1, weapon_skill=2, modifier=4)


# --- modifiers -------------------------------------------------------------------------------------------


def test_a_fight_without_statements_has_no_modifier() -> None:
    assert close_combat.hit_modifiers() == ()


@every(
    ("stated", "expected"),
    [
        ({"turned_to_face": True}, (("turned to face", -1),)),
        ({"charged_while_prone": True}, (("charged while Prone", -1),)),
        ({"charged_while_prone": True, "turned_to_face": True}, (("charged while Prone", -1),)),
        ({"charged_unseen": True}, (("charged out of sight", -1),)),
        ({"broken": -2}, (("Broken", -2),)),
        ({"assists": 1}, (("assist", 1),)),
        ({"assists": 3}, (("assists", 3),)),
        ({"interference": 2}, (("interference", -2),)),
        ({"against_vehicle": True}, (("against a vehicle", 1),)),
        ({"against_vehicle": True, "assists": 2}, (("against a vehicle", 1),)),
        ({"against_vehicle": True, "interference": 1}, (("against a vehicle", 1), ("interference", -1))),
    ],
)
def test_each_modifier_of_a_close_combat_hit_roll_has_its_reason(stated: dict, expected) -> None:
    assert close_combat.hit_modifiers(**stated) == expected


def test_a_broken_fighter_who_turns_before_reacting_is_at_minus_3() -> None:
    assert sum(by for _, by in close_combat.hit_modifiers(turned_to_face=True, broken=-2)) == -3


def test_modifiers_of_a_close_combat_hit_roll_add_up() -> None:
    for turned, unseen, broken, assists, interference in product(
        (False, True), (False, True), (0, -2), range(3), range(3)
    ):
        moved = close_combat.hit_modifiers(
            turned_to_face=turned,
            charged_unseen=unseen,
            broken=broken,
            assists=assists,
            interference=interference,
        )
        assert sum(by for _, by in moved) == -turned - unseen + broken + assists - interference
        assert all(by for _, by in moved)


@every(("assists", "said"), [(1, "assist"), (2, "assists"), (3, "assists")])
def test_two_assists_are_said_to_be_more_than_one(assists: int, said: str) -> None:
    assert close_combat.hit_modifiers(assists=assists) == ((said, assists),)


def test_modifiers_of_close_combat_are_whole_numbers() -> None:
    for assists, interference in product(range(4), repeat=2):
        for _, by in close_combat.hit_modifiers(assists=assists, interference=interference):
            assert type(by) is int


# --- assists and interference ----------------------------------------------------------------------------

# Ann attacks Bob. Amy and Abe are Ann's friends, Ben and Bea are Bob's, Cal is of a third gang.
GANG_OF = {"ann": "a", "amy": "a", "abe": "a", "bob": "b", "ben": "b", "bea": "b", "cal": "c"}


def engaged(*pairs: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for pair in ("ann-bob", *pairs):
        first, second = pair.split("-")
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return {name: tuple(others) for name, others in found.items()}


def counted(bystanders) -> list[str]:
    return [bystander.fighter for bystander in bystanders if bystander.counts]


@every(
    ("pairs", "expected"),
    [
        ((), []),
        (("amy-bob",), ["amy"]),
        (("amy-bob", "abe-bob"), ["amy", "abe"]),
        (("amy-ben",), []),
        (("amy-bob", "amy-ben"), []),
        (("amy-bob", "amy-ben", "abe-bob"), ["abe"]),
        (("amy-bob", "amy-cal"), ["amy"]),
        (("cal-bob",), []),
        (("ann-ben", "amy-bob"), ["amy"]),
    ],
)
def test_a_friend_assists_who_is_engaged_with_the_target_and_nobody_else_of_its_gang(pairs, expected) -> None:
    assert counted(close_combat.assisting("ann", "bob", engaged=engaged(*pairs), gang_of=GANG_OF)) == expected


@every(
    ("pairs", "expected"),
    [
        ((), []),
        (("ben-ann",), ["ben"]),
        (("ben-ann", "bea-ann"), ["ben", "bea"]),
        (("ben-amy",), []),
        (("ben-ann", "ben-amy"), []),
        (("ben-ann", "ben-amy", "bea-ann"), ["bea"]),
        (("ben-ann", "ben-cal"), ["ben"]),
        (("cal-ann",), ["cal"]),
        (("cal-ann", "cal-amy"), []),
        (("bob-amy",), []),
    ],
)
def test_an_enemy_interferes_who_is_engaged_with_the_attacker_and_none_of_the_friends(
    pairs, expected
) -> None:
    assert (
        counted(close_combat.interfering("ann", "bob", engaged=engaged(*pairs), gang_of=GANG_OF)) == expected
    )


def test_the_enemy_who_keeps_an_assisting_friend_busy_is_shown() -> None:
    (amy,) = close_combat.assisting(
        "ann", "bob", engaged=engaged("amy-bob", "amy-ben", "amy-bea"), gang_of=GANG_OF
    )
    assert (amy.counts, amy.held_by) == (False, ("ben", "bea"))


def test_a_fighter_engaged_with_nobody_has_no_interference_and_no_assist() -> None:
    gangs = {"ann": "a", "amy": "a", "bob": "b"}
    assert close_combat.interfering("ann", "bob", engaged={}, gang_of=gangs) == ()
    assert close_combat.assisting("ann", "bob", engaged={}, gang_of=gangs) == ()


def test_an_enemy_whose_own_brawl_nobody_stated_is_held_by_nobody() -> None:
    gangs = {"ann": "a", "amy": "a", "bob": "b", "ben": "b"}
    (ben,) = close_combat.interfering("ann", "bob", engaged={"ann": ("bob", "ben")}, gang_of=gangs)
    assert (ben.fighter, ben.held_by, ben.counts) == ("ben", (), True)


def test_assists_and_interference_by_their_definitions_in_every_brawl_of_six() -> None:
    """All 256 ways in which three fighters of one gang can be engaged with three of another."""
    ours, theirs = ("ann", "amy", "abe"), ("bob", "ben", "bea")
    pairs = [f"{friend}-{enemy}" for friend in ours for enemy in theirs if (friend, enemy) != ("ann", "bob")]
    for count in range(len(pairs) + 1):
        for chosen in combinations(pairs, count):
            brawl = engaged(*chosen)
            everything = {"ann-bob", *chosen}
            assists = {
                friend
                for friend in ("amy", "abe")
                if {pair for pair in everything if pair.startswith(friend)} == {f"{friend}-bob"}
            }
            hindered_by = {
                enemy
                for enemy in ("ben", "bea")
                if {pair for pair in everything if pair.endswith(enemy)} == {f"ann-{enemy}"}
            }
            assert (
                set(counted(close_combat.assisting("ann", "bob", engaged=brawl, gang_of=GANG_OF))) == assists
            )
            assert (
                set(counted(close_combat.interfering("ann", "bob", engaged=brawl, gang_of=GANG_OF)))
                == hindered_by
            )


# --- afterwards ------------------------------------------------------------------------------------------

SI, OOA, UP, WRECK = "seriously_injured", "out_of_action", "fighting", "wrecked"


@every(
    ("enemies", "consolidate", "coup"),
    [
        ((SI,), True, True),
        ((SI, SI), True, True),
        ((SI, WRECK), True, True),
        ((OOA,), True, False),
        ((OOA, SI), True, False),
        ((WRECK,), True, False),
        ((WRECK, OOA), True, False),
        ((UP,), False, False),
        ((UP, SI), False, False),
        ((UP, OOA), False, False),
        ((UP, WRECK), False, False),
        ((), False, False),
    ],
)
def test_consolidation_and_coup_de_grace_depend_on_every_enemy_that_was_engaged(
    enemies, consolidate: bool, coup: bool
) -> None:
    assert close_combat.may_consolidate(enemies) is consolidate
    assert close_combat.may_coup_de_grace(enemies) is coup


def test_a_free_coup_de_grace_is_never_allowed_where_consolidation_is_not() -> None:
    for count in range(1, 5):
        for enemies in product((SI, OOA, UP, WRECK), repeat=count):
            assert close_combat.may_consolidate(enemies) == (UP not in enemies)
            assert close_combat.may_coup_de_grace(enemies) == (
                UP not in enemies and OOA not in enemies and SI in enemies
            )

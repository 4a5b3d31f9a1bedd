"""What programs read of a judgement: hits and strays in numbers, whom a roll was against, what may follow."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from cli_arbitrator import Arbitrator
from exchange_files import HEAD, NUMBERS, exchange, hit

from tracker.reports.judgement_data import judgement_schema

SCHEMA = jsonschema.Draft202012Validator(judgement_schema())
ARMED = HEAD.replace(
    "          - {name: autogun",
    "          - {name: knife, S: 3, AP: 0, D: 1, traits: [Melee]}\n          - {name: autogun",
)
SHOT = "{shoot: {attacker: krug, weapon: autogun, target: mags, range: long, at_risk: [dot]}, dice: {%s}}"


def judged(table: Arbitrator, text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(table.done("judge", table.write(text), "--json").out)
    SCHEMA.validate(data)
    return data


def numbers(judged_hit: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        judged_hit[key]
        for key in ("on", "by", "weapon", "how", "strength", "armour_penetration", "damage", "toughness")
    )


def test_the_published_schema_is_that_of_the_object(golden: Callable[[str, str], None]) -> None:
    golden(
        "../docs/schemas/judgement.json", json.dumps(judgement_schema(), indent=2, ensure_ascii=False) + "\n"
    )
    jsonschema.Draft202012Validator.check_schema(judgement_schema())


def test_every_key_of_a_judgement_is_described() -> None:
    schema = judgement_schema()
    for kind in (schema, *schema["$defs"].values()):
        assert all(described.get("description") for described in kind["properties"].values())


# --- hits -------------------------------------------------------------------------------------------------


def test_a_hit_says_by_what_on_whom_and_strength_against_toughness(empty: Arbitrator) -> None:
    (exchanged,) = judged(empty, exchange(hit("wound: [4], save: [2], injury: [serious]")))["exchanges"]
    (struck,) = exchanged["hits"]
    assert numbers(struck) == ("mags", "krug", "autogun", "hit", 4, -1, 1, 3)
    assert [struck[key] for key in ("wounds_on", "wounded", "saves_on", "saved")] == [3, True, 6, False]
    assert exchanged["strays"] == []


@pytest.mark.parametrize(
    ("inches", "expected"), [("3", (3, 0, 1)), ("6.5", (5, -1, 1)), ("8", (7, -2, 2)), ("12", (9, -3, 3))]
)
def test_a_fall_says_its_strength_ap_and_damage(
    empty: Arbitrator, inches: str, expected: tuple[int, int, int]
) -> None:
    (exchanged,) = judged(
        empty, exchange(f"{{fall: {{fighter: dot, inches: {inches}}}, dice: {{wound: [1]}}}}")
    )["exchanges"]
    (struck,) = exchanged["hits"]
    assert numbers(struck) == ("dot", None, None, "fall", *expected, 3)
    assert (struck["wounded"], struck["saved"]) == (False, None)


def test_a_stray_stands_apart_from_the_hits(empty: Arbitrator) -> None:
    text = exchange(SHOT % "hit: [1], firepower: [one], stray: [1], wound: [1]")
    judgement = judged(empty, text)
    (exchanged,) = judgement["exchanges"]
    assert exchanged["hits"] == []
    assert [numbers(struck) for struck in exchanged["strays"]] == [
        ("dot", "krug", "autogun", "stray", 4, -1, 1, 3)
    ]
    assert [(roll["purpose"], roll["against"]) for roll in judgement["rolls"]] == [
        ("hit", "mags"), ("firepower", None), ("stray", None), ("wound", None),
    ]  # fmt: skip


def test_each_of_several_hits_has_its_own_toughness_and_rolls(empty: Arbitrator) -> None:
    """The first leaves a Flesh Wound: the second meets Toughness 2, which Strength 4 wounds on 2+."""
    text = exchange(SHOT % "hit: [6], firepower: [two], wound: [3, 1], save: [1], injury: [flesh]")
    (exchanged,) = judged(empty, text)["exchanges"]
    assert [
        (one["toughness"], one["wounds_on"], one["wounded"], one["saved"]) for one in exchanged["hits"]
    ] == [
        (3, 3, True, False),
        (2, 2, False, None),
    ]


# --- fights -----------------------------------------------------------------------------------------------


def fought(dice: str, more: str = "") -> str:
    fight = f"{{fight: {{attacker: krug, targets: [mags], weapons: [knife]{more}}}, dice: {{{dice}}}}}"
    return exchange(fight, head=ARMED)


def test_a_fighting_roll_says_whom_it_is_against(empty: Arbitrator) -> None:
    judgement = judged(empty, fought("melee_hit: [1]"))
    assert [(roll["purpose"], roll["who"], roll["against"]) for roll in judgement["rolls"]] == [
        ("melee_hit", "krug", "mags")
    ]


@pytest.mark.parametrize(
    ("dice", "more", "follows"),
    [
        ("melee_hit: [1]", "", ([], False, ["mags"])),
        ("melee_hit: [6], wound: [6], save: [1], injury: [serious]", "", (["mags"], True, [])),
        ("melee_hit: [6], wound: [6], save: [1], injury: [serious]", ", after: consolidate", ([], False, [])),
        ("melee_hit: [6], wound: [6], save: [1], injury: [ooa], lasting_injury: [21]", "", ([], True, [])),
    ],
)
def test_what_may_follow_a_fight_is_said(
    empty: Arbitrator, dice: str, more: str, follows: tuple[list[str], bool, list[str]]
) -> None:
    (exchanged,) = judged(empty, fought(dice, more))["exchanges"]
    coup_de_grace, consolidate, reactions = follows
    assert exchanged["may_follow"] == {
        "coup_de_grace": coup_de_grace, "consolidate": consolidate, "reactions": reactions
    }  # fmt: skip


def test_after_anything_else_nothing_may_follow(empty: Arbitrator) -> None:
    assert judged(empty, exchange(hit("wound: [1]")))["exchanges"][0]["may_follow"] is None


# --- the end ----------------------------------------------------------------------------------------------


def test_the_end_says_the_toughness_now_and_what_is_open(empty: Arbitrator) -> None:
    ends = judged(
        empty, exchange(SHOT % "hit: [6], firepower: [one], wound: [3], save: [1], injury: [flesh]")
    )["end_state"]
    assert (ends["mags"]["toughness"], ends["mags"]["may"]) == (2, ["stand_up"])
    assert (ends["krug"]["toughness"], ends["krug"]["may"]) == (3, [])
    ends = judged(empty, exchange(hit("wound: [4], save: [2], injury: [serious]")))["end_state"]
    assert ends["mags"]["may"] == ["recovery_test", "be_given_coup_de_grace"]
    broken = "conditions: {mags: {pinned: true, broken: true}}\n"
    assert judged(empty, exchange(hit("wound: [1]"), more=broken))["end_state"]["mags"]["may"] == ["rally"]


def test_a_condition_has_the_books_own_fields_alone(empty: Arbitrator) -> None:
    necromunda = judged(empty, exchange(hit("wound: [1]")))["end_state"]["mags"]["condition"]
    assert not {"blood_markers", "blessing_markers", "down", "tough_spent", "fate_decided"} & set(necromunda)
    assert {"wounds_left", "flesh_wounds", "seriously_injured", "out_of_ammo"} <= set(necromunda)
    chart = "{Mv: 6, Rng: 0, Mel: 0, Arm: 0}"
    trench = (
        "format: exchange/1\nrulebook: trench_crusade\ngangs:\n"
        f"  iron: {{fighters: [{{name: Vex, category: elite, characteristics: {chart}}}]}}\n"
        f"  black: {{fighters: [{{name: Rat, category: troop, characteristics: {chart}}}]}}\n"
        "exchange: {injury_chart: {attacker: vex, target: rat, result: minor_hit}}\n"
    )
    rat = judged(empty, trench)["end_state"]["rat"]
    assert rat["toughness"] is None
    assert rat["condition"]["blood_markers"] == 1
    assert not {"wounds_left", "flesh_wounds", "pinned", "out_of_ammo", "broken"} & set(rat["condition"])


# --- what is stated before --------------------------------------------------------------------------------


def test_who_is_out_of_ammo_or_out_of_action_is_stated_and_counts(empty: Arbitrator) -> None:
    empty_gun = "conditions: {krug: {out_of_ammo: [Autogun]}}\n"
    text = exchange(SHOT % "hit: [1], firepower: [one]", more=empty_gun)
    assert "Krug's autogun is Out of Ammo" in empty.refused(1, "judge", empty.write(text))
    text = exchange("{reload: {fighter: krug, weapon: autogun}, dice: {ammo: [6]}}", more=empty_gun)
    assert judged(empty, text)["end_state"]["krug"]["condition"]["out_of_ammo"] == []
    gone = exchange(
        "{bottle: {gang: saints}, dice: {bottle: [1]}}", more="conditions: {mags: {out_of_action: true}}\n"
    )
    assert judged(empty, gone)["rolls"][0]["modifiers"][0]["by"] == 1


def test_a_wreck_is_stated_and_a_hit_on_it_is_lost(empty: Arbitrator) -> None:
    rig = (
        "    vehicles:\n"
        "      - {name: Rig, cost: 100, crew: dot, M: 8, T: {front: 5, side: 4, rear: 3}, HP: 3, Hnd: 6+, Sv: 4+}\n"
    )
    text = exchange(
        "{shoot: {attacker: krug, weapon: autogun, target: rig, range: short}, dice: {hit: [6], firepower: [one]}}",
        head=HEAD + rig,
        more="conditions: {rig: {wrecked: true}}\n",
    )
    judgement = judged(empty, text)
    assert judgement["events"][-1]["sentence"].endswith("Wrecked already, this hit is lost")
    assert judgement["exchanges"][0]["hits"] == []


@pytest.mark.parametrize("name", ["impressive_scars", "Impressive Scars"])
def test_an_earlier_injury_on_a_card_counts(empty: Arbitrator, name: str) -> None:
    """Impressive Scars a second time are Out Cold, and improve nothing."""
    dice = "wound: [6], save: [1], injury: [ooa], lasting_injury: [12]"
    first = judged(empty, exchange(hit(dice)))["end_state"]["mags"]["carries_home"]
    assert first["characteristics"]["cool"] == 6
    scarred = HEAD.replace(
        "        armour: {name: Mesh", f"        injuries: [{name}]\n        armour: {{name: Mesh"
    )
    again = judged(empty, exchange(hit(dice), head=scarred))["end_state"]["mags"]["carries_home"]
    assert "characteristics" not in again
    unknown = scarred.replace(name, "paper_cut")
    assert "paper_cut" in empty.refused(2, "judge", empty.write(exchange(hit(dice), head=unknown)))


@pytest.mark.parametrize("more", ["", "policies: [one-lasting-injury-roll@1]\n", "preset: a_and_a\n"])
def test_skirmish_play_leaves_lasting_injuries_out(empty: Arbitrator, more: str) -> None:
    text = exchange(hit("wound: [6], save: [1], injury: [ooa]"), more=f"lasting_injuries: false\n{more}")
    judgement = judged(empty, text)
    assert "no-lasting-injuries@1" in judgement["rulebook"]["version"]
    mags = judgement["end_state"]["mags"]
    assert mags["condition"]["out_of_action"] is True
    assert "injuries" not in mags["carries_home"]


def test_skirmish_play_is_refused_to_a_book_that_rolls_after_the_battle(empty: Arbitrator) -> None:
    text = exchange(hit(), more="lasting_injuries: false\n").replace("necromunda_2023", "trench_crusade")
    text = text.replace(NUMBERS, "{Mv: 6, Rng: 0, Mel: 0, Arm: 0}")
    assert "lasting_injuries" in empty.refused(2, "judge", empty.write(text))


THREE = HEAD.replace(
    "          - {name: autogun,",
    "          - {name: autogun, S: 4, AP: 0, D: 1}\n" * 2 + "          - {name: autogun,",
    1,
)


@pytest.mark.parametrize(
    ("written", "slots"),
    [
        ("[autogun]", ["autogun"]),
        ("[autogun (3)]", ["autogun (3)"]),
        ("[autogun, Autogun, autogun]", ["autogun", "autogun (2)", "autogun (3)"]),
    ],
)
def test_of_three_guns_of_one_name_each_can_be_out_of_ammo(
    empty: Arbitrator, written: str, slots: list[str]
) -> None:
    text = exchange(
        "{hit: {attacker: mags, target: krug, weapon: {name: rock, S: 1, AP: 0, D: 1}}, dice: {wound: [1]}}",
        head=THREE,
        more=f"conditions: {{krug: {{Out of Ammo: {written}}}}}\n",
    )
    assert judged(empty, text)["end_state"]["krug"]["condition"]["out_of_ammo"] == slots


def test_a_fourth_gun_that_the_card_has_not_is_refused(empty: Arbitrator) -> None:
    for written in ("[autogun (4)]", "[autogun, autogun, autogun, autogun]"):
        text = exchange(
            hit("wound: [1]"), head=THREE, more=f"conditions: {{krug: {{out_of_ammo: {written}}}}}\n"
        )
        assert "the card has no autogun (4)" in " ".join(empty.refused(2, "judge", empty.write(text)).split())

"""Exchanges that cannot be, beside those of `test_cli_contradictions`: said clearly, and nothing is written."""

from pathlib import Path

import pytest
from ash_wastes import exchange_file, report_file, sheet
from cli_arbitrator import Arbitrator
from exchange_files import exchange, hit
from tables import every


@pytest.fixture
def wastes(empty: Arbitrator, enlisted: Path) -> Arbitrator:
    """Two gangs and no battle; Rig is a vehicle of the one, and Joss drives it."""
    empty.file.write_bytes(enlisted.read_bytes())
    empty.done("campaign", "use", "ash-wastes")
    return empty


# --- a situation that contradicts itself -----------------------------------------------------------------


def test_a_gang_sheet_s_short_range_beyond_its_long_range(wastes: Arbitrator) -> None:
    bent = (
        sheet("skulls")
        .replace("gang: skulls", "gang: bent")
        .replace("short: 8, long: 24", "short: 24, long: 8", 1)
    )
    said = wastes.refused(2, "gang", "add", wastes.write(bent))
    assert ":8:" in said
    assert 'fighters[1].weapons[1].range: a Short range of 24" does not go with a Long range of 8"' in said
    assert "Look at both numbers on the card" in said


def test_more_hit_dice_than_attacks(wastes: Arbitrator) -> None:
    # One Attack, and nothing that adds to it.
    text = "{fight: {attacker: mags, weapons: [knife], targets: [krug]}, dice: {melee_hit: [1, 1]}}"
    said = wastes.refused(2, "battle", "record", wastes.write(report_file(text)))
    assert "entry 1 (fight), line 7: dice are left over that no rule asked for: melee_hit 1" in said
    assert "Take them out, or look whether an earlier die" in said


def test_more_hits_than_a_single_shot_has(wastes: Arbitrator) -> None:
    text = "{shoot: {attacker: mags, target: krug, weapon: autogun, range: short}, dice: {hit: [6, 6], firepower: [one]}}"
    said = wastes.refused(2, "battle", "record", wastes.write(report_file(text)), "--roll")
    assert "dice are left over that no rule asked for: hit 6" in said


# --- a vehicle where a fighter is needed -----------------------------------------------------------------

NEEDS_A_FIGHTER = (
    "out_of_action: {fighter: rig, by: mags}",
    "out_of_action: {fighter: krug, by: rig}",
    "seriously_injured: {fighter: rig, by: mags}",
    "flesh_wound: {fighter: mags, by: rig}",
    "injury_roll: {target: rig, why: fumes}",
    "injury_roll: {target: mags, why: fumes, by: rig}",
    "experience: {fighter: rig, amount: 1, reason: held on}",
    "unpin: {fighter: rig}",
    "hit: {attacker: rig, weapon: autogun, target: mags}",
    "shoot: {attacker: rig, weapon: autogun, target: mags, range: short}",
    "reload: {fighter: rig, weapon: autogun}",
    "fight: {attacker: mags, targets: [rig]}",
    "fight: {attacker: krug, targets: [mags], assists: [rig]}",
    "fight: {attacker: mags, targets: [krug], interference: [rig]}",
    "coup_de_grace: {attacker: rig, target: mags}",
    "nerve: {fighter: rig, because_of: vex, friends_near: 0}",
    "nerve: {fighter: vex, because_of: rig, friends_near: 0}",
    "flight: {fighter: rig}",
    "thrown_clear: {fighter: rig, vehicle: rig, height: 3}",
    "vehicle_hit: {attacker: rig, weapon: autogun, vehicle: rig, facing: side, mobile: true}",
)


@every("entry", NEEDS_A_FIGHTER)
def test_a_vehicle_where_a_fighter_is_needed(wastes: Arbitrator, entry: str) -> None:
    needed = "Rig is a vehicle, and a fighter is needed here. Name one, or its crew: 'joss'."
    said = wastes.refused(2, "battle", "record", wastes.write(report_file(f"{{{entry}}}")), "--roll")
    assert said.startswith(f"arbitrator: entry 1 ({entry.partition(':')[0]}), line 7: {needed}")
    assert needed in wastes.refused(2, "judge", wastes.write(exchange_file(entry)), "--roll")


@pytest.mark.parametrize("place", ["target: rig", "target: krug, at_risk: [rig]"])
def test_a_vehicle_that_is_shot_at_without_its_facing(wastes: Arbitrator, place: str) -> None:
    entry = f"{{shoot: {{attacker: mags, weapon: autogun, range: short, {place}}}}}"
    said = wastes.refused(2, "battle", "record", wastes.write(report_file(entry)), "--roll")
    assert "Rig is a vehicle: say how it is hit, as {vehicle: ID, facing: front, mobile: true}" in said


def test_a_vehicle_does_not_advance(wastes: Arbitrator) -> None:
    said = wastes.refused(2, "fighter", "advance", "rig", "cool", "--reason", "x")
    assert "Rig is a vehicle, and a fighter is needed here" in said


@every("kind", ["control", "driver", "restart", "rolls_on"])
def test_a_fighter_where_a_vehicle_is_needed(wastes: Arbitrator, kind: str) -> None:
    more = ", mobile: true, why: mud" if kind == "control" else ""
    entry = f"{{{kind}: {{vehicle: joss{more}}}}}"
    said = wastes.refused(2, "battle", "record", wastes.write(report_file(entry)), "--roll")
    assert "Joss is a fighter, and this is about a vehicle" in said


# --- a trait that the book does not know -----------------------------------------------------------------


def test_a_trait_that_the_book_does_not_know_is_said_aloud_and_never_guessed(empty: Arbitrator) -> None:
    page = exchange(hit("wound: [4], save: [1], injury: [flesh]"))
    odd = page.replace("Deafening]", "Deafening, Devastating, Lingering (3)]")
    known, unknown = (empty.read("judge", empty.write(text)) for text in (page, odd))
    (aloud,) = [note for note in unknown.pop("notes") if note not in known.pop("notes", [])]
    assert "Devastating (autogun), Lingering (3) (autogun)" in aloud
    assert unknown == known
    chances = [
        {key: one for key, one in empty.read("odds", empty.write(text)).items() if key != "notes"}
        for text in (exchange(hit()), exchange(hit()).replace("Deafening]", "Devastating]"))
    ]
    assert chances[0] == chances[1]


# --- a house rule for another book -----------------------------------------------------------------------

TRAUMA, TEMPLATES = "trauma-table-1-0@1", "templates-spill@1"


@pytest.mark.parametrize(
    ("book", "policy", "knob"),
    [
        ("necromunda_2023", TRAUMA, "trauma.version"),
        ("necromunda_archive", TRAUMA, "trauma.version"),
        ("trench_crusade", TEMPLATES, "templates.spill_to_engaged"),
    ],
)
def test_a_campaign_under_a_house_rule_for_another_book(
    wastes: Arbitrator, book: str, policy: str, knob: str
) -> None:
    words = ("campaign", "new", "Sump", "--ruleset", book)
    said = wastes.refused(2, *words, "--policy", policy)
    assert f"{policy} does not fit {book}, which has no setting {knob}." in said
    assert f"arbitrator rules list --book {book}" in said
    assert policy not in wastes.done("rules", "list", "--book", book).out.partition("Presets")[0]
    assert wastes.read("campaign", "list")["campaigns"][0]["slug"] == "ash-wastes"


@pytest.mark.parametrize("preset", ["a_and_a", "necrodamus"])
def test_a_campaign_under_a_preset_for_another_game(wastes: Arbitrator, preset: str) -> None:
    said = wastes.refused(2, "campaign", "new", "Mud", "--ruleset", "trench_crusade", "--preset", preset)
    assert f"None of the house rules of {preset} is for trench_crusade" in said
    assert "Leave out --preset" in said


@pytest.mark.parametrize(
    "words",
    [
        ("policy", "adopt", TRAUMA, "--reason", "x"),
        ("policy", "adopt", TRAUMA, "--from-battle", "1", "--preview", "--reason", "x"),
        ("policy", "adopt", TRAUMA, "--from-battle", "1", "--force", "why", "--reason", "x"),
        ("policy", "what-if", TRAUMA),
    ],
)
def test_a_campaign_takes_up_no_house_rule_for_another_book(
    wastes: Arbitrator, words: tuple[str, ...]
) -> None:
    wastes.record(
        report_file("{unpin: {fighter: krug}}").replace("entries:\n  - {unpin: {fighter: krug}}\n", "")
    )
    said = wastes.refused(2, *words)
    assert f"{TRAUMA} does not fit necromunda_2023, which has no setting trauma.version." in said


@pytest.mark.parametrize("word", ["judge", "odds"])
def test_an_exchange_under_a_house_rule_for_another_book(empty: Arbitrator, word: str) -> None:
    text = exchange(hit(), more=f"policies: [{TRAUMA}]\n")
    said = empty.refused(2, word, empty.write(text))
    assert f"policies[1]: {TRAUMA} does not fit necromunda_2023, which has no setting trauma.version." in said
    assert not empty.file.exists()

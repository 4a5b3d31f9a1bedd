"""Each format comes in as a sheet that the program reads, and every fact of the source is spoken of."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import import_sources as sources
import necromunda_roster
import pytest
from tables import every

from tracker.campaign import records
from tracker.documents.armoury import read_armoury
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.errors import BadInput
from tracker.imports.answers import Answers
from tracker.imports.findings import Finding
from tracker.imports.importing import ImportResult, imported_data
from tracker.imports.rosters import GameNotHere
from tracker.imports.source_files import data_of
from tracker.rules import loader
from tracker.rules.dashes import NO_NUMBER

KIM = Answers(player="Kim", house="Heretic Legion", injuries_counted=False)
SOURCES: dict[str, Any] = {
    "yaktribe": sources.yaktribe(
        sources.ganger(
            injuries=["Hobbled"], equipment=[{"name": "Stub gun", "qty": 2, "cost": 5, "traits": "x"}]
        ),
        territories=["Old Ruins"],
        alignment="Outlaw",
        gang_rating="60",
    ),
    "new recruit": sources.roster(),
    "battlescribe": data_of(sources.ROSTER_XML.encode(), "r.ros"),
    "trench companion": sources.EXPORT,
    "trench companion, shared": sources.SHARE,
    "table": data_of(sources.TABLE.encode(), "t.csv"),
}
each_source = pytest.mark.parametrize("source", SOURCES)


def brought(data: Any, answers: Answers = KIM) -> ImportResult:
    return imported_data(data, "some/folder/source.json", answers)


def enlisted(came: ImportResult) -> records.EnlistGang:
    """The gang as `gang add` reads the sheet, with the armoury that came with it."""
    book = loader.book(came.book)
    document = parse_document(as_yaml(came.sheet), file="sheet.yaml")
    weapons = None
    if came.armoury is not None:
        listed = parse_document(as_yaml(came.armoury), file="armoury.yaml")
        weapons = read_armoury(listed, characteristics=book.characteristics).weapon
    return gang_sheet_command(document, characteristics=book.characteristics, weapons=weapons)


def fates(came: ImportResult, fate: str) -> list[Finding]:
    return [finding for finding in came.findings if finding.fate == fate]


def reason_of(came: ImportResult, fact: str, path: str = "") -> str:
    (finding,) = [finding for finding in came.findings if finding.fact == fact and path in finding.path]
    return f"{finding.fate}: {finding.why}"


# --- every source ------------------------------------------------------------------------------------------


@each_source
def test_a_sheet_comes_out_that_gang_add_reads(source: str) -> None:
    numbers_missing = source == "trench companion, shared"
    came = brought(copy.deepcopy(SOURCES[source]))
    if numbers_missing:  # a share link holds none: it is asked for, and until then there are dashes
        for fighter in came.sheet["fighters"]:
            fighter["characteristics"] = {"Mv": '6"', "Rng": "0 DICE", "Mel": "0 DICE", "Arm": 0}
    assert enlisted(came).fighters


def _maps(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, value
        for key, member in value.items():
            yield from _maps(member, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for place, member in enumerate(value, start=1):
            yield from _maps(member, f"{path}[{place}]")


@each_source
def test_a_key_that_nobody_expects_is_named_wherever_it_stands(source: str) -> None:
    for nth in range(sum(1 for _ in _maps(SOURCES[source]))):
        data = copy.deepcopy(SOURCES[source])
        path, place = [*_maps(data)][nth]
        place["never_seen"] = "a novelty"
        own = f"{path}.never_seen" if path else "never_seen"
        (said,) = {finding.fate for finding in brought(data).findings if finding.path == own}
        assert said in ("unknown", "lost", "left_out"), own


@each_source
def test_rules_prose_is_in_neither_sheet_nor_log(source: str) -> None:
    sheet = as_yaml(brought(copy.deepcopy(SOURCES[source])).sheet)
    assert "rose" not in sheet  # 'Prose that nobody keeps', 'More prose.'


@each_source
def test_the_sheet_says_where_it_is_from_without_the_folder(source: str) -> None:
    came = brought(copy.deepcopy(SOURCES[source]))
    assert came.sheet["brought_from"] == f"{came.tool}, source.json"


# --- YakTribe ----------------------------------------------------------------------------------------------


def test_yaktribe_with_and_without_its_wrapper_is_one_sheet() -> None:
    raw = SOURCES["yaktribe"]
    assert brought(raw).sheet == brought(raw["gang"]).sheet


def test_entities_and_numbers_as_text_are_read() -> None:
    gang = enlisted(brought(SOURCES["yaktribe"]))
    assert (gang.name, gang.credits, gang.reputation) == ("Rust & Ruin", 45, 6)


def test_a_zero_of_an_export_is_a_dash_on_the_card() -> None:
    came = brought(sources.yaktribe(sources.ganger(bs=0)))
    assert came.sheet["fighters"][0]["characteristics"]["BS"] == "-"
    assert enlisted(came).fighters[0].characteristics["ballistic_skill"] == NO_NUMBER["target_number"]


def test_xp_is_what_is_left_and_advances_kills_and_injuries_are_the_past() -> None:
    fighter = sources.ganger(xp=3, kills=4, advance_count=2, injuries=["Hobbled", "Eye Injury"])
    card = enlisted(brought(sources.yaktribe(fighter))).fighters[0]
    assert card.experience == 3
    assert card.so_far is not None
    assert (card.so_far.kills, card.so_far.advances) == (4, 2)
    assert [(injury.injury, injury.counted) for injury in card.so_far.injuries] == [
        ("hobbled", False),
        ("eye_injury", False),
    ]


@every(
    ("status", "past"),
    [
        ("Alive", None),
        ("Dead", {"gone": "dead"}),
        ("Retired", {"gone": "retired"}),
        ("In Recovery", {"in_recovery": True}),
        ("Critical", {"critical": True}),
    ],
)
def test_the_status_of_an_imported_fighter_is_taken(status: str, past: dict[str, Any] | None) -> None:
    came = brought(sources.yaktribe(sources.ganger(status=status)))
    assert came.sheet["fighters"][0].get("so_far") == past


def test_a_captive_and_a_strange_status_are_lost_by_name() -> None:
    came = brought(sources.yaktribe(sources.ganger(status="Captured"), sources.ganger(status="On Holiday")))
    assert "write `captive_of: GANG`" in reason_of(came, "Captured")
    assert reason_of(came, "On Holiday") == "lost: a status that no sheet has"


def test_an_injury_that_the_book_has_not_is_lost_by_name() -> None:
    came = brought(sources.yaktribe(sources.ganger(injuries=["Sump Fever"])))
    assert reason_of(came, "Sump Fever").startswith("lost: no lasting injury of ")


def test_a_note_that_is_an_injury_by_name_is_guessed_to_be_one() -> None:
    came = brought(sources.yaktribe(sources.ganger(notes="Impressive Scars"), sources.ganger(notes="bald")))
    scarred, bald = came.sheet["fighters"]
    assert scarred["so_far"]["injuries"] == [{"injury": "impressive_scars"}]
    assert "guessed" in {finding.fate for finding in came.findings if finding.fact == "Impressive Scars"}
    assert "so_far" not in bald
    assert reason_of(came, "bald") == "lost: a card has no place for notes"


def test_whether_the_numbers_have_the_injuries_is_asked_and_never_guessed() -> None:
    came = brought(sources.yaktribe(sources.ganger(injuries=["Hobbled"])), Answers(player="Kim"))
    assert [question.key for question in came.questions] == ["injuries"]
    assert "injuries_counted" not in came.sheet
    assert not brought(sources.yaktribe(sources.ganger()), Answers(player="Kim")).questions


def test_a_rank_is_guessed_by_the_gang_lists_said_or_asked() -> None:
    gang = sources.yaktribe(sources.ganger(kind="Forge Tyrant"), sources.ganger(kind="Mystery Man"))
    came = brought(gang)
    assert [fighter["category"] for fighter in came.sheet["fighters"]] == ["leader", "ganger"]
    (guessed,) = fates(came, "guessed")
    assert (guessed.fact, guessed.why.partition(":")[0]) == ("Forge Tyrant", "its category is leader")
    assert [question.key for question in came.questions] == ["category Mystery Man"]
    said = brought(gang, Answers(player="Kim", categories={"Mystery Man": "brute"}))
    assert said.sheet["fighters"][1]["category"] == "brute"
    assert not said.questions


@every(
    ("kind", "rank"),
    [
        ("Hybrid Acolyte Early Gen", "champion"),
        ("Neophyte Hybrid Specialist", "specialist"),
        ("Prospector Digger", "ganger"),
        ("Psychic Familiar", "exotic_beast"),
        ("Tehcmite Oculi", "exotic_beast"),
    ],
)
def test_a_type_of_the_lists_is_known_within_a_longer_name_and_misspelt(kind: str, rank: str) -> None:
    came = brought(sources.yaktribe(sources.ganger(kind=kind)))
    assert came.sheet["fighters"][0]["category"] == rank
    assert [finding.fact for finding in fates(came, "guessed")] == [kind]


def test_a_word_within_another_word_tells_no_rank() -> None:
    came = brought(sources.yaktribe(sources.ganger(kind="Prospector")))
    assert [question.key for question in came.questions] == ["category Prospector"]


def test_the_rating_checks_that_nobody_is_missing() -> None:
    two = (sources.ganger(cost=60), sources.ganger(cost=40, status="Dead"))
    whole = brought(sources.yaktribe(*two, gang_rating="60"))
    short = brought(sources.yaktribe(*two, gang_rating="95"))
    assert reason_of(whole, "60", "rating").startswith("taken: the living fighters' costs add up to it")
    assert "look for what is missing" in reason_of(short, "95", "rating")


def test_four_fighters_of_one_name_have_four_ids() -> None:
    sheet = as_yaml(brought(sources.yaktribe(*[sources.ganger("Pilgrim")] * 4)).sheet)
    gang = gang_sheet_command(parse_document(sheet, file="gang.yaml"))
    assert [card.fighter for card in gang.fighters] == [
        "pilgrim",
        "pilgrim-2",
        "pilgrim-3",
        "pilgrim-4",
    ]


def test_imported_items_are_carried_as_often_as_there_are() -> None:
    twice = {"name": "Stub gun", "qty": "2", "cost": 5}
    came = brought(sources.yaktribe(sources.ganger(equipment=[twice, "Rope"]), stash=[twice]))
    assert came.sheet["fighters"][0]["wargear"] == ["Stub gun", "Stub gun", "Rope"]
    assert [item["cost"] for item in came.sheet["stash"]] == [5, 5]


# --- rosters -------------------------------------------------------------------------------------------------


def test_a_model_of_new_recruit_comes_with_gear_xp_skills_and_injuries() -> None:
    came = brought(sources.roster(limit=120))
    (priest,) = came.sheet["fighters"]
    assert (priest["name"], priest["type"], priest["category"]) == (
        "Mother Mayhem",
        "Heretic Priest",
        "elite",
    )
    assert priest["cost"] == 110
    assert came.sheet["credits"] == 10
    assert priest["characteristics"] == {"Mv": '6"', "Rng": "+2 DICE", "Mel": "-", "Arm": -1}
    assert priest["skills"] == ["Tough", "Leader", "Melee Proficiency"]
    assert priest["weapons"] == ["Submachine Gun"]
    assert priest["xp"] == 3
    assert priest["so_far"] == {"injuries": [{"injury": "leg_wound"}], "advances": 1}


def test_a_name_in_another_script_gets_an_id() -> None:
    came = brought(sources.roster())
    assert came.sheet["name"] == "Веселі імбіцили"
    assert came.sheet["gang"]


def test_a_unit_around_models_is_its_models_each_counted() -> None:
    came = brought(SOURCES["battlescribe"])
    assert [fighter["name"] for fighter in came.sheet["fighters"]] == ["Heretic Trooper"] * 2
    assert came.sheet["fighters"][0]["characteristics"]["Mel"] == "-1 DICE"


def test_a_roster_without_campaign_rules_says_so() -> None:
    setting = {
        "id": "c",
        "name": "Campaign Rules",
        "type": "upgrade",
        "selections": [{"id": "d", "name": "Disabled", "type": "upgrade"}],
    }
    came = brought(sources.roster(setting, sources.PRIEST))
    assert "it holds no XP, skills or injuries" in " ".join(finding.why for finding in fates(came, "lost"))


def test_a_game_that_is_not_here_is_refused_by_name() -> None:
    with pytest.raises(GameNotHere, match="Kitchen Wars"):
        brought(sources.roster(game="Kitchen Wars"))


# --- Trench Companion ------------------------------------------------------------------------------------------


def test_an_export_of_trench_companion_is_a_warband_sheet() -> None:
    came = brought(sources.EXPORT)
    (mayhem,) = came.sheet["fighters"]
    assert (came.sheet["credits"], came.sheet["so_far"]) == (7, {"glory": 2})
    assert mayhem["characteristics"] == {"Mv": '6"', "Rng": "+0 DICE", "Mel": "+2 DICE", "Arm": -1}
    assert (mayhem["category"], mayhem["skills"]) == ("elite", ["Tough", "Puppet Master"])
    assert mayhem["wargear"] == ["Trench Shield"]
    assert mayhem["so_far"] == {"injuries": [{"injury": "leg_wound"}]}


def test_a_share_link_has_xp_the_round_and_the_promotion_tally_and_lacks_numbers() -> None:
    came = brought(sources.SHARE)
    (mayhem,) = came.sheet["fighters"]
    assert came.sheet["credits"] == 12
    assert came.sheet["so_far"] == {
        "glory": 1,
        "promotion_failures": 2,
        "battles": 3,
        "locations": ["Old Mine"],
    }
    assert (mayhem["xp"], mayhem["so_far"]["scars"]) == (5, 1)
    assert "characteristics" in {question.key for question in came.questions}


# --- tables --------------------------------------------------------------------------------------------------


def test_a_table_has_a_row_for_each_fighter_and_may_name_columns_otherwise() -> None:
    answers = Answers(player="Kim", house="Forge Clans", injuries_counted=True, columns={"Rank": "category"})
    came = brought(data_of(sources.TABLE.encode(), "t.csv"), answers)
    gang = enlisted(came)
    brakka, yol = gang.fighters
    assert (gang.name, brakka.category, brakka.experience) == ("Rust Dogs", "leader", 4)
    assert brakka.so_far is not None
    assert (brakka.so_far.kills, brakka.so_far.injuries[0].injury) == (5, "hobbled")
    assert yol.wargear == ("stub gun",)
    assert [finding.path for finding in fates(came, "unknown")] == ["[1].shoe size"]


PEOPLES = """\
Gang;Fighter;Rank;Fighter Type;M;WS;BS;S;T;W;I;A;Ld;Cl;Wil;Int;Cost;Skills;Weapons;Gear;Injuries
Rust Dogs;Brakka;Leader;Boss;5;3+;4+;4;4;2;4+;3;6+;5+;8+;7+;190;Dodge;maul, stub gun;lamp;Hobbled, Enfeebled
"""


def test_a_table_with_the_headings_that_people_write_needs_no_map() -> None:
    came = brought(
        data_of(PEOPLES.encode(), "t.csv"), Answers(player="Kim", house="Forge", injuries_counted=True)
    )
    (brakka,) = enlisted(came).fighters
    assert (brakka.name, brakka.category, brakka.kind) == ("Brakka", "leader", "Boss")
    assert brakka.wargear == ("lamp", "maul", "stub gun")
    assert brakka.so_far is not None
    assert [injury.injury for injury in brakka.so_far.injuries] == ["hobbled", "enfeebled"]
    assert fates(came, "unknown") == []
    (weapons,) = fates(came, "guessed")
    assert (weapons.fact, weapons.why.split(":")[0]) == ("maul, stub gun", "things without numbers")


def test_a_column_that_was_mapped_goes_before_what_its_heading_says() -> None:
    answers = Answers(player="Kim", house="Forge", injuries_counted=True, columns={"Fighter Type": "name"})
    assert brought(data_of(PEOPLES.encode(), "t.csv"), answers).sheet["fighters"][0]["name"] == "Boss"


@pytest.mark.parametrize(
    ("table", "columns", "code", "said"),
    [
        ("Knives (Escher), player Sam\nVex, 150\n", {}, "nobody_in_table", "gang new SHEET"),
        ("who;M;WS\nVex;5;4\n", {}, "nobody_in_table", "Its columns are who, M, WS."),
        ("name;M;WS\n;5;4\n", {}, "nobody_in_table", "all of that column is empty"),
        (PEOPLES, {"Fightr": "name"}, "column_not_there", "Did you mean 'Fighter'?"),
        (PEOPLES, {"Fighter": "nam"}, "key_of_no_table", "Did you mean 'name'?"),
    ],
)
def test_a_table_that_names_nobody_and_a_slip_in_the_map_are_refused(
    table: str, columns: dict[str, str], code: str, said: str
) -> None:
    with pytest.raises(BadInput) as refused:
        brought(data_of(table.encode(), "t.csv"), Answers(columns=columns))
    assert (refused.value.code, said in refused.value.message()) == (code, True)


def test_the_same_source_gives_the_same_sheet_byte_for_byte() -> None:
    for source in SOURCES.values():
        once, again = (as_yaml(brought(json.loads(json.dumps(source))).sheet) for _ in range(2))
        assert once == again


def test_allegiance_and_affiliation_of_yaktribe_are_bonds_of_the_gang() -> None:
    came = brought(sources.yaktribe(allegiance="Merchant Guild", affiliation="Water Guild"))
    assert came.sheet["so_far"] == {"allegiance": "Merchant Guild", "alliances": ["Water Guild"]}
    unaligned = brought(sources.yaktribe(allegiance="Unaligned", affiliation=""))
    assert "so_far" not in unaligned.sheet
    assert [found.fact for found in fates(unaligned, "left_out") if "allegiance" in found.path] == [
        "Unaligned"
    ]
    assert enlisted(came).so_far == records.GangSoFar(allegiance="Merchant Guild", alliances=("Water Guild",))


def test_a_table_may_say_promotions_and_flags() -> None:
    row = {
        "name": "Sorrel",
        "type": "Boss",
        "category": "champion",
        "promoted_from": "Juve",
        "flags": "Frenzy; Hatred",
    }
    (fighter,) = brought([row]).sheet["fighters"]
    assert fighter["so_far"] == {"promoted_from": "Juve", "flags": ["Frenzy", "Hatred"]}


def test_a_table_may_say_how_somebody_is_and_how_they_went() -> None:
    rows = [
        {"name": "Al", "category": "ganger", "in_recovery": "yes", "critical": "no"},
        {"name": "Bo", "category": "ganger", "gone": "dead", "when": "week 3"},
        {"name": "Cy", "category": "ganger", "captive_of": "rats", "convalescing": "maybe"},
    ]
    came = brought(rows)
    al, bo, cy = came.sheet["fighters"]
    assert (al["so_far"], bo["so_far"]) == ({"in_recovery": True}, {"gone": "dead", "when": "week 3"})
    assert "so_far" not in cy
    assert "captive Cy" in [question.key for question in came.questions]
    assert [finding.fact for finding in fates(came, "lost")] == ["maybe"]


def test_patrons_and_alliances_of_rosters_and_exports_are_bonds() -> None:
    patron = {"name": "Lady Hex", "type": "upgrade", "group": "Patron"}
    assert brought(sources.roster(patron, sources.PRIEST)).sheet["so_far"]["patrons"] == ["Lady Hex"]
    assert brought({**sources.EXPORT, "patron": "Lady Hex"}).sheet["so_far"]["patrons"] == ["Lady Hex"]
    kings = copy.deepcopy(necromunda_roster.ROSTER)
    alliance = necromunda_roster.chosen("Alliance", necromunda_roster.chosen("Water Guild"))
    kings["roster"]["forces"][0]["selections"].append(alliance)
    assert brought(kings).sheet["so_far"]["alliances"] == ["Water Guild"]

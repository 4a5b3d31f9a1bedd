"""Ten gangs of one campaign, exported by one tool with the same names throughout, move in without an edit."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

sys.path.append(str(Path(__file__).parents[1] / "imports"))
import import_sources as sources

GANGS = ("Rust Crows", "Sump Eels", "Ash Wolves", "Chain Rats", "Glass Owls",
         "Iron Moths", "Lime Toads", "Salt Dogs", "Tar Foxes", "Zinc Hares")  # fmt: skip
MILL = "The Drowned Mill"
WITH_MILL = ("Rust Crows", "Sump Eels")
LASGUN = """\
format: armoury/1
name: {name}
items: [{{name: lasgun, cost: {cost}, weapon: {{S: 3, AP: 0, D: 1, range: {{short: 18, long: {long}}}, ammo: 2+}}}}]
"""
ARMOURIES = {"north.yaml": (5, 24), "south.yaml": (15, 30)}
"""Two tables' own: what a lasgun costs, and how far it shoots."""
BATTLE = """\
format: battle-report/1
battle: the-mill
scenario: Ambush
date: 2026-03-01
gangs: [rust-crows, sump-eels]
result: {winner: rust-crows}
entries:
  - seriously_injured: {fighter: mik-2, by: mik}
"""
STAKE = """\
format: post-battle/1
battle: the-mill
gang: rust-crows
entries:
  - territory: {gang: rust-crows, territory: sump-eels-the-drowned-mill, why: the stake}
"""


def slug(gang: str) -> str:
    return gang.lower().replace(" ", "-")


def export_of(gang: str) -> dict[str, object]:
    """A gang as the tool writes it: the names are those that every other gang has, too."""
    lasguns = [{"name": "Lasgun", "qty": "1", "cost": "5"}, {"name": "lasgun", "qty": "1", "cost": "15"}]
    return sources.yaktribe(
        sources.ganger("Mik", "Forge Tyrant", equipment=lasguns, injuries=["Hobbled"]),
        sources.ganger("Grit", "Bruiser"),
        sources.ganger("Grit", "Bruiser"),
        sources.ganger("Doc", "Rogue Doc (hanger-on)"),
        gang_name=gang,
        gang_username="Kim",
        territories=["Settlement", *([MILL] if gang in WITH_MILL else [])],
        campaign_territories=["Settlement"],
    )


@pytest.fixture(scope="module")
def _moved_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sheets of all ten, and their campaign in `table`: made once, and copied."""
    folder = tmp_path_factory.mktemp("ten-gangs")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        monkeypatch.chdir(folder)
        for name, (cost, long) in ARMOURIES.items():
            Path(name).write_text(LASGUN.format(name=name, cost=cost, long=long))
        Path("table").mkdir()
        table = Arbitrator(folder / "table")
        table.done("campaign", "new", "Sump Season", "--after-battle", "4")
        for number, gang in enumerate(GANGS):
            armoury = ("--armoury", [*ARMOURIES][number % 2])
            Path("export.json").write_text(json.dumps(export_of(gang)))
            table.done("gang", "import", "export.json", "--injuries", "apply", *armoury)
            table.done("gang", "add", f"{slug(gang)}.yaml", *armoury)
    return folder


@pytest.fixture
def moved_in(
    _moved_in: Path, empty: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Arbitrator:
    shutil.copytree(_moved_in, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return empty


def held(arbitrator: Arbitrator) -> dict[str, tuple[str, str]]:
    """Of each territory its name, and who holds it."""
    rows = arbitrator.read("gang", "territories")["territories"]
    return {row["territory"]: (row["name"], row["holder"]) for row in rows}


MOVED_IN = {f"{slug(gang)}-settlement": ("Settlement", slug(gang)) for gang in GANGS} | {
    f"{slug(gang)}-the-drowned-mill": (MILL, slug(gang)) for gang in WITH_MILL
}


def fight_for_the_mill(arbitrator: Arbitrator) -> None:
    arbitrator.record(BATTLE, "--roll")
    arbitrator.done("battle", "post", arbitrator.write(STAKE, name="post.yaml"))


def test_each_gang_holds_what_it_brought_and_each_fighter_has_an_id(moved_in: Arbitrator) -> None:
    assert held(moved_in) == MOVED_IN
    gangs = moved_in.read("roster", "show")["gangs"]
    fighters = [fighter["fighter"] for gang in gangs for fighter in gang["fighters"]]
    assert (len(gangs), len(fighters), len({*fighters})) == (10, 40, 40)
    assert [fighter["name"] for fighter in gangs[9]["fighters"]] == ["Mik", "Grit", "Grit", "Doc"]


def test_a_lasgun_is_the_one_of_the_armoury_that_its_gang_came_with(moved_in: Arbitrator) -> None:
    lasguns = {
        (gang["gang"], weapon["cost_credits"], weapon["profiles"][0]["range_long_inches"])
        for gang in moved_in.read("roster", "show")["gangs"][:2]
        for weapon in gang["fighters"][0]["weapons"]
    }
    assert lasguns == {("rust-crows", 5, 24), ("sump-eels", 15, 30)}


def test_the_mill_that_was_the_stake_changes_hands_and_the_other_mill_stays(moved_in: Arbitrator) -> None:
    fight_for_the_mill(moved_in)
    assert held(moved_in) == MOVED_IN | {"sump-eels-the-drowned-mill": (MILL, "rust-crows")}


@pytest.mark.usefixtures("wide")
def test_reports_tell_territories_of_one_name_apart(moved_in: Arbitrator) -> None:
    fight_for_the_mill(moved_in)
    stake = f"{MILL} (sump-eels-the-drowned-mill)"
    assert f"Sump Eels lose {stake} to Rust Crows: the stake" in moved_in.done("log", "show").out
    page = moved_in.done("roster", "show", "rust-crows", "--format", "html").out
    assert stake in page
    assert f"{MILL} (rust-crows-the-drowned-mill)" in page
    why = moved_in.done("explain", "rust-crows", "territories").out
    assert f"Sump Eels lose {stake} to Rust Crows: the stake" in why
    assert f"Rust Crows take {MILL} (rust-crows-the-drowned-mill): brought along" in why
    assert (
        f"Territories: Settlement (rust-crows-settlement), {MILL} (rust-crows-the-drowned-mill), {stake}"
        in why
    )
    diff = moved_in.done("roster", "diff", "--from", "battle:the-mill").out
    assert f"Rust Crows: gains territory: {stake}" in diff


@pytest.mark.usefixtures("wide")
def test_all_ten_move_out_and_in_elsewhere_and_hold_the_same(moved_in: Arbitrator, tmp_path: Path) -> None:
    fight_for_the_mill(moved_in)
    here = held(moved_in)
    for gang in GANGS:
        moved_in("gang", "export", slug(gang), "--to", f"{slug(gang)}-out.yaml", "--replace")
    (tmp_path / "elsewhere").mkdir()
    elsewhere = Arbitrator(tmp_path / "elsewhere")
    elsewhere.done("campaign", "new", "Elsewhere", "--after-battle", "5")
    for gang in reversed(GANGS):
        elsewhere.done("gang", "add", f"{slug(gang)}-out.yaml")
    assert held(elsewhere) == here
    why = elsewhere.done("explain", "rust-crows", "territories").out
    assert f"Rust Crows take {MILL} (sump-eels-the-drowned-mill): brought along" in why
    elsewhere.done("audit", "verify")
    elsewhere.done("boards", "verify")


def test_a_sheet_given_again_changes_nothing_and_amended_keeps_its_ids(moved_in: Arbitrator) -> None:
    before = moved_in.head
    moved_in.done("gang", "add", "zinc-hares.yaml", "--armoury", "south.yaml")
    assert moved_in.head == before
    sheet = Path("zinc-hares.yaml")
    sheet.write_text(sheet.read_text().replace("credits: 45", "credits: 55"))
    said = ("gang", "amend", "zinc-hares.yaml", "--armoury", "south.yaml")
    moved_in.done(*said, "--reason", "miscounted", *moved_in.seen())
    assert held(moved_in) == MOVED_IN
    moved_in.done("audit", "verify")


RIG = """\
format: gang-sheet/2
name: {gang}
house: Wheel Cult
player: Kim
so_far: {{territories: [{territory}]}}
fighters:
  - name: Driver
    category: ganger
    type: Forge Hand
    cost: 60
    characteristics: {{M: 4", WS: 4+, BS: 4+, S: 4, T: 4, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 6+, Wil: 8+, Int: 8+}}
vehicles:
  - {{name: Rig, cost: 100, crew: {crew}, M: 6, T: {{front: 7, side: 6, rear: 5}}, HP: 3, Hnd: 6}}
"""


def with_rigs(arbitrator: Arbitrator, *crews: str, territory: str = "{kind: settlement}") -> None:
    arbitrator.done("campaign", "new", "Ash Wastes")
    for gang, crew in zip(GANGS, crews, strict=False):
        sheet = arbitrator.write(RIG.format(gang=gang, crew=crew, territory=territory), name=f"{gang}.yaml")
        arbitrator.done("gang", "add", sheet)


def test_a_vehicle_is_driven_by_the_sheets_own_driver_whoever_else_is_called_so(empty: Arbitrator) -> None:
    with_rigs(empty, "driver", "driver", "Driver")
    rigs = [rig for gang in empty.read("roster", "show")["gangs"] for rig in gang["vehicles"]]
    assert [(rig["vehicle"], rig["crew"]) for rig in rigs] == [
        ("rig", "driver"),
        ("rig-2", "driver-2"),
        ("rig-3", "driver-3"),
    ]


def test_a_driver_whose_name_two_of_the_sheet_have_is_asked_for(empty: Arbitrator) -> None:
    with_rigs(empty)
    two = RIG.format(gang="Twins", crew="Driver", territory="{kind: settlement}")
    _, card = two.split("fighters:\n")
    card, _ = card.split("vehicles:\n")
    sheet = empty.write(two.replace(card, card * 2, 1), name="twins.yaml")
    assert "several fighters are called 'Driver'" in empty.refused(2, "gang", "add", sheet)


def test_two_sheets_that_write_one_id_mean_one_territory_which_only_one_holds(empty: Arbitrator) -> None:
    with_rigs(empty, "driver", territory="{territory: the-pit, name: The Pit}")
    other = RIG.format(gang="Sump Eels", crew="driver", territory="{territory: the-pit, name: The Pit}")
    refused = empty.refused(1, "gang", "add", empty.write(other, name="eels.yaml"))
    assert "Rust Crows holds the territory 'the-pit' here" in refused
    own = other.replace("territory: the-pit, ", "")
    empty.done("gang", "add", empty.write(own, name="eels.yaml"))
    assert held(empty)["sump-eels-the-pit"] == ("The Pit", "sump-eels")


LONG = "The Most Honourable and Ancient Brotherhood of the {} Stair"
"""Both give the same forty letters."""


def test_two_gangs_whose_long_names_begin_alike_are_two_gangs(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    sheets = {}
    for stair in ("Upper", "Lower"):
        sheet = RIG.format(gang=LONG.format(stair), crew="Driver", territory="{kind: settlement}")
        sheets[stair] = empty.write(sheet, name=f"{stair}.yaml")
        empty.done("gang", "add", sheets[stair])
    gangs = {gang["name"]: gang["gang"] for gang in empty.read("roster", "show")["gangs"]}
    upper, lower = (gangs[LONG.format(stair)] for stair in ("Upper", "Lower"))
    assert (upper, lower) == (
        "the-most-honourable-and-ancient-brotherh",
        "the-most-honourable-and-ancient-brothe-2",
    )

    before = empty.head
    empty.done("gang", "add", sheets["Lower"])
    assert empty.head == before, "the same sheet is the same gang"
    sheet = Path(sheets["Lower"])
    sheet.write_text(sheet.read_text().replace("cost: 60", "cost: 65"))
    empty.done("gang", "amend", sheets["Lower"], "--reason", "miscounted", *empty.seen())
    costs = {
        gang["gang"]: gang["fighters"][0]["cost_credits"] for gang in empty.read("roster", "show")["gangs"]
    }
    assert costs == {upper: 60, lower: 65}

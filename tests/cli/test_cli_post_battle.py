"""After a battle, on the command line: a whole sequence, captives, cycles, triumphs, and what is refused."""

from collections.abc import Callable

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from cli_reports import GANG_SHEETS

FILES = ROOT / "fixtures" / "aftermath"
SHEETS = [sheet for sheet in GANG_SHEETS if sheet.stem in ("gilded-cage", "iron-skulls")]


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    """The toll is fought; nothing has been done after it."""
    begin(empty, sheets=SHEETS, reports=[FILES / "01-toll.yaml"])
    return empty


def post(table: Arbitrator, name: str, *options: str):
    return table.done("battle", "post", str(FILES / name), *options)


def gang(table: Arbitrator, name: str) -> dict:
    return next(one for one in table.read("standings", "show")["gangs"] if one["gang"] == name)


def test_a_season_goes_through_the_sequence_and_its_roster_can_be_checked_by_hand(
    table: Arbitrator, golden: Callable[[str, str], None]
) -> None:
    post(table, "01-toll.after.yaml")

    roster = table.roster()
    status = {name: roster[name]["status"] for name in ("tallow", "hob", "wren", "quill", "krug")}
    assert status == {
        "tallow": "captive",  # 5 - 2 for the defeat is no 4
        "hob": "in_recovery",  # stabilised by the Doc
        "wren": "in_recovery",
        "quill": "convalescing",  # escaped with a 4
        "krug": "available",
    }
    assert roster["hob"]["characteristics"]["ballistic_skill"] == 5  # 4+ before the eye
    assert (gang(table, "iron-skulls")["credits"], gang(table, "gilded-cage")["credits"]) == (
        40 - 40,  # the Doc
        75 + 70 + 20,  # the toll, the ruins
    )
    assert (gang(table, "iron-skulls")["reputation"], gang(table, "gilded-cage")["reputation"]) == (1, 5)
    assert gang(table, "iron-skulls")["rating_credits"] == 685 - 55  # without the captive

    table.done("battle", "record", str(FILES / "02-forge.yaml"))
    post(table, "02-forge.after.yaml")

    roster = table.roster()
    assert roster["tallow"]["status"] == "sold"
    assert [roster[name]["status"] for name in ("hob", "wren", "quill")] == ["available"] * 3
    assert (gang(table, "iron-skulls")["credits"], gang(table, "gilded-cage")["credits"]) == (
        50,  # the strongbox
        165 + 30,  # half of 55, rounded up to 5
    )
    krug, mags = roster["krug"], roster["mags"]
    assert (krug["experience"], krug["characteristics"]["initiative"]) == (8 - 5, 3)
    assert (mags["experience"], mags["characteristics"]["cool"]) == (10 - 4, 4)
    assert gang(table, "iron-skulls")["rating_recorded"] == 630 + 10
    assert gang(table, "gilded-cage")["rating_recorded"] == 775 + 10
    golden("aftermath/roster.txt", table.done("roster", "show").out)
    table.done("audit", "verify")
    table.done("boards", "verify")


def test_the_same_file_twice_says_so_and_changes_nothing(table: Arbitrator) -> None:
    post(table, "01-toll.after.yaml")
    before = table.head
    assert "Recorded before" in post(table, "01-toll.after.yaml").out
    assert table.head == before


@pytest.mark.usefixtures("wide")
def test_a_dry_run_shows_it_all_and_writes_nothing(table: Arbitrator) -> None:
    before = table.contents()
    output = post(table, "01-toll.after.yaml", "--dry-run").out
    assert "Dry run" in output
    assert "a captive of The Gilded Cage" in output
    assert "[Core Rulebook (2023) · The Post-battle Sequence · 5. Post-battle Actions]" in output
    assert table.contents() == before


def test_everything_that_is_wrong_by_itself_is_shown_together_and_nothing_is_recorded(
    table: Arbitrator,
) -> None:
    wrong = table.write(
        "format: post-battle/1\nbattle: toll\nentries:\n"
        "  - medical_escort: {patient: pip, by: krug}\n"
        "    dice: {doctor_fee: [1+1], doctor: [6]}\n"
        "  - escape: {fighter: quill}\n"
        "  - sell_captive: {captive: lark, by: vex}\n"
        "  - reward: {gang: iron-skulls, dice: 1, why: loot}\n"
        "    dice: {reward: [2]}\n"
    )
    said = table.refused(2, "battle", "post", wrong)
    assert "3 entries are refused, and nothing of this file was recorded:" in said
    assert "entry 1 (medical_escort), line 4: Pip is not Critically Injured" in said
    assert "entry 2 (escape), line 6: a D6 is missing: 'escape' for Quill" in said
    assert "entry 3 (sell_captive), line 7: Lark is nobody's captive" in said


def test_one_refusal_leaves_with_1_and_names_the_entry(table: Arbitrator) -> None:
    wrong = table.write("format: post-battle/1\nbattle: toll\nentries:\n  - trade: {by: pip}\n")
    said = table.refused(1, "battle", "post", wrong)
    assert "entry 1 (trade), line 4: Pip cannot act (Trade): a juve, without Gang Hierarchy" in said


def test_a_step_back_is_refused_with_both_steps(table: Arbitrator) -> None:
    wrong = table.write(
        "format: post-battle/1\nbattle: toll\nentries:\n  - trade: {by: krug}\n"
        "  - reputation: {gang: iron-skulls, by: 1, why: late}\n"
    )
    said = table.refused(1, "battle", "post", wrong)
    assert "Iron Skulls has begun '5. Post-battle actions' already" in said


def test_a_file_for_another_battle_is_refused(table: Arbitrator) -> None:
    wrong = table.write("format: post-battle/1\nbattle: forge\nentries:\n  - trade: {by: krug}\n")
    said = table.refused(1, "battle", "post", wrong)
    assert "after the battle 'forge' is open" in said
    assert "iron-skulls after toll" in said


def test_the_tool_rolls_what_the_file_does_not_give(table: Arbitrator) -> None:
    file = table.write("format: post-battle/1\nbattle: toll\nentries:\n  - escape: {fighter: quill}\n")
    assert "rolled by the tool" in table.done("battle", "post", file, "--roll").out


def test_a_reward_still_to_be_rolled_may_pay_for_what_follows(table: Arbitrator) -> None:
    file = table.write(
        "format: post-battle/1\nbattle: toll\nentries:\n"
        "  - reward: {gang: iron-skulls, dice: 4, why: loot}\n"
        "  - credits: {from: iron-skulls, to: gilded-cage, amount: 41, reason: a debt}\n"
    )
    table.done("battle", "post", file, "--roll")


def test_captives_are_listed_with_holder_and_price(table: Arbitrator) -> None:
    out = table.done("gang", "captives").out
    assert out.startswith("Nobody is held captive.\n")
    assert "Quill (The Gilded Cage) is not held yet: whether Iron Skulls captures them is decided" in (
        " ".join(out.split())
    )
    waiting = table.read("gang", "captives", "iron-skulls")["still_open"]
    assert [(row["fighter"], row["captor"]) for row in waiting] == [
        ("tallow", "gilded-cage"),
        ("quill", "iron-skulls"),
    ]
    post(table, "01-toll.after.yaml")
    (one,) = table.read("gang", "captives")["captives"]
    assert (one["fighter"], one["gang"], one["held_by"], one["guilders_pay"]) == (
        "tallow",
        "iron-skulls",
        "gilded-cage",
        30,
    )
    assert "Tallow" in table.done("gang", "captives", "gilded-cage").out
    table.done("gang", "release", "tallow", "--reason", "a gift")
    assert table.read("gang", "captives")["captives"] == []
    assert "nobody's captive" in table.refused(1, "gang", "release", "tallow", "--reason", "again")


def test_a_captive_stands_on_both_rosters(table: Arbitrator) -> None:
    post(table, "01-toll.after.yaml")
    whole = table.done("roster", "show").out
    assert "Tallow is held captive by The Gilded Cage." in whole
    assert "Holds captive: Tallow of Iron Skulls." in whole
    assert "Holds captive: Tallow" in table.done("roster", "show", "gilded-cage", "--format", "md").out
    listed = table.read("roster", "show", "gilded-cage")["gangs"][0]["fighters"]
    assert "tallow" not in {row["fighter"] for row in listed}


def test_a_cycle_moves_the_campaign_on_and_downtime_frees_captives(table: Arbitrator) -> None:
    post(table, "01-toll.after.yaml")
    table.done("campaign", "cycle", "--phase", "downtime", "--reason", "half-time")
    shown = table.read("campaign", "show")
    assert (shown["cycle"], shown["phase"]) == (1, "downtime")
    assert table.read("gang", "captives")["captives"] == []
    assert gang(table, "gilded-cage")["credits"] == 165 + 30 + 250
    table.done("campaign", "cycle", "--phase", "takeover", "--reason", "on we go")
    assert gang(table, "gilded-cage")["credits"] == 165 + 30


def test_standings_tell_who_would_have_each_triumph(table: Arbitrator) -> None:
    post(table, "01-toll.after.yaml")
    standings = {
        triumph["triumph"]: triumph["gangs"] for triumph in table.read("standings", "show")["triumphs"]
    }
    assert {name: sorted(who) for name, who in standings.items()} == {
        "dominator": ["gilded-cage"],
        "slaughterer": ["gilded-cage", "iron-skulls"],
        "creditor": ["gilded-cage"],
        "warmonger": ["gilded-cage", "iron-skulls"],
        "powerbroker": ["gilded-cage"],
    }
    assert "Powerbroker: The Gilded Cage, 5 Reputation" in table.done("standings", "show").out


def test_territories_are_listed_and_given_by_word(table: Arbitrator) -> None:
    table.done(
        "gang", "territory", "iron-skulls", "--id", "den", "--kind", "gambling_den", "--reason", "start"
    )
    (one,) = table.read("gang", "territories")["territories"]
    assert (one["kind"], one["holder"]) == ("gambling_den", "iron-skulls")
    table.done("gang", "reputation", "iron-skulls", "--by", "2", "--reason", "a song")
    assert gang(table, "iron-skulls")["reputation"] == 2 + 1 + 2


def test_a_corrected_escape_is_carried_through_what_came_of_it(table: Arbitrator) -> None:
    post(table, "01-toll.after.yaml")
    log = table.read("log", "show")
    address = next(
        event["address"]
        for entry in log["entries"]
        for event in entry["events"]
        if event.get("type") == "RollMade" and event["data"]["purpose"] == "escape"
    )
    table.done("dispute", "open", address, "--reason", "it was a six")
    (open_now,) = table.read("dispute", "list")["disputes"]
    table.done(
        "dispute",
        "rule",
        str(open_now["dispute"]),
        "--faces",
        "6",
        "--reason",
        "both saw it",
        "--force",
        "a test",
    )
    assert table.roster()["tallow"]["status"] == "convalescing"
    table.done("audit", "verify")

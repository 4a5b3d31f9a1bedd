"""Disputes and rulings that cannot be: said clearly, and nothing is written. Beside `test_cli_words`."""

import json
from typing import Any

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from cli_reports import report
from tables import every

WOUND_ROLL, INJURY_ROLL = "10.2", "10.8"
"""Quill's wound roll of 5 in battle 2, and the Lasting Injury roll of 4-6 that came of it."""
WHY = ("--reason", "cocked die")


@pytest.fixture
def disputed(season: Arbitrator) -> Arbitrator:
    """Dispute 13 is about the wound roll."""
    season.done("dispute", "open", WOUND_ROLL, *WHY)
    return season


# --- disputing what is not there to be disputed ----------------------------------------------------------


@every("event", ["99", "99.1", "10.99", "krug", "ash-wastes/10.2"])
def test_what_does_not_exist(season: Arbitrator, event: str) -> None:
    said = season.refused(2, "dispute", "open", event, *WHY)
    assert f"There is no event {event} in the campaign Ash Wastes, whose log ends with entry 12." in said
    assert "An event is named ENTRY.EVENT, such as 57.3; see 'arbitrator log show'." in said


@pytest.mark.parametrize("about", ["10", "10.2", "10.8"])
def test_what_is_voided_already(season: Arbitrator, about: str) -> None:
    season.done("dispute", "open", "10", *WHY)
    season.done("dispute", "rule", "13", "--void", *WHY, *season.seen())
    said = season.refused(1, "dispute", "open", about, *WHY)
    assert "is void: entry 14 struck it" in said
    assert "arbitrator dispute open 14" in said
    assert "is void" in season.refused(1, "dispute", "preview", "10.2", "--void")


def test_what_was_rolled_back_already(season: Arbitrator) -> None:
    season.done("rollback", "rule", "--battle", "b2", *WHY, *season.seen())
    assert "is void: entry 13 struck it" in season.refused(1, "dispute", "open", WOUND_ROLL, *WHY)


def test_what_belongs_to_another_campaign(disputed: Arbitrator) -> None:
    disputed.done("campaign", "new", "Sump City")
    elsewhere = ("--campaign", "sump-city")
    no_event = "in the campaign Sump City, whose log ends with entry 1."
    for words in (
        ("dispute", "open", WOUND_ROLL, *WHY),
        ("dispute", "preview", WOUND_ROLL, "--void"),
        ("log", "confirm", WOUND_ROLL, "--by", "Robin"),
        ("rollback", "preview", "--to-entry", "10"),
    ):
        assert no_event in disputed.refused(2, *elsewhere, *words)
    no_dispute = "There is no dispute 13 in the campaign Sump City. See 'arbitrator dispute list'."
    for words in (
        ("dispute", "show", "13"),
        ("dispute", "preview", "13", "--confirm"),
        ("dispute", "rule", "13", "--confirm", *WHY, "--expect-head", "2"),
        ("dispute", "withdraw", "13", *WHY),
    ):
        assert no_dispute in disputed.refused(2, *elsewhere, *words)
    assert "no battle 'b2'" in disputed.refused(2, *elsewhere, "rollback", "preview", "--battle", "b2")
    assert disputed.read("--campaign", "ash-wastes", "dispute", "list", "--open")["disputes"]


# --- ruling without having looked ------------------------------------------------------------------------

RULINGS = (
    ("dispute", "rule", "13", "--faces", "2", *WHY),
    ("rollback", "rule", "--battle", "b2", *WHY),
    ("policy", "adopt", "one-lasting-injury-roll@1", "--from-battle", "1", *WHY),
)
EACH_RULING = pytest.mark.parametrize("ruling", RULINGS, ids=["dispute", "rollback", "policy"])


@EACH_RULING
def test_ruling_without_a_preview(disputed: Arbitrator, ruling: tuple[str, ...]) -> None:
    said = disputed.refused(2, *ruling)
    assert "Look first, then rule: " in said
    assert "--expect-head SIZE" in said


@EACH_RULING
def test_ruling_on_a_preview_of_another_head(disputed: Arbitrator, ruling: tuple[str, ...]) -> None:
    size = int(disputed.seen()[1])
    disputed.done("dispute", "open", "6.4", "--by", "Robin", "--reason", "it rolled under the table")
    for options in ((), ("--force", "last tram")):
        said = disputed.refused(3, *ruling, "--expect-head", str(size), *options)
        assert f"it had {size} events then and has {size + 2} now" in said
        assert "Added since: entry 14 by" in said
        assert "Look at the preview again" in said
    said = disputed.refused(3, *ruling, "--expect-head", str(size + 99))
    assert f"This log never had {size + 99} events: it has {size + 2}." in said
    assert "Nothing was changed" in said


@EACH_RULING
@pytest.mark.parametrize("why", ["", "  "])
def test_force_without_a_reason(disputed: Arbitrator, ruling: tuple[str, ...], why: str) -> None:
    assert "expected a text of 1 to 500 characters" in disputed.refused(2, *ruling, "--force", why)


def test_force_with_nothing_behind_it(disputed: Arbitrator) -> None:
    assert "requires an argument" in disputed.refused(2, *RULINGS[0], "--force")


@EACH_RULING
@pytest.mark.usefixtures("wide")
def test_force_still_previews(disputed: Arbitrator, ruling: tuple[str, ...]) -> None:
    before = disputed.contents()
    disputed.done(*ruling, "--force", "last tram", "--dry-run")
    assert disputed.contents() == before
    said = disputed.done(*ruling, "--force", "last tram").out
    assert said.index("Nothing is written.") < said.index("note: ruled without a preview: last tram")
    disputed.done("audit", "verify")


def test_a_ruling_without_a_reason(disputed: Arbitrator) -> None:
    assert "--reason" in disputed.refused(2, *RULINGS[0][:5], *disputed.seen())


# --- faces that do not fit the roll ----------------------------------------------------------------------


@every("faces", ["0", "7", "1,2", "1-1", "ooa", "1.5", "", "nonsense"])
@every("verdict", [(), ("--reroll",)])
def test_faces_that_a_d6_has_not(disputed: Arbitrator, faces: str, verdict: tuple[str, ...]) -> None:
    wrong = f"'{faces}' is no result of a D6 (wound): expected a whole number from 1 to 6."
    answer = ("13", *verdict, f"--faces={faces}")
    assert wrong in disputed.refused(2, "dispute", "preview", *answer)
    assert wrong in disputed.refused(2, "dispute", "rule", *answer, *WHY, *disputed.seen())


@pytest.fixture
def disputed_injury(season: Arbitrator) -> Arbitrator:
    """Dispute 13 is about the Lasting Injury roll."""
    season.done("dispute", "open", INJURY_ROLL, *WHY)
    return season


# Neither a D66 nor a row's name, whatever is said of the entry besides.
@every("faces", ["0-1", "1-7", "7-1", "4", "67", "1-1-1", "ooa", "nonsense"])
@every("more", [(), ("--void-entry", "10"), ("--strategy", "keep-later")])
def test_faces_that_a_d66_has_not(disputed_injury: Arbitrator, faces: str, more: tuple[str, ...]) -> None:
    wrong = f"'{faces}' is no result of a D66 (lasting_injury): expected two faces from 1 to 6, tens first"
    answer = ("13", f"--faces={faces}", *more)
    assert wrong in disputed_injury.refused(2, "dispute", "preview", *answer)
    assert wrong in disputed_injury.refused(2, "dispute", "rule", *answer, *WHY, *disputed_injury.seen())


def test_a_misspelt_row_is_answered_with_the_nearest_row(season: Arbitrator) -> None:
    said = season.refused(2, "dispute", "preview", INJURY_ROLL, "--faces", "hobled")
    assert "Did you mean 'hobbled'?" in said
    season.done("dispute", "preview", INJURY_ROLL, "--faces", "hobbled")


@every(
    ("dice", "said"),
    [
        ("10:multiple_injuries_count=4", "no result of a D3 (multiple_injuries_count)"),
        ("10:multiple_injuries=nonsense", "no result of a D66 (multiple_injuries)"),
        ("10:luck=4", "No die is rolled for 'luck'"),
        ("10:wound=4", "dice are left over that no rule asked for: wound 4"),
        ("10:wound", "Write ENTRY:PURPOSE=FACES"),
        ("99:wound=4", "There is no event 99 in the campaign Ash Wastes"),
    ],
)
def test_new_dice_that_do_not_fit(disputed_injury: Arbitrator, dice: str, said: str) -> None:
    answer = ("13", "--faces", "multiple_injuries", "--dice", dice)
    rest = ("--dice", "10:multiple_injuries_count=1", "--dice", "10:multiple_injuries=1-2")
    more = rest if "left over" in said else ()
    assert said in disputed_injury.refused(2, "dispute", "preview", *answer, *more)
    assert said in disputed_injury.refused(
        2, "dispute", "rule", *answer, *more, *WHY, *disputed_injury.seen()
    )


# --- a state that the rules cannot reach -----------------------------------------------------------------


def preview(table: Arbitrator, *words: str) -> dict[int, dict[str, Any]]:
    """What becomes of each entry, by its number; reading it writes nothing."""
    before = table.contents()
    preview_there = json.loads(table.done("dispute", "preview", *words, "--json").out)
    assert table.contents() == before
    return {slot["slot"]: slot for slot in preview_there["slots"]}


@pytest.fixture
def spent(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """Krug had 6 XP; entry 6 brought him 8 more, and by entry 8 he spent 12 of the 14."""
    monkeypatch.setenv("TRACKER_ARMOURY", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    begin(empty)
    empty.record(report("b1", "experience: {fighter: krug, amount: 8, reason: held the bridge}"))
    empty.done("fighter", "advance", "krug", "wounds", "--reason", "after the battle")
    assert (empty.head["entries"], empty.roster()["krug"]["experience"]) == (8, 2)
    return empty


def test_xp_below_zero_is_listed_as_unresolved(spent: Arbitrator) -> None:
    entry = preview(spent, "6.2", "--void")[8]
    assert entry["result"] == "refused"
    assert "Krug the Anvil has 6 XP and needs 12 for this: Wounds" in entry["why"]
    assert "Krug the Anvil would have -6 XP, below 0" in entry["why"]
    preview_there = spent.done("dispute", "preview", "6.2", "--void").out
    assert "Unresolved: 1 entry (8)." in preview_there
    assert "--void-entry 8" in preview_there


@pytest.mark.parametrize("kept", [(), ("--keep", "8")])
def test_xp_below_zero_is_never_clipped(spent: Arbitrator, kept: tuple[str, ...]) -> None:
    spent.done("dispute", "open", "6.2", *WHY)
    for ruling in (
        ("dispute", "rule", "9", "--void", *kept, *WHY, *spent.seen()),
        ("rollback", "rule", "--battle", "b1", *kept, *WHY, *spent.seen()),
    ):
        said = spent.refused(1, *ruling)
        assert "The ruling is not complete; nothing was changed." in said
        assert "Krug the Anvil would have -6 XP, below 0" in said
    assert spent.roster()["krug"]["experience"] == 2
    spent.done("dispute", "rule", "9", "--void", "--void-entry", "8", *WHY, *spent.seen())
    assert spent.roster()["krug"]["experience"] == 6
    spent.done("audit", "verify")


def test_credits_below_zero_are_listed_as_unresolved(spent: Arbitrator) -> None:
    # 40 credits from the sheet and 30 by entry 9; 60 of the 70 go with entry 10.
    spent.done("gang", "credits", "@rewards", "iron-skulls", "30", "--reason", "found")
    spent.done("gang", "credits", "iron-skulls", "gilded-cage", "60", "--reason", "a debt")
    entry = preview(spent, "9.2", "--void")[10]
    assert entry["result"] == "refused"
    assert "Iron Skulls has 40 credits and needs 60 for this" in entry["why"]
    spent.done("dispute", "open", "9.2", *WHY)
    for kept in ((), ("--keep", "10")):
        said = spent.refused(1, "dispute", "rule", "11", "--void", *kept, *WHY, *spent.seen())
        assert "(1) entry 10 " in said
        assert "40 credits" in said

"""Provable dice at the command line: a seed fixed first, contributions, rolls asked for before they exist, and
everything worked out again at the end."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import LATER, report

from tracker.dice import sides_of
from tracker.rules.provable_dice import ProvableRoller, contribution_commitment, seed_commitment
from tracker.service.repository import CampaignRepository

WORDS = {"Robin": "seven rusty buckets of grease", "Dana": "the third lamp flickers twice"}
SHOT = report("b3", "hit: {attacker: hob, weapon: autogun, target: sable}", result="draw: true")
"""No dice are given: wound, save, injury, and whatever follows, are rolled by the tool."""


def fix(table: Arbitrator, *names: str) -> None:
    """Provable dice with a session open, these contributions committed to and revealed."""
    table.done("dice", "use", "provable", "--reason", "club vote")
    table.done("dice", "open")
    for who in names:
        table.done("dice", "contribute", "--by", who, "--words", WORDS[who])
    for who in names:
        table.done("dice", "reveal", "--by", who, "--words", WORDS[who])


@pytest.fixture
def provable(season: Arbitrator) -> Arbitrator:
    """After two battles; Robin and Dana contributed."""
    fix(season, "Robin", "Dana")
    return season


def events(table: Arbitrator, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.read("log", "show", "--type", kind)["events"]
    return found


def sessions(table: Arbitrator) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.read("dice", "show")["sessions"]
    return found


def rolled(table: Arbitrator) -> list[tuple[str, tuple[int, ...]]]:
    """Kinds and faces of the dice that the tool rolled, in the order of the log."""
    return [
        (event["data"]["die"], tuple(event["data"]["faces"]))
        for event in events(table, "RollMade")
        if event["data"]["source"] == "generated"
    ]


def seed_file(table: Arbitrator) -> Path:
    (file,) = (Path(os.environ["XDG_DATA_HOME"]) / "campaign-tracker" / "dice").iterdir()
    return file


# --- a whole session ---------------------------------------------------------------------------------------


def test_every_roll_is_worked_out_again_from_the_seed_by_hand(provable: Arbitrator) -> None:
    provable.record(SHOT, "--roll")
    provable.done("dice", "close")
    (session,) = sessions(provable)
    campaign = session["campaign"]
    seed = bytes.fromhex(session["seed"])
    assert seed_commitment(campaign, 1, seed) == session["commitment"]
    contributions = [(given["who"], given["value"]) for given in session["contributions"]]
    assert contributions == list(WORDS.items())
    (request,) = session["requests"]
    (asked,) = events(provable, "RollsRequested")
    assert request["nonce"] == asked["data"]["nonce"] == 1
    roller = ProvableRoller(seed, contributions, request["nonce"])
    dice = rolled(provable)
    assert len(dice) >= 1
    assert [faces for _, faces in dice] == [tuple(map(roller, sides_of(die))) for die, _ in dice]
    assert request["verdict"] == "recomputed"
    audit = provable.read("audit", "verify")
    assert audit["ok"] is True
    assert audit["dice"]["faces"] == {"recomputed": sum(len(faces) for _, faces in dice)}


def test_the_request_stands_in_the_log_before_its_dice(provable: Arbitrator) -> None:
    provable.record(SHOT, "--roll")
    (asked,), (resolved,) = events(provable, "RollsRequested"), events(provable, "RollsResolved")
    first = min(
        event["seq"] for event in events(provable, "RollMade") if event["data"]["source"] == "generated"
    )
    assert asked["seq"] < first < resolved["seq"]
    assert asked["data"]["request"] == asked["entry"]


def test_until_the_seed_is_revealed_the_dice_wait_and_nothing_is_wrong(provable: Arbitrator) -> None:
    provable.record(SHOT, "--roll")
    audit = provable.read("audit", "verify")
    assert (audit["ok"], [*audit["dice"]["faces"]]) == (True, ["sealed"])
    assert "waiting for the seed" in provable.done("audit", "verify").out


def test_the_same_report_again_is_recorded_once_and_asks_for_nothing(provable: Arbitrator) -> None:
    file = provable.write(SHOT)
    provable.done("battle", "record", file, "--roll")
    before = provable.contents()
    assert provable.done("battle", "record", file, "--roll").out.startswith("Recorded before")
    assert provable.contents() == before


def test_a_report_that_needs_no_die_makes_no_request(provable: Arbitrator) -> None:
    provable.record(LATER[0], "--roll")
    assert events(provable, "RollsRequested") == []


def test_what_is_refused_for_another_reason_than_its_dice_leaves_no_request(provable: Arbitrator) -> None:
    wrong = report("b3", "hit: {attacker: hob, weapon: autogun, target: nobody}", result="draw: true")
    provable.refused(2, "battle", "record", provable.write(wrong), "--roll")


def test_the_seed_is_in_a_file_for_its_owner_alone_and_not_in_the_database(provable: Arbitrator) -> None:
    file = seed_file(provable)
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().strip().encode() not in provable.contents()


def test_a_session_that_is_not_opened_seals_no_seed(provable: Arbitrator) -> None:
    file = seed_file(provable)
    assert "session 1" in provable.refused(1, "dice", "open")
    assert seed_file(provable) == file


def test_where_the_setting_is_plain_the_tool_rolls_as_ever(season: Arbitrator) -> None:
    season.record(SHOT, "--roll")
    assert events(season, "RollsRequested") == []
    season.done("audit", "verify")


def test_a_setting_has_a_version_and_is_not_changed_within_a_session(provable: Arbitrator) -> None:
    assert "close it first" in provable.refused(1, "dice", "use", "plain", "--reason", "x")
    provable.done("dice", "close")
    provable.done("dice", "use", "plain", "--reason", "slow")
    assert provable.read("dice", "show")["setting"] == {"protocol": "plain", "version": 2}


def test_without_a_session_nothing_is_rolled(season: Arbitrator) -> None:
    season.done("dice", "use", "provable", "--reason", "club vote")
    file = season.write(SHOT)
    assert "arbitrator dice open" in season.refused(1, "battle", "record", file, "--roll")


def test_with_no_players_bytes_it_is_called_unverified(season: Arbitrator) -> None:
    fix(season)
    season.record(SHOT, "--roll")
    assert sessions(season)[0]["arbitrator_only"] is True
    assert "arbitrator-only entropy" in " ".join(season.done("dice", "show").out.split())


def test_no_other_entry_in_between_moves_a_roll(provable: Arbitrator) -> None:
    """Whoever holds the seed could else write harmless entries until the next roll suits."""
    for event in ("10.2", "10.3", "10.8"):
        provable.done("log", "confirm", event, "--by", "Robin")
    provable.record(SHOT, "--roll")
    roller = ProvableRoller(bytes.fromhex(seed_file(provable).read_text()), list(WORDS.items()), 1)
    assert all(faces == tuple(map(roller, sides_of(die))) for die, faces in rolled(provable))


# --- nobody who contributes last can choose ------------------------------------------------------------------


def test_who_has_seen_a_contribution_can_commit_to_none(season: Arbitrator) -> None:
    season.done("dice", "open")
    season.done("dice", "contribute", "--by", "Robin", "--words", WORDS["Robin"])
    season.done("dice", "reveal", "--by", "Robin", "--words", WORDS["Robin"])
    said = season.refused(1, "dice", "contribute", "--by", "Dana", "--words", WORDS["Dana"])
    assert "a later player could choose" in said


def test_nobody_reveals_other_words_than_they_committed_to(season: Arbitrator) -> None:
    season.done("dice", "open")
    for who, words in WORDS.items():
        season.done("dice", "contribute", "--by", who, "--words", words)
    season.done("dice", "reveal", "--by", "Robin", "--words", WORDS["Robin"])
    said = season.refused(1, "dice", "reveal", "--by", "Dana", "--words", "words that suit me better")
    assert "not what Dana committed to" in said


def test_nothing_is_rolled_before_every_contribution_is_revealed(season: Arbitrator) -> None:
    season.done("dice", "use", "provable", "--reason", "club vote")
    season.done("dice", "open")
    for who, words in WORDS.items():
        season.done("dice", "contribute", "--by", who, "--words", words)
    season.done("dice", "reveal", "--by", "Robin", "--words", WORDS["Robin"])
    said = season.refused(1, "battle", "record", season.write(SHOT), "--roll")
    assert "Dana still owes one" in said


def test_nobody_contributes_once_rolls_were_asked_for(season: Arbitrator) -> None:
    fix(season)
    season.record(SHOT, "--roll")
    said = season.refused(1, "dice", "contribute", "--by", "Dana", "--words", WORDS["Dana"])
    assert "rolls were asked for" in said


def test_a_commitment_computed_elsewhere_is_taken(season: Arbitrator) -> None:
    season.done("dice", "open")
    campaign = sessions(season)[0]["campaign"]
    own = contribution_commitment(campaign, 1, "Robin", WORDS["Robin"])
    printed = season.done("dice", "contribute", "--by", "Robin", "--words", WORDS["Robin"], "--print").out
    assert printed.strip() == own
    season.done("dice", "contribute", "--by", "Robin", "--commitment", own)
    season.done("dice", "reveal", "--by", "Robin", "--words", WORDS["Robin"])


def test_what_somebody_could_guess_from_its_hash_is_refused(season: Arbitrator) -> None:
    season.done("dice", "open")
    assert "12 letters" in season.refused(2, "dice", "contribute", "--by", "Robin", "--words", "seven")
    assert "no commitment" in season.refused(2, "dice", "contribute", "--by", "Robin", "--commitment", "5e")


def test_a_withheld_reveal_is_shown_for_ever(season: Arbitrator) -> None:
    season.done("dice", "use", "provable", "--reason", "club vote")
    season.done("dice", "open")
    for who, words in WORDS.items():
        season.done("dice", "contribute", "--by", who, "--words", words)
    season.done("dice", "reveal", "--by", "Robin", "--words", WORDS["Robin"])
    season.done("dice", "withheld", "Dana", "--reason", "went home")
    season.record(SHOT, "--roll")
    season.done("dice", "close")
    assert "Dana: WITHHELD" in season.done("dice", "show").out
    assert "WITHHELD in dice session 1: Dana" in season.done("audit", "verify").out
    assert season.read("audit", "verify")["ok"] is True


# --- stopped between request and result ----------------------------------------------------------------------


class Stopped(BaseException):
    """The machine went off."""


@pytest.fixture
def stopped(provable: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """The request for battle 3 is recorded, and its dice were decided and lost before they were."""
    whole = CampaignRepository.append_within

    def append(self: CampaignRepository, store: Any, writer: Any, *facts: Any, **named: Any) -> Any:
        if any(event.event.__class__.__name__ == "RollMade" for entry in writer.entries() for event in entry):
            raise Stopped
        return whole(self, store, writer, *facts, **named)

    with monkeypatch.context() as patched:
        patched.setattr(CampaignRepository, "append_within", append)
        with pytest.raises(Stopped):
            provable("battle", "record", provable.write(SHOT), "--roll")
    return provable


def test_an_open_request_is_finished_with_the_same_dice(stopped: Arbitrator) -> None:
    (session,) = sessions(stopped)
    (request,) = session["requests"]
    assert request["verdict"] == "open"
    seed = bytes.fromhex(seed_file(stopped).read_text())
    roller = ProvableRoller(seed, list(WORDS.items()), request["nonce"])
    stopped.record(SHOT, "--roll")
    assert len(events(stopped, "RollsRequested")) == 1
    assert all(faces == tuple(map(roller, sides_of(die))) for die, faces in rolled(stopped))
    assert [asked["verdict"] for asked in sessions(stopped)[0]["requests"]] == ["sealed"]


def test_an_open_request_stays_in_sight_and_holds_the_session_open(stopped: Arbitrator) -> None:
    (request,) = sessions(stopped)[0]["requests"]
    assert f"OPEN: request {request['request']} for battle:b3" in stopped.done("audit", "verify").out
    assert stopped.read("audit", "verify")["dice"]["open_requests"] == [request["request"]]
    assert "nobody finished" in stopped.refused(1, "dice", "close")


def test_an_abandoned_request_is_shown_for_ever(stopped: Arbitrator) -> None:
    (request,) = sessions(stopped)[0]["requests"]
    stopped.done("dice", "abandon", str(request["request"]), "--reason", "rolled at the table")
    stopped.done("dice", "close")
    assert "ABANDONED: rolled at the table" in " ".join(stopped.done("dice", "show").out.split())
    assert "no open request" in stopped.refused(1, "dice", "abandon", "3", "--reason", "x").lower()


def test_what_was_rolled_after_an_abandoned_request_is_worked_out_again_from_the_seed(
    stopped: Arbitrator,
) -> None:
    (request,) = sessions(stopped)[0]["requests"]
    stopped.done("dice", "abandon", str(request["request"]), "--reason", "rolled at the table")
    stopped.record(SHOT, "--roll")
    stopped.done("dice", "close")
    verdicts = [asked["verdict"] for asked in sessions(stopped)[0]["requests"]]
    assert verdicts == ["abandoned", "recomputed"]


def test_another_report_is_another_request_and_the_first_stays_open(stopped: Arbitrator) -> None:
    stopped.record(SHOT.replace("Toll at the Bridge", "Ambush"), "--roll")
    assert [asked["verdict"] for asked in sessions(stopped)[0]["requests"]] == ["open", "sealed"]


def test_without_the_seed_nothing_is_rolled_or_revealed(provable: Arbitrator) -> None:
    file = seed_file(provable)
    file.write_text("00" * 32)
    assert "Put the file back" in provable.refused(1, "battle", "record", provable.write(SHOT), "--roll")
    file.unlink()
    assert "Put the file back" in provable.refused(1, "dice", "close")


# --- rulings -------------------------------------------------------------------------------------------------


def test_dice_of_a_request_verify_whatever_is_ruled_on_them(provable: Arbitrator) -> None:
    provable.record(SHOT, "--roll")
    provable.done("dispute", "open", wound_roll(provable)["address"], "--reason", "wrong target")
    dispute = str(provable.head["entries"])
    words = ("--void", "--strategy", "void-later", "--reason", "so it was")
    provable.done("dispute", "rule", dispute, *words, *provable.seen())
    ruling = str(provable.head["entries"])
    assert provable.read("audit", "verify")["ok"] is True
    provable.done("rollback", "rule", "--ruling", ruling, "--reason", "no, it stands", *provable.seen())
    provable.done("dice", "close")
    audit = provable.read("audit", "verify")
    assert (audit["ok"], [*audit["dice"]["faces"]]) == (True, ["recomputed"])


def wound_roll(table: Arbitrator) -> dict[str, Any]:
    return next(event for event in events(table, "RollMade") if event["data"]["purpose"] == "wound")


def rerolled(table: Arbitrator) -> None:
    """Battle 3 with the tool's dice, and its wound roll rolled again by ruling, by the tool."""
    table.record(SHOT, "--roll")
    made = [event for event in events(table, "RollMade") if event["data"]["source"] == "generated"]
    table.done("dispute", "open", made[0]["address"], "--reason", "cocked die")
    dispute = str(table.head["entries"])
    words = ("--reroll", "--roll", "--strategy", "void-later", "--reason", "again")
    table.done("dispute", "rule", dispute, *words, *table.seen())


@pytest.mark.parametrize("time", range(3))
def test_a_die_rolled_again_by_ruling_is_asked_for_first_and_worked_out_again(
    provable: Arbitrator,
    time: int,  # other dice each time
) -> None:
    rerolled(provable)
    report_, ruling = sessions(provable)[0]["requests"]
    assert ruling["what"].startswith("ruling on dispute ")
    assert (report_["verdict"], ruling["verdict"]) == ("sealed", "sealed")
    assert provable.read("audit", "verify")["ok"] is True
    provable.done("dice", "close")
    (session,) = sessions(provable)
    roller = ProvableRoller(
        bytes.fromhex(session["seed"]), list(WORDS.items()), session["requests"][1]["nonce"]
    )
    made = next(event["data"] for event in events(provable, "RulingMade"))
    assert made["after"]["faces"] == [roller(6)]
    audit = provable.read("audit", "verify")
    assert (audit["ok"], [*audit["dice"]["faces"]]) == (True, ["recomputed"])


def test_a_ruling_on_provable_dice_taken_back_and_again_verifies(provable: Arbitrator) -> None:
    rerolled(provable)
    for _ in range(2):
        ruling = str(events(provable, "RulingMade")[-1]["entry"])
        provable.done("rollback", "rule", "--ruling", ruling, "--reason", "no", *provable.seen())
    provable.done("dice", "close")
    assert provable.read("audit", "verify")["ok"] is True


def test_a_ruling_whose_dice_are_typed_in_asks_for_nothing(provable: Arbitrator) -> None:
    words = ("--faces", "4-1", "--roll", "--reason", "it was a 4-1")
    provable.done("dispute", "open", "10.8", "--reason", "cocked die")
    dispute = str(provable.head["entries"])
    provable.done("dispute", "rule", dispute, *words, *provable.seen())
    assert events(provable, "RollsRequested") == []
    assert provable.read("audit", "verify")["ok"] is True


def test_a_ruling_that_was_stopped_finishes_its_request_with_the_same_die(
    provable: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    provable.record(SHOT, "--roll")
    provable.done("dispute", "open", wound_roll(provable)["address"], "--reason", "cocked die")
    dispute = str(provable.head["entries"])
    words = ("--reroll", "--roll", "--strategy", "void-later", "--reason", "again")

    def append(*_facts: Any, **_named: Any) -> None:
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(CampaignRepository, "append", append)
        with pytest.raises(Stopped):
            provable("dispute", "rule", dispute, *words, *provable.seen())
    request = sessions(provable)[0]["requests"][1]
    assert request["verdict"] == "open"
    provable.done("dispute", "rule", dispute, *words, *provable.seen())
    assert len(events(provable, "RollsRequested")) == 2
    roller = ProvableRoller(
        bytes.fromhex(seed_file(provable).read_text()), list(WORDS.items()), request["nonce"]
    )
    made = next(event["data"] for event in events(provable, "RulingMade"))
    assert made["after"]["faces"] == [roller(6)]


def test_no_ruling_voids_what_was_committed_to(provable: Arbitrator) -> None:
    opened = events(provable, "DiceSessionOpened")[0]["address"]
    said = provable.refused(1, "dispute", "open", opened, "--reason", "x")
    assert "dispute" in said
    before = len(sessions(provable))
    provable.done("rollback", "rule", "--to-entry", "11", "--reason", "x", *provable.seen())
    assert len(sessions(provable)) == before
    assert json.loads(provable.done("dice", "show", "--json").out)["setting"]["version"] == 1

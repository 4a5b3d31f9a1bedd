"""Clerical mistakes at the command line: what was typed wrong is put right, with all that follows, and taken back."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import CORRECTED, DISPUTED, GANG_SHEETS, GANGS, SEASON, report
from tables import every

from tracker.reports.fighter import fighter_page
from tracker.reports.names import Names
from tracker.service.application import Tracker
from tracker.service.boards import FighterBoard

KILL, WOUND_ROLL = "10", "10.2"
"""Battle 2's first entry: Hob's hit on Quill with wound 5, save 2, injury Out of Action and Lasting Injury 4-6."""


def amend(table: Arbitrator, *words: str) -> str:
    """Amend as somebody who has looked."""
    return table.done(*words, "--reason", "typed wrong", *table.seen()).out


def everything(table: Arbitrator) -> object:
    """What the rosters, the standings, the battles and every fighter's card say."""
    with closing(Tracker(f"sqlite:///{table.file}", actor="Kit")) as tracker:
        campaign, boards = tracker.directory.campaign_id("ash-wastes"), tracker.boards
        fighters = ("hob", "krug", "quill", "tallow", "pip", "lark")
        pages = [boards.roster(campaign), boards.standings(campaign), boards.battles(campaign)[0]]
        cards = [card(boards.fighter(campaign, lambda _, fighter=fighter: fighter)) for fighter in fighters]
    return without_places(msgspec.to_builtins([*pages, *cards], order="sorted"))


def card(board: FighterBoard) -> Mapping[str, object]:
    page = fighter_page(
        board.row,
        board.gang,
        board.events,
        Names.of_state(board.state),
        pending=board.pending.disputes,
        dependents=board.pending.dependents,
    )
    return page.data()


def without_places(value: object) -> object:
    """The page without places in the log and in an entry, which a ruling makes others."""
    if isinstance(value, dict):
        if "purpose" in value:  # a die's place among those of its entry
            value = {**value, "number": None}
        gone = {"entry", "seq", "address", "at", "position", "slot", "ruling", "causation"}
        return {key: without_places(inner) for key, inner in value.items() if key not in gone}
    return [without_places(one) for one in value] if isinstance(value, list) else value


# --- one entry -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("wide")
def test_the_difference_comes_first_and_nothing_is_written(season: Arbitrator) -> None:
    before = season.contents()
    page = season.done("entry", "amend", KILL, "--set", "attacker=krug", "--set", "weapon=autogun").out
    assert season.contents() == before
    assert page.startswith(
        f"Preview: entry {KILL}, amended. Nothing is written.\n\nAmended:\n  {KILL}  attacker hob -> krug\n"
    )
    head = season.head["events"]
    assert (
        f"arbitrator entry amend {KILL} --set attacker=krug --set weapon=autogun --expect-head {head}" in page
    )


def test_who_did_it_is_put_right_and_what_follows_with_it(season: Arbitrator) -> None:
    was = season.roster()
    amend(season, "entry", "amend", KILL, "--set", "attacker=krug")
    now = season.roster()
    gained = {name: now[name]["experience"] - was[name]["experience"] for name in ("hob", "krug")}
    assert gained == {"hob": -2, "krug": 2}
    assert now["quill"] == was["quill"]
    assert season.read("audit", "verify")["ok"] is True


@pytest.mark.usefixtures("wide")
def test_the_old_words_stay_struck_out_with_who_and_why(season: Arbitrator) -> None:
    amend(season, "entry", "amend", KILL, "--set", "attacker=krug")
    page = unwrapped(season.done("log", "show", "--all").out)
    assert "struck out by entry 13 (decided again): hit: Hob Nine-Fingers's autogun on Quill" in page
    assert f"ruling: amended entry {KILL}, attacker hob -> krug: typed wrong" in page
    assert "hit: Krug the Anvil's autogun on Quill" in page


def unwrapped(page: str) -> str:
    """A page as one line, however wide it was printed."""
    return " ".join(page.split())


def test_an_amendment_is_taken_back_whole(season: Arbitrator) -> None:
    before = everything(season)
    amend(season, "entry", "amend", KILL, "--set", "attacker=krug", "--set", "dice.wound=6")
    assert everything(season) != before
    season.done("rollback", "rule", "--ruling", "13", "--reason", "it was Hob", *season.seen())
    assert everything(season) == before
    assert season.read("audit", "verify")["ok"] is True


def test_an_amendment_is_disputed_like_any_ruling(season: Arbitrator) -> None:
    before = everything(season)
    amend(season, "entry", "amend", KILL, "--set", "attacker=krug")
    season.done("dispute", "open", "13", "--reason", "no")
    season.done("dispute", "rule", "14", "--reverse", "--reason", "no", *season.seen())
    assert everything(season) == before


def test_dice_go_with_who_stands_there_now(season: Arbitrator) -> None:
    preview = season.read("entry", "amend", KILL, "--set", "target=tallow")
    assert [row["key"] for row in preview["amended"]] == ["target"]
    (slot, *_) = preview["slots"]
    dice = slot["after"][0]["dice"]
    assert [(die["purpose"], die["fighter"]) for die in dice if die["purpose"] == "wound"] == [
        ("wound", "tallow")
    ]


def test_a_die_that_was_written_down_wrong_is_set_with_it(season: Arbitrator) -> None:
    preview = season.read("entry", "amend", KILL, "--set", "dice.wound=2")
    assert preview["amended"] == [
        {"entry": 10, "key": "dice", "before": "wound roll 5", "after": "wound roll 2"}
    ]
    amend(season, "entry", "amend", KILL, "--set", "dice.wound=2")
    assert season.roster()["quill"]["injuries"] == []


def test_a_die_that_nobody_rolled_is_asked_for(season: Arbitrator) -> None:
    # Each Injury die that shows Out of Action brings a Lasting Injury roll of its own.
    words = ("entry", "amend", "11", "--set", "out_of_action_dice=2")
    preview = season.read(*words)
    assert preview["can_be_ruled"] is False
    assert "--dice 11:lasting_injury=FACES, or --roll, or --void-entry 11" in preview["next_steps"]
    said = season.refused(2, *words, "--reason", "x", *season.seen())
    assert "entry 11 needs dice that were never rolled" in said
    amend(season, *words, "--dice", "11:lasting_injury=3-1")
    assert len(season.roster()["tallow"]["injuries"]) == 2


def test_what_no_rule_asks_for_is_a_slip(season: Arbitrator) -> None:
    said = season.refused(2, "entry", "amend", KILL, "--set", "dice.nerve=7")
    assert "dice.nerve: found 7" in said


def test_nobody_amends_without_a_reason(season: Arbitrator) -> None:
    said = season.refused(2, "entry", "amend", KILL, "--set", "attacker=krug", *season.seen())
    assert "--reason" in said


def test_an_amendment_of_a_log_that_moved_on_is_stale(season: Arbitrator) -> None:
    seen = season.seen()
    amend(season, "entry", "amend", KILL, "--set", "attacker=krug")
    said = season.refused(3, "entry", "amend", KILL, "--set", "attacker=vex", "--reason", "x", *seen)
    assert "Look at the preview again" in said


def test_a_dry_run_shows_the_receipt_and_writes_nothing(season: Arbitrator) -> None:
    before = season.contents()
    page = season.done("entry", "amend", KILL, "--set", "attacker=krug", "--reason", "x", "--dry-run").out
    assert page.startswith("Dry run: nothing was written.")
    assert season.contents() == before


def test_what_says_so_already_is_not_amended(season: Arbitrator) -> None:
    assert "already says exactly that" in season.refused(2, "entry", "amend", KILL, "--set", "attacker=hob")


@every(
    ("entry", "code", "said"),
    [("1", 1, "stands as it is"), ("99", 2, "no event 99"), ("9", 2, "arbitrator battle amend BATTLE FILE")],
)
def test_what_cannot_be_amended_says_what_can(season: Arbitrator, entry: str, code: int, said: str) -> None:
    assert said in season.refused(code, "entry", "amend", entry, "--set", "by=krug")


def test_an_entry_that_is_void_is_not_amended(season: Arbitrator) -> None:
    season.done("dispute", "open", KILL, "--reason", "x")
    season.done("dispute", "rule", "13", "--void", "--reason", "x", *season.seen())
    assert "is void: entry 14 struck it" in season.refused(
        1, "entry", "amend", KILL, "--set", "attacker=krug"
    )


def test_later_entries_are_answered_for_as_in_any_ruling(season: Arbitrator) -> None:
    # Wren could not have fought battle 2 with the Recovery that 4-6 brings.
    words = ("entry", "amend", "6", "--set", "dice.lasting_injury=4-6")
    preview = season.read(*words)
    assert preview["can_be_ruled"] is False
    assert any(step.startswith("--keep 9, or --void-entry 9") for step in preview["next_steps"])
    kept = season.read(*words, "--strategy", "keep-later")
    assert kept["can_be_ruled"] is True
    (step,) = kept["next_steps"]
    assert "--strategy keep-later --expect-head" in step
    amend(season, *words, "--strategy", "keep-later")
    assert season.read("audit", "verify")["ok"] is True


def test_an_entry_is_not_kept_and_amended(season: Arbitrator) -> None:
    said = season.refused(2, "entry", "amend", KILL, "--set", "attacker=krug", "--keep", KILL)
    assert "cannot be kept as played" in said
    said = season.refused(2, "entry", "amend", KILL, "--set", "attacker=krug", "--void-entry", KILL)
    assert "cannot be amended and voided" in said


def test_a_statement_that_nobody_may_make_is_refused_in_an_amendment_too(season: Arbitrator) -> None:
    preview = season.read("entry", "amend", KILL, "--set", "save_cover=full")
    (slot,) = [one for one in preview["slots"] if one["slot"] == 10]
    assert slot["result"] == "refused"
    assert "neither Blast nor Template" in slot["why"]


# --- the note beside an entry ------------------------------------------------------------------------------


def notes(table: Arbitrator) -> list[str]:
    """What is noted beside the entries that count."""
    entries = range(1, table.head["entries"] + 1)
    events = [event for entry in entries for event in table.read("log", "entry", str(entry))["events"]]
    latest = {event["slot"]: event["data"] for event in events if event["type"] == "DecisionTaken"}
    return [data["note"] for _, data in sorted(latest.items()) if data["note"]]


@pytest.mark.usefixtures("wide")
def test_a_note_is_put_right_and_the_old_words_stay_struck_out(season: Arbitrator) -> None:
    amend(season, "entry", "amend", KILL, "--set", "note=through the window, says Kit")
    (line,) = season.read("entry", "amend", KILL, "--set", "note=through the door")["amended"]
    assert line == {
        "entry": 10,
        "key": "note",
        "before": "through the window, says Kit",
        "after": "through the door",
    }
    amend(season, "entry", "amend", KILL, "--set", "note=through the door")
    assert notes(season) == ["through the door"]
    assert "note: through the door" in season.done("log", "entry", "14").out
    page = unwrapped(season.done("log", "show", "--all").out)
    assert "ruling: amended entry 10, note through the window, says Kit -> through the door" in page
    assert "note: through the window, says Kit" in season.done("log", "entry", "13").out
    assert season.read("audit", "verify")["ok"] is True


def test_a_note_is_taken_out_and_the_ruling_back(season: Arbitrator) -> None:
    before = everything(season)
    amend(season, "entry", "amend", KILL, "--set", "note=a cocked die", "--set", "attacker=krug")
    amend(season, "entry", "amend", KILL, "--set", "note=")
    assert notes(season) == []
    season.done("rollback", "rule", "--ruling", "14", "--reason", "no", *season.seen())
    assert notes(season) == ["a cocked die"]
    season.done("rollback", "rule", "--ruling", "13", "--reason", "no", *season.seen())
    assert notes(season) == []
    assert everything(season) == before
    assert season.read("audit", "verify")["ok"] is True


def test_a_note_that_stands_there_already_is_not_amended(season: Arbitrator) -> None:
    assert "already says exactly that" in season.refused(2, "entry", "amend", KILL, "--set", "note=")
    assert "500 characters" in season.refused(2, "entry", "amend", KILL, "--set", f"note={'x' * 501}")


def test_a_note_alone_is_put_right_where_no_key_can_be(season: Arbitrator) -> None:
    amend(season, "entry", "amend", "12", "--set", "note=called off at dawn")
    assert notes(season) == ["called off at dawn"]


def test_a_corrected_report_puts_its_notes_right(season: Arbitrator) -> None:
    noted = DISPUTED % 5 + "\n    note: over the pipes"
    path = season.write(report("b2", noted, OUT, result=WINNER))
    assert season.read("battle", "amend", "b2", path)["amended"] == [
        {"entry": 10, "key": "note", "before": None, "after": "over the pipes"}
    ]
    amend(season, "battle", "amend", "b2", path)
    assert notes(season) == ["over the pipes"]
    assert "already says exactly that" in season.refused(2, "battle", "amend", "b2", path)
    amend(season, "battle", "amend", "b2", season.write(SEASON[1]))
    assert notes(season) == []


def test_the_note_of_a_forgotten_entry_is_kept_beside_the_other(season: Arbitrator) -> None:
    amend(season, "entry", "amend", "11", "--set", "note=in the dark")
    amend(season, "entry", "add", forgotten(season, EXPERIENCE + "\n    note: Pip held on"), "--after", "11")
    assert notes(season) == ["in the dark; Pip held on"]
    assert season.read("audit", "verify")["ok"] is True


# --- a whole battle --------------------------------------------------------------------------------------

WINNER = "winner: gilded-cage"
HIT = DISPUTED % 5
OUT = "out_of_action: {fighter: tallow, by: sable, lasting_injury: 2-1}"
FORGOTTEN = "out_of_action: {fighter: rook, by: krug, lasting_injury: 3-1}"
EXPERIENCE = "experience: {fighter: pip, amount: 1, reason: held on}"
CORRECTED_REPORTS = {
    "another killer": report("b2", HIT, OUT.replace("sable", "lark"), result=WINNER),
    "another die": report("b2", CORRECTED, OUT, result=WINNER),
    "an entry left out": report("b2", HIT, result=WINNER),
    "all entries left out": report("b2", result=WINNER),
    "an entry forgotten at the end": report("b2", HIT, OUT, EXPERIENCE, result=WINNER),
    "an entry forgotten at the beginning": report("b2", EXPERIENCE, HIT, OUT, result=WINNER),
    "two forgotten in the middle": report("b2", HIT, EXPERIENCE, EXPERIENCE, OUT, result=WINNER),
    "something else happened": report("b2", HIT, EXPERIENCE, result=WINNER),
    "entries the other way round": report("b2", OUT, HIT, result=WINNER),
    "another winner": report("b2", HIT, OUT, result="winner: iron-skulls"),
    "a draw on another day": report("b2", HIT, OUT, result="draw: true").replace("2026-03-14", "2026-03-15"),
    "one of the crew was not there": report("b2", HIT, OUT, gangs="{iron-skulls: [krug, vex, dross, hob, tallow], gilded-cage: all}", result=WINNER),
}  # fmt: skip


@pytest.fixture(scope="module")
def at_first(tmp_path_factory: pytest.TempPathFactory, _played: dict[int, Path]) -> dict[str, object]:
    """What the pages of the season say before anything is amended."""
    table = Arbitrator(tmp_path_factory.mktemp("at-first"))
    table.file.write_bytes(_played[2].read_bytes())
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(table.folder / "data"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        return everything(table)


@pytest.mark.parametrize("name", CORRECTED_REPORTS)
def test_a_corrected_report_leads_where_it_would_have_led_from_the_start(
    season: Arbitrator, one_battle: Arbitrator, at_first: dict[str, object], name: str
) -> None:
    corrected = CORRECTED_REPORTS[name]
    one_battle.record(corrected)
    words = ("battle", "amend", "2", season.write(corrected, name="corrected.yaml"))
    written = season.contents()
    assert season.read(*words)["amended"] != []
    assert season.contents() == written

    amend(season, *words)

    assert everything(season) == everything(one_battle)
    assert season.read("audit", "verify")["ok"] is True
    assert "already says exactly that" in season.refused(2, *words)
    ruling = str(season.head["entries"])
    season.done("rollback", "rule", "--ruling", ruling, "--reason", "no", *season.seen())
    assert everything(season) == at_first
    assert season.read("audit", "verify")["ok"] is True


def test_an_amended_battle_is_amended_once_more_and_back(season: Arbitrator) -> None:
    before = everything(season)
    for name in (
        "two forgotten in the middle",
        "something else happened",
        "an entry forgotten at the beginning",
    ):
        amend(season, "battle", "amend", "b2", season.write(CORRECTED_REPORTS[name]))
        assert season.read("audit", "verify")["ok"] is True
    amend(season, "battle", "amend", "b2", season.write(SEASON[1]))
    assert everything(season) == before


def test_later_battles_are_decided_again_from_their_own_dice(arbitrator: Arbitrator, tmp_path: Path) -> None:
    again = Arbitrator(tmp_path)
    again.file.write_bytes(arbitrator.file.read_bytes())
    corrected = CORRECTED_REPORTS["another killer"]  # who stood there later is a fact, and stays one
    for text in (SEASON[0], corrected, *SEASON[2:]):
        again.record(text)
    for text in SEASON:
        arbitrator.record(text)
    amend(arbitrator, "battle", "amend", "b2", arbitrator.write(corrected))
    assert everything(arbitrator) == everything(again)
    assert arbitrator.read("audit", "verify")["ok"] is True


def test_the_difference_of_a_report_is_shown_key_by_key(season: Arbitrator) -> None:
    text = report("b2", HIT.replace("attacker: hob", "attacker: krug"), EXPERIENCE, OUT, result="draw: true")
    page = season.done("battle", "amend", "b2", season.write(text)).out
    head, _, rest = page.partition("\n\nAmended:\n")
    assert head == "Preview: battle 2 (b2), amended. Nothing is written."
    assert rest.partition("\n\n")[0].splitlines() == [
        "  10  attacker hob -> krug",
        "  10  adds award: 1 XP for Pip: held on",
        "  12  drawn false -> true",
        "  12  winner gilded-cage -> null",
    ]


def test_a_part_of_an_entry_is_amended_by_its_number(season: Arbitrator) -> None:
    amend(season, "battle", "amend", "b2", season.write(CORRECTED_REPORTS["two forgotten in the middle"]))
    pip = season.roster()["pip"]["experience"]
    said = season.refused(2, "entry", "amend", KILL, "--set", "amount=3")
    assert "holds 3 things, one after the other: say which with --part, from 1 to 3" in said
    amend(season, "entry", "amend", KILL, "--part", "2", "--set", "amount=3")
    assert season.roster()["pip"]["experience"] == pip + 2
    assert "leave out --part" in season.refused(2, "entry", "amend", "11", "--part", "2", "--set", "by=krug")


def test_only_a_report_of_that_battle_amends_it(season: Arbitrator) -> None:
    path = season.write(report("b9"))
    assert "The report is of battle 'b9'" in season.refused(2, "battle", "amend", "b2", path)
    assert "There is no battle 'b9'" in season.refused(2, "battle", "amend", "b9", path)


def test_a_die_in_the_corrected_report_that_nothing_asks_for_is_a_slip(season: Arbitrator) -> None:
    text = report("b2", HIT, OUT.replace("lasting_injury: 2-1", "lasting_injury: [2-1, 3-3]"), result=WINNER)
    text = text.replace("{fighter: tallow", "{out_of_action_dice: 1, fighter: tallow")
    assert "dice are left over" in season.refused(2, "battle", "amend", "b2", season.write(text))


# --- what was forgotten ----------------------------------------------------------------------------------


def forgotten(table: Arbitrator, *entries: str, battle: str = "b2") -> str:
    """A file of forgotten entries of a battle."""
    listed = "".join(f"  - {entry}\n" for entry in entries)
    return table.write(
        f"format: battle-continued/1\nbattle: {battle}\nentries:\n{listed}", name="forgotten.yaml"
    )


@pytest.mark.parametrize(
    ("after", "entry", "corrected"),
    [
        ("11", 11, "an entry forgotten at the end"),
        ("9", 10, "an entry forgotten at the beginning"),
    ],
)
def test_a_forgotten_entry_leads_where_it_would_have_led_from_the_start(
    arbitrator: Arbitrator, tmp_path: Path, after: str, entry: int, corrected: str
) -> None:
    again = Arbitrator(tmp_path)
    again.file.write_bytes(arbitrator.file.read_bytes())
    for text in (SEASON[0], CORRECTED_REPORTS[corrected], *SEASON[2:]):
        again.record(text)
    for text in SEASON:
        arbitrator.record(text)
    before = everything(arbitrator)
    words = ("entry", "add", forgotten(arbitrator, EXPERIENCE), "--after", after)
    preview = arbitrator.read(*words)
    assert preview["amended"] == [
        {"entry": entry, "key": "besides", "before": None, "after": "award: 1 XP for Pip: held on"}
    ]

    amend(arbitrator, *words)

    assert everything(arbitrator) == everything(again)
    assert arbitrator.read("audit", "verify")["ok"] is True
    ruling = str(arbitrator.head["entries"])
    arbitrator.done("rollback", "rule", "--ruling", ruling, "--reason", "no", *arbitrator.seen())
    assert everything(arbitrator) == before


def test_what_was_forgotten_at_the_beginning_comes_before_the_next_entry_that_counts(
    season: Arbitrator,
) -> None:
    """The one behind the battle's opening is void, and has nothing that anything could be put to."""
    season.done("dispute", "open", "10.1", "--reason", "it never happened")
    ruled = ("dispute", "rule", str(season.head["entries"]), "--void", "--reason", "so it is")
    season.done(*ruled, *season.seen())
    preview = season.read("entry", "add", forgotten(season, EXPERIENCE), "--after", "9")
    assert preview["amended"] == [
        {"entry": 11, "key": "besides", "before": None, "after": "award: 1 XP for Pip: held on"}
    ]


def test_a_forgotten_hit_brings_its_own_dice_and_asks_for_what_is_missing(season: Arbitrator) -> None:
    hit = "hit: {attacker: hob, weapon: autogun, target: sable}\n    dice: {wound: [6]}"
    preview = season.read("entry", "add", forgotten(season, hit), "--after", "11")
    assert any(step.startswith("--dice 11:") for step in preview["next_steps"])
    said = season.refused(
        2, "entry", "add", forgotten(season, EXPERIENCE + "\n    dice: {wound: [6]}"), "--after", "11"
    )
    assert "dice are left over" in said


def test_what_was_forgotten_after_a_battle_is_added_too(season: Arbitrator) -> None:
    text = "format: post-battle/1\nbattle: b2\nentries:\n  - experience: {fighter: pip, amount: 2, reason: a good story}\n"
    before = season.roster()["pip"]["experience"]
    amend(season, "entry", "add", season.write(text), "--after", "12")
    assert season.roster()["pip"]["experience"] == before + 2
    assert season.read("audit", "verify")["ok"] is True


def test_forgotten_entries_go_to_their_own_battle(season: Arbitrator) -> None:
    said = season.refused(2, "entry", "add", forgotten(season, EXPERIENCE, battle="b1"), "--after", "11")
    assert "holds entries of battle 'b1', and entry 11 belongs to battle 2 (b2)" in said


# --- a gang's sheet --------------------------------------------------------------------------------------

SKULLS = GANGS / "iron-skulls.yaml"


def sheet(table: Arbitrator, *changes: tuple[str, str]) -> str:
    text = SKULLS.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return table.write(text, name="sheet.yaml")


def test_a_corrected_sheet_leads_where_it_would_have_led_from_the_start(
    empty: Arbitrator, tmp_path: Path
) -> None:
    again = Arbitrator(tmp_path)
    corrected = sheet(empty, ("credits: ", "credits: 1"), ("BS: 4", "BS: 3"))
    begin(again, sheets=[Path(corrected), *GANG_SHEETS[1:]])
    begin(empty)
    for table in (again, empty):
        for text in SEASON[:2]:
            table.record(text)
    before = everything(empty)
    preview = empty.read("gang", "amend", corrected)
    (card,) = [row for row in preview["amended"] if row["key"] != "credits"]
    assert card["key"].endswith(" ballistic_skill")
    assert (card["before"], card["after"]) == ("4", "3")

    amend(empty, "gang", "amend", corrected)

    assert everything(empty) == everything(again)
    assert empty.read("audit", "verify")["ok"] is True
    assert "already says exactly that" in empty.refused(2, "gang", "amend", corrected)
    empty.done("rollback", "rule", "--ruling", "13", "--reason", "no", *empty.seen())
    assert everything(empty) == before


def test_the_sheet_of_a_gang_that_nobody_enlisted_amends_nothing(season: Arbitrator) -> None:
    path = sheet(season, ("gang: iron-skulls", "gang: strangers"))
    assert "strangers" in season.refused(2, "gang", "amend", path)


# --- a dispute that ends in an amendment -----------------------------------------------------------------


@pytest.mark.usefixtures("wide")
def test_a_dispute_ends_in_an_amendment(season: Arbitrator) -> None:
    before = season.roster()
    season.done("dispute", "open", WOUND_ROLL, "--by", "Kit", "--reason", "it was Krug who shot")
    preview = season.read("dispute", "preview", "13", "--amend", "attacker=krug")
    assert preview["amended"] == [{"entry": 10, "key": "attacker", "before": "hob", "after": "krug"}]
    (step,) = preview["next_steps"]
    assert step.startswith("arbitrator dispute rule 13 --amend attacker=krug --expect-head")
    season.done("dispute", "rule", "13", "--amend", "attacker=krug", "--reason", "so it was", *season.seen())
    now = season.roster()
    assert now["krug"]["experience"] == before["krug"]["experience"] + 2
    assert "ruled: amended" in season.done("dispute", "list").out
    assert "amended entry 10, attacker hob -> krug: so it was" in unwrapped(season.done("log", "show").out)
    assert season.read("audit", "verify")["ok"] is True
    season.done("rollback", "rule", "--ruling", "14", "--reason", "no", *season.seen())
    assert season.roster()["krug"]["experience"] == before["krug"]["experience"]
    assert [row["dispute"] for row in season.read("dispute", "list", "--open")["disputes"]] == [13]


def test_a_ruling_that_amends_has_no_other_verdict(season: Arbitrator) -> None:
    season.done("dispute", "open", WOUND_ROLL, "--reason", "x")
    said = season.refused(2, "dispute", "preview", "13", "--amend", "attacker=krug", "--void")
    assert "--amend KEY=VALUE" in said


def test_a_corrected_report_or_sheet_that_is_recorded_again_is_shown_the_way(season: Arbitrator) -> None:
    path = season.write(CORRECTED_REPORTS["another killer"])
    assert "arbitrator battle amend b2 FILE" in season.refused(1, "battle", "record", path)
    assert "arbitrator gang amend FILE" in season.refused(
        2, "gang", "add", sheet(season, ("credits: ", "credits: 1"))
    )

"""A roll back into the middle of a battle leaves it under way: it is continued, closed or struck, and says so."""

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report
from tables import every

HEAD = "format: battle-continued/1\nbattle: b2\n"
GOES_ON = HEAD + "entries:\n  - out_of_action: {fighter: tallow, by: sable, lasting_injury: 2-1}\n"
ENDS = GOES_ON + "result: {draw: true}\n"


@pytest.fixture
def midway(season: Arbitrator) -> Arbitrator:
    """Battle 2 (b2) is entries 9 to 12: opened, Quill's hit (10), Tallow Out of Action (11), closed. All after 10
    is struck."""
    season.done("rollback", "rule", "--to-entry", "10", "--reason", "the lights went out", *season.seen())
    return season


def continued(table: Arbitrator, text: str, *options: str) -> str:
    return table.done("battle", "continue", table.write(text), *options).out


def result(table: Arbitrator) -> str:
    (battle,) = [battle for battle in table.read("battle", "list")["battles"] if battle["battle"] == "b2"]
    return str(battle["winner"] or ("draw" if battle["drawn"] else "under way"))


@pytest.mark.usefixtures("wide")
def test_a_roll_back_into_the_middle_says_how_to_go_on(season: Arbitrator) -> None:
    page = " ".join(season.done("rollback", "preview", "--to-entry", "10").out.split())
    assert "then, as b2 is under way: arbitrator battle continue FILE, or arbitrator battle close" in page
    said = season.done("rollback", "rule", "--to-entry", "10", "--reason", "so", *season.seen()).out
    assert "Battle b2 is under way. 'arbitrator battle continue FILE' goes on with it" in said


def test_a_battle_is_continued_to_its_end(midway: Arbitrator) -> None:
    said = continued(midway, ENDS)
    assert "Tallow is taken Out of Action by Sable" in said
    assert result(midway) == "draw"
    assert "under way" not in said
    midway.done("audit", "verify")
    assert midway.roster()["tallow"]["times_out_of_action"] == 1


def test_it_is_the_season_that_would_have_been_recorded_so(midway: Arbitrator) -> None:
    """Continued as it had been recorded, winner and all: nobody's card differs from before the roll back."""
    before = midway.read("roster", "show", "--as-of-entry", "12")["gangs"]
    continued(midway, ENDS.replace("draw: true", "winner: gilded-cage"))
    after = midway.read("roster", "show")["gangs"]
    assert [gang["fighters"] for gang in after] == [gang["fighters"] for gang in before]
    assert [(gang["won"], gang["lost"]) for gang in after] == [(gang["won"], gang["lost"]) for gang in before]


def test_a_battle_goes_on_in_several_files_and_is_then_closed(midway: Arbitrator) -> None:
    assert "is under way. 'arbitrator battle continue FILE'" in continued(midway, GOES_ON)
    continued(midway, HEAD + "entries:\n  - experience: {fighter: pip, amount: 1, reason: the bridge}\n")
    assert result(midway) == "under way"
    midway.done("battle", "close", "--winner", "gilded-cage")
    assert result(midway) == "gilded-cage"
    midway.done("audit", "verify")


def test_the_same_file_twice_is_recorded_once(midway: Arbitrator) -> None:
    continued(midway, ENDS)
    entries = midway.head["entries"]
    assert "Recorded before: nothing new was written." in continued(midway, ENDS)
    assert midway.head["entries"] == entries


def test_what_was_continued_and_struck_again_is_continued_again(midway: Arbitrator) -> None:
    continued(midway, ENDS)
    midway.done("rollback", "rule", "--to-entry", "10", "--reason", "again", *midway.seen())
    assert "Recorded before" not in continued(midway, ENDS)
    assert result(midway) == "draw"


def test_a_roll_back_of_the_battle_strikes_what_it_was_continued_with(midway: Arbitrator) -> None:
    continued(midway, ENDS)
    midway.done("rollback", "rule", "--battle", "b2", "--reason", "no battle", *midway.seen())
    assert [battle["battle"] for battle in midway.read("battle", "list")["battles"]] == ["b1"]
    assert midway.roster()["tallow"]["times_out_of_action"] == 0


def test_the_wrap_up_asks_for_its_dice_when_a_battle_is_closed(midway: Arbitrator) -> None:
    """Ivo lies Seriously Injured at the end: 1 or 2 and he succumbs, else he pulls through."""
    continued(midway, HEAD + "entries:\n  - seriously_injured: {fighter: ivo, by: vex}\n")
    said = midway.refused(2, "battle", "close", "--draw")
    assert "'succumb' for Ivo (Seriously Injured at the end of the battle, needs 3+)" in said
    assert "pulls through" in midway.done("battle", "close", "--draw", "--dice", "succumb=3").out


def test_a_dry_run_writes_nothing(midway: Arbitrator) -> None:
    before = midway.contents()
    continued(midway, ENDS, "--dry-run")
    midway.done("battle", "close", "--draw", "--dry-run")
    assert midway.contents() == before


@every(
    ("text", "code", "says"),
    [
        (ENDS.replace("b2", "b1"), 1, "Battle 'b1' is not under way, but 'b2' is."),
        (ENDS.replace("b2", "b9"), 1, "Battle 'b9' is not under way, but 'b2' is."),
        (ENDS.replace("tallow", "nobody"), 2, "No fighter 'nobody' is enlisted"),
        (HEAD, 2, "nothing happens in this file"),
        (GOES_ON + "wrap_up: {dice: {succumb: [3]}}\n", 2, "without a `result` has no Wrap-up"),
        (ENDS.replace("battle-continued/1", "battle-report/1"), 2, "which `arbitrator battle record` reads"),
    ],
)
def test_what_does_not_go_on_with_the_battle_is_refused(
    midway: Arbitrator, text: str, code: int, says: str
) -> None:
    assert says in midway.refused(code, "battle", "continue", midway.write(text))


def test_a_battle_that_is_over_is_not_continued_and_says_how_it_might_be(season: Arbitrator) -> None:
    said = season.refused(1, "battle", "continue", season.write(ENDS))
    assert "Battle 'b2' is over." in said
    assert "rollback preview --to-entry ENTRY" in said
    assert "No battle is under way" in season.refused(1, "battle", "close", "--draw")
    said = season.refused(1, "battle", "continue", season.write(ENDS.replace("b2", "b9")))
    assert "There is no battle 'b9'" in said


@pytest.mark.parametrize("words", [(), ("--winner", "gilded-cage", "--draw")])
def test_a_battle_closes_with_a_single_result(midway: Arbitrator, words: tuple[str, ...]) -> None:
    assert "Say how the battle ended" in midway.refused(2, "battle", "close", *words)


def test_what_a_battle_under_way_bars_says_how_it_ends(midway: Arbitrator) -> None:
    another = report("b3", gangs="[iron-skulls, rust-saints]")
    said = midway.refused(1, "battle", "record", midway.write(another))
    assert "Battle 'b2' is still under way" in said
    assert "'arbitrator battle continue FILE' goes on with it" in said
    assert "'arbitrator battle close' ends it" in said
